// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/figures.hpp"

namespace ptxlab::report {

std::map<std::string, double> common_axes(const std::vector<const measurement*>& group) {
  std::map<std::string, double> out;
  if (!group.empty()) out = group.front()->row().axes;
  for (const measurement* m : group)
    std::erase_if(out, [&](const auto& axis) {
      const auto at = m->row().axes.find(axis.first);
      return at == m->row().axes.end() || at->second != axis.second;
    });
  return out;
}

std::vector<figure> figures_of(const section& s, const std::string& filter) {
  std::vector<figure> out = staircases(s);
  for (auto& more : {heat_maps(s, filter), fence_ladders(s)})
    out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace ptxlab::report
