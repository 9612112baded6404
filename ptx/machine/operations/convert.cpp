// SPDX-License-Identifier: Apache-2.0
// Conversions between floating-point numbers: PTX ISA 9.0, "Data Movement and Conversion
// Instructions: cvt". Which modifiers a pair of types takes is that of ptxas 13.0.
#include <array>
#include <cstdint>
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

/// `make.template operator()<R>()`, with rounding::none where none is named.
template <class Make>
run_function for_integral_or_none(const choice& c, Make make) {
  return c.has("rnd") ? for_integral(c, make) : make.template operator()<rounding::none>();
}

/// Of one floating-point type: a move or integral rounding.
run_function select_integral(const choice& c) {
  return for_real(c.type("t"), [&]<class T>() {
    return for_integral_or_none(c, [&]<rounding R>() {
      if constexpr (std::is_same_v<T, bf16>)
        return conversion<T, T, R>();
      else
        return for_flag(c.has("sat"), [&]<bool Sat>() {
          if constexpr (std::is_same_v<T, float>)
            if (c.has("ftz")) return conversion<T, T, R, true, Sat>();
          return conversion<T, T, R, false, Sat>();
        });
    });
  });
}

/// To a wider type, exactly, whatever the rounding.
template <class D, class S>
run_function widening(const choice& c) {
  return for_flag(c.has("ftz"), [&]<bool Ftz>() {
    return for_flag(c.has("sat"),
                    []<bool Sat>() { return conversion<D, S, rounding::none, Ftz, Sat>(); });
  });
}
run_function select_widening(const choice& c) {
  const type from = c.type("s");
  if (c.is("t", "f64")) {
    if (from == type::f16) return widening<double, f16>(c);
    return from == type::f32 ? widening<double, float>(c) : conversion<double, bf16>();
  }
  return from == type::f16 ? widening<float, f16>(c) : widening<float, bf16>(c);
}

template <class D, class S>
run_function narrowing(const choice& c) {
  return for_rounding(c, [&]<rounding R>() {
    if constexpr (std::is_same_v<D, bf16>)
      return c.has("ftz") ? conversion<D, S, R, true>() : conversion<D, S, R>();
    else
      return for_flag(c.has("ftz"), [&]<bool Ftz>() {
        return for_flag(c.has("sat"), []<bool Sat>() { return conversion<D, S, R, Ftz, Sat>(); });
      });
  });
}
/// .ftz stands with f32 only.
run_function select_narrowing(const choice& c) {
  if (c.is("t", "f32")) return narrowing<float, double>(c);
  const bool wide = c.is("s", "f64");
  if (c.is("t", "bf16")) return wide ? narrowing<bf16, double>(c) : narrowing<bf16, float>(c);
  return wide ? narrowing<f16, double>(c) : narrowing<f16, float>(c);
}
run_function select_relu(const choice& c) {
  return for_flag(c.is("rnd", "rz"), [&]<bool Cut>() {
    constexpr rounding R = Cut ? rounding::rz : rounding::rn;
    return c.is("t", "f16") ? conversion<f16, float, R, false, false, true>()
                            : conversion<bf16, float, R, false, false, true>();
  });
}
/// Between f16 and bf16; to nearest if no rounding is named, as ptxas 13.0 does.
run_function select_between_halves(const choice& c) {
  const bool from_f16 = c.is("s", "f16");
  if (!c.has("rnd"))
    return from_f16 ? conversion<bf16, f16, rounding::rn>() : conversion<f16, bf16, rounding::rn>();
  return for_rounding(c, [&]<rounding R>() {
    return from_f16 ? conversion<bf16, f16, R>() : conversion<f16, bf16, R>();
  });
}

// --- two values to one register ------------------------------------------------------------------

template <class H, rounding R, bool Relu>
[[gnu::always_inline]] inline std::uint32_t pair(float a, float b) {
  return math::convert_pair<H, R, Relu>(a, b);
}
run_function select_pair(const choice& c) {
  return for_flag(c.is("rnd", "rz"), [&]<bool Cut>() {
    return for_flag(c.has("relu"), [&]<bool Relu>() -> run_function {
      constexpr rounding R = Cut ? rounding::rz : rounding::rn;
      if (c.is("t", "f16x2")) return binary<pair<f16, R, Relu>, std::uint32_t, float, float>;
      return binary<pair<bf16, R, Relu>, std::uint32_t, float, float>;
    });
  });
}

// --- to tf32 -------------------------------------------------------------------------------------

constexpr std::uint32_t tf32_unit = 0x2000, tf32_mask = ~(tf32_unit - 1);

/// An f32 whose low 13 bits are 0 (PTX ISA 9.0, "Alternate Floating-Point Data Formats"). NaN, of
/// which the ISA says nothing, gives 7fffe000: measured on an H200.
template <bool Cut, bool Relu>
[[gnu::always_inline]] inline std::uint32_t to_tf32(float x) {
  constexpr std::uint32_t sign = 0x80000000, infinity = 0x7f800000, nan = 0x7fffe000;
  const std::uint32_t bits = math::bits_of(x), a = bits & ~sign;
  const std::uint32_t is_odd = a / tf32_unit & 1;
  const std::uint32_t half = Cut ? 0 : tf32_unit / 2 - 1 + is_odd;
  std::uint32_t r = ((a + half) & tf32_mask) | (bits & sign);
  if (Relu) r = (bits & sign) != 0 ? 0 : r;
  return a > infinity ? nan : r;
}
/// .rna: halves away from zero. What is no number keeps its bits but the low 13, so that a NaN may
/// become an infinity. `Finite`, .satfinite: of what is then no number the next lower bits, which
/// are the largest number for an infinity. ptxas 13.0 makes this of integer instructions, and an
/// H200 gives these bits.
template <bool Finite>
[[gnu::always_inline]] inline std::uint32_t to_tf32_away(float x) {
  constexpr std::uint32_t magnitude = 0x7fffffff, infinity = 0x7f800000;
  const std::uint32_t bits = math::bits_of(x);
  const std::uint32_t half = (bits & magnitude) < infinity ? tf32_unit / 2 : 0;
  const std::uint32_t r = (bits + half) & tf32_mask;
  return r - (Finite && (r & magnitude) >= infinity ? tf32_unit : 0);
}
run_function select_tf32(const choice& c) {
  if (c.is("rnd", "rna"))
    return for_flag(c.has("satfinite"), []<bool Finite>() -> run_function {
      return unary<to_tf32_away<Finite>, std::uint32_t, float>;
    });
  return for_flag(c.has("relu"), [&]<bool Relu>() -> run_function {
    if (c.is("rnd", "rz")) return unary<to_tf32<true, Relu>, std::uint32_t, float>;
    return unary<to_tf32<false, Relu>, std::uint32_t, float>;
  });
}

#define ROUNDING "rnd:rn|rz|rm|rp"
#define INTEGRAL "rnd:rni|rzi|rmi|rpi"

const std::array table = {
    row{"cvt", INTEGRAL "? ftz? sat? t:f32 s:f32", "t<s", select_integral},
    row{"cvt", INTEGRAL "? sat? t:f64 s:f64", "t<s", select_integral},
    row{"cvt", INTEGRAL "? sat? t:f16 s:f16", "t<s", select_integral},
    row{"cvt", INTEGRAL "? t:bf16 s:bf16", "t<s", select_integral},
    row{"cvt", "ftz? sat? t:f32 s:f16", "t<s", select_widening},
    row{"cvt", "ftz? sat? t:f64 s:f32", "t<s", select_widening},
    row{"cvt", "sat? t:f64 s:f16", "t<s", select_widening},
    row{"cvt", ROUNDING "? ftz? t:f32 s:bf16", "t<s", select_widening},
    row{"cvt", ROUNDING "? t:f64 s:bf16", "t<s", select_widening},
    row{"cvt", ROUNDING " ftz? sat? t:f32 s:f64", "t<s", select_narrowing},
    row{"cvt", ROUNDING " ftz? sat? t:f16 s:f32", "t<s", select_narrowing},
    row{"cvt", ROUNDING " sat? t:f16 s:f64", "t<s", select_narrowing},
    row{"cvt", ROUNDING " ftz? t:bf16 s:f32", "t<s", select_narrowing},
    row{"cvt", ROUNDING " t:bf16 s:f64", "t<s", select_narrowing},
    row{"cvt", "rnd:rn|rz relu t:f16|bf16 s:f32", "t<s", select_relu},
    row{"cvt", ROUNDING "? t:f16 s:bf16", "t<s", select_between_halves},
    row{"cvt", ROUNDING "? t:bf16 s:f16", "t<s", select_between_halves},
    row{"cvt", "rnd:rn|rz relu? t:f16x2|bf16x2 s:f32", "t<ss", select_pair},
    row{"cvt", "rnd:rna satfinite? to:tf32 s:f32", "u<s", select_tf32},
    row{"cvt", "rnd:rn|rz relu? to:tf32 s:f32", "u<s", select_tf32},
};

}  // namespace

rows convert_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
