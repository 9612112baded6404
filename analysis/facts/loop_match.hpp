// SPDX-License-Identifier: Apache-2.0
// Which loop of a later stage comes from which loop of an earlier one, by the places (source lines,
// or lines of the PTX text) of the operations inside them, and by nesting; never by label names.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {

/// For each loop of the earlier stage the loops of the later one that come from it.
class loop_match {
 public:
  /// Source to PTX: by place, inlining included. Both have been through align_places().
  static loop_match by_site(const loop_tree& earlier, const loop_tree& later);
  /// PTX to SASS: by the PTX line that each SASS instruction was assembled from.
  static loop_match by_ptx_line(const loop_tree& earlier, const loop_tree& later);

  const std::vector<std::uint32_t>& of(std::uint32_t earlier) const { return later_of_[earlier]; }
  /// Loop of the earlier stage, or flow::nowhere.
  std::uint32_t source_of(std::uint32_t later) const { return earlier_of_[later]; }
  /// How many loops of the earlier stage stand at exactly the same places as this one, itself
  /// included: bodies that a debug build inlined twice without naming the calls.
  int twins(std::uint32_t earlier) const { return twins_[earlier]; }
  /// Loop of the earlier stage that an operation of the later one comes from.
  std::uint32_t loop_of(loop_tree::operation later) const;

 private:
  loop_match(const loop_tree& earlier, const loop_tree& later);
  template <typename Key>
  static loop_match by_key(const loop_tree& earlier, const loop_tree& later, Key key);
  void choose();
  std::uint32_t most_votes(std::uint32_t later, bool own) const;
  void share_among_twins(const std::vector<std::vector<std::uint32_t>>& places);

  const loop_tree& earlier_;
  const loop_tree& later_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> loop_of_op_;
  std::vector<std::uint32_t> earlier_of_;
  std::vector<std::vector<std::uint32_t>> later_of_;
  std::vector<int> twins_;
};

}  // namespace ptxlab::facts
