// SPDX-License-Identifier: Apache-2.0
// Random numbers in results: kernels random/xorwow/*, random/sobol/* and random/curand_device/*,
// with cuRAND's host interface in the same points ("throughput of curand, dynamic").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// How rows of cuRAND's host interface end, for each of its orders that was measured: " of curand"
/// is its default.
std::vector<std::string> curand_orders();

/// The order of `curand_orders` in which cuRAND was fastest at a point, and its throughput.
struct fastest_order {
  std::string name;  ///< "dynamic"
  double throughput = 0;
};
std::optional<fastest_order> fastest_of_curand(const section& s, const std::string& id,
                                               const std::map<std::string, double>& axes);

std::vector<table> random_throughput_tables(const topic_context& c);
/// What was to be reached: uniform floats by xorwow against cuRAND's fastest order.
std::vector<table> random_target_tables(const topic_context& c);
/// In which of its orders cuRAND's numbers were ours.
std::vector<table> random_order_tables(const topic_context& c);
std::vector<table> random_sobol_tables(const topic_context& c);
std::vector<table> random_set_up_tables(const topic_context& c);
/// Uniform floats by xorwow: throughput over how many are drawn.
std::vector<figure> random_figures(const topic_context& c);

}  // namespace ptxlab::report
