// SPDX-License-Identifier: Apache-2.0
// Data races of one launch: what is reported, how it is counted, and its text.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "ptx/machine/observers/race_cause.hpp"
#include "ptx/machine/observers/site_name.hpp"

namespace ptxlab::machine {

enum class race_kind : std::uint8_t {
  between_blocks,
  between_warps,   ///< of one block
  within_warp,     ///< lanes of one warp, at different executions of instructions
  one_instruction  ///< lanes of one store write the same bytes (CUDA C++ Programming Guide, "SIMT
                   ///< Architecture": which lane's write stays is undefined)
};

/// All races between two instructions of one kind. `a` performed the earlier access; both are
/// indices into launch_info::sites.
struct race {
  race_kind kind = race_kind::between_blocks;
  std::uint32_t a = 0, b = 0;
  std::uint64_t pairs = 0;  ///< pairs of an access and a remembered earlier one, in any word
  std::uint64_t words = 0;  ///< distinct 4-byte words
  std::uint64_t warps = 0, blocks = 0;  ///< distinct, of both sides
  bool same_value = false;              ///< one_instruction: all lanes wrote equal bytes, always
  /// The first pair, and why it is a race.
  flow::space space = flow::space::global;
  named_place where;
  race_thread thread_a, thread_b;
  race_cause cause;
};

struct race_report {
  launch_name launch;
  std::vector<race> races;  ///< by file, line and PTX line of a, then of b, then kind
  /// Accesses checked against a word with more unordered accesses than it remembers, without any
  /// race found: cannot tell.
  std::uint64_t uncertain = 0;
  /// False: the launch was not watched to its end, for its threads' knowledge of each other outgrew
  /// the memory (race_detector::most_entries). No race then means nothing.
  bool complete = true;
};

const char* name(race_kind k);
/// Stable lines for FileCheck, no addresses; `sites` are those of the launch:
///   PTX-level races of kernel, grid 2x1x1, block 32x1x1
///   race between blocks: st.global.u32 naive.cu:12 then ld.global.u32 naive.cu:20: pairs 1 words 1
///   warps 2 blocks 2, data+0: block 0 thread 0, block 1 thread 0       (one line, as the next)
///     no release: st.volatile.global.u32 naive.cu:13 has no fence before it, read by ...
///   races 1 uncertain 0
std::string text(const race_report& r, std::span<const site> sites);

/// Collects the races of a launch while it runs.
class race_tally {
 public:
  struct pair {
    race_kind kind = race_kind::between_blocks;
    std::uint32_t a = 0, b = 0;
    race_thread thread_a, thread_b;
    flow::space space = flow::space::global;
    address word = 0;                   ///< byte address of the word
    std::uint32_t owner = access::own;  ///< in shared memory of clusters: the block that has it
    bool same_value = false;
    std::uint64_t count = 1;
  };

  void reset() { rows_.clear(); }
  /// Counts a pair; true if it is the first of its kind at these sites: tell its cause then.
  bool add(const pair& p);
  void explain(const pair& p, const race_cause& c);
  /// The report's rows; `sites` gives their order.
  std::vector<race> races(std::span<const site> sites, const place_names& names) const;

 private:
  struct row {
    race result;
    address at = 0;
    std::uint32_t owner = access::own;
    std::unordered_set<std::uint64_t> words, warps;
    std::unordered_set<std::uint32_t> blocks;
  };
  using row_key = std::tuple<std::uint32_t, std::uint32_t, race_kind>;

  std::map<row_key, row> rows_;
};

}  // namespace ptxlab::machine
