// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loads_in_flight.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ptxlab::facts {
namespace {

/// Loads that nobody waits for yet, by the registers that they write.
class in_flight {
 public:
  void issue(std::uint32_t op, std::span<const flow::reg> to) {
    for (const flow::reg r : to) by_register_[r] = op;
    if (!to.empty()) loads_.insert(op);
  }
  void wait_for(flow::reg r) {
    const auto at = by_register_.find(r);
    if (at == by_register_.end()) return;
    loads_.erase(at->second);
    by_register_.erase(at);
  }
  void clear() {
    loads_.clear();
    by_register_.clear();
  }
  int count() const { return static_cast<int>(loads_.size()); }

 private:
  std::map<flow::reg, std::uint32_t> by_register_;
  std::set<std::uint32_t> loads_;
};

}  // namespace

int loads_in_flight(const flow::code& c) {
  std::set<std::uint32_t> joins;
  for (const flow::op& o : c.ops)
    if (o.then == flow::transfer::jump) joins.insert(o.target);
  for (const auto& [from, to] : c.indirect_targets) joins.insert(to);
  int most = 0;
  in_flight now;
  for (std::uint32_t i = 0; i < c.ops.size(); ++i) {
    const flow::op& o = c.ops[i];
    if (joins.contains(i)) now.clear();
    for (const flow::reg r : c.reads(o)) now.wait_for(r);
    for (const flow::reg r : c.writes(o)) now.wait_for(r);
    const bool global = o.memory == flow::space::global || o.memory == flow::space::generic;
    if (o.what == flow::kind::load && global) now.issue(i, c.writes(o));
    most = std::max(most, now.count());
    if (o.then != flow::transfer::next && !o.guarded) now.clear();
  }
  return most;
}

}  // namespace ptxlab::facts
