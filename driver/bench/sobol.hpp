// SPDX-License-Identifier: Apache-2.0
// Sobol's sequences of 32 bits on the host, from the polynomials and initial numbers of Joe and Kuo
// ("Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30,
// 2008; their table new-joe-kuo-6).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::bench {

/// Vector j of a dimension; point i is their sum over GF(2) where the Gray code of i has a bit.
using sobol_vectors = std::array<std::uint32_t, 32>;

/// One dimension of the table.
struct sobol_dimension {
  /// Primitive modulo 2; bit k is the coefficient of x^k. 1 for the first dimension, whose numbers
  /// are all 1.
  std::uint32_t polynomial = 1;
  std::vector<std::uint32_t>
      first;  ///< as many as the polynomial has degrees; odd, below 2, 4, ...

  unsigned degree() const { return static_cast<unsigned>(first.size()); }
  /// By the recurrence of Bratley and Fox (1988), equation (2.2) of Joe and Kuo's paper.
  sobol_vectors vectors() const;
};

class sobol_table {
 public:
  /// Reads docs/data/joe_kuo_6.csv, whose head says how it is laid out. Throws ptxlab::error for a
  /// file that is missing, and for a line ("FILE:LINE: reason") that is no dimension.
  explicit sobol_table(const std::filesystem::path& file);
  /// From the file's text, called `name` in messages.
  sobol_table(std::string_view text, const std::string& name);

  /// 20 000, the first of which has no line in the file.
  std::size_t dimensions() const { return all_.size(); }
  /// Throws std::out_of_range.
  const sobol_dimension& operator[](std::size_t dimension) const { return all_.at(dimension); }
  /// Of dimensions 0 to `count` - 1, one after the other, as kernels read them.
  std::vector<std::uint32_t> vectors(std::size_t count) const;

 private:
  std::vector<sobol_dimension> all_;
};

/// Point `index`.
std::uint32_t sobol_point(const std::uint32_t* vectors, std::uint32_t index);

/// Whether a polynomial modulo 2 of degree 1 to 24 is primitive: x has the order 2^degree - 1.
bool is_primitive(std::uint32_t polynomial);

/// A scrambled copy of a dimension: vectors multiplied by a random lower triangular matrix with
/// ones on its diagonal (Matousek, 1998), so that every interval that held one point of 2^k still
/// holds one. Together with a constant added to all points it is what "scrambled" means.
sobol_vectors scrambled(const sobol_vectors& v, std::uint64_t seed);

}  // namespace ptxlab::bench
