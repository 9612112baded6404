// SPDX-License-Identifier: Apache-2.0
// All loops of a kernel at one stage as one tree, calls included: a loop in a called function lies
// inside the loop that holds the call.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

class loop_tree {
 public:
  struct node {
    std::uint32_t function, index;  ///< in stage_code::functions, and its loops
    std::uint32_t parent;           ///< node around it, or flow::nowhere
    std::uint32_t depth;            ///< over all calls; 1 for an outermost loop
    std::uint32_t enter = 0, leave = 0;
  };
  struct operation {
    std::uint32_t function, op;
  };

  explicit loop_tree(const stage_code& s);

  const stage_code& stage() const { return stage_; }
  std::size_t size() const { return nodes_.size(); }
  const node& operator[](std::size_t n) const { return nodes_[n]; }
  const stage_function& function(std::size_t n) const {
    return stage_.functions[nodes_[n].function];
  }
  const flow::loop_facts& loop(std::size_t n) const { return function(n).loops[nodes_[n].index]; }
  /// Innermost loop around an operation, or flow::nowhere.
  std::uint32_t innermost(std::uint32_t function, std::uint32_t op) const;
  bool inside(std::uint32_t inner, std::uint32_t outer) const;
  /// Operations of a loop, those of called functions and inner loops included.
  std::vector<operation> operations(std::uint32_t n) const;
  /// Whether an exit of the loop depends on memory that somebody else may write: a poll that is no
  /// stack slot, or a call to something that reads such memory.
  bool polls(std::uint32_t n) const;
  /// A load, store or atomic that is not of a parameter or constant.
  static bool is_memory(const flow::op& o);
  /// A stack slot of the unoptimised build: a variable, not memory that anybody else sees.
  static bool is_stack(const stage_function& f, std::uint32_t op);
  /// All reachable operations of the kernel.
  std::vector<operation> all() const;

 private:
  void number_tree();
  bool reads_memory(std::uint32_t function, int depth) const;

  const stage_code& stage_;
  std::vector<node> nodes_;
  std::vector<std::uint32_t> around_call_;             ///< per function: loop around its call
  std::vector<std::vector<std::uint32_t>> innermost_;  ///< per function and block
};

}  // namespace ptxlab::facts
