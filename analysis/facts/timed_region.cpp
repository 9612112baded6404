// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/timed_region.hpp"

#include <algorithm>
#include <set>

namespace ptxlab::facts {
namespace {

using flow::kind;

bool reads_parameter(const flow::op& o) {
  return o.what == kind::load &&
         (o.memory == flow::space::param || o.memory == flow::space::constant);
}

/// Clock reads whose value operation `use` reads, moves passed over.
std::set<std::uint32_t> clocks_of(const stage_function& f, const flow::region& all,
                                  std::uint32_t use, int depth) {
  std::set<std::uint32_t> out;
  for (const flow::reg r : f.code.reads(f.code.ops[use])) {
    for (const std::uint32_t d : all.at(use, r).ops) {
      const flow::op& o = f.code.ops[d];
      if (o.what == kind::clock) {
        out.insert(d);
      } else if (o.shape == flow::form::move && depth < 4) {
        out.merge(clocks_of(f, all, d, depth + 1));
      }
    }
  }
  return out;
}

/// Operations whose value is stored or decides a branch: followed back from there, not through
/// memory and clocks.
std::set<std::uint32_t> valued(const stage_function& f) {
  const flow::region all(f.code, f.graph, f.definitions);
  std::set<std::uint32_t> out;
  std::vector<std::uint32_t> work;
  const auto follow = [&](std::uint32_t use, std::size_t from) {
    const auto regs = f.code.reads(f.code.ops[use]);
    for (std::size_t n = from; n < regs.size(); ++n)
      for (const std::uint32_t d : all.at(use, regs[n]).ops)
        if (f.code.ops[d].what != kind::clock && out.insert(d).second) work.push_back(d);
  };
  for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
    const flow::op& o = f.code.ops[i];
    if (f.graph.block_of(i) == flow::nowhere) continue;
    if (o.what == kind::store || o.what == kind::atomic || o.what == kind::reduction)
      follow(i, o.address_reads);
    else if (o.then != flow::transfer::next || o.what == kind::call || o.what == kind::exchange)
      follow(i, 0);
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    if (f.code.ops[i].what == kind::plain) follow(i, 0);
  }
  return out;
}

}  // namespace

std::vector<timed_region> timed_regions(const stage_function& f) {
  std::vector<std::uint32_t> reads;
  for (std::uint32_t i = 0; i < f.code.ops.size(); ++i)
    if (f.code.ops[i].what == kind::clock && f.graph.block_of(i) != flow::nowhere)
      reads.push_back(i);
  if (reads.size() < 2) return {};
  const flow::region all(f.code, f.graph, f.definitions);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t x = f.graph.block_of(a), y = f.graph.block_of(b);
    // A second read that goes round in a loop of its own waits for a time to pass, and times
    // nothing.
    const auto has = [](const flow::loop& l, std::uint32_t block) {
      return std::binary_search(l.blocks.begin(), l.blocks.end(), block);
    };
    for (const flow::loop& l : f.forest.loops)
      if (has(l, y) && !has(l, x)) return;
    if (x == y ? a < b : f.graph.dominates(x, y)) pairs.emplace(a, b);
  };
  for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
    const flow::op& o = f.code.ops[i];
    if (o.what != kind::plain || o.reads < 2 || f.graph.block_of(i) == flow::nowhere) continue;
    const auto clocks = clocks_of(f, all, i, 0);
    for (const std::uint32_t a : clocks)
      for (const std::uint32_t b : clocks)
        if (a != b) add(a, b);
  }
  if (pairs.empty() && reads.size() == 2) {
    add(reads[0], reads[1]);
    add(reads[1], reads[0]);
  }
  std::vector<timed_region> out;
  for (const auto& [a, b] : pairs) out.push_back({a, b, flow::between(f.graph, a, b)});
  return out;
}

bool holds_work(const stage_function& f, const timed_region& r) {
  const std::set<std::uint32_t> values = valued(f);
  return std::any_of(r.ops.begin(), r.ops.end(), [&](std::uint32_t i) {
    const flow::op& o = f.code.ops[i];
    if (o.what == kind::clock || reads_parameter(o)) return false;
    if (o.what != kind::plain) return true;
    if (o.then == flow::transfer::jump && o.guarded) return true;
    return !o.lane_dependent && values.contains(i);
  });
}

}  // namespace ptxlab::facts
