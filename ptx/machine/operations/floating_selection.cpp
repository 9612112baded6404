// SPDX-License-Identifier: Apache-2.0
// Operations of f32 and f64 that round nothing: min, max, abs, neg, copysign, testp (PTX ISA 9.0,
// "Floating Point Instructions").
#include <array>
#include <cstdint>
#include <string_view>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/selection.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

bool is_double(const choice& c) {
  return c.is("t", "f64");
}

template <class T, T (*F)(T)>
run_function one() {
  return unary<F, T, T>;
}
template <class T, T (*F)(T, T)>
run_function two() {
  return binary<F, T, T, T>;
}

/// min, Max: max.
template <bool Max>
run_function select_extreme(const choice& c) {
  if (is_double(c)) {
    if constexpr (Max)
      return two<double, math::max<false, false, false>>();
    else
      return two<double, math::min<false, false, false>>();
  }
  return for_flag(c.has("ftz"), [&]<bool Ftz>() {
    return for_flag(c.has("NaN"), [&]<bool Nan>() {
      return for_flag(c.has("xorsign"), [&]<bool Xorsign>() {
        if constexpr (Max)
          return two<float, math::max<Ftz, Nan, Xorsign>>();
        else
          return two<float, math::min<Ftz, Nan, Xorsign>>();
      });
    });
  });
}
run_function select_abs(const choice& c) {
  if (is_double(c)) return one<double, math::abs<false>>();
  return for_flag(c.has("ftz"), []<bool Ftz>() { return one<float, math::abs<Ftz>>(); });
}
run_function select_neg(const choice& c) {
  if (is_double(c)) return one<double, math::neg<false>>();
  return for_flag(c.has("ftz"), []<bool Ftz>() { return one<float, math::neg<Ftz>>(); });
}
run_function select_copysign(const choice& c) {
  if (is_double(c)) return two<double, math::copysign<double>>();
  return two<float, math::copysign<float>>();
}

template <math::property P, class T>
void test_property(const step& s, context& c) {
  const T* a = c.at<T>(s.a);
  alignas(64) std::uint32_t words[32];
  PTXLAB_FOR_LANES words[i] = math::testp<P>(a[i]) ? 0xffffffff : 0;
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | (pack(words) & c.mask);
}
template <class T>
run_function property_of(std::string_view name) {
  using enum math::property;
  if (name == "finite") return test_property<finite, T>;
  if (name == "infinite") return test_property<infinite, T>;
  if (name == "number") return test_property<number, T>;
  if (name == "notanumber") return test_property<notanumber, T>;
  if (name == "normal") return test_property<normal, T>;
  return test_property<subnormal, T>;
}
run_function select_testp(const choice& c) {
  return is_double(c) ? property_of<double>(c.get("op")) : property_of<float>(c.get("op"));
}

const std::array table = {
    row{"min", "ftz? NaN? t:f32", "t<tt", select_extreme<false>},
    row{"min", "ftz? NaN? xorsign abs t:f32", "t<tt", select_extreme<false>},
    row{"min", "t:f64", "t<tt", select_extreme<false>},
    row{"max", "ftz? NaN? t:f32", "t<tt", select_extreme<true>},
    row{"max", "ftz? NaN? xorsign abs t:f32", "t<tt", select_extreme<true>},
    row{"max", "t:f64", "t<tt", select_extreme<true>},
    row{"abs", "ftz? t:f32", "t<t", select_abs},
    row{"abs", "t:f64", "t<t", select_abs},
    row{"neg", "ftz? t:f32", "t<t", select_neg},
    row{"neg", "t:f64", "t<t", select_neg},
    row{"copysign", "t:f32|f64", "t<tt", select_copysign},
    row{"testp", "op:finite|infinite|number|notanumber|normal|subnormal t:f32|f64", "p<t",
        select_testp},
};

}  // namespace

rows floating_selection_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
