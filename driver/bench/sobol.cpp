// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/sobol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <iterator>

#include "driver/bench/xorwow.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw error(fmt::format("{}: cannot be read", file.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The numbers to base 36 of a line, with commas between; nothing where it has anything else.
std::vector<std::uint32_t> numbers_of(std::string_view line) {
  std::vector<std::uint32_t> out;
  const char* const end = line.data() + line.size();
  for (const char* at = line.data();; ++at) {
    std::uint32_t value = 0;
    const auto [next, code] = std::from_chars(at, end, value, 36);
    if (code != std::errc() || (next != end && *next != ',')) return {};
    out.push_back(value);
    if (next == end) return out;
    at = next;
  }
}

/// Of one line; `degree` 0 where it is no dimension.
sobol_dimension dimension_of(std::string_view line) {
  constexpr unsigned most_degrees = 31;
  const std::vector<std::uint32_t> numbers = numbers_of(line);
  if (numbers.empty() || numbers[0] < 2) return {};
  const auto degree = static_cast<unsigned>(std::bit_width(numbers[0])) - 1;
  if (degree > most_degrees || numbers.size() != degree) return {};
  sobol_dimension out{numbers[0], {1}};
  for (unsigned j = 1; j < degree; ++j) {
    if (numbers[j] >> j != 0) return {};
    out.first.push_back(numbers[j] << 1 | 1U);
  }
  return out;
}

/// x^exponent modulo the polynomial.
std::uint32_t power_of_x(std::uint32_t polynomial, std::uint32_t exponent) {
  const auto top = static_cast<unsigned>(std::bit_width(polynomial)) - 1;
  const auto product = [&](std::uint32_t a, std::uint32_t b) {
    std::uint32_t out = 0;
    for (; b != 0; b >>= 1) {
      if ((b & 1) != 0) out ^= a;
      a <<= 1;
      if ((a >> top & 1) != 0) a ^= polynomial;
    }
    return out;
  };
  std::uint32_t out = 1, square = top == 1 ? polynomial ^ 2U : 2U;
  for (; exponent != 0; exponent >>= 1, square = product(square, square))
    if ((exponent & 1) != 0) out = product(out, square);
  return out;
}

}  // namespace

sobol_vectors sobol_dimension::vectors() const {
  sobol_vectors out{};
  const unsigned s = degree();
  for (unsigned j = 0; j < out.size(); ++j) {
    if (s == 0) {
      out[j] = 1U << (31 - j);
    } else if (j < s) {
      out[j] = first[j] << (31 - j);
    } else {
      // Vector j is m[j] * 2^(31 - j), so that 2^k m[j - k] is vector j - k, and m[j - s] is
      // vector j - s shifted down by s.
      out[j] = out[j - s] ^ out[j - s] >> s;
      for (unsigned k = 1; k < s; ++k)
        if ((polynomial >> (s - k) & 1) != 0) out[j] ^= out[j - k];
    }
  }
  return out;
}

sobol_table::sobol_table(const std::filesystem::path& file)
    : sobol_table(text_of(file), file.string()) {}

sobol_table::sobol_table(std::string_view text, const std::string& name) : all_(1) {
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with('#')) continue;
    all_.push_back(dimension_of(line));
    if (all_.back().degree() == 0)
      throw error(fmt::format("{}:{}: no polynomial of some degree s with s - 1 numbers behind it",
                              name, number));
  }
}

std::vector<std::uint32_t> sobol_table::vectors(std::size_t count) const {
  if (count > all_.size())
    throw error(fmt::format("Sobol's table has {} dimensions, not {}", all_.size(), count));
  std::vector<std::uint32_t> out;
  out.reserve(32 * count);
  for (std::size_t d = 0; d < count; ++d) {
    const sobol_vectors v = all_[d].vectors();
    out.insert(out.end(), v.begin(), v.end());
  }
  return out;
}

std::uint32_t sobol_point(const std::uint32_t* vectors, std::uint32_t index) {
  std::uint32_t out = 0;
  for (std::uint32_t gray = index ^ index >> 1; gray != 0; gray &= gray - 1)
    out ^= vectors[std::countr_zero(gray)];
  return out;
}

bool is_primitive(std::uint32_t polynomial) {
  const auto degree = static_cast<unsigned>(std::bit_width(polynomial)) - 1;
  if (degree < 1 || degree > 24 || (polynomial & 1) == 0) return false;
  const std::uint32_t order = (1U << degree) - 1;
  if (power_of_x(polynomial, order) != 1) return false;
  std::uint32_t left = order;
  for (std::uint32_t q = 3; left > 1; q += 2) {  // the order is odd
    if (q * q > left) q = left;
    if (left % q != 0) continue;
    if (power_of_x(polynomial, order / q) == 1) return false;
    while (left % q == 0) left /= q;
  }
  return true;
}

sobol_vectors scrambled(const sobol_vectors& v, std::uint64_t seed) {
  // Row r of the matrix, counted from the highest bit of a point: bit r itself and random ones of
  // the higher bits.
  xorwow random = xorwow::of_seed(seed);
  sobol_vectors out{};
  for (unsigned r = 0; r < 32; ++r) {
    const std::uint32_t diagonal = 1U << (31 - r);
    const std::uint32_t higher = r == 0 ? 0 : ~0U << (32 - r);
    const std::uint32_t row = diagonal | (random.next() & higher);
    for (unsigned j = 0; j < 32; ++j)
      if ((std::popcount(v[j] & row) & 1) != 0) out[j] |= diagonal;
  }
  return out;
}

}  // namespace ptxlab::bench
