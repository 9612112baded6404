// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/sobol.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <iterator>

#include "driver/bench/xorwow.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned degrees = 18;  // of the first 20 000 primitive polynomials, the largest

/// Bits from the lowest of the first byte on.
class bit_reader {
 public:
  bit_reader(const std::vector<unsigned char>& bytes, std::size_t from) : bytes_(bytes) {
    at_ = 8 * from;
  }
  std::uint32_t take(unsigned count) {
    std::uint32_t out = 0;
    for (unsigned i = 0; i < count; ++i, ++at_)
      if (at_ / 8 < bytes_.size()) out |= (bytes_[at_ / 8] >> at_ % 8 & 1U) << i;
    return out;
  }
  std::size_t bytes_taken() const { return (at_ + 7) / 8; }

 private:
  const std::vector<unsigned char>& bytes_;
  std::size_t at_;
};

class bit_writer {
 public:
  explicit bit_writer(std::vector<unsigned char>& to) : to_(to), at_(8 * to.size()) {}
  void put(std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++at_) {
      if (at_ % 8 == 0) to_.push_back(0);
      to_.back() |= static_cast<unsigned char>((value >> i & 1U) << at_ % 8);
    }
  }

 private:
  std::vector<unsigned char>& to_;
  std::size_t at_;
};

std::vector<unsigned char> bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw error(fmt::format("{}: cannot be read", file.string()));
  return {std::istreambuf_iterator<char>(in), {}};
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
    : sobol_table(bytes_of(file), file.string()) {}

sobol_table::sobol_table(const std::vector<unsigned char>& bytes, const std::string& name)
    : all_(1) {
  bit_reader in(bytes, 0);
  std::array<std::uint32_t, degrees> of_degree{};
  for (std::uint32_t& n : of_degree) n = in.take(16);
  for (unsigned s = 1; s <= degrees; ++s)
    for (std::uint32_t i = 0; i < of_degree[s - 1]; ++i) {
      sobol_dimension d;
      d.polynomial = 1U << s | in.take(s - 1) << 1 | 1U;
      for (unsigned j = 0; j < s; ++j) d.first.push_back(in.take(j) << 1 | 1U);
      all_.push_back(std::move(d));
    }
  if (in.bytes_taken() != bytes.size())
    throw error(fmt::format("{}: {} bytes where {} are needed for {} dimensions", name,
                            bytes.size(), in.bytes_taken(), all_.size()));
}

std::vector<std::uint32_t> sobol_table::vectors(std::size_t count) const {
  std::vector<std::uint32_t> out;
  out.reserve(32 * count);
  for (std::size_t d = 0; d < count; ++d) {
    const sobol_vectors v = all_.at(d).vectors();
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

std::vector<unsigned char> packed(const std::vector<sobol_dimension>& all) {
  std::vector<unsigned char> out;
  bit_writer to(out);
  for (unsigned s = 1; s <= degrees; ++s) {
    std::uint32_t n = 0;
    for (const sobol_dimension& d : all) n += d.degree() == s ? 1 : 0;
    to.put(n, 16);
  }
  for (const sobol_dimension& d : all) {
    if (d.degree() == 0) continue;
    to.put(d.polynomial >> 1, d.degree() - 1);
    for (unsigned j = 0; j < d.degree(); ++j) to.put(d.first[j] >> 1, j);
  }
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
