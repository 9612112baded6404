// SPDX-License-Identifier: Apache-2.0
// Bit fields and the counting, finding and reversing of bits: PTX ISA 9.0, the bit-field part of
// "Integer Arithmetic Instructions".
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

using u32 = std::uint32_t;
using u64 = std::uint64_t;

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
