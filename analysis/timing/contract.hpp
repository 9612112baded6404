// SPDX-License-Identifier: Apache-2.0
// What a timed kernel promises about the machine code between its clock reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::timing {

enum class relation : std::uint8_t {
  chain,        ///< each copy needs the result of the one before: a latency
  independent,  ///< copies of different streams do not need each other: a throughput
  serial,       ///< copies order themselves without data: barriers and fences
  exchange      ///< the counted load is what a loop in the region waits for: a hand-over
};

/// One timed region: `copies` of each of `streams`.
struct region {
  unsigned copies = 0, streams = 1;
};

struct contract {
  relation how = relation::chain;
  /// Globs over full SASS opcodes. The first stands `per_copy` times in every copy; the others
  /// belong to the copy, as often as they like but equally often in each.
  std::vector<std::string> opcodes;
  unsigned per_copy = 1;
  unsigned chained = 0;  ///< of a chain: how many of these need each other; 0: all
  bool expands = false;  ///< everything that grows with the copies belongs to them
  /// A region is a loop around its copies, and what is timed is how often it turns. The few
  /// instructions that count the rounds are fixed work of every round.
  bool rounds = false;
  std::vector<region> regions;  ///< in program order

  /// Whether an opcode is the one that is counted, or belongs to a copy at all.
  bool counts(std::string_view opcode) const;
  bool names(std::string_view opcode) const;
};

}  // namespace ptxlab::timing
