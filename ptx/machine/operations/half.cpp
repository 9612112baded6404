// SPDX-License-Identifier: Apache-2.0
// Arithmetic of f16 and bf16 and of pairs of them: PTX ISA 9.0, "Half Precision Floating Point
// Instructions" and "Floating Point Instructions: tanh, ex2".
#include <array>
#include <cstdint>
#include <string_view>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/approximate.hpp"
#include "ptx/machine/math/half.hpp"
#include "ptx/machine/math/selection.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

using math::bf16;
using math::f16;
using math::rounding;

/// From a function of numbers to one of registers: one number in 16 bits, two in 32. Arrays of
/// integers become vector code, arrays of a structure with one do not (g++ 12).
template <class W, class H, auto F, class... Operand>
[[gnu::always_inline]] inline W on_registers(Operand... x) {
  const W low = F(H{static_cast<std::uint16_t>(x)}...).bits;
  if constexpr (sizeof(W) == 2)
    return low;
  else
    return low | static_cast<W>(F(H{static_cast<std::uint16_t>(x >> 16)}...).bits) << 16;
}
template <class W, class H, H (*F)(H)>
[[gnu::always_inline]] inline W on_one(W a) {
  return on_registers<W, H, F>(a);
}
template <class W, class H, H (*F)(H, H)>
[[gnu::always_inline]] inline W on_two(W a, W b) {
  return on_registers<W, H, F>(a, b);
}
template <class W, class H, H (*F)(H, H, H)>
[[gnu::always_inline]] inline W on_three(W a, W b, W c) {
  return on_registers<W, H, F>(a, b, c);
}

/// One lane after another: for what is rare or calls the host's library.
template <auto F, class W>
void each(const step& s, context& c) {
  W* d = c.at<W>(s.d);
  const W* a = c.at<W>(s.a);
  for (unsigned i = 0; i < 32; ++i)
    if ((c.mask >> i & 1) != 0) d[i] = F(a[i]);
}
template <auto F, class W>
void each2(const step& s, context& c) {
  W* d = c.at<W>(s.d);
  const W* a = c.at<W>(s.a);
  const W* b = c.at<W>(s.b);
  for (unsigned i = 0; i < 32; ++i)
    if ((c.mask >> i & 1) != 0) d[i] = F(a[i], b[i]);
}

bool is_pair(const choice& c) {
  return c.get("t").ends_with("x2");
}
template <class H, H (*F)(H)>
run_function one(const choice& c) {
  using single = std::uint16_t;
  using pair = std::uint32_t;
  if (is_pair(c)) return unary<on_one<pair, H, F>, pair, pair>;
  return unary<on_one<single, H, F>, single, single>;
}
template <class H, H (*F)(H)>
run_function one_by_lane(const choice& c) {
  using single = std::uint16_t;
  using pair = std::uint32_t;
  return is_pair(c) ? each<on_one<pair, H, F>, pair> : each<on_one<single, H, F>, single>;
}
template <class H, H (*F)(H, H)>
run_function two(const choice& c) {
  using single = std::uint16_t;
  using pair = std::uint32_t;
  if (is_pair(c)) return binary<on_two<pair, H, F>, pair, pair, pair>;
  return binary<on_two<single, H, F>, single, single, single>;
}
template <class H, H (*F)(H, H)>
run_function two_by_lane(const choice& c) {
  using single = std::uint16_t;
  using pair = std::uint32_t;
  return is_pair(c) ? each2<on_two<pair, H, F>, pair> : each2<on_two<single, H, F>, single>;
}
template <class H, H (*F)(H, H, H)>
run_function three(const choice& c) {
  using single = std::uint16_t;
  using pair = std::uint32_t;
  if (is_pair(c)) return ternary<on_three<pair, H, F>, pair, pair, pair, pair>;
  return ternary<on_three<single, H, F>, single, single, single, single>;
}

bool is_bf16(const choice& c) {
  return c.get("t").starts_with("bf16");
}
/// `make.template operator()<Ftz, Sat>()`.
template <class Make>
run_function for_flags(const choice& c, Make make) {
  return for_flag(c.has("ftz"), [&]<bool Ftz>() {
    return for_flag(c.has("sat"), [&]<bool Sat>() { return make.template operator()<Ftz, Sat>(); });
  });
}

run_function select_add(const choice& c) {
  if (is_bf16(c)) return two<bf16, math::add<rounding::rn, false, false>>(c);
  return for_flags(
      c, [&]<bool Ftz, bool Sat>() { return two<f16, math::add<rounding::rn, Ftz, Sat>>(c); });
}
run_function select_sub(const choice& c) {
  if (is_bf16(c)) return two<bf16, math::sub<rounding::rn, false, false>>(c);
  return for_flags(
      c, [&]<bool Ftz, bool Sat>() { return two<f16, math::sub<rounding::rn, Ftz, Sat>>(c); });
}
run_function select_mul(const choice& c) {
  if (is_bf16(c)) return two<bf16, math::mul<rounding::rn, false, false>>(c);
  return for_flags(
      c, [&]<bool Ftz, bool Sat>() { return two<f16, math::mul<rounding::rn, Ftz, Sat>>(c); });
}
run_function select_fma(const choice& c) {
  constexpr rounding rn = rounding::rn;
  if (is_bf16(c))
    return for_flag(c.has("relu"),
                    [&]<bool Relu>() { return three<bf16, math::fma<rn, false, false, Relu>>(c); });
  if (c.has("relu"))
    return for_flag(c.has("ftz"),
                    [&]<bool Ftz>() { return three<f16, math::fma<rn, Ftz, false, true>>(c); });
  return for_flags(
      c, [&]<bool Ftz, bool Sat>() { return three<f16, math::fma<rn, Ftz, Sat, false>>(c); });
}
run_function select_neg(const choice& c) {
  if (is_bf16(c)) return one<bf16, math::neg<false>>(c);
  return for_flag(c.has("ftz"), [&]<bool Ftz>() { return one<f16, math::neg<Ftz>>(c); });
}
run_function select_abs(const choice& c) {
  if (is_bf16(c)) return one<bf16, math::abs<false>>(c);
  return for_flag(c.has("ftz"), [&]<bool Ftz>() { return one<f16, math::abs<Ftz>>(c); });
}

template <class H, bool Max, bool Ftz, bool Nan, bool Xorsign>
[[gnu::always_inline]] constexpr H smaller_or_larger(H a, H b) {
  return Max ? math::max<Ftz, Nan, Xorsign>(a, b) : math::min<Ftz, Nan, Xorsign>(a, b);
}
template <class H, bool Max, bool Ftz>
run_function extreme(const choice& c) {
  return for_flag(c.has("NaN"), [&]<bool Nan>() {
    return c.has("xorsign") ? two_by_lane<H, smaller_or_larger<H, Max, Ftz, Nan, true>>(c)
                            : two<H, smaller_or_larger<H, Max, Ftz, Nan, false>>(c);
  });
}
/// min, Max: max.
template <bool Max>
run_function select_extreme(const choice& c) {
  if (is_bf16(c)) return extreme<bf16, Max, false>(c);
  return c.has("ftz") ? extreme<f16, Max, true>(c) : extreme<f16, Max, false>(c);
}

run_function select_tanh(const choice& c) {
  return is_bf16(c) ? one_by_lane<bf16, math::tanh_approx>(c)
                    : one_by_lane<f16, math::tanh_approx>(c);
}
run_function select_ex2(const choice& c) {
  return is_bf16(c) ? one_by_lane<bf16, math::ex2_approx<true>>(c)
                    : one_by_lane<f16, math::ex2_approx<false>>(c);
}

constexpr std::string_view ideal = "approximate: model ideal";

const std::array table = {
    row{"add", "rn? ftz? sat? t:f16|f16x2", "t<tt", select_add},
    row{"add", "rn? t:bf16|bf16x2", "t<tt", select_add},
    row{"sub", "rn? ftz? sat? t:f16|f16x2", "t<tt", select_sub},
    row{"sub", "rn? t:bf16|bf16x2", "t<tt", select_sub},
    row{"mul", "rn? ftz? sat? t:f16|f16x2", "t<tt", select_mul},
    row{"mul", "rn? t:bf16|bf16x2", "t<tt", select_mul},
    row{"fma", "rn ftz? sat? t:f16|f16x2", "t<ttt", select_fma},
    row{"fma", "rn ftz? relu t:f16|f16x2", "t<ttt", select_fma},
    row{"fma", "rn relu? t:bf16|bf16x2", "t<ttt", select_fma},
    row{"neg", "ftz? t:f16|f16x2", "t<t", select_neg},
    row{"neg", "t:bf16|bf16x2", "t<t", select_neg},
    row{"abs", "ftz? t:f16|f16x2", "t<t", select_abs},
    row{"abs", "t:bf16|bf16x2", "t<t", select_abs},
    row{"min", "ftz? NaN? t:f16|f16x2", "t<tt", select_extreme<false>},
    row{"min", "ftz? NaN? xorsign abs t:f16|f16x2", "t<tt", select_extreme<false>},
    row{"min", "NaN? t:bf16|bf16x2", "t<tt", select_extreme<false>},
    row{"min", "NaN? xorsign abs t:bf16|bf16x2", "t<tt", select_extreme<false>},
    row{"max", "ftz? NaN? t:f16|f16x2", "t<tt", select_extreme<true>},
    row{"max", "ftz? NaN? xorsign abs t:f16|f16x2", "t<tt", select_extreme<true>},
    row{"max", "NaN? t:bf16|bf16x2", "t<tt", select_extreme<true>},
    row{"max", "NaN? xorsign abs t:bf16|bf16x2", "t<tt", select_extreme<true>},
    row{"tanh", "approx t:f16|f16x2|bf16|bf16x2", "t<t", select_tanh, nullptr, nullptr, ideal},
    row{"ex2", "approx t:f16|f16x2", "t<t", select_ex2, nullptr, nullptr, ideal},
    row{"ex2", "approx ftz t:bf16|bf16x2", "t<t", select_ex2, nullptr, nullptr, ideal},
};

}  // namespace

rows half_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
