// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic and approximate functions of f32 and f64: PTX ISA 9.0, "Floating Point
// Instructions". What only chooses or tests is in floating_selection.cpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/approximate.hpp"
#include "ptx/machine/math/floating.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

using math::rounding;

/// One lane after another: for what is rare or calls the host's library.
template <auto F, class T, std::size_t... I>
void by_lane(const step& s, context& c, std::index_sequence<I...>) {
  T* d = c.at<T>(s.d);
  const slot at[] = {s.a, s.b, s.c};
  const T* const in[] = {c.at<T>(at[I])...};
  for (unsigned i = 0; i < 32; ++i)
    if ((c.mask >> i & 1) != 0) d[i] = F(in[I][i]...);
}
template <class T, T (*F)(T)>
void each(const step& s, context& c) {
  by_lane<F, T>(s, c, std::make_index_sequence<1>{});
}
template <class T, T (*F)(T, T)>
void each2(const step& s, context& c) {
  by_lane<F, T>(s, c, std::make_index_sequence<2>{});
}
template <class T, T (*F)(T, T, T)>
void each3(const step& s, context& c) {
  by_lane<F, T>(s, c, std::make_index_sequence<3>{});
}

/// .ftz to nearest. Quick flushes what was rounded, which is right (math::flush_by) unless it is
/// the smallest normal number: then Exact is asked, lane by lane.
template <auto Quick, auto Exact, std::size_t... I>
void flushing(const step& s, context& c, std::index_sequence<I...> operands) {
  float* d = c.at<float>(s.d);
  const slot at[] = {s.a, s.b, s.c};
  const float* const in[] = {c.at<float>(at[I])...};
  alignas(64) float all[32];
  std::uint32_t doubtful = 0;
  PTXLAB_FOR_LANES {
    const float r = Quick(in[I][i]...);
    all[i] = r;
    doubtful |= math::magnitude_key(r) == 0x00800000 ? 1U : 0U;
  }
  if (doubtful != 0) return by_lane<Exact, float>(s, c, operands);
  if (c.mask == all_lanes) {
    PTXLAB_FOR_LANES d[i] = all[i];
    return;
  }
  const std::uint32_t* on = c.on;
  PTXLAB_FOR_LANES d[i] = on[i] != 0 ? all[i] : d[i];
}
template <float (*Quick)(float, float), float (*Exact)(float, float)>
void flushing2(const step& s, context& c) {
  flushing<Quick, Exact>(s, c, std::make_index_sequence<2>{});
}
template <float (*Quick)(float, float, float), float (*Exact)(float, float, float)>
void flushing3(const step& s, context& c) {
  flushing<Quick, Exact>(s, c, std::make_index_sequence<3>{});
}

/// As vector code when rounded to nearest, else lane by lane.
template <rounding R, class T, T (*F)(T)>
run_function one() {
  return R == rounding::rn ? unary<F, T, T> : each<T, F>;
}
template <rounding R, class T, T (*F)(T, T)>
run_function two() {
  if constexpr (R == rounding::rn)
    return binary<F, T, T, T>;
  else
    return each2<T, F>;
}
template <rounding R, class T, T (*F)(T, T, T)>
run_function three() {
  if constexpr (R == rounding::rn)
    return ternary<F, T, T, T, T>;
  else
    return each3<T, F>;
}

/// `make.template operator()<R>()` for the rounding that is named; to nearest if none is.
template <class Make>
run_function for_rounding(const choice& c, Make make) {
  if (c.is("rnd", "rz")) return make.template operator()<rounding::rz>();
  if (c.is("rnd", "rm")) return make.template operator()<rounding::rm>();
  if (c.is("rnd", "rp")) return make.template operator()<rounding::rp>();
  return make.template operator()<rounding::rn>();
}
/// `make.template operator()<R, Ftz, Sat>()`.
template <class Make>
run_function for_single(const choice& c, Make make) {
  return for_rounding(c, [&]<rounding R>() -> run_function {
    return for_flag(c.has("ftz"), [&]<bool Ftz>() -> run_function {
      return for_flag(c.has("sat"), [&]<bool Sat>() -> run_function {
        return make.template operator()<R, Ftz, Sat>();
      });
    });
  });
}
/// `make.template operator()<R, Ftz>()`.
template <class Make>
run_function for_division(const choice& c, Make make) {
  return for_rounding(c, [&]<rounding R>() -> run_function {
    return for_flag(c.has("ftz"),
                    [&]<bool Ftz>() -> run_function { return make.template operator()<R, Ftz>(); });
  });
}
bool is_double(const choice& c) {
  return c.is("t", "f64");
}

/// g++ 12 does not define __FMA__ for a target that a pragma names.
#define PTXLAB_TEXT_OF(macro) #macro
#define PTXLAB_TEXT(macro) PTXLAB_TEXT_OF(macro)
constexpr bool has_fma = std::string_view(PTXLAB_TEXT(PTXLAB_CLONE)) == "avx2";

/// math::fma, which is compiled for any processor, with the fused operation where there is one.
template <rounding R, bool Ftz, bool Sat>
[[gnu::always_inline]] inline float fused(float x, float y, float z) {
  if constexpr (has_fma && R == rounding::rn && !Ftz)
    return math::finished<Ftz, Sat>(__builtin_fmaf(x, y, z));
  else
    return math::fma<R, Ftz, Sat>(x, y, z);
}
template <bool Sat>
[[gnu::always_inline]] inline float fused_flushed(float x, float y, float z) {
  return math::finished<true, Sat>(
      __builtin_fmaf(math::flush<true>(x), math::flush<true>(y), math::flush<true>(z)));
}
template <bool Sat>
[[gnu::always_inline]] inline float times_flushed(float x, float y) {
  return math::finished<true, Sat>(math::flush<true>(x) * math::flush<true>(y));
}

// --- selection ---------------------------------------------------------------------------------

run_function select_add(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return two<R, double, math::add<R>>(); });
  return for_single(
      c, []<rounding R, bool Ftz, bool Sat>() { return two<R, float, math::add<R, Ftz, Sat>>(); });
}
run_function select_sub(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return two<R, double, math::sub<R>>(); });
  return for_single(
      c, []<rounding R, bool Ftz, bool Sat>() { return two<R, float, math::sub<R, Ftz, Sat>>(); });
}
run_function select_mul(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return two<R, double, math::mul<R>>(); });
  return for_single(c, []<rounding R, bool Ftz, bool Sat>() -> run_function {
    if constexpr (R == rounding::rn && Ftz)
      return flushing2<times_flushed<Sat>, math::mul<R, Ftz, Sat>>;
    else
      return two<R, float, math::mul<R, Ftz, Sat>>();
  });
}
run_function select_fma(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return three<R, double, math::fma<R>>(); });
  return for_single(c, []<rounding R, bool Ftz, bool Sat>() -> run_function {
    if constexpr (has_fma && R == rounding::rn && Ftz)
      return flushing3<fused_flushed<Sat>, math::fma<R, Ftz, Sat>>;
    else
      return three<R, float, fused<R, Ftz, Sat>>();
  });
}
run_function select_div(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return two<R, double, math::div<R>>(); });
  return for_division(c, []<rounding R, bool Ftz>() { return two<R, float, math::div<R, Ftz>>(); });
}
run_function select_rcp(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return one<R, double, math::rcp<R>>(); });
  return for_division(c, []<rounding R, bool Ftz>() { return one<R, float, math::rcp<R, Ftz>>(); });
}
run_function select_sqrt(const choice& c) {
  if (is_double(c))
    return for_rounding(c, []<rounding R>() { return one<R, double, math::sqrt<R>>(); });
  return for_division(c,
                      []<rounding R, bool Ftz>() { return one<R, float, math::sqrt<R, Ftz>>(); });
}

run_function select_div_approx(const choice& c) {
  return for_flag(c.has("ftz"), [&]<bool Ftz>() {
    return c.is("how", "full") ? two<rounding::rn, float, math::div_full<Ftz>>()
                               : two<rounding::rn, float, math::div_approx<Ftz>>();
  });
}
run_function select_rcp_approx(const choice& c) {
  if (is_double(c)) return each<double, math::rcp_approx_ftz>;
  return for_flag(c.has("ftz"),
                  []<bool Ftz>() { return one<rounding::rn, float, math::rcp_approx<Ftz>>(); });
}
run_function select_sqrt_approx(const choice& c) {
  return for_flag(c.has("ftz"),
                  []<bool Ftz>() { return one<rounding::rn, float, math::sqrt_approx<Ftz>>(); });
}
run_function select_rsqrt(const choice& c) {
  if (is_double(c))
    return c.has("ftz") ? each<double, math::rsqrt_approx_ftz> : each<double, math::rsqrt_approx>;
  return for_flag(c.has("ftz"),
                  []<bool Ftz>() { return one<rounding::rn, float, math::rsqrt_approx<Ftz>>(); });
}
run_function select_sin(const choice& c) {
  return c.has("ftz") ? each<float, math::sin_approx<true>> : each<float, math::sin_approx<false>>;
}
run_function select_cos(const choice& c) {
  return c.has("ftz") ? each<float, math::cos_approx<true>> : each<float, math::cos_approx<false>>;
}
run_function select_lg2(const choice& c) {
  return c.has("ftz") ? each<float, math::lg2_approx<true>> : each<float, math::lg2_approx<false>>;
}
run_function select_ex2(const choice& c) {
  return c.has("ftz") ? each<float, math::ex2_approx<true>> : each<float, math::ex2_approx<false>>;
}
run_function select_tanh(const choice&) {
  return each<float, math::tanh_approx>;
}

#define ROUNDING "rnd:rn|rz|rm|rp"
constexpr std::string_view ideal = "approximate: model ideal";

const std::array table = {
    row{"add", ROUNDING "? ftz? sat? t:f32", "t<tt", select_add},
    row{"add", ROUNDING "? t:f64", "t<tt", select_add},
    row{"sub", ROUNDING "? ftz? sat? t:f32", "t<tt", select_sub},
    row{"sub", ROUNDING "? t:f64", "t<tt", select_sub},
    row{"mul", ROUNDING "? ftz? sat? t:f32", "t<tt", select_mul},
    row{"mul", ROUNDING "? t:f64", "t<tt", select_mul},
    row{"fma", ROUNDING " ftz? sat? t:f32", "t<ttt", select_fma},
    row{"fma", ROUNDING " t:f64", "t<ttt", select_fma},
    row{"mad", ROUNDING " ftz? sat? t:f32", "t<ttt", select_fma},
    row{"mad", ROUNDING " t:f64", "t<ttt", select_fma},
    row{"div", ROUNDING " ftz? t:f32", "t<tt", select_div},
    row{"div", ROUNDING " t:f64", "t<tt", select_div},
    row{"div", "how:approx|full ftz? t:f32", "t<tt", select_div_approx, nullptr, nullptr, ideal},
    row{"rcp", ROUNDING " ftz? t:f32", "t<t", select_rcp},
    row{"rcp", ROUNDING " t:f64", "t<t", select_rcp},
    row{"rcp", "approx ftz? t:f32", "t<t", select_rcp_approx, nullptr, nullptr, ideal},
    row{"rcp", "approx ftz t:f64", "t<t", select_rcp_approx, nullptr, nullptr, ideal},
    row{"sqrt", ROUNDING " ftz? t:f32", "t<t", select_sqrt},
    row{"sqrt", ROUNDING " t:f64", "t<t", select_sqrt},
    row{"sqrt", "approx ftz? t:f32", "t<t", select_sqrt_approx, nullptr, nullptr, ideal},
    row{"rsqrt", "approx ftz? t:f32|f64", "t<t", select_rsqrt, nullptr, nullptr, ideal},
    row{"sin", "approx ftz? t:f32", "t<t", select_sin, nullptr, nullptr, ideal},
    row{"cos", "approx ftz? t:f32", "t<t", select_cos, nullptr, nullptr, ideal},
    row{"lg2", "approx ftz? t:f32", "t<t", select_lg2, nullptr, nullptr, ideal},
    row{"ex2", "approx ftz? t:f32", "t<t", select_ex2, nullptr, nullptr, ideal},
    row{"tanh", "approx t:f32", "t<t", select_tanh, nullptr, nullptr, ideal},
};

}  // namespace

rows floating_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
