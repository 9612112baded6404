// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

bool is_const(const flow::op& o) {
  return o.memory == flow::space::param || o.memory == flow::space::constant;
}
bool writes_memory(const flow::op& o) {
  return o.what == kind::store || o.what == kind::atomic || o.what == kind::reduction;
}

/// Whether values stay the same in every round of a loop.
class steadiness {
 public:
  steadiness(const stage_function& f, const flow::region& in) : f_(f), in_(in) {}

  /// The first `reads` registers that `op` reads.
  bool of(std::uint32_t op, std::size_t reads) {
    const auto regs = f_.code.reads(f_.code.ops[op]);
    for (std::size_t n = 0; n < std::min(reads, regs.size()); ++n)
      for (const std::uint32_t d : in_.at(op, regs[n]).ops)
        if (!definition(d)) return false;
    return true;
  }

 private:
  bool definition(std::uint32_t d) {
    const flow::op& o = f_.code.ops[d];
    const bool loaded = o.what == kind::load && !is_const(o);
    if (loaded || o.what == kind::atomic || o.what == kind::call || o.what == kind::clock)
      return false;
    const auto [it, first] = state_.try_emplace(d, 1);
    if (!first) return it->second == 2;  // 1: it depends on itself, so it steps
    const bool ok = of(d, o.reads);
    if (ok) state_[d] = 2;
    return ok;
  }

  const stage_function& f_;
  const flow::region& in_;
  std::map<std::uint32_t, int> state_;
};

bool may_be_same(const stage_function& f, std::uint32_t a, std::uint32_t b) {
  const flow::space x = f.code.ops[a].memory, y = f.code.ops[b].memory;
  if (x != y && x != flow::space::generic && y != flow::space::generic) return false;
  const std::string &p = f.address_of(a), &q = f.address_of(b);
  return p == q || p == "?" || q == "?";
}

/// A called function that reads memory of others and writes none.
bool only_reads(const stage_code& s, std::size_t function, std::uint32_t call, int depth) {
  for (std::size_t c = 0; c < s.functions.size() && depth < 8; ++c) {
    const stage_function& callee = s.functions[c];
    if (callee.caller != function || callee.call_op != call) continue;
    bool reads = false;
    for (std::uint32_t i = 0; i < callee.code.ops.size(); ++i) {
      const flow::op& o = callee.code.ops[i];
      if (writes_memory(o) && o.memory != flow::space::param && !loop_tree::is_stack(callee, i))
        return false;
      if (o.what == kind::load && !is_const(o) && !loop_tree::is_stack(callee, i)) reads = true;
      if (o.what == kind::call) reads |= only_reads(s, c, i, depth + 1);
    }
    return reads;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> awaited(const stage_code& s, loop_place where) {
  const stage_function& f = s.functions[where.function];
  const flow::loop& l = f.forest.loops[where.index];
  const flow::loop_facts& facts = f.loops[where.index];
  const bool by_call = facts.exit == flow::exit_kind::other && !facts.calls_tested.empty();
  if ((facts.exit != flow::exit_kind::load && !by_call) || facts.barriers > 0) return {};
  const flow::region in(f.code, f.graph, f.definitions, l);
  steadiness steady(f, in);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t p : facts.polls) {
    if (!steady.of(p, f.code.ops[p].address_reads)) return {};
    if (!loop_tree::is_stack(f, p)) out.push_back(p);
  }
  for (const std::uint32_t c : facts.calls_tested) {
    if (!steady.of(c, f.code.ops[c].reads) || !only_reads(s, where.function, c, 0)) return {};
    out.push_back(c);
  }
  for (const std::uint32_t b : l.blocks) {
    for (std::uint32_t i = f.graph[b].begin; i < f.graph[b].end; ++i) {
      const flow::op& o = f.code.ops[i];
      if (!writes_memory(o) || o.memory == flow::space::param) continue;
      for (const std::uint32_t p : facts.polls)
        if (p != i && may_be_same(f, i, p)) return {};
    }
  }
  return out;
}

std::optional<loop_place> find_loop(const stage_code& s, std::string_view id) {
  std::set<std::string_view> seen;
  std::size_t number = 0;
  for (std::size_t f = 0; f < s.functions.size(); ++f) {
    if (!seen.insert(s.functions[f].name).second) continue;
    for (std::size_t i = 0; i < s.functions[f].loops.size(); ++i)
      if (id == fmt::format("L{}", ++number)) return loop_place{f, i};
  }
  return std::nullopt;
}

namespace {

void find_in(const stage_code& code, const subject& s, std::string_view stage, flow::order order,
             std::string_view text, bool (*wanted)(const subject&, flow::space, std::size_t),
             std::vector<finding>& out) {
  std::set<std::string_view> seen;
  std::size_t number = 0;
  for (std::size_t n = 0; n < code.functions.size(); ++n) {
    const stage_function& f = code.functions[n];
    if (!seen.insert(f.name).second) continue;
    for (std::size_t i = 0; i < f.loops.size(); ++i) {
      ++number;
      for (const std::uint32_t p : awaited(code, {n, i})) {
        const flow::op& o = f.code.ops[p];
        if (o.what != kind::load || o.ordering != order || !wanted(s, o.memory, number)) continue;
        const loop shown = describe(f, i, s.sites);
        finding x;
        x.stage = stage;
        x.file = shown.file;
        x.line = shown.line;
        x.text = fmt::format("the wait polls {} memory with {}: {}", flow::name(o.memory),
                             f.opcode[p] == flow::nowhere ? "?" : f.opcodes[f.opcode[p]], text);
        out.push_back(x);
      }
    }
  }
}

/// PTX loops of waits on shared memory that ptxas kept.
bool kept_on_shared(const subject& s, flow::space m, std::size_t number) {
  if (m != flow::space::shared) return false;
  const std::string id = fmt::format("L{}", number);
  return std::any_of(s.facts.loops.begin(), s.facts.loops.end(), [&](const loop_verdict& v) {
    return v.ptx_loop == id && v.sass_loop && v.verdict != "load-hoisted";
  });
}

}  // namespace

void find_waits(const subject& s, flow::order order, std::string_view text,
                std::vector<finding>& out) {
  const auto any = [](const subject&, flow::space, std::size_t) { return true; };
  if (s.sass != nullptr) find_in(*s.sass, s, "sass", order, text, any, out);
  if (s.ptx == nullptr) return;
  if (s.sass != nullptr)
    find_in(*s.ptx, s, "ptx", order, text, kept_on_shared, out);
  else
    find_in(*s.ptx, s, "ptx", order, text, any, out);
}

}  // namespace ptxlab::facts
