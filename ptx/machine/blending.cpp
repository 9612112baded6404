// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/blending.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ptx/machine/math/half.hpp"

namespace ptxlab::machine {
namespace {

/// What a filter makes of numbers of a format.
struct format {
  int digits;         ///< of a normal number, the first one included
  int least;          ///< exponent of the least normal number
  bool flushes;       ///< subnormal results are zeros
  std::uint32_t nan;  ///< as bits of a float
};
constexpr format of_f32 = {24, -126, true, 0x7fffffff}, of_f16 = {11, -14, false, 0x7fffe000};
/// Digits behind those of the largest term that the others keep; and those of weights.
constexpr int guard_digits = 4, weight_digits = 8;

int exponent_of(std::uint32_t bits) {
  return static_cast<int>(bits >> 23 & 255);
}

/// A sum of terms in units that the largest term's exponent, as a float has it, gives.
struct partial_sum {
  std::int64_t units = 0;
  int exponent = 0;
};

/// Terms are aligned with the largest one before they are multiplied by their weights. What falls
/// behind the guard digits is cut off. Subnormal f32 are zeros.
partial_sum summed(const format& f, std::span<const filter_term> terms) {
  partial_sum out;
  for (const filter_term& t : terms)
    if (t.weight != 0) out.exponent = std::max(out.exponent, exponent_of(t.bits));
  for (const filter_term& t : terms) {
    if (t.weight == 0 || exponent_of(t.bits) == 0) continue;
    const std::uint64_t magnitude = (t.bits & 0x7fffff) | 0x800000;
    const int shift = std::min(out.exponent - exponent_of(t.bits), 40);
    const auto aligned =
        static_cast<std::int64_t>(magnitude << guard_digits >> (24 - f.digits) >> shift);
    out.units += ((t.bits >> 31) != 0 ? -aligned : aligned) * t.weight;
  }
  return out;
}

/// Rounded to the format's digits, halves away from zero.
std::uint32_t rounded(const format& f, const partial_sum& s) {
  const std::uint32_t sign = s.units < 0 ? 0x80000000 : 0;
  const double magnitude =
      std::ldexp(std::fabs(static_cast<double>(s.units)),
                 s.exponent - 127 - (f.digits - 1) - guard_digits - weight_digits);
  const int exponent = std::ilogb(magnitude);
  if (f.flushes && exponent < f.least) return sign;
  const int unit = std::max(exponent, f.least) - (f.digits - 1);
  const double near = std::ldexp(std::floor(std::ldexp(magnitude, -unit) + 0.5), unit);
  // The exponents of infinity are one behind those of numbers, and mirror the least ones.
  if (near >= std::ldexp(1.0, 2 - f.least)) return sign | 0x7f800000;
  return sign | std::bit_cast<std::uint32_t>(static_cast<float>(near));
}

std::uint32_t blended_floats(const format& f, std::span<const filter_term> terms) {
  bool nan = false, plus = false, minus = false, all_negative = true;
  for (const filter_term& t : terms) {
    if (!t.counts) continue;
    const bool negative = (t.bits >> 31) != 0;
    all_negative = all_negative && negative;
    if (exponent_of(t.bits) != 255) continue;
    ((t.bits & 0x7fffff) != 0 ? nan : negative ? minus : plus) = true;
  }
  if (nan || (plus && minus)) return f.nan;
  if (plus || minus) return minus ? 0xff800000 : 0x7f800000;
  // Squares of four, one behind the other in z, are summed on their own. The sum with the smaller
  // exponent loses what lies behind the other's last digit, downwards.
  const std::size_t square = std::min<std::size_t>(terms.size(), 4);
  partial_sum sum = summed(f, terms.first(square));
  if (terms.size() > square) {
    const partial_sum behind = summed(f, terms.subspan(square));
    const int top = std::max(sum.exponent, behind.exponent);
    sum = {(sum.units >> std::min(top - sum.exponent, 63)) +
               (behind.units >> std::min(top - behind.exponent, 63)),
           top};
  }
  if (sum.units == 0) return all_negative ? 0x80000000 : 0;
  return rounded(f, sum);
}

std::uint32_t fraction(std::int64_t steps, double most) {
  return std::bit_cast<std::uint32_t>(
      static_cast<float>(std::max(static_cast<double>(steps) / most, -1.0)));
}

/// The largest number of an integer channel: what 1 is.
double largest(channel_type t) {
  return t == channel_type::u8    ? 255
         : t == channel_type::s8  ? 127
         : t == channel_type::u16 ? 65535
                                  : 32767;
}

}  // namespace

std::uint32_t blended(channel_type t, std::span<const filter_term> terms) {
  if (t == channel_type::f32) return blended_floats(of_f32, terms);
  if (t == channel_type::f16) return blended_floats(of_f16, terms);
  // All others give 16 bits. The least signed number is one less than -1 until the end.
  std::int64_t sum = 0;
  for (const filter_term& term : terms)
    sum += std::int64_t{static_cast<std::int32_t>(term.bits)} * term.weight;
  switch (t) {
    case channel_type::u8:
      return fraction((sum * 257 + 128) >> 8, 65535);
    case channel_type::u16:
      return fraction((sum + 128) >> 8, 65535);
    case channel_type::s8:
      // By 32767 / 127, of which 256 is exact: the sum has 8 digits behind the point.
      return fraction(sum + (((sum >> 4) * 257 + 1024) >> 11), 32767);
    default:
      return fraction((sum + 128) >> 8, 32767);
  }
}

std::uint32_t border_bits(const texture_description& d, unsigned channel) {
  const std::uint32_t bits = d.border[channel];
  if (!reads_floats(d) || d.channel == channel_type::f32) return bits;
  const double colour = std::bit_cast<float>(bits);
  if (d.channel == channel_type::f16)
    return widened_half(math::narrowed<math::f16, math::rounding::rn>(colour).bits);
  if (std::isnan(colour)) return 0;
  const bool is_signed = d.channel == channel_type::s8 || d.channel == channel_type::s16;
  const double steps = std::clamp(colour, is_signed ? -1.0 : 0.0, 1.0) * largest(d.channel);
  const double near = std::copysign(std::ceil(std::fabs(steps) - 0.5), steps);
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(near));
}

std::uint32_t widened_half(std::uint16_t h) {
  const std::uint32_t sign = (h & 0x8000U) << 16, magnitude = h & 0x7fffU;
  if (magnitude > 0x7c00) return sign | 0x7f800000 | (magnitude & 0x3ffU) << 13;
  return std::bit_cast<std::uint32_t>(math::widened(math::f16{h}));
}

}  // namespace ptxlab::machine
