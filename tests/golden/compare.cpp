// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ptx/machine/math/approximate.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/opcode.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;
namespace math = machine::math;

math::approximation function_of(const golden_case& c) {
  using enum math::approximation;
  const ptx::opcode op = ptx::decode_opcode(c.name);
  const type t = c.in.front().type;
  const bool f16 = t == type::f16 || t == type::f16x2, bf16 = t == type::bf16 || t == type::bf16x2;
  if (op.base == "div") return op.has("full") ? div_full_f32 : div_approx_f32;
  if (op.base == "rcp") return t == type::f64 ? rcp_ftz_f64 : rcp_f32;
  if (op.base == "sqrt") return sqrt_f32;
  if (op.base == "rsqrt")
    return t != type::f64 ? rsqrt_f32 : op.has("ftz") ? rsqrt_ftz_f64 : rsqrt_f64;
  if (op.base == "sin") return sin_f32;
  if (op.base == "cos") return cos_f32;
  if (op.base == "lg2") return lg2_f32;
  if (op.base == "ex2") return f16 ? ex2_f16 : bf16 ? ex2_bf16 : ex2_f32;
  if (op.base == "tanh") return f16 ? tanh_f16 : bf16 ? tanh_bf16 : tanh_f32;
  throw error(fmt::format("the golden cases do not know the approximate function '{}'", c.name));
}

/// The type of one number: of f16x2, f16.
type element_of(type t) {
  return t == type::f16x2 ? type::f16 : t == type::bf16x2 ? type::bf16 : t;
}

double number(type t, std::uint64_t bits) {
  switch (t) {
    case type::f64:
      return std::bit_cast<double>(bits);
    case type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case type::bf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    default:
      break;
  }
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const double m = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                   : exponent == 0 ? std::ldexp(fraction, -24)
                                   : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -m : m;
}

/// Place of a number among those of its format, in ascending order.
std::int64_t place(type t, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1} << (machine::bits(t) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}
double ulps(type t, std::uint64_t a, std::uint64_t b) {
  return std::fabs(static_cast<double>(place(t, a)) - static_cast<double>(place(t, b)));
}

struct distance {
  double error = 0, slack = 0;  ///< slack: what the machine's own rounding may add
};
/// Of `golden` from `ideal`, as the ISA's limit counts.
distance distance_of(math::measure what, type t, std::uint64_t golden, std::uint64_t ideal) {
  const double g = number(t, golden), m = number(t, ideal);
  if (std::isnan(g) && std::isnan(m)) return {};
  if (golden == ideal) return {};
  if (!std::isfinite(g) || !std::isfinite(m)) return {HUGE_VAL, 0};
  const double unit = std::fabs(number(t, ideal ^ 1) - m);
  switch (what) {
    case math::measure::ulp:
      return {ulps(t, golden, ideal), 0};
    case math::measure::upper_ulp:
      return {ulps(t, golden, ideal) * 0x1p-32, 0};
    case math::measure::relative:
      return {m == 0 ? HUGE_VAL : std::fabs(g - m) / std::fabs(m),
              m == 0 ? 0 : unit / 2 / std::fabs(m)};
    case math::measure::absolute:
      return {std::fabs(g - m), unit / 2};
    case math::measure::anything:
      break;
  }
  return {};
}

/// Whether a result beyond the ISA's limit is one that hardware is known to give. Measured on an
/// H200: a subnormal result of ex2.approx of f16 is off by up to 0.83 * 2^-24, where the limit of
/// 2^-9.9 relative is far below the unit of 2^-24: operand cd84 gives 3 units, where 3.83 are
/// exact, ce24 gives 0 for 0.68, cb77 gives 537 for 537.57. So the machine's nearest may be one
/// unit away.
bool is_known(math::approximation f, std::uint64_t golden, std::uint64_t ideal) {
  constexpr std::uint64_t min_normal = 0x400;
  return f == math::approximation::ex2_f16 && ideal < min_normal &&
         ulps(type::f16, golden, ideal) <= 1;
}

std::string limit_text(const math::error_bound& b) {
  if (!b.stated) return "";
  switch (b.what) {
    case math::measure::ulp:
      return fmt::format("{:g} ulp", b.limit);
    case math::measure::relative:
      return fmt::format("2^{:.4g} relative", std::log2(b.limit));
    case math::measure::absolute:
      return fmt::format("2^{:.4g} absolute", std::log2(b.limit));
    default:
      return "";
  }
}

/// The argument that the limit depends on, flushed as the instruction does.
double argument(const golden_case& c, type t, unsigned tuple, unsigned shift) {
  static thread_local std::vector<operand> of;
  static thread_local std::vector<std::uint64_t> words;
  if (of != c.in) {
    of = c.in;
    words = operand_words(c.in);
  }
  const std::uint64_t mask =
      machine::bits(t) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << machine::bits(t)) - 1;
  const double x = number(t, words[(c.in.size() - 1) * tuples + tuple] >> shift & mask);
  const double smallest = t == type::f64 ? 0x1p-1022 : 0x1p-126;
  const bool flushes = ptx::decode_opcode(c.name).has("ftz");
  return flushes && t != type::f16 && std::fabs(x) < smallest ? 0 : x;
}

std::string operands_text(const golden_case& c, unsigned tuple) {
  const std::vector<std::uint64_t> words = operand_words(c.in);
  std::string out;
  for (std::size_t k = 0; k < c.in.size(); ++k)
    out += fmt::format(" {:x}", words[k * tuples + tuple]);
  return out;
}

}  // namespace

approximation_record measure(const golden_case& c, std::span<const std::uint64_t> golden_words,
                             std::span<const std::uint64_t> machine_words) {
  const math::approximation f = function_of(c);
  const math::error_bound whole = math::limit_of(f);
  const type t = element_of(c.in.front().type);
  const unsigned width = machine::bits(t), all = machine::bits(c.in.front().type);
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  approximation_record out{.name = c.name, .limit = limit_text(whole), .beyond = {}};
  for (unsigned i = 0; i < tuples; ++i)
    for (unsigned shift = 0; shift < all; shift += width) {
      const std::uint64_t g = golden_words[i] >> shift & mask, m = machine_words[i] >> shift & mask;
      ++out.results;
      out.equal += g == m ? 1 : 0;
      const math::error_bound b = math::bound_of(f, argument(c, t, i, shift));
      const distance d = distance_of(b.limit == 0 ? math::measure::ulp : b.what, t, g, m);
      if (std::isfinite(number(t, g)) && std::isfinite(number(t, m)))
        out.largest_ulp = std::max(out.largest_ulp, ulps(t, g, m));
      if (b.what == math::measure::anything) continue;
      if (is_known(f, g, m)) continue;
      if (b.what == whole.what && b.limit != 0 && std::isfinite(d.error))
        out.largest_error = std::max(out.largest_error, d.error);
      if (b.stated && d.error > b.limit + d.slack && out.beyond.empty())
        out.beyond =
            fmt::format("tuple {}, operands{}: {:x}, where the machine has {:x}: beyond {}", i,
                        operands_text(c, i), g, m,
                        b.limit == 0 ? "the value that the ISA states" : limit_text(b));
    }
  return out;
}

std::string difference(const golden_case& c, const archive& golden,
                       std::span<const std::uint64_t> machine_words) {
  const auto at = golden.values.find(c.name);
  if (at == golden.values.end()) return "no golden value";
  if (c.approximate) {
    if (at->second.words.size() != machine_words.size())
      return "not as many results as were measured";
    return measure(c, at->second.words, machine_words).beyond;
  }
  const auto own = digests(machine_words);
  std::string out;
  for (unsigned q = 0; q < quarters; ++q)
    if (own[q] != at->second.digest[q])
      out += fmt::format("{}{}", out.empty() ? "differs in quarter " : ", ", q);
  return out;
}

namespace {

/// Bits of the floats in a case's results; 0 where they are none, or not of one type.
unsigned float_bits(const golden_case& c) {
  const ptx::opcode op = ptx::decode_opcode(std::string_view(c.name).substr(0, c.name.find(':')));
  for (const std::string_view m : op.modifiers)
    if (m == "f32" || m == "f16") return c.of == part::instructions ? 0 : m == "f32" ? 32 : 16;
  return 0;
}

}  // namespace

std::string difference_counts(const golden_case& c, std::span<const std::uint64_t> golden_words,
                              std::span<const std::uint64_t> machine_words) {
  const unsigned width = float_bits(c);
  std::size_t differ = 0, results = 0;
  double most = 0;
  for (std::size_t i = 0; i < golden_words.size(); ++i) {
    const unsigned bits = c.out[i / tuples], part = width == 0 || bits < width ? 64 : width;
    for (unsigned shift = 0; shift < std::max(bits, 1U); shift += part) {
      const std::uint64_t mask = part == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << part) - 1;
      const std::uint64_t g = golden_words[i] >> shift & mask, m = machine_words[i] >> shift & mask;
      ++results;
      if (g == m) continue;
      ++differ;
      if (part != 64) most = std::max(most, ulps(part == 32 ? type::f32 : type::f16, g, m));
    }
  }
  return fmt::format("{} of {} results differ{}", differ, results,
                     most == 0 ? "" : fmt::format(", by at most {:g} ulp", most));
}

std::vector<std::string> differing_tuples(const golden_case& c,
                                          std::span<const std::uint64_t> golden_words,
                                          std::span<const std::uint64_t> machine_words,
                                          std::size_t most) {
  std::vector<std::string> out;
  for (unsigned i = 0; i < tuples && out.size() < most; ++i) {
    std::string golden, own;
    bool same = true;
    for (std::size_t k = 0; k < c.out.size(); ++k) {
      const std::uint64_t g = golden_words[k * tuples + i], m = machine_words[k * tuples + i];
      same = same && g == m;
      golden += fmt::format(" {:x}", g);
      own += fmt::format(" {:x}", m);
    }
    if (!same)
      out.push_back(fmt::format("tuple {}: operands{}: golden{}, machine{}", i, operands_text(c, i),
                                golden, own));
  }
  return out;
}

std::string approximation_page(const archive& golden,
                               const std::vector<approximation_record>& records) {
  std::string out =
      "# Approximate functions: the machine and the GPU\n\n"
      "The machine gives the correctly rounded value of an approximate function, a GPU gives "
      "another one\n"
      "inside of the limit that the PTX ISA states. This page says how far apart they are: "
      "operands are\n"
      "edge values, random bits and short numbers (`tests/golden`), results those of\n\n";
  for (const auto& [key, value] : golden.provenance) out += fmt::format("- {}: {}\n", key, value);
  out +=
      "\nAn error is the distance from the machine's value, as the limit counts it; in units of "
      "the last\n"
      "place it is given for all results that are numbers, where sin and cos near their zeros and "
      "far\n"
      "from 0 stand out. Left out of the largest error: subnormal results of ex2.approx of f16, "
      "which the\n"
      "hardware gives up to one unit of 2^-24 off, beyond the ISA's limit. Written by\n"
      "`build/tests/golden_record --report`.\n\n"
      "| instruction | results | equal bits | largest distance, ulp | largest error | limit of the "
      "ISA |\n"
      "|---|---:|---:|---:|---:|---|\n";
  for (const approximation_record& r : records) {
    const std::string error = r.limit.empty()            ? ""
                              : r.limit.ends_with("ulp") ? fmt::format("{:g} ulp", r.largest_error)
                              : r.largest_error == 0
                                  ? "0"
                                  : fmt::format("2^{:.2f}", std::log2(r.largest_error));
    out += fmt::format("| `{}` | {} | {:.1f} % | {:.6g} | {} | {} |\n", r.name, r.results,
                       100.0 * static_cast<double>(r.equal) / static_cast<double>(r.results),
                       r.largest_ulp, error, r.limit.empty() ? "none stated" : r.limit);
  }
  return out;
}

}  // namespace ptxlab::golden
