// SPDX-License-Identifier: Apache-2.0
// Which elements the lanes of a warp touch in the kernels of memory/coalescing and memory/banks,
// what that costs by the models of the PTX machine, and whether what was measured is in their
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"
#include "ptx/machine/observers/banks.hpp"
#include "ptx/machine/observers/coalescing.hpp"

namespace ptxlab::report {

/// Lane k touches the element (k ^ flip) * stride, `offset` bytes further on; with `columns` the
/// word k % 16 * columns + k / 16 of a tile. Lanes whose number is no multiple of `every` are idle.
struct access_pattern {
  unsigned bytes = 4;  ///< of an element
  std::uint64_t stride = 1, offset = 0, columns = 0;
  unsigned flip = 0, every = 0;

  /// "stride 33", "base 132", "k ^ 3", "every lane", "every 4th lane", "17 columns", "in order".
  std::string text() const;
};

/// The pattern of a row, by the last part of its id (strided_l1, chain_u32, ...) and the operand
/// that was swept; nothing of a row of another kernel.
std::optional<access_pattern> pattern_of(const results::row& r);

/// Global memory, by all three rules.
machine::warp_transactions transactions_of(const access_pattern& p);
/// Shared memory with the 16 banks of compute capability 1.x, loads; with today's 32.
machine::bank_passes passes_then(const access_pattern& p);
machine::bank_passes passes_now(const access_pattern& p);

/// A pattern with what a model counts for it and what was measured.
struct counted {
  std::string name;
  double count = 0, value = 0;
};

/// Of all pairs with different counts: how many have values in the same order, how many values that
/// are the same within `tolerance`, and which are in the opposite order ("stride 3 before stride
/// 2").
struct order_check {
  std::size_t agree = 0, even = 0;
  std::vector<std::string> contradicted;
};
order_check order_of(const std::vector<counted>& all, double tolerance = 0.02);

}  // namespace ptxlab::report
