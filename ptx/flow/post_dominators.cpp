// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/post_dominators.hpp"

namespace ptxlab::flow {
namespace {

class finder {
 public:
  explicit finder(const graph& g)
      : g_(g), end_(static_cast<std::uint32_t>(g.size())), rank_(g.size() + 1, nowhere) {}

  std::vector<std::uint32_t> run() {
    number_from_ends();
    std::vector<std::uint32_t> up(g_.size() + 1, nowhere);
    up[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = order_.size(); i-- > 0;) {
        const std::uint32_t b = order_[i];
        std::uint32_t common = leaves(b) ? end_ : nowhere;
        for (const std::uint32_t s : g_.successors(b))
          if (up[s] != nowhere) common = common == nowhere ? s : meet(up, common, s);
        if (common == up[b]) continue;
        up[b] = common;
        changed = true;
      }
    }
    up.pop_back();
    for (std::uint32_t& b : up)
      if (b == end_) b = nowhere;
    return up;
  }

 private:
  bool leaves(std::uint32_t b) const {
    return g_[b].leaves || g_[b].unknown || g_.successors(b).empty();
  }

  /// Post-order of the reversed graph, from the end; the end itself has the highest rank.
  void number_from_ends() {
    std::vector<bool> seen(g_.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t first = 0; first < end_; ++first) {
      if (!leaves(first) || seen[first]) continue;
      seen[first] = true;
      stack.emplace_back(first, 0);
      while (!stack.empty()) {
        auto& [b, next] = stack.back();
        const auto before = g_.predecessors(b);
        if (next == before.size()) {
          rank_[b] = static_cast<std::uint32_t>(order_.size());
          order_.push_back(b);
          stack.pop_back();
          continue;
        }
        const std::uint32_t p = before[next++];
        if (seen[p]) continue;
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
    }
    rank_[end_] = static_cast<std::uint32_t>(order_.size());
  }

  std::uint32_t meet(const std::vector<std::uint32_t>& up, std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (rank_[a] < rank_[b]) a = up[a];
      while (rank_[b] < rank_[a]) b = up[b];
    }
    return a;
  }

  const graph& g_;
  const std::uint32_t end_;
  std::vector<std::uint32_t> order_, rank_;
};

}  // namespace

std::vector<std::uint32_t> post_dominators(const graph& g) {
  return finder(g).run();
}

}  // namespace ptxlab::flow
