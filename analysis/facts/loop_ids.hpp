// SPDX-License-Identifier: Apache-2.0
// The ids that summarise() gives to the loops of a stage, for the nodes of a loop tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {

/// A function that is reached through several calls has several nodes for each loop, and one id.
class loop_ids {
 public:
  explicit loop_ids(const loop_tree& t);
  std::string id(std::uint32_t n) const;
  /// The first node with the same code as `n`.
  std::uint32_t canonical(std::uint32_t n) const;

 private:
  const loop_tree& tree_;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> numbers_;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> first_;
};

}  // namespace ptxlab::facts
