// SPDX-License-Identifier: Apache-2.0
// g++ makes vector code of these loops, also for processors that have AVX2, if it need not care for
// traps; it inlines nothing that was compiled with other options, so that they stand before all.
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math")
#define PTXLAB_VECTORISED [[gnu::target_clones("arch=x86-64-v3", "default")]]
#else
#define PTXLAB_VECTORISED
#endif

#include "analysis/accuracy/verdicts.hpp"

#include <algorithm>

#include "analysis/accuracy/ulp.hpp"

namespace ptxlab::accuracy {
namespace {

/// Distance of the exact value from the middle of two floats, in ulp of a float, that leaves it
/// open: 8 units of 2^-53.
constexpr double undecided = 0x1p-26;

/// So many are added up side by side.
constexpr std::size_t lanes = 8;

/// `n` up to whole lanes; what is behind the results is nothing wrong.
std::size_t padded(verdicts& v, std::size_t n) {
  const std::size_t all = (n + lanes - 1) / lanes * lanes;
  for (std::size_t i = n; i < all; ++i) v.exact[i] = v.got[i] = 0;
  return all;
}

PTXLAB_VECTORISED void look(verdicts& v, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double exact = within_overflow(v.exact[i]), got = within_overflow(v.got[i]);
    const double per_ulp = power_of_two(-ulp_exponent(exact));
    const auto right = static_cast<float>(v.exact[i]);
    const bool exact_nan = v.exact[i] != v.exact[i], got_nan = v.got[i] != v.got[i];
    const double middle =
        std::abs(within_overflow(static_cast<double>(right)) - exact) * per_ulp - 0.5;
    const double away = std::abs(got - exact);
    const double floats = floats_between(static_cast<float>(v.got[i]), right);
    v.absolute[i] = exact_nan || got_nan ? 0 : away;
    v.error[i] = exact_nan || got_nan ? 0 : away * per_ulp;
    v.floats[i] = exact_nan || got_nan ? 0 : floats;
    v.nan[i] = exact_nan != got_nan ? 1 : 0;
    v.open[i] = std::abs(middle) < undecided ? 1 : 0;
  }
}

PTXLAB_VECTORISED void look_at_integers(verdicts& v, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    v.error[i] = v.absolute[i] = v.floats[i] = std::abs(v.got[i] - v.exact[i]);
    v.nan[i] = v.open[i] = 0;
  }
}

PTXLAB_VECTORISED totals add(const verdicts& v, std::size_t n) {
  double error[lanes] = {}, absolute[lanes] = {}, floats[lanes] = {}, sum[lanes] = {},
         inexact[lanes] = {}, nan[lanes] = {}, open[lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) error[k] = std::max(error[k], v.error[i + k]);
    for (std::size_t k = 0; k < lanes; ++k) absolute[k] = std::max(absolute[k], v.absolute[i + k]);
    for (std::size_t k = 0; k < lanes; ++k) floats[k] = std::max(floats[k], v.floats[i + k]);
    for (std::size_t k = 0; k < lanes; ++k) sum[k] += v.error[i + k];
    for (std::size_t k = 0; k < lanes; ++k) inexact[k] += v.floats[i + k] != 0 ? 1 : v.nan[i + k];
    for (std::size_t k = 0; k < lanes; ++k) nan[k] += v.nan[i + k];
    for (std::size_t k = 0; k < lanes; ++k) open[k] += v.open[i + k];
  }
  totals out;
  for (std::size_t k = 0; k < lanes; ++k) {
    out.error = std::max(out.error, error[k]);
    out.absolute = std::max(out.absolute, absolute[k]);
    out.floats = std::max(out.floats, floats[k]);
    out.sum += sum[k];
    out.inexact += inexact[k];
    out.nan += nan[k];
    out.open += open[k];
  }
  return out;
}

}  // namespace

totals judge(verdicts& v, std::size_t n) {
  const std::size_t all = padded(v, n);
  look(v, all);
  return add(v, all);
}

totals judge_integers(verdicts& v, std::size_t n) {
  const std::size_t all = padded(v, n);
  look_at_integers(v, all);
  return add(v, all);
}

totals add_up(const verdicts& v, std::size_t n) {
  return add(v, (n + lanes - 1) / lanes * lanes);
}

}  // namespace ptxlab::accuracy
