// SPDX-License-Identifier: Apache-2.0
// Reaching definitions on demand, and backward slices over them, within a set of blocks (a loop, or
// the whole function).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptx/flow/graph.hpp"

namespace ptxlab::flow {

/// For each register the operations that write it, in program order. Built once per function.
class definitions {
 public:
  explicit definitions(const code& c);
  std::span<const std::uint32_t> of(reg r) const {
    return {ops_.data() + begin_[r], ops_.data() + begin_[r + 1]};
  }

 private:
  std::vector<std::uint32_t> ops_, begin_;
};

/// The definitions that may reach one use.
struct reaching {
  std::vector<std::uint32_t> ops;  ///< operations inside the region, ascending
  bool from_outside = false;       ///< the value on entry to the region may arrive too
  /// Definitions that arrive on some paths of one pass through the region but not on all: which
  /// value arrives is then decided by branches.
  bool merged = false;
};

/// How much looking one function is worth, in blocks and definitions walked over. The kernels of
/// CUB need a thousandth of it; code that needs more was made to, and gets "cannot tell".
class effort {
 public:
  explicit effort(std::uint64_t steps = 2'000'000) : left_(steps) {}
  void spend(std::uint64_t steps) { left_ -= std::min(steps, left_); }
  bool spent() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

/// A region of a function: the blocks of a loop, or all blocks.
class region {
 public:
  /// The whole function. Without an effort to share, a region has one of its own.
  region(const code& c, const graph& g, const definitions& d, effort* shared = nullptr);
  /// One loop.
  region(const code& c, const graph& g, const definitions& d, const loop& l,
         effort* shared = nullptr);

  bool contains(std::uint32_t block) const { return whole_ || inside_[block]; }
  std::uint32_t entry() const { return entry_; }

  /// Definitions of register `r` that may reach operation `use` (as a read). Incomplete, like all
  /// answers, once the effort is spent.
  reaching at(std::uint32_t use, reg r) const;
  /// Definitions of `r` that may arrive at the region's entry over edges from outside of it.
  reaching on_entry(reg r) const;
  /// Branches of the region that decide whether block `b` runs in one pass through the region:
  /// those that it is control-dependent on, and those that they are.
  std::vector<std::uint32_t> controlling_branches(std::uint32_t b) const;
  effort& work() const { return shared_ != nullptr ? *shared_ : own_; }

 private:
  void walk(std::uint32_t block, std::uint32_t before, reg r, reaching& out) const;
  std::vector<bool> ends_without(std::uint32_t block) const;
  std::vector<std::uint32_t> leading_to(std::uint32_t block) const;
  const std::vector<std::uint32_t>& deciders(std::uint32_t b) const;

  const code& code_;
  const graph& graph_;
  const definitions& defs_;
  effort* shared_;
  mutable effort own_;
  std::vector<bool> inside_;
  bool whole_ = false;
  std::uint32_t entry_ = 0;
  mutable std::vector<std::uint32_t> mark_;  ///< scratch of walk(): a region is not thread-safe
  mutable std::uint32_t epoch_ = 0;
  /// What deciders() has found.
  mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> deciders_;
};

/// Everything a set of uses depends on inside a region.
struct slice {
  std::vector<std::uint32_t> loads;  ///< loads and atomics; what they depend on is not followed
  std::vector<std::uint32_t> calls;  ///< likewise
  std::vector<std::uint32_t> ops;    ///< all operations of the slice, ascending, loads included
  bool carried = false;              ///< a value depends on itself around the region (a counter)
  bool lane_dependent = false;       ///< depends on the lane or thread number
  bool clock = false;                ///< depends on a clock read
};

/// The slice of the guard of branch `op` (of all its register reads).
slice backward_slice(const code& c, const graph& g, const region& r, std::uint32_t op);

}  // namespace ptxlab::flow
