// SPDX-License-Identifier: Apache-2.0
// Which branches decide whether a block runs, and whether threads of a block may differ in them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

/// Control dependence of one function (Ferrante, Ottenstein, Warren 1987), found on demand, with
/// one exception: a branch whose other side does nothing but leave the function decides nothing for
/// the threads that stay.
class divergence {
 public:
  explicit divergence(const stage_function& f);

  /// The branches that decide whether, and how often, block `b` runs; ascending.
  const std::set<std::uint32_t>& deciding(std::uint32_t b);
  /// Whether the guard of a branch depends on the thread or lane number: by values, or by branches
  /// that decide which of several values arrives. Memory, calls, barriers and exchanges between
  /// lanes end the search: what they yield is not known to differ.
  bool by_lane(std::uint32_t branch);

 private:
  std::set<std::uint32_t> direct(std::uint32_t b) const;
  bool only_leaves(std::uint32_t b) const;

  const stage_function& f_;
  flow::region all_;
  std::map<std::uint32_t, std::set<std::uint32_t>> deciding_;  ///< by block
};

}  // namespace ptxlab::facts
