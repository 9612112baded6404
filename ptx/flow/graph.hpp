// SPDX-License-Identifier: Apache-2.0
// Control-flow graph, dominators and natural loops of a `flow::code`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/flow/code.hpp"

namespace ptxlab::flow {

/// Basic blocks of the code that is reachable from the first operation. Unreachable operations (the
/// self-branch and padding after a SASS kernel's last EXIT) belong to no block.
class graph {
 public:
  explicit graph(const code& c);

  struct block {
    std::uint32_t begin, end;  ///< operations [begin, end)
    bool leaves = false;       ///< has an edge out of the function (exit, ret, trap)
    bool unknown = false;      ///< ends in an indirect jump whose targets are not known
  };

  std::size_t size() const { return blocks_.size(); }
  const block& operator[](std::uint32_t b) const { return blocks_[b]; }
  std::span<const std::uint32_t> successors(std::uint32_t b) const;
  std::span<const std::uint32_t> predecessors(std::uint32_t b) const;
  /// Block of an operation, `nowhere` for unreachable code.
  std::uint32_t block_of(std::uint32_t op) const { return block_of_[op]; }
  /// Immediate dominator; the entry block's is itself. Blocks are numbered in reverse post-order.
  std::uint32_t idom(std::uint32_t b) const { return idom_[b]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const;
  bool any_unknown() const { return any_unknown_; }

 private:
  void cut_into_blocks(const code& c);
  void order_and_prune();
  void find_dominators();
  void number_dominator_tree();

  std::vector<block> blocks_;
  std::vector<std::uint32_t> succ_, succ_begin_, pred_, pred_begin_, block_of_;
  std::vector<std::uint32_t> idom_, enter_, leave_;
  bool any_unknown_ = false;
};

/// Operations that may run after `begin` and before `end`, both left out, ascending: those on the
/// paths from one to the other that pass `end` only at their end.
std::vector<std::uint32_t> between(const graph& g, std::uint32_t begin, std::uint32_t end);

/// A natural loop: the union of the bodies of all back edges into one header.
struct loop {
  std::uint32_t header = 0;
  std::vector<std::uint32_t> latches;  ///< sources of the back edges
  std::vector<std::uint32_t> blocks;   ///< sorted, header included
  std::uint32_t parent = nowhere;      ///< index of the loop around it
  std::uint32_t depth = 1;             ///< 1 for an outermost loop
};

struct loop_forest {
  std::vector<loop> loops;  ///< outer before inner, then in program order
  /// Blocks that are the target of a retreating edge which is no back edge: an irreducible region,
  /// about which no loop verdict is given.
  std::vector<std::uint32_t> irreducible;
};

loop_forest find_loops(const graph& g);

}  // namespace ptxlab::flow
