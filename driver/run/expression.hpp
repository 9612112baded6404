// SPDX-License-Identifier: Apache-2.0
// What an element should be, as a formula over its index and the buffers before the launch:
// "2 * x[i] + y[i]", "sum(in)", "i % 7".
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "driver/run/argument.hpp"

namespace ptxlab::run {

/// A formula: numbers, `i` (the element's index), `n` (how many there are), NAME[formula] of a
/// buffer before the launch, sum(NAME), min(NAME), max(NAME), abs(formula), + - * / %, parentheses.
/// For an integer type it is computed in 64-bit integers that wrap (/ and % towards 0, and 0 for a
/// division by 0), else in double; the result is brought to the type as element_of does.
class expression {
 public:
  /// Throws ptxlab::error for what is no formula, and for a name that no buffer of `buffers` has;
  /// they must outlive it.
  expression(std::string_view text, type of, const std::vector<const argument*>& buffers);
  expression(expression&&) noexcept;
  ~expression();

  /// Throws ptxlab::error for an index outside of a buffer.
  element_bits at(std::uint64_t i, std::uint64_t n) const;

  struct node;

 private:
  type of_;
  std::unique_ptr<node> root_;
};

}  // namespace ptxlab::run
