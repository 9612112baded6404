// SPDX-License-Identifier: Apache-2.0
// Which lane and register of a warp holds which element of a matrix: the fragments of mma.sync (PTX
// ISA 9.0, "Matrix Fragments for mma.m16n8k16" and its neighbours) and those of wmma, whose layout
// PTX leaves open and the machine chooses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

/// Types of matrix elements, in memory and in registers.
enum class matrix_element : std::uint8_t { f16, bf16, tf32, s8, u8, f32, s32 };
/// "bf16" gives matrix_element::bf16; nothing for what is none.
std::optional<matrix_element> matrix_element_named(std::string_view name);
/// Bits of one element; 32 for tf32, which fills a register.
unsigned bits(matrix_element e);

/// D = A B + C, where A has m x k elements, B k x n, C and D m x n.
struct matrix_shape {
  unsigned m = 0, n = 0, k = 0;
  friend bool operator==(const matrix_shape&, const matrix_shape&) = default;
};
/// "m16n8k16"; nothing for a shape that the machine does not have.
std::optional<matrix_shape> matrix_shape_named(std::string_view name);

enum class matrix_role : std::uint8_t { a, b, accumulator };

/// One matrix spread over the 32 lanes. All layouts are made of blocks in which lane i holds one
/// run of neighbouring elements: lanes 0 to 3 lie behind each other, lane i in line i / 4 of 8. A
/// run fills a register of A and B and has two elements of C and D. Lines are rows of A, C and D,
/// and columns of B. The blocks of A, C and D follow each other down the lines first, those of B
/// along them. For the shapes of mma.sync this is what PTX prescribes; the machine's wmma continues
/// it, whether matrices lie in memory by rows or by columns. A and B of wmma in f16 have eight
/// registers for every shape: where that is more than it takes, the blocks are repeated.
class fragment_layout {
 public:
  fragment_layout(matrix_role role, matrix_shape shape, matrix_element of);

  bool is(matrix_role role, matrix_shape shape, matrix_element of) const {
    return role_ == role && shape_ == shape && of_ == of;
  }
  matrix_element of() const { return of_; }
  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  unsigned size() const { return rows_ * columns_; }
  /// 32-bit registers of each lane, and elements in each.
  unsigned registers() const { return registers_; }
  unsigned per_register() const { return per_register_; }
  /// Different elements of each lane; they lie in the first registers, low bits first.
  unsigned elements() const { return size() / warp_lanes; }
  /// row * columns() + column of a lane's element.
  unsigned index(unsigned lane, unsigned element) const {
    return index_[element * warp_lanes + lane];
  }

  static constexpr unsigned most_size = 512;  ///< elements of the largest matrix
 private:
  matrix_role role_;
  matrix_shape shape_;
  matrix_element of_;
  unsigned rows_ = 0, columns_ = 0, per_register_ = 1, registers_ = 0;
  std::array<std::uint16_t, most_size> index_{};
};

/// All layouts; steps refer to them by their place.
const std::vector<fragment_layout>& fragment_layouts();
/// The place of one; nothing for a combination that no instruction has.
std::optional<std::uint32_t> fragment_number(matrix_role role, matrix_shape shape,
                                             matrix_element of);

}  // namespace ptxlab::machine
