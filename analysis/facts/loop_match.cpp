// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loop_match.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ptxlab::facts {
namespace {

std::uint32_t depth_of(const loop_tree& t, std::uint32_t n) {
  return n == flow::nowhere ? 0 : t[n].depth;
}

/// A place that stands both inside a loop and around it (the `for` line holds the start of the
/// counter too) counts for the loop.
void keep_deepest(const loop_tree& t, std::unordered_map<std::uint32_t, std::uint32_t>& loops,
                  std::uint32_t key, std::uint32_t loop) {
  const auto [it, inserted] = loops.try_emplace(key, loop);
  if (!inserted && depth_of(t, loop) > depth_of(t, it->second)) it->second = loop;
}

}  // namespace

loop_match::loop_match(const loop_tree& earlier, const loop_tree& later)
    : earlier_(earlier),
      later_(later),
      earlier_of_(later.size(), flow::nowhere),
      later_of_(earlier.size()),
      twins_(earlier.size(), 1) {}

template <typename Key>
loop_match loop_match::by_key(const loop_tree& earlier, const loop_tree& later, Key key) {
  loop_match out(earlier, later);
  std::unordered_map<std::uint32_t, std::uint32_t> loop_at;  // place or line -> innermost loop
  std::vector<std::vector<std::uint32_t>> places(earlier.size());
  for (const auto& o : earlier.all()) {
    const std::uint32_t k = key(earlier.stage().functions[o.function].origins[o.op]);
    if (k == no_site) continue;
    const std::uint32_t in = earlier.innermost(o.function, o.op);
    keep_deepest(earlier, loop_at, k, in);
    if (in != flow::nowhere) places[in].push_back(k);
  }
  for (const auto& o : later.all()) {
    const auto it = loop_at.find(key(later.stage().functions[o.function].origins[o.op]));
    if (it != loop_at.end()) out.loop_of_op_[{o.function, o.op}] = it->second;
  }
  out.choose();
  out.share_among_twins(places);
  return out;
}

loop_match loop_match::by_site(const loop_tree& earlier, const loop_tree& later) {
  return by_key(earlier, later, [](const stage_function::origin& o) { return o.matched; });
}

loop_match loop_match::by_ptx_line(const loop_tree& earlier, const loop_tree& later) {
  return by_key(earlier, later, [](const stage_function::origin& o) {
    return o.ptx_line == 0 ? no_site : o.ptx_line;
  });
}

std::uint32_t loop_match::loop_of(loop_tree::operation later) const {
  const auto it = loop_of_op_.find({later.function, later.op});
  return it == loop_of_op_.end() ? flow::nowhere : it->second;
}

// Each later loop takes the innermost earlier loop that most of its own operations (those in no
// loop inside it) come from, unless a loop inside it has taken that one already.
void loop_match::choose() {
  std::vector<std::uint32_t> order(later_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return later_[a].depth > later_[b].depth;
  });
  for (const std::uint32_t b : order) {
    std::uint32_t best = most_votes(b, true);
    if (best == flow::nowhere) best = most_votes(b, false);
    const auto taken_inside = [&](std::uint32_t a) {
      for (const std::uint32_t other : later_of_[a])
        if (other != b && later_.inside(other, b)) return true;
      return false;
    };
    // A loop of constant length stays one; a later loop without such a length is the one around it,
    // with the inner one unrolled.
    const auto too_deep = [&](std::uint32_t a) {
      return taken_inside(a) || (earlier_.loop(a).trip && !later_.loop(b).trip);
    };
    while (best != flow::nowhere && too_deep(best) && earlier_[best].parent != flow::nowhere)
      best = earlier_[best].parent;
    earlier_of_[b] = best;
    if (best != flow::nowhere) later_of_[best].push_back(b);
  }
  for (auto& list : later_of_) std::sort(list.begin(), list.end());
}

// The innermost earlier loop that more than half of the operations which come from any loop come
// from; flow::nowhere without such operations.
std::uint32_t loop_match::most_votes(std::uint32_t b, bool own) const {
  std::map<std::uint32_t, std::uint32_t> votes;
  std::uint32_t voters = 0;
  for (const auto& o : later_.operations(b)) {
    if (own && later_.innermost(o.function, o.op) != b) continue;
    const std::uint32_t from = loop_of(o);
    if (from != flow::nowhere) ++voters;
    for (std::uint32_t a = from; a != flow::nowhere; a = earlier_[a].parent) ++votes[a];
  }
  std::uint32_t best = flow::nowhere;
  for (const auto& [a, n] : votes) {
    if (2 * n <= voters) continue;
    const bool deeper = best == flow::nowhere || earlier_[a].depth > earlier_[best].depth;
    if (deeper || (earlier_[a].depth == earlier_[best].depth && n > votes[best])) best = a;
  }
  if (best != flow::nowhere) return best;
  for (const auto& [a, n] : votes)  // several loops merged into one: the largest share
    if (best == flow::nowhere || n > votes[best]) best = a;
  return best;
}

// Loops at the same places share the later loops that one of them has taken, in program order.
void loop_match::share_among_twins(const std::vector<std::vector<std::uint32_t>>& places) {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> groups;
  for (std::uint32_t n = 0; n < earlier_.size(); ++n)
    if (!places[n].empty()) groups[places[n]].push_back(n);
  for (const auto& [unused, group] : groups) {
    if (group.size() < 2) continue;
    std::vector<std::uint32_t> later;
    for (const std::uint32_t n : group) {
      twins_[n] = static_cast<int>(group.size());
      later.insert(later.end(), later_of_[n].begin(), later_of_[n].end());
      later_of_[n].clear();
    }
    std::sort(later.begin(), later.end());
    const std::size_t each = std::max<std::size_t>(1, later.size() / group.size());
    for (std::size_t i = 0; i < later.size(); ++i) {
      const std::uint32_t n = group[std::min(i / each, group.size() - 1)];
      later_of_[n].push_back(later[i]);
      earlier_of_[later[i]] = n;
    }
  }
}

}  // namespace ptxlab::facts
