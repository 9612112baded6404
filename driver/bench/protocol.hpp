// SPDX-License-Identifier: Apache-2.0
// A way to measure. One file in driver/bench/protocols adds one: it says what the timed regions
// must hold, at which points of its axes it measures, how, and what the samples mean. It knows no
// kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"
#include "analysis/timing/contract.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

class lab;

/// What a protocol needs to know of a device to choose its sizes.
struct sizes {
  int multiprocessors = 0;
  int max_block_threads = 0;
  std::uint64_t l2_bytes = 0, memory_bytes = 0;
};

using axes = std::map<std::string, double>;

struct protocol {
  kernels::protocol how;
  const char* name;
  const char* says;  ///< one sentence
  /// Null where nothing is timed inside the kernel.
  timing::contract (*contract)(const kernels::measurement&);
  /// The points at which it measures; `quick` asks for few.
  std::vector<axes> (*points)(const kernels::measurement&, const sizes&, bool quick);
  /// Measures one point on the device. Rows have everything but what the plan knows (id, opcodes,
  /// hash). Throws ptxlab::error.
  std::vector<results::row> (*measure)(lab&, const kernels::variant&, const axes&);
  /// What follows from all points of one experiment together; may be null.
  void (*conclude)(std::vector<results::row>&) = nullptr;
};

/// All protocols, in the order of kernels::protocol.
const std::vector<protocol>& protocols();
const protocol& protocol_of(kernels::protocol how);

struct protocol_registration {
  explicit protocol_registration(const protocol& p);
};

/// A row of a protocol at a point: id and gate are filled in by the harness.
results::row make_row(const protocol& p, const axes& at, const char* quantity, const char* unit);

}  // namespace ptxlab::bench
