// SPDX-License-Identifier: Apache-2.0
#include "analysis/accuracy/exact.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "analysis/accuracy/ulp.hpp"
#include "analysis/accuracy/verdicts.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::accuracy {
namespace {

template <class F>
double operand(std::uint32_t word) {
  if constexpr (F::of == number::f32)
    return static_cast<double>(std::bit_cast<float>(word));
  else if constexpr (F::of == number::s32)
    return static_cast<std::int32_t>(word);
  else
    return word;
}

template <class F>
double exact_value(double x, [[maybe_unused]] double y) {
  if constexpr (F::operands == 1)
    return F::value(x);
  else
    return F::value(x, y);
}

/// The float nearest to the exact value where the double alone does not tell.
template <class F>
float rounded_exactly(double x, [[maybe_unused]] double y) {
  if constexpr (requires { F::precise(1.0L, 1.0L); })
    return static_cast<float>(F::precise(x, y));
  else if constexpr (requires { F::precise(1.0L); })
    return static_cast<float>(F::precise(x));
  else
    return static_cast<float>(exact_value<F>(x, y));
}

std::size_t first_of(const std::array<double, block>& all, double value) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), value) - all.begin());
}

/// Compares the `n` results from number `at` on, whose operands are of one range.
template <class F>
void compare_block(const words& w, std::size_t at, std::size_t n, range& in, tally& t) {
  verdicts v;
  const auto x = [&](std::size_t i) { return operand<F>(w.x[at + i]); };
  const auto y = [&](std::size_t i) { return F::operands == 1 ? 0 : operand<F>(w.y[at + i]); };
  for (std::size_t i = 0; i < n; ++i) v.exact[i] = exact_value<F>(x(i), y(i));
  for (std::size_t i = 0; i < n; ++i) v.got[i] = operand<F>(w.got[at + i]);
  totals all = F::of == number::f32 ? judge(v, n) : judge_integers(v, n);
  if (all.open != 0) {
    for (std::size_t i = 0; i < n; ++i)
      if (v.open[i] != 0)
        v.floats[i] = floats_between(static_cast<float>(v.got[i]), rounded_exactly<F>(x(i), y(i)));
    all = add_up(v, n);
  }
  if (all.nan != 0 && t.wrong_nan == 0) {
    const std::size_t i = first_of(v.nan, 1);
    t.nan_x = x(i);
    t.nan_y = y(i);
  }
  if (all.error > t.largest) {
    const std::size_t i = first_of(v.error, all.error);
    t.largest = all.error;
    t.x = x(i);
    t.y = y(i);
    t.got = v.got[i];
    t.exact = v.exact[i];
  }
  const auto inexact = static_cast<std::uint64_t>(all.inexact);
  t.most_floats = std::max(t.most_floats, all.floats);
  t.sum += all.sum;
  t.inputs += n;
  t.inexact += inexact;
  t.wrong_nan += static_cast<std::uint64_t>(all.nan);
  in.inputs += n;
  in.inexact += inexact;
  in.largest = std::max(in.largest, all.error);
  in.largest_absolute = std::max(in.largest_absolute, all.absolute);
}

template <class F>
void compare(const words& w, const ranges& by, tally& t) {
  const auto key = [&](std::size_t i) { return operand<F>(F::operands == 1 ? w.x[i] : w.y[i]); };
  for (std::size_t at = 0; at < w.x.size(); at += block) {
    const std::size_t n = std::min(block, w.x.size() - at), last = at + n - 1;
    const std::size_t in = by.of(key(at));
    // Integers of one length have either sign.
    const bool one_sign = F::of != number::f32 || std::signbit(key(at)) == std::signbit(key(last));
    if (one_sign && in == by.of(key(last))) {
      compare_block<F>(w, at, n, t.by_range[in], t);
      continue;
    }
    for (std::size_t i = at; i <= last; ++i)
      compare_block<F>(w, i, 1, t.by_range[by.of(key(i))], t);
  }
}

// --- the functions -------------------------------------------------------------------------------

struct of_one {
  static constexpr unsigned operands = 1;
  static constexpr number of = number::f32;
};
struct of_two {
  static constexpr unsigned operands = 2;
  static constexpr number of = number::f32;
};

#define PTXLAB_LIBRARY_FUNCTION(NAME, FUNCTION)                            \
  struct NAME : of_one {                                                   \
    static double value(double x) { return std::FUNCTION(x); }             \
    static long double precise(long double x) { return std::FUNCTION(x); } \
  };
PTXLAB_LIBRARY_FUNCTION(sine, sin)
PTXLAB_LIBRARY_FUNCTION(cosine, cos)
PTXLAB_LIBRARY_FUNCTION(tangent, tan)
PTXLAB_LIBRARY_FUNCTION(exponential, exp)
PTXLAB_LIBRARY_FUNCTION(exponential_of_two, exp2)
PTXLAB_LIBRARY_FUNCTION(logarithm, log)
PTXLAB_LIBRARY_FUNCTION(binary_logarithm, log2)
PTXLAB_LIBRARY_FUNCTION(hyperbolic_tangent, tanh)
#undef PTXLAB_LIBRARY_FUNCTION

struct reciprocal : of_one {
  static double value(double x) { return 1 / x; }
};
struct root : of_one {
  static double value(double x) { return std::sqrt(x); }
};
struct reciprocal_root : of_one {
  static double value(double x) { return 1 / std::sqrt(x); }
  static long double precise(long double x) { return 1 / std::sqrt(x); }
};
/// By 1.1 of the real numbers, which neither a float nor a double is: rounded twice, by far less
/// than is told apart.
struct elevenfold : of_one {
  static double value(double x) { return static_cast<double>(x * 1.1L); }
  static long double precise(long double x) { return x * 1.1L; }
};
struct quotient : of_two {
  static double value(double x, double y) { return x / y; }
};
struct power : of_two {
  static double value(double x, double y) { return std::pow(x, y); }
  static long double precise(long double x, long double y) { return std::pow(x, y); }
};

template <number Of>
struct integers {
  static constexpr unsigned operands = 2;
  static constexpr number of = Of;
  /// The low 32 bits of `x`, as a number.
  static double low(std::int64_t x) {
    if constexpr (Of == number::s32)
      return static_cast<std::int32_t>(x);
    else
      return static_cast<std::uint32_t>(x);
  }
};
template <number Of>
struct product : integers<Of> {
  static double value(double x, double y) {
    const auto bits = [](double v) { return static_cast<std::uint64_t>(std::int64_t(v)); };
    return integers<Of>::low(static_cast<std::int64_t>(bits(x) * bits(y)));
  }
};
template <number Of>
struct whole_quotient : integers<Of> {
  static double value(double x, double y) {
    return integers<Of>::low(std::int64_t(x) / std::int64_t(y));
  }
};
template <number Of>
struct remainder : integers<Of> {
  static double value(double x, double y) {
    return integers<Of>::low(std::int64_t(x) % std::int64_t(y));
  }
};

template <class F>
function entry(std::string_view name, ranges by = ranges(), bool absolute = false) {
  return {name, F::operands, F::of, std::move(by), absolute, compare<F>, exact_value<F>};
}

/// Where circular functions change their ways: the end of the range that the fast forms are
/// documented for, and of the fast reduction of the library, in 2009 and now.
ranges circular() {
  return ranges({std::numbers::pi, 48039, 105615});
}

/// What is documented of __expf grows with the exponent.
ranges exponents() {
  std::vector<double> whole;
  for (unsigned x = 3; x < 128; ++x)
    if (!std::has_single_bit(x)) whole.push_back(x);
  return ranges(std::move(whole), true);
}

}  // namespace

const std::vector<function>& functions() {
  static const std::vector<function> all = {
      entry<sine>("sin", circular(), true),
      entry<cosine>("cos", circular(), true),
      entry<tangent>("tan", circular()),
      entry<exponential>("exp", exponents()),
      entry<exponential_of_two>("exp2", exponents()),
      entry<logarithm>("log", ranges(), true),
      entry<binary_logarithm>("log2", ranges(), true),
      entry<hyperbolic_tangent>("tanh"),
      entry<reciprocal>("reciprocal"),
      entry<root>("sqrt"),
      entry<reciprocal_root>("rsqrt"),
      entry<elevenfold>("times_1.1"),
      entry<quotient>("divide"),
      entry<power>("pow"),
      entry<product<number::s32>>("multiply_s32"),
      entry<product<number::u32>>("multiply_u32"),
      entry<whole_quotient<number::s32>>("divide_s32"),
      entry<whole_quotient<number::u32>>("divide_u32"),
      entry<remainder<number::s32>>("remainder_s32"),
      entry<remainder<number::u32>>("remainder_u32"),
  };
  return all;
}

const function& function_of(std::string_view name) {
  std::string names;
  for (const function& f : functions()) {
    if (f.name == name) return f;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", f.name);
  }
  throw error(fmt::format("no function \"{}\"; there are {}", name, names));
}

}  // namespace ptxlab::accuracy
