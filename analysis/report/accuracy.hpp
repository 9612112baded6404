// SPDX-License-Identifier: Apache-2.0
// Document B, arithmetic: what the cost table of 2009 says and what holds today, and how wrong each
// spelling of a function is. Kernels of the latter are accuracy/*, rows of the protocol "accuracy".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// One way to write a function.
struct spelling {
  const char* id;    ///< behind "accuracy/"
  const char* text;  ///< as it is written
  /// The function of docs/data/documented_errors.csv whose errors are documented; null: none.
  const char* documented;
};
const std::vector<spelling>& spellings();

/// Largest error in one range of operands, from `from` on to where the next one begins.
struct range_error {
  double from = 0, to = 0;  ///< away from 0; with a sign where negative operands are told apart
  double value = 0;
};
/// The ranges of a row, nearest to zero first, those of negative operands last; a range that
/// nothing was in is part of the one before. Empty without a row.
std::vector<range_error> ranges_of(const measurement* m);

/// Whether what was seen stays within what is documented; nothing where the ranges do not tell.
/// `ulp` and `absolute` are the largest errors by range.
std::optional<bool> within(const documented_error& said, const std::vector<range_error>& ulp,
                           const std::vector<range_error>& absolute);

/// What each operation of the cost table of 2009 costs: instructions, latency, clocks per warp.
std::vector<table> cost_of_arithmetic_tables(const topic_context& c);
/// sinf on both sides of the limits of its fast reduction, then and now.
std::vector<table> sine_limit_tables(const topic_context& c);
/// Errors of all spellings beside what is documented of them.
std::vector<table> error_tables(const topic_context& c);
/// From which operands on a fast form is no longer as good as it is said to be.
std::vector<table> wrong_range_tables(const topic_context& c);
/// Largest error over the operand.
std::vector<figure> error_figures(const topic_context& c);

}  // namespace ptxlab::report
