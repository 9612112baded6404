// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loop_ids.hpp"

#include <fmt/format.h>

namespace ptxlab::facts {

loop_ids::loop_ids(const loop_tree& t) : tree_(t) {
  for (std::uint32_t n = 0; n < t.size(); ++n) {
    const auto key = std::pair{t.function(n).name, t[n].index};
    const auto [it, inserted] = numbers_.try_emplace(key, numbers_.size() + 1);
    if (inserted) first_.emplace(key, n);
  }
}

std::string loop_ids::id(std::uint32_t n) const {
  return fmt::format("L{}", numbers_.at({tree_.function(n).name, tree_[n].index}));
}

std::uint32_t loop_ids::canonical(std::uint32_t n) const {
  return first_.at({tree_.function(n).name, tree_[n].index});
}

}  // namespace ptxlab::facts
