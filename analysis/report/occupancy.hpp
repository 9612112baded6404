// SPDX-License-Identifier: Apache-2.0
// Occupancy: curves by the toolkit's header, the rule of 2009 for block sizes, and how many threads
// the measured operations need.
#pragma once

#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// Over block size, registers and shared memory on the results' architecture, and block size on it
/// beside the GPUs of 2011.
std::vector<figure> occupancy_figures(const topic_context& c);
/// "A multiple of 64, and at least 192": which block sizes fill a multiprocessor, for the GPUs of
/// 2011 and every architecture of the toolkit.
std::vector<table> block_rule_tables(const topic_context& c);
/// With how many threads of a multiprocessor the operations of throughput rows come near their
/// highest rate.
std::vector<table> thread_rule_tables(const topic_context& c);

/// Warps of a multiprocessor that blocks of `threads` fill, where nothing but the multiprocessor's
/// warps and blocks is short; and how many there are.
struct resident_limits {
  std::string name;
  int warps = 0, blocks = 0, block_threads = 0;
  double share(int threads) const;
};
/// The GPUs of 2011, as far as the document tells all three numbers.
std::vector<resident_limits> limits_then(const historical& h);

}  // namespace ptxlab::report
