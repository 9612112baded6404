// SPDX-License-Identifier: Apache-2.0
// Conversions from and to integers: PTX ISA 9.0, "Data Movement and Conversion Instructions: cvt,
// cvt.pack". Which modifiers a pair of types takes is that of ptxas 13.0.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/convert.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

// Needs the above.
#include "ptx/machine/operations/conversion.inc"

/// The two halves of a conversion by way of a wider type M, which keep the code small: from each
/// type to M, and from M to each.
template <class M, class S, bool Ftz>
[[gnu::noinline]] void widen(const held<S>* a, M* m) {
  PTXLAB_FOR_LANES m[i] = converted<M, S, rounding::none, Ftz, false, false>(a[i]);
}
template <class D, class M, rounding R, bool Sat>
[[gnu::noinline]] void narrow(const step& s, context& c, const M* m) {
  held<D>* d = c.at<held<D>>(s.d);
  alignas(64) held<D> all[32];
  PTXLAB_FOR_LANES all[i] = converted<D, M, R, false, Sat, false>(m[i]);
  if (c.mask == all_lanes) {
    PTXLAB_FOR_LANES d[i] = all[i];
    return;
  }
  const std::uint32_t* on = c.on;
  PTXLAB_FOR_LANES d[i] = on[i] != 0 ? all[i] : d[i];
}
template <class D, class M, class S, rounding R, bool Ftz, bool Sat>
void staged(const step& s, context& c) {
  alignas(64) M m[32];
  widen<M, S, Ftz>(c.at<held<S>>(s.a), m);
  narrow<D, M, R, Sat>(s, c, m);
}

/// `make.template operator()<T>()` for the C++ type of an integer type.
template <class Make>
run_function for_whole(type t, Make make) {
  switch (t) {
    case type::u8:
      return make.template operator()<std::uint8_t>();
    case type::s8:
      return make.template operator()<std::int8_t>();
    default:
      return for_integer(t, make);
  }
}
/// Between integers.
run_function select_whole(const choice& c) {
  return for_whole(c.type("t"), [&]<class D>() {
    return for_whole(c.type("s"), [&]<class S>() {
      if (!c.has("sat")) {
        // Cutting is the same for both signs, but where it makes an 8-bit value.
        using cut = std::conditional_t<sizeof(D) == 1, D, std::make_unsigned_t<D>>;
        return conversion<cut, S>();
      }
      return conversion<D, S, rounding::none, false, true>();
    });
  });
}

/// Results of an integer are never subnormal, so that .ftz has nothing to do.
template <class D, class S>
run_function from_whole(const choice& c) {
  return for_rounding(c, [&]<rounding R>() {
    return for_flag(c.has("sat"), []<bool Sat>() -> run_function {
      constexpr bool sat = Sat && !std::is_same_v<D, bf16>;
      if constexpr (R == rounding::rn && sizeof(S) >= 4)
        return conversion<D, S, R, false, sat>();
      else if constexpr (R == rounding::rn)
        return staged<D, std::int32_t, S, R, false, sat>;
      else if constexpr (std::is_same_v<S, std::uint64_t>)
        return staged<D, S, S, R, false, sat>;
      else
        return staged<D, std::int64_t, S, R, false, sat>;
    });
  });
}
run_function select_from_whole(const choice& c) {
  return for_real(c.type("t"), [&]<class D>() {
    return for_whole(c.type("s"), [&]<class S>() { return from_whole<D, S>(c); });
  });
}

/// Results are clamped to their range, so that .sat has nothing to do.
run_function select_to_whole(const choice& c) {
  return for_whole(c.type("t"), [&]<class D>() {
    return for_integral(c, [&]<rounding R>() -> run_function {
      switch (c.type("s")) {
        case type::f16:
          return staged<D, float, f16, R, false, false>;
        case type::bf16:
          return staged<D, float, bf16, R, false, false>;
        case type::f32:
          return c.has("ftz") ? staged<D, float, float, R, true, false> : conversion<D, float, R>();
        default:
          return conversion<D, double, R>();
      }
    });
  });
}

// --- cvt.pack ------------------------------------------------------------------------------------

template <class T>
constexpr std::uint32_t clamped_bits(std::int32_t x) {
  using limits = std::numeric_limits<T>;
  const std::int32_t in = std::clamp<std::int32_t>(x, limits::min(), limits::max());
  return static_cast<std::make_unsigned_t<T>>(in);
}
/// a above b, and what fits of c above both.
template <class T>
constexpr std::uint32_t packed(std::int32_t a, std::int32_t b, std::uint32_t c) {
  constexpr unsigned width = 8 * sizeof(T);
  const std::uint32_t both = clamped_bits<T>(a) << width | clamped_bits<T>(b);
  if constexpr (width == 16)
    return both;
  else
    return both | c << 2 * width;
}
template <class T>
constexpr std::uint32_t packed_pair(std::int32_t a, std::int32_t b) {
  return packed<T>(a, b, 0);
}
run_function select_pack(const choice& c) {
  using word = std::uint32_t;
  using number = std::int32_t;
  if (c.is("to", "u16")) return binary<packed_pair<std::uint16_t>, word, number, number>;
  if (c.is("to", "s16")) return binary<packed_pair<std::int16_t>, word, number, number>;
  if (c.is("to", "u8")) return ternary<packed<std::uint8_t>, word, number, number, word>;
  return ternary<packed<std::int8_t>, word, number, number, word>;
}

#define ROUNDING "rnd:rn|rz|rm|rp"
#define INTEGRAL "rnd:rni|rzi|rmi|rpi"
#define WHOLE "u8|u16|u32|u64|s8|s16|s32|s64"
#define WIDE_WHOLE "u16|u32|u64|s16|s32|s64"

const std::array table = {
    row{"cvt", "t:" WHOLE " s:" WHOLE, "t<s", select_whole},
    // .sat only where a value may lie outside of the result's range.
    row{"cvt", "sat t:u8 s:u16|u32|u64|s8|s16|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:s8 s:u8|u16|u32|u64|s16|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:u16 s:u32|u64|s8|s16|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:s16 s:u16|u32|u64|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:u32 s:u64|s8|s16|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:s32 s:u32|u64|s64", "t<s", select_whole},
    row{"cvt", "sat t:u64 s:s8|s16|s32|s64", "t<s", select_whole},
    row{"cvt", "sat t:s64 s:u64", "t<s", select_whole},
    row{"cvt", ROUNDING " ftz? sat? t:f32 s:" WHOLE, "t<s", select_from_whole},
    row{"cvt", ROUNDING " sat? t:f16|f64 s:" WHOLE, "t<s", select_from_whole},
    row{"cvt", ROUNDING " t:bf16 s:" WIDE_WHOLE, "t<s", select_from_whole},
    row{"cvt", INTEGRAL " ftz? sat? t:" WHOLE " s:f32", "t<s", select_to_whole},
    row{"cvt", INTEGRAL " sat? t:" WHOLE " s:f16|f64", "t<s", select_to_whole},
    row{"cvt", INTEGRAL " t:" WIDE_WHOLE " s:bf16", "t<s", select_to_whole},
    row{"cvt", "pack sat to:u16|s16 s:s32", "u<ss", select_pack},
    row{"cvt", "pack sat to:u8|s8 s:s32 c:b32", "u<ssu", select_pack},
};

}  // namespace

rows convert_integer_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
