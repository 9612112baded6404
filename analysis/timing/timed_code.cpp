// SPDX-License-Identifier: Apache-2.0
#include "analysis/timing/timed_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/sass/lower.hpp"
#include "ptx/flow/loop_facts.hpp"

namespace ptxlab::timing {

timed_code::timed_code(const sass::module& m, const sass::function& f)
    : module_(m),
      function_(f),
      code_(sass::lower(m, f)),
      graph_(code_),
      definitions_(code_),
      forest_(flow::find_loops(graph_)) {
  find_regions();
}

std::string timed_code::text(std::uint32_t op) const {
  const sass::instruction& i = function_.instructions[op];
  std::string guard;
  if (!i.guard.always())
    guard = fmt::format("@{}{}P{} ", i.guard.negated ? "!" : "", i.guard.uniform ? "U" : "",
                        i.guard.index);
  return fmt::format("{}{} {}", guard, opcode(op), module_.operands(i));
}

timed_code::region timed_code::make(std::uint32_t begin, std::uint32_t end) const {
  region r{begin, end, flow::between(graph_, begin, end), false, false, {}};
  const std::uint32_t first = graph_.block_of(begin), last = graph_.block_of(end);
  r.straight = first == last;
  // Blocks are numbered in reverse post-order.
  std::sort(r.ops.begin(), r.ops.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::pair(graph_.block_of(a), a) < std::pair(graph_.block_of(b), b);
  });
  for (const std::uint32_t op : r.ops) {
    const std::uint32_t block = graph_.block_of(op);
    r.looped.push_back(
        std::any_of(forest_.loops.begin(), forest_.loops.end(), [&](const flow::loop& l) {
          // A loop around the region holds its first block, too.
          return std::binary_search(l.blocks.begin(), l.blocks.end(), block) &&
                 !std::binary_search(l.blocks.begin(), l.blocks.end(), first);
        }));
    r.loops = r.loops || r.looped.back();
  }
  return r;
}

void timed_code::find_regions() {
  enum { outside, armed, inside } state = outside;
  std::uint32_t begin = 0;
  std::uint32_t end = flow::nowhere;
  for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
    if (graph_.block_of(i) == flow::nowhere) continue;
    const std::string_view operands = module_.operands(function_.instructions[i]);
    const auto reads = [&operands](std::string_view name) {
      return operands.find(name) != std::string_view::npos;
    };
    if (reads("SR_GLOBALTIMER") && state == outside) {
      state = armed;
    } else if (reads("SR_CLOCK") && state == armed) {
      begin = i;
      end = flow::nowhere;
      state = inside;
    } else if (reads("SR_CLOCK") && state == inside) {
      end = i;
    } else if ((reads("SR_VIRTUALSMID") || reads("SR_SMID")) && state == inside) {
      if (end != flow::nowhere) regions_.push_back(make(begin, end));
      state = outside;
    }
  }
}

bool timed_code::polled(const region& r, std::uint32_t op) const {
  const std::uint32_t first = graph_.block_of(r.begin);
  return std::any_of(forest_.loops.begin(), forest_.loops.end(), [&](const flow::loop& l) {
    if (std::binary_search(l.blocks.begin(), l.blocks.end(), first)) return false;
    const flow::loop_facts facts = flow::study(code_, graph_, definitions_, l);
    return !facts.unclear &&
           std::find(facts.polls.begin(), facts.polls.end(), op) != facts.polls.end();
  });
}

bool timed_code::kept(const region& r, std::uint32_t read) const {
  const flow::region all(code_, graph_, definitions_);
  std::set<std::uint32_t> carriers = {read};
  // What lies between is a few moves; the next region is no business of this one.
  const auto last = static_cast<std::uint32_t>(code_.ops.size());
  for (std::uint32_t i = read + 1; i < last; ++i) {
    const flow::op& o = code_.ops[i];
    if (i > r.end && o.what == flow::kind::clock && o.then == flow::transfer::next &&
        module_.operands(function_.instructions[i]).find("SR_GLOBALTIMER") !=
            std::string_view::npos)
      return false;
    if (o.what != flow::kind::plain && o.what != flow::kind::store) continue;
    for (const flow::reg reg : code_.reads(o))
      for (const std::uint32_t d : all.at(i, reg).ops) {
        if (!carriers.contains(d)) continue;
        if (o.what == flow::kind::store) return true;
        carriers.insert(i);
      }
  }
  return false;
}

timed_code::dependence timed_code::depend(const region& r,
                                          const std::function<bool(std::uint32_t)>& counted) const {
  const flow::region all(code_, graph_, definitions_);
  std::map<std::uint32_t, std::size_t> place;
  for (std::size_t n = 0; n < r.ops.size(); ++n) place[r.ops[n]] = n;
  dependence out{std::vector<std::uint32_t>(r.ops.size()), std::vector<bool>(r.ops.size())};
  for (std::size_t n = 0; n < r.ops.size(); ++n) {
    const flow::op& o = code_.ops[r.ops[n]];
    std::uint32_t deepest = 0;
    for (const flow::reg reg : code_.reads(o))
      for (const std::uint32_t d : all.at(r.ops[n], reg).ops) {
        const auto found = place.find(d);
        // What comes later in the order arrives with the next pass through the region.
        if (found == place.end() || found->second >= n) continue;
        deepest = std::max(deepest, out.depth[found->second]);
        out.read[found->second] = true;
      }
    out.depth[n] = deepest + (counted(r.ops[n]) ? 1 : 0);
  }
  return out;
}

}  // namespace ptxlab::timing
