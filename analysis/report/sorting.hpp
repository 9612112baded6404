// SPDX-License-Identifier: Apache-2.0
// Odd-even transposition sort in results: kernels are sort/{block,launches,grid}/NAME, rows are
// those of the protocol `sorting` (driver/bench/protocols/sorting.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// One curve of time over elements: a kernel, where the host looks every so often; or a rival.
struct sort_curve {
  std::string id, quantity;  ///< "sort/launches/pass_counted", "time"; a rival's id is empty
  double looks = 0;          ///< 0: never
  bool three_keys = false;
  std::string name;  ///< "pass_counted, a look every 64 launches"
};
/// Those of keys alone, or of elements with three keys; first those that sort in one block, then
/// many launches, then one kernel, then rivals.
std::vector<sort_curve> sort_curves(const section& s, bool three_keys);
/// The elements at which anything was measured, in order.
std::vector<double> sort_sizes(const section& s, bool three_keys);

/// The row of a curve at `elements`, of `quantity` where that is not empty; null if there is none.
const measurement* sort_row(const section& s, const sort_curve& c, double elements,
                            const std::string& quantity = "");

/// Cycles of a pass of one kernel of sort/block from parts that were measured by themselves.
struct pass_model {
  struct part {
    std::string what, from;
    std::optional<double> cycles;  ///< for one pass
  };
  std::string id;
  double elements = 0;
  std::vector<part> parts;  ///< one behind the other
  /// All parts; nothing if one is missing.
  std::optional<double> sum() const;
};
/// For those kernels that were measured at `elements`.
std::vector<pass_model> pass_models(const section& s, double elements);

// One function for each part of the topic.
std::vector<table> sort_target_tables(const topic_context& c);
std::vector<table> sort_time_tables(const topic_context& c);
/// For each number of keys the fastest of ours beside the rivals.
std::vector<table> sort_rival_tables(const topic_context& c);
std::vector<figure> sort_time_figures(const topic_context& c);
std::vector<table> sort_pass_tables(const topic_context& c);
std::vector<table> sort_work_tables(const topic_context& c);
/// What a pass takes where each is, or some are, a launch or a barrier.
std::vector<table> sort_step_tables(const topic_context& c);
std::vector<table> sort_stop_tables(const topic_context& c);

}  // namespace ptxlab::report
