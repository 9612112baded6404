// SPDX-License-Identifier: Apache-2.0
#include "driver/run/element.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "ptx/machine/math/half.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

namespace math = machine::math;

element_bits masked(type t, std::uint64_t v) {
  const unsigned n = machine::bits(t);
  return n == 64 ? v : v & ((std::uint64_t{1} << n) - 1);
}

std::int64_t sign_extended(type t, element_bits v) {
  const unsigned unused = 64 - machine::bits(t);
  return static_cast<std::int64_t>(v << unused) >> unused;
}

/// The bits of a floating type as an integer whose order is that of the values.
std::int64_t ordered(type t, element_bits v) {
  const std::int64_t s = sign_extended(t, v);
  const std::uint64_t magnitude = masked(t, v) & ((std::uint64_t{1} << (machine::bits(t) - 1)) - 1);
  const auto m = static_cast<std::int64_t>(magnitude);
  return s < 0 ? -m : m;
}

[[noreturn]] void not_a_value(type t, std::string_view word) {
  throw error(fmt::format("'{}' is no {}", word, machine::name(t)));
}

element_bits read_integer(type t, std::string_view word) {
  std::string_view digits = word;
  const bool minus = digits.starts_with('-');
  if (minus) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  std::uint64_t v = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, ec] = std::from_chars(digits.data(), end, v, base);
  if (ec == std::errc::result_out_of_range)
    throw error(fmt::format("{} does not fit {}", word, machine::name(t)));
  if (ec != std::errc() || rest != end || digits.empty()) not_a_value(t, word);
  const unsigned n = machine::bits(t);
  const std::uint64_t half = std::uint64_t{1} << (n - 1);
  bool fits = true;
  if (machine::is_signed(t))
    fits = minus ? v <= half : v < half || base == 16;  // 0xffffffff is -1 of s32
  else
    fits = !minus || v == 0;
  if (n < 64 && v >> n != 0) fits = false;
  if (!fits) throw error(fmt::format("{} does not fit {}", word, machine::name(t)));
  return masked(t, minus ? ~v + 1 : v);
}

}  // namespace

type element_type(std::string_view word) {
  std::string spelt(word);
  if (!spelt.empty() && spelt[0] == 'i') spelt[0] = 's';
  const auto t = machine::type_named(spelt);
  switch (t.value_or(type::pred)) {
    case type::u8:
    case type::u16:
    case type::u32:
    case type::u64:
    case type::s8:
    case type::s16:
    case type::s32:
    case type::s64:
    case type::f16:
    case type::bf16:
    case type::f32:
    case type::f64:
      return *t;
    default:
      throw error(fmt::format(
          "'{}' is no type: u8, u16, u32, u64, s8 to s64 or i8 to i64, f16, bf16, f32, f64", word));
  }
}

unsigned element_bytes(type t) {
  return machine::bits(t) / 8;
}

element_bits read_element(type t, std::string_view word) {
  if (!machine::is_floating(t)) return read_integer(t, word);
  const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
  double v = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, ec] = std::from_chars(digits.data(), end, v);
  if (ec == std::errc::result_out_of_range)
    throw error(fmt::format("{} does not fit {}", word, machine::name(t)));
  if (ec != std::errc() || rest != end || digits.empty()) not_a_value(t, word);
  if (t == type::f32) {  // from the text at once: two roundings may differ from one
    float f = 0;
    std::from_chars(digits.data(), end, f);
    if (std::isfinite(v) && std::abs(v) > 0x1.fffffefffffffp127)
      throw error(fmt::format("{} does not fit {}", word, machine::name(t)));
    return std::bit_cast<std::uint32_t>(std::abs(v) < 0x1p-149 ? static_cast<float>(v) : f);
  }
  const element_bits bits = element_of(t, v);
  if (std::isfinite(v) && !std::isfinite(element_value(t, bits)))
    throw error(fmt::format("{} does not fit {}", word, machine::name(t)));
  return bits;
}

element_bits element_of(type t, std::int64_t value) {
  if (machine::is_floating(t)) return element_of(t, static_cast<double>(value));
  return masked(t, static_cast<std::uint64_t>(value));
}

element_bits element_of(type t, double value) {
  switch (t) {
    case type::f64:
      return std::bit_cast<std::uint64_t>(value);
    case type::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case type::f16:
      return math::narrowed<math::f16, math::rounding::rn>(value).bits;
    case type::bf16:
      return math::narrowed<math::bf16, math::rounding::rn>(value).bits;
    default:
      break;
  }
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return masked(t, value < 0x1p64 ? static_cast<std::uint64_t>(value) : ~0ULL);
  if (value < -0x1p63) return masked(t, std::uint64_t{1} << 63);
  return masked(t, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

double element_value(type t, element_bits bits) {
  switch (t) {
    case type::f64:
      return std::bit_cast<double>(bits);
    case type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case type::f16:
      return math::widened(math::f16{static_cast<std::uint16_t>(bits)});
    case type::bf16:
      return math::widened(math::bf16{static_cast<std::uint16_t>(bits)});
    default:
      break;
  }
  return machine::is_signed(t) ? static_cast<double>(sign_extended(t, bits))
                               : static_cast<double>(masked(t, bits));
}

std::string element_text(type t, element_bits bits) {
  if (is_nan(t, bits)) return "nan";
  if (t == type::f64) return fmt::format("{}", element_value(t, bits));
  // Of 2-byte types, the shortest text that f32 needs is short enough, and exact.
  if (machine::is_floating(t)) return fmt::format("{}", static_cast<float>(element_value(t, bits)));
  if (machine::is_signed(t)) return std::to_string(sign_extended(t, bits));
  return std::to_string(masked(t, bits));
}

bool is_nan(type t, element_bits bits) {
  return machine::is_floating(t) && std::isnan(element_value(t, bits));
}

std::uint64_t ulp_distance(type t, element_bits a, element_bits b) {
  if (!machine::is_floating(t)) {
    if (!machine::is_signed(t))
      return masked(t, a) > masked(t, b) ? masked(t, a) - masked(t, b)
                                         : masked(t, b) - masked(t, a);
    const std::int64_t x = sign_extended(t, a), y = sign_extended(t, b);
    return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                 : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
  }
  constexpr auto apart = std::numeric_limits<std::uint64_t>::max();
  if (is_nan(t, a) || is_nan(t, b)) return is_nan(t, a) && is_nan(t, b) ? 0 : apart;
  if (std::isinf(element_value(t, a)) != std::isinf(element_value(t, b))) return apart;
  const std::int64_t x = ordered(t, a), y = ordered(t, b);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

}  // namespace ptxlab::run
