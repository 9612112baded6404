// SPDX-License-Identifier: Apache-2.0
// Logic, shifts and the permutation of bytes: PTX ISA 9.0, "Logic and Shift Instructions" and
// "Data Movement and Conversion Instructions: prmt".
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class Make>
run_function for_bits(type t, Make make) {
  switch (bits(t)) {
    case 16:
      return make.template operator()<u16>();
    case 32:
      return make.template operator()<u32>();
    case 64:
      return make.template operator()<u64>();
    default:
      return nullptr;
  }
}

// --- logic -------------------------------------------------------------------------------------

template <auto F>
void predicate_binary(const step& s, context& c) {
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | (F(c.predicate(s.a), c.predicate(s.b)) & c.mask);
}
void predicate_not(const step& s, context& c) {
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | (~c.predicate(s.a) & c.mask);
}

template <class T>
constexpr T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
constexpr T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
constexpr T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
run_function select_and(const choice& c) {
  if (c.is("t", "pred")) return predicate_binary<bit_and<u32>>;
  return for_bits(c.type("t"),
                  []<class T>() -> run_function { return binary<bit_and<T>, T, T, T>; });
}
run_function select_or(const choice& c) {
  if (c.is("t", "pred")) return predicate_binary<bit_or<u32>>;
  return for_bits(c.type("t"),
                  []<class T>() -> run_function { return binary<bit_or<T>, T, T, T>; });
}
run_function select_xor(const choice& c) {
  if (c.is("t", "pred")) return predicate_binary<bit_xor<u32>>;
  return for_bits(c.type("t"),
                  []<class T>() -> run_function { return binary<bit_xor<T>, T, T, T>; });
}
run_function select_not(const choice& c) {
  if (c.is("t", "pred")) return predicate_not;
  return for_bits(c.type("t"), []<class T>() -> run_function {
    return unary<[](T a) { return static_cast<T>(~a); }, T, T>;
  });
}
run_function select_cnot(const choice& c) {
  return for_bits(c.type("t"), []<class T>() -> run_function {
    return unary<[](T a) { return static_cast<T>(a == 0 ? 1 : 0); }, T, T>;
  });
}
/// lop3: bit i of the table is the result for a, b, c of which i's bits 2, 1, 0 are made.
constexpr u32 look_up(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (unsigned i = 0; i < 8; ++i)
    if ((table >> i & 1) != 0)
      r |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  return r;
}
run_function select_lop3(const choice&) {
  return quaternary<look_up, u32, u32, u32, u32, u32>;
}

// --- shifts: amounts beyond the width clamp ------------------------------------------------------

template <class T>
constexpr T shift_left(T a, u32 n) {
  return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<u64>(a) << (n & 63));
}
template <>
constexpr u32 shift_left(u32 a, u32 n) {
  return n >= 32 ? 0 : a << (n & 31);
}
template <class T>
constexpr T shift_right(T a, u32 n) {
  constexpr u32 most = 8 * sizeof(T) - 1;
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n > most ? most : n));
  return n > most ? T{0} : static_cast<T>(a >> (n & most));
}
run_function select_shl(const choice& c) {
  return for_bits(c.type("t"),
                  []<class T>() -> run_function { return binary<shift_left<T>, T, T, u32>; });
}
run_function select_shr(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<shift_right<T>, T, T, u32>; });
}
template <bool Left, bool Wrap>
constexpr u32 funnel(u32 low, u32 high, u32 n) {
  n = Wrap ? n & 31 : std::min(n, 32U);
  const u64 both = u64{high} << 32 | low;
  return static_cast<u32>(Left ? both << n >> 32 : both >> n);
}
run_function select_shf(const choice& c) {
  return for_flag(c.is("way", "l"), [&]<bool Left>() -> run_function {
    return for_flag(c.is("mode", "wrap"), [&]<bool Wrap>() -> run_function {
      return ternary<funnel<Left, Wrap>, u32, u32, u32, u32>;
    });
  });
}

// --- bytes ---------------------------------------------------------------------------------------

constexpr u32 byte_of(u64 both, u32 selector) {
  const auto b = static_cast<u32>(both >> (8 * (selector & 7))) & 0xff;
  if ((selector & 8) == 0) return b;
  return (b & 0x80) != 0 ? 0xff : 0;
}
constexpr u32 permute(u32 a, u32 b, u32 selectors) {
  const u64 both = u64{b} << 32 | a;
  u32 r = 0;
  for (unsigned i = 0; i < 4; ++i) r |= byte_of(both, selectors >> (4 * i) & 15) << (8 * i);
  return r;
}
/// The four selectors, 4 bits each, that a mode of prmt makes of the two low bits of c.
constexpr u32 selectors_of(std::string_view mode, u32 c) {
  const u32 n = c & 3;
  u32 r = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 s = 0;
    if (mode == "f4e") s = n + i;
    if (mode == "b4e") s = (n - i) & 7;
    if (mode == "rc8") s = n;
    if (mode == "ecl") s = std::max(i, n);
    if (mode == "ecr") s = std::min(i, n);
    if (mode == "rc16") s = (n & 1) * 2 + (i & 1);
    r |= s << (4 * i);
  }
  return r;
}
template <auto Mode>
constexpr u32 permute_by(u32 a, u32 b, u32 c) {
  return permute(a, b, selectors_of(Mode(), c));
}
run_function select_prmt(const choice& c) {
  const std::string_view m = c.get("mode");
#define MODE(name) \
  if (m == (name)) \
  return ternary<permute_by<[] { return std::string_view(name); }>, u32, u32, u32, u32>
  MODE("f4e");
  MODE("b4e");
  MODE("rc8");
  MODE("ecl");
  MODE("ecr");
  MODE("rc16");
#undef MODE
  return ternary<permute, u32, u32, u32, u32>;
}

const std::array table = {
    row{"and", "t:pred|b16|b32|b64", "t<tt", select_and},
    row{"or", "t:pred|b16|b32|b64", "t<tt", select_or},
    row{"xor", "t:pred|b16|b32|b64", "t<tt", select_xor},
    row{"not", "t:pred|b16|b32|b64", "t<t", select_not},
    row{"cnot", "t:b16|b32|b64", "t<t", select_cnot},
    row{"lop3", "t:b32", "t<tttu", select_lop3},
    row{"shl", "t:b16|b32|b64", "t<tu", select_shl},
    row{"shr", "t:b16|b32|b64|u16|u32|u64|s16|s32|s64", "t<tu", select_shr},
    row{"shf", "way:l|r mode:clamp|wrap t:b32", "t<ttu", select_shf},
    row{"prmt", "t:b32 mode:f4e|b4e|rc8|ecl|ecr|rc16?", "t<ttu", select_prmt},
};

}  // namespace

rows logic_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
