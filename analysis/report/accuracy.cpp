// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/accuracy.hpp"

#include <algorithm>
#include <cmath>

namespace ptxlab::report {

const std::vector<spelling>& spellings() {
  static const std::vector<spelling> all = {
      {"reciprocal_root/reciprocal_operator", "1.0f / x", "1.0f / x"},
      {"reciprocal_root/reciprocal_approx", "rcp.approx.f32", "rcp.approx.f32"},
      {"reciprocal_root/reciprocal_flushed", "rcp.approx.ftz.f32", "rcp.approx.ftz.f32"},
      {"fast_math/reciprocal", "1.0f / x, fast math", nullptr},
      {"reciprocal_root/root_function", "sqrtf(x)", "sqrtf(x)"},
      {"reciprocal_root/root_approx", "sqrt.approx.f32", "sqrt.approx.f32"},
      {"reciprocal_root/root_flushed", "sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32"},
      {"fast_math/root", "sqrtf(x), fast math", nullptr},
      {"reciprocal_root/rsqrt_function", "rsqrtf(x)", "rsqrtf(x)"},
      {"reciprocal_root/rsqrt_flushed", "rsqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32"},
      {"reciprocal_root/one_over_sqrt", "1.0f / sqrtf(x)", nullptr},
      {"fast_math/one_over_sqrt", "1.0f / sqrtf(x), fast math", nullptr},
      {"division/divide_operator", "x / y", "x / y"},
      {"division/divide_rounded", "__fdiv_rn(x, y)", "__fdiv_rn(x, y)"},
      {"division/divide_full", "div.full.f32", "div.full.f32"},
      {"division/divide_fast", "__fdividef(x, y)", "__fdividef(x, y)"},
      {"fast_math/divide", "x / y, fast math", nullptr},
      {"transcendental/sine_slow", "sinf(x)", "sinf(x)"},
      {"transcendental/sine_fast", "__sinf(x)", "__sinf(x)"},
      {"fast_math/sine", "sinf(x), fast math", nullptr},
      {"transcendental/cosine_slow", "cosf(x)", "cosf(x)"},
      {"transcendental/cosine_fast", "__cosf(x)", "__cosf(x)"},
      {"transcendental/tangent_slow", "tanf(x)", "tanf(x)"},
      {"transcendental/tangent_fast", "__tanf(x)", nullptr},
      {"transcendental/exponential_slow", "expf(x)", "expf(x)"},
      {"transcendental/exponential_fast", "__expf(x)", "__expf(x)"},
      {"fast_math/exponential", "expf(x), fast math", nullptr},
      {"transcendental/exponential_of_two", "exp2f(x)", "exp2f(x)"},
      {"transcendental/exponential_of_two_flushed", "ex2.approx.ftz.f32", "ex2.approx.ftz.f32"},
      {"transcendental/logarithm_slow", "logf(x)", "logf(x)"},
      {"transcendental/logarithm_fast", "__logf(x)", "__logf(x)"},
      {"fast_math/logarithm", "logf(x), fast math", nullptr},
      {"transcendental/binary_logarithm_slow", "log2f(x)", "log2f(x)"},
      {"transcendental/binary_logarithm_fast", "__log2f(x)", "__log2f(x)"},
      {"transcendental/tanh_slow", "tanhf(x)", "tanhf(x)"},
      {"transcendental/tanh_fast", "__tanhf(x)", "__tanhf(x)"},
      {"division/power_slow", "powf(x, y)", "powf(x, y)"},
      {"division/power_fast", "__powf(x, y)", nullptr},
      {"fast_math/power", "powf(x, y), fast math", nullptr},
      {"literals/literal_float", "x * 1.1f", nullptr},
      {"literals/literal_double", "x * 1.1", nullptr},
      {"integer/multiply_signed", "x * y, int", nullptr},
      {"integer/multiply_signed_24", "__mul24(x, y)", nullptr},
      {"integer/multiply_unsigned_24", "__umul24(x, y)", nullptr},
      {"integer/divide_signed", "x / y, int", nullptr},
      {"integer/divide_unsigned", "x / y, unsigned", nullptr},
      {"integer/remainder_signed", "x % y, int", nullptr},
      {"integer/remainder_unsigned", "x % y, unsigned", nullptr},
  };
  return all;
}

std::vector<range_error> ranges_of(const measurement* m) {
  std::vector<range_error> out;
  if (m == nullptr || !m->ok()) return out;
  for (const results::series& s : m->row().raw)
    if (!s.values.empty()) out.push_back({s.length, 0, s.values.front()});
  std::sort(out.begin(), out.end(), [](const range_error& a, const range_error& b) {
    if (std::signbit(a.from) != std::signbit(b.from)) return std::signbit(b.from);
    return std::abs(a.from) < std::abs(b.from);
  });
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool last =
        i + 1 == out.size() || std::signbit(out[i + 1].from) != std::signbit(out[i].from);
    out[i].to = last ? std::copysign(0x1p128, out[i].from) : out[i + 1].from;
  }
  return out;
}

namespace {

/// What one range says: nothing where it is neither within what is allowed at its lower end nor
/// beyond what is allowed at its upper one.
std::optional<bool> one_within(const documented_error& said, const range_error& r) {
  using enum documented_error::measure;
  double least = r.value, most = r.value, allowed = said.at(r.from), generous = said.at(r.to);
  if (said.in == floats) {
    // d floats off the rounded result is d - 0.5 to d + 0.5 ulp off the exact one.
    allowed += 0.5;
    generous += 0.5;
  } else if (said.in == relative) {
    least *= 0x1p-24;  // a unit is between 2^-24 and 2^-23 of the value
    most *= 0x1p-23;
  }
  if (most <= allowed) return true;
  if (least > generous) return false;
  return {};
}

}  // namespace

std::optional<bool> within(const documented_error& said, const std::vector<range_error>& ulp,
                           const std::vector<range_error>& absolute) {
  const auto& all = said.in == documented_error::measure::absolute ? absolute : ulp;
  std::optional<bool> out;
  bool unclear = false;
  for (const range_error& r : all) {
    const double low = std::abs(r.from), high = std::abs(r.to);
    if (high <= said.from || low >= said.to) continue;
    const bool inside = low >= said.from && high <= said.to;
    const auto is = one_within(said, r);
    if (inside && is == false) return false;
    if (is != true) unclear = true;  // a range that reaches beyond may be wrong there alone
    if (!out) out = true;
  }
  if (unclear) return {};
  return out;
}

}  // namespace ptxlab::report
