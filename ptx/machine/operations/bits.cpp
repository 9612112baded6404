// SPDX-License-Identifier: Apache-2.0
// Logic, shifts and bit fields: PTX ISA 9.0, "Logic and Shift Instructions" and the bit-field part
// of "Integer Arithmetic Instructions".
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
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
  if (m == name)   \
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

// --- bit fields ----------------------------------------------------------------------------------

/// bfe and bfi take the low 8 bits of position and length (PTX ISA 9.0, "bfe", "bfi"). Measured on
/// an H200: those of 64 bits, which ptxas 13.0 makes of shifts, take all 32.
template <class T>
constexpr u32 field_number(u32 x) {
  return sizeof(T) == 8 ? x : x & 0xff;
}
template <class T>
constexpr T extract(T a, u32 at, u32 length) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 most = 8 * sizeof(T) - 1;
  at = field_number<T>(at);
  length = field_number<T>(length);
  if (length == 0) return 0;
  const auto shift = [](U x, u32 n) { return n > most ? U{0} : static_cast<U>(x >> n); };
  U r = shift(static_cast<U>(a), at);
  const U ones = length > most ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << length) - 1);
  r &= ones;
  if constexpr (std::is_signed_v<T>) {
    const auto sign_at = static_cast<u32>(std::min<u64>(u64{at} + length - 1, most));
    if ((static_cast<U>(a) >> sign_at & 1) != 0) {
      const u32 kept = sign_at >= at ? sign_at - at + 1 : 0;  // bits that are of `a`
      r |= kept > most ? U{0} : static_cast<U>(~U{0} << kept);
    }
  }
  return static_cast<T>(r);
}
template <class T>
constexpr T insert(T a, T b, u32 at, u32 length) {
  constexpr u32 width = 8 * sizeof(T);
  at = field_number<T>(at);
  length = field_number<T>(length);
  if (at >= width || length == 0) return b;
  const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  const T field = static_cast<T>(ones << at);
  return static_cast<T>((b & ~field) | (static_cast<T>(a << at) & field));
}
/// Place of the highest bit that differs from the sign, or all ones; as a distance from the top.
template <class T, bool Distance>
constexpr u32 find_highest(T a) {
  using U = std::make_unsigned_t<T>;
  auto x = static_cast<U>(a);
  if (std::is_signed_v<T> && a < 0) x = static_cast<U>(~x);
  if (x == 0) return 0xffffffff;
  const auto zeros = static_cast<u32>(std::countl_zero(x));
  return Distance ? zeros : static_cast<u32>(8 * sizeof(T)) - 1 - zeros;
}
template <bool Wrap>
constexpr u32 bit_mask(u32 at, u32 length) {
  if (Wrap) {
    at &= 31;
    length &= 31;
  }
  if (at >= 32 || length == 0) return 0;
  return (length >= 32 ? 0xffffffffU : (1U << length) - 1) << at;
}
/// fns: place of the n-th set bit from `base` on, upwards for n > 0, downwards for n < 0; n = 0:
/// the base itself if it is set.
constexpr u32 find_nth(u32 mask, u32 base, std::int32_t n) {
  if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffff;
  std::int64_t left = n > 0 ? n : -std::int64_t{n};
  for (std::int64_t i = base; i >= 0 && i<32; i += n> 0 ? 1 : -1)
    if ((mask >> i & 1) != 0 && --left == 0) return static_cast<u32>(i);
  return 0xffffffff;
}
template <class T>
constexpr T reversed(T x) {
  T r = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) r |= (x >> i & T{1}) << (8 * sizeof(T) - 1 - i);
  return r;
}
template <class T, bool Wrap>
constexpr T extend(T a, u32 n) {
  if (Wrap) n &= 31;
  if (n == 0) return 0;
  if (n >= 32) return a;
  const u32 up = 32 - n;
  return static_cast<T>(static_cast<T>(static_cast<u32>(a) << up) >> up);
}
template <class Make>
run_function for_words(type t, Make make) {
  switch (t) {
    case type::u32:
    case type::b32:
      return make.template operator()<u32>();
    case type::s32:
      return make.template operator()<std::int32_t>();
    case type::u64:
    case type::b64:
      return make.template operator()<u64>();
    case type::s64:
      return make.template operator()<std::int64_t>();
    default:
      return nullptr;
  }
}
run_function select_bfe(const choice& c) {
  return for_words(c.type("t"),
                   []<class T>() -> run_function { return ternary<extract<T>, T, T, u32, u32>; });
}
run_function select_bfi(const choice& c) {
  return bits(c.type("t")) == 64
             ? static_cast<run_function>(quaternary<insert<u64>, u64, u64, u64, u32, u32>)
             : quaternary<insert<u32>, u32, u32, u32, u32, u32>;
}
run_function select_bfind(const choice& c) {
  return for_words(c.type("t"), [&]<class T>() -> run_function {
    if (c.has("shiftamt")) return unary<find_highest<T, true>, u32, T>;
    return unary<find_highest<T, false>, u32, T>;
  });
}
run_function select_bmsk(const choice& c) {
  return c.is("mode", "wrap") ? static_cast<run_function>(binary<bit_mask<true>, u32, u32, u32>)
                              : binary<bit_mask<false>, u32, u32, u32>;
}
run_function select_fns(const choice&) {
  return ternary<find_nth, u32, u32, u32, std::int32_t>;
}
run_function select_brev(const choice& c) {
  return bits(c.type("t")) == 64 ? static_cast<run_function>(unary<reversed<u64>, u64, u64>)
                                 : unary<reversed<u32>, u32, u32>;
}
run_function select_clz(const choice& c) {
  return for_words(c.type("t"), []<class T>() -> run_function {
    return unary<[](T a) { return static_cast<u32>(std::countl_zero(std::make_unsigned_t<T>(a))); },
                 u32, T>;
  });
}
run_function select_popc(const choice& c) {
  return for_words(c.type("t"), []<class T>() -> run_function {
    return unary<[](T a) { return static_cast<u32>(std::popcount(std::make_unsigned_t<T>(a))); },
                 u32, T>;
  });
}
run_function select_szext(const choice& c) {
  return for_flag(c.is("mode", "wrap"), [&]<bool Wrap>() -> run_function {
    return c.is("t", "s32")
               ? static_cast<run_function>(
                     binary<extend<std::int32_t, Wrap>, std::int32_t, std::int32_t, u32>)
               : binary<extend<u32, Wrap>, u32, u32, u32>;
  });
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
    row{"bfe", "t:u32|u64|s32|s64", "t<tuu", select_bfe},
    row{"bfi", "t:b32|b64", "t<ttuu", select_bfi},
    row{"bfind", "shiftamt? t:u32|u64|s32|s64", "u<t", select_bfind},
    row{"bmsk", "mode:clamp|wrap t:b32", "t<uu", select_bmsk},
    row{"fns", "t:b32", "t<tui", select_fns},
    row{"brev", "t:b32|b64", "t<t", select_brev},
    row{"clz", "t:b32|b64", "u<t", select_clz},
    row{"popc", "t:b32|b64", "u<t", select_popc},
    row{"szext", "mode:clamp|wrap t:u32|s32", "t<tu", select_szext},
};

}  // namespace

rows bits_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
