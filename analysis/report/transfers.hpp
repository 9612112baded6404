// SPDX-License-Identifier: Apache-2.0
// Copies between memories: latency, rate, and the size from which half of the rate is reached.
#pragma once

#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// A line for each way to copy: the smallest copy, the best rate, the sizes that reach half of it.
std::vector<table> transfer_tables(const topic_context& c);
/// Time of one copy, and rate of many, by size.
std::vector<table> transfer_size_tables(const topic_context& c);
std::vector<figure> transfer_figures(const topic_context& c);
/// The best rates beside that of the device's own memory.
std::vector<table> bottleneck_tables(const topic_context& c);

}  // namespace ptxlab::report
