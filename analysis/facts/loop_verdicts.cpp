// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loop_verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "analysis/facts/loop_match.hpp"
#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;
using operation = loop_tree::operation;

bool is_memory(const flow::op& o) {
  switch (o.what) {
    case kind::load:
    case kind::store:
    case kind::atomic:
    case kind::reduction:
      return o.memory != flow::space::param && o.memory != flow::space::constant;
    default:
      return false;
  }
}

/// A stack slot of the unoptimised build: a variable, not memory that anybody else sees.
bool is_stack(const stage_function& f, std::uint32_t op) {
  return f.code.ops[op].memory == flow::space::local ||
         f.address_of(op).starts_with("__local_depot");
}

/// Operations that compilers may copy but not merge or invent: what copies of a body are counted
/// by.
bool is_marker(const stage_function& f, std::uint32_t op) {
  const flow::op& o = f.code.ops[op];
  if (is_memory(o)) return !is_stack(f, op);
  return o.what == kind::barrier || o.what == kind::fence || o.what == kind::sleep ||
         o.what == kind::clock || o.what == kind::exchange;
}

/// How often the body of one loop stands in a later stage.
struct copies {
  int everywhere = 0;      ///< in the whole kernel
  int in_loop = 0;         ///< in the later loop that holds most
  int outside = 0;         ///< outside all loops that come from it
  bool countable = false;  ///< the body has an operation to count by
};

/// The ids that summarise() gives: a function reached through several calls counts once.
class loop_ids {
 public:
  explicit loop_ids(const loop_tree& t) : tree_(t) {
    std::map<std::string, std::uint32_t> first_function;
    for (std::uint32_t n = 0; n < t.size(); ++n) {
      const auto key = std::pair{t.function(n).name, t[n].index};
      const auto [it, inserted] = numbers_.try_emplace(key, numbers_.size() + 1);
      if (inserted) first_.emplace(key, n);
    }
  }
  std::string id(std::uint32_t n) const {
    return fmt::format("L{}", numbers_.at({tree_.function(n).name, tree_[n].index}));
  }
  /// The first node with the same code as `n`.
  std::uint32_t canonical(std::uint32_t n) const {
    return first_.at({tree_.function(n).name, tree_[n].index});
  }

 private:
  const loop_tree& tree_;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> numbers_;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> first_;
};

/// Where an operation stands, as text for evidence.
std::string place_text(const stage_function& f, std::uint32_t op, const site_table& sites) {
  const site s = f.origins[op].where;
  return s == no_site ? "line ?" : fmt::format("line {}", sites[s].line);
}

class judge {
 public:
  judge(const kernel_stages& k, const site_table& sites) : k_(k), sites_(sites), ptx_(*k.ptx) {
    if (k.source != nullptr) {
      source_ = std::make_unique<loop_tree>(*k.source);
      to_ptx_ = std::make_unique<loop_match>(loop_match::by_site(*source_, ptx_, sites));
    }
    ptx_ids_ = std::make_unique<loop_ids>(ptx_);
    if (k.sass != nullptr) {
      sass_ = std::make_unique<loop_tree>(*k.sass);
      sass_ids_ = std::make_unique<loop_ids>(*sass_);
      to_sass_ = std::make_unique<loop_match>(loop_match::by_ptx_line(ptx_, *sass_));
    }
  }

  std::vector<loop_verdict> run() {
    std::vector<loop_verdict> out;
    if (source_) {
      for (std::uint32_t n = 0; n < source_->size(); ++n) out.push_back(of_source(n));
    } else {
      for (std::uint32_t n = 0; n < ptx_.size(); ++n) {
        loop_verdict v = named(ptx_, n);
        v.ptx_loop = ptx_ids_->id(n);
        if (through_ptxas(n, v)) v.verdict = "kept";
        out.push_back(std::move(v));
      }
    }
    return out;
  }

 private:
  loop_verdict named(const loop_tree& t, std::uint32_t n) const {
    const loop shown = describe(t.function(n), t[n].index, sites_);
    loop_verdict v;
    v.file = shown.file;
    v.line = shown.line;
    if (t[n].function != 0) v.function = t.function(n).name;
    return v;
  }

  static bool irreducible(const stage_code& s) {
    return std::any_of(s.functions.begin(), s.functions.end(), [](const stage_function& f) {
      return !f.forest.irreducible.empty() || f.graph.any_unknown();
    });
  }

  // --- does an exit depend on memory that somebody else may write? ---------------------------

  bool reads_memory(const stage_code& s, std::uint32_t function, int depth) const {
    const stage_function& f = s.functions[function];
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i)
      if (is_memory(f.code.ops[i]) && f.code.ops[i].what != kind::store && !is_stack(f, i))
        return true;
    for (std::uint32_t c = 0; c < s.functions.size() && depth < 8; ++c)
      if (s.functions[c].caller == function && reads_memory(s, c, depth + 1)) return true;
    return false;
  }

  bool polls(const loop_tree& t, std::uint32_t n) const {
    const flow::loop_facts& l = t.loop(n);
    const stage_function& f = t.function(n);
    for (const std::uint32_t p : l.polls)
      if (!is_stack(f, p)) return true;
    for (const std::uint32_t c : l.calls_tested) {
      bool has_body = false;
      for (std::uint32_t i = 0; i < t.stage().functions.size(); ++i) {
        const stage_function& callee = t.stage().functions[i];
        if (callee.caller != t[n].function || callee.call_op != c) continue;
        has_body = true;
        if (reads_memory(t.stage(), i, 0)) return true;
      }
      if (!has_body) return true;  // a built-in of the debug build (__iAtomicAdd): reads memory
    }
    return false;
  }

  // --- copies of a body in a later stage --------------------------------------------------------

  using keys = std::map<std::pair<std::uint32_t, kind>, int>;

  static std::uint32_t key_of(const stage_function& f, std::uint32_t op, bool by_line) {
    return by_line ? f.origins[op].ptx_line : f.origins[op].where;
  }

  /// Counts the marked operations of loop `n` (without inner loops) again in the later stage.
  copies count(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
               const loop_match& match, bool by_line) const {
    keys once;
    for (const operation& o : earlier.operations(n)) {
      const stage_function& f = earlier.stage().functions[o.function];
      if (earlier.innermost(o.function, o.op) == n && is_marker(f, o.op))
        ++once[{key_of(f, o.op, by_line), f.code.ops[o.op].what}];
    }
    copies out;
    out.countable = !once.empty();
    std::map<std::uint32_t, keys> per_loop;  // later loop (or nowhere) -> counts
    for (const operation& o : later.all()) {
      const stage_function& f = later.stage().functions[o.function];
      const auto key = std::pair{key_of(f, o.op, by_line), f.code.ops[o.op].what};
      if (!is_marker(f, o.op) || !once.contains(key)) continue;
      const std::uint32_t in = later.innermost(o.function, o.op);
      const bool from_it = in != flow::nowhere && match.source_of(in) == n;
      ++per_loop[from_it ? in : flow::nowhere][key];
    }
    const auto most = [&](const keys& seen) {
      int best = 0;
      for (const auto& [key, times] : seen) best = std::max(best, times / once.at(key));
      return best;
    };
    keys all;
    for (const auto& [in, seen] : per_loop) {
      for (const auto& [key, times] : seen) all[key] += times;
      (in == flow::nowhere ? out.outside : out.in_loop) =
          std::max(in == flow::nowhere ? out.outside : out.in_loop, most(seen));
    }
    out.everywhere = most(all);
    return out;
  }

  /// Same for a body without memory operations: how often its busiest place is left at all.
  int copies_of_anything(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
                         bool by_line) const {
    std::map<std::uint32_t, int> once, again;
    for (const operation& o : earlier.operations(n)) {
      const stage_function& f = earlier.stage().functions[o.function];
      if (earlier.innermost(o.function, o.op) == n && f.code.ops[o.op].then == flow::transfer::next)
        ++once[key_of(f, o.op, by_line)];
    }
    for (const operation& o : later.all())
      ++again[key_of(later.stage().functions[o.function], o.op, by_line)];
    int best = 0;
    for (const auto& [key, times] : once)
      if (key != 0 && key != no_site && again.contains(key))
        best = std::max(best, again[key] / times);
    return best;
  }

  // --- one compiler ------------------------------------------------------------------------------

  /// No loop of the later stage comes from loop `n`: fully unrolled, or gone.
  void lost(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
            const loop_match& match, bool by_line, const std::string& compiler,
            loop_verdict& v) const {
    const char* stage = by_line ? "sass" : "ptx";
    const copies c = count(earlier, n, later, match, by_line);
    const auto trip = earlier.loop(n).trip;
    int bodies = c.everywhere;
    if (!c.countable) {
      const int left = copies_of_anything(earlier, n, later, by_line);
      if (trip && *trip >= 2 && left >= static_cast<int>(std::min<std::uint64_t>(*trip, 1U << 20)))
        bodies = static_cast<int>(*trip);
    }
    v.lost_in = compiler;
    if (bodies >= 2 || (bodies == 1 && trip && *trip == 1)) {
      v.verdict = "unrolled";
      v.full = true;
      v.factor = bodies;
      v.evidence.push_back(fmt::format(
          "{}: no loop comes from it, {} copies of its body stand in a row", stage, bodies));
      return;
    }
    v.verdict = "deleted";
    v.evidence.push_back(fmt::format("{}: no loop comes from it; {} of its body {} left", stage,
                                     bodies == 1 ? "one copy" : "nothing",
                                     bodies == 1 ? "is" : "is"));
  }

  std::string loop_text(const char* stage, const loop_tree& t, std::uint32_t n,
                        const std::string& id) const {
    const stage_function& f = t.function(n);
    const flow::loop_facts& l = t.loop(n);
    std::string out = fmt::format("{}: loop {} at {}, exit {}", stage, id,
                                  l.exits.empty() ? "line ?" : place_text(f, l.exits[0], sites_),
                                  flow::name(l.exit));
    if (l.exits.empty()) out = fmt::format("{}: loop {}, no exit", stage, id);
    std::set<std::string> seen;
    for (const std::uint32_t p : l.polls) {
      const auto it = f.shown.find(p);
      if (it != f.shown.end() && seen.insert(it->second).second)
        out += fmt::format(", polls `{}`", it->second);
    }
    return out;
  }

  /// PTX to SASS for PTX loop `n`. True where the loop is kept (v is then not final).
  bool through_ptxas(std::uint32_t n, loop_verdict& v) const {
    if (!sass_) {
      v.verdict = "unknown";
      v.evidence.push_back(fmt::format("sass: not seen: {}", k_.sass_reason));
      return false;
    }
    const std::uint32_t canonical = ptx_ids_->canonical(n);
    const auto& later = to_sass_->of(canonical);
    if (later.empty()) {
      if (irreducible(*k_.sass)) {
        v.verdict = "unknown";
        v.evidence.push_back("sass: the kernel has a region that is no natural loop");
        return false;
      }
      lost(ptx_, canonical, *sass_, *to_sass_, true, "ptxas", v);
      return false;
    }
    std::uint32_t shown = later[0];
    for (const std::uint32_t x : later)
      if (polls(*sass_, x) && !polls(*sass_, shown)) shown = x;
    v.sass_loop = sass_ids_->id(shown);
    v.evidence.push_back(loop_text("sass", *sass_, shown, *v.sass_loop));
    if (polls(ptx_, canonical) && !polls(*sass_, shown)) {
      v.verdict = "load-hoisted";
      v.lost_in = "ptxas";
      return false;
    }
    const copies c = count(ptx_, canonical, *sass_, *to_sass_, true);
    if (c.in_loop >= 2) {
      v.verdict = "unrolled";
      v.lost_in = "ptxas";
      v.factor = c.in_loop;
      return false;
    }
    v.peeled |= c.in_loop == 1 && c.outside >= 1;
    return true;
  }

  loop_verdict of_source(std::uint32_t n) const {
    loop_verdict v = named(*source_, n);
    v.evidence.push_back(fmt::format("source: loop, exit {}", flow::name(source_->loop(n).exit)));
    const auto& later = to_ptx_->of(n);
    if (later.empty()) {
      if (irreducible(*k_.ptx)) {
        v.verdict = "unknown";
        v.evidence.push_back("ptx: the kernel has a region that is no natural loop");
      } else {
        lost(*source_, n, ptx_, *to_ptx_, false, "nvcc", v);
      }
      return v;
    }
    const copies c = count(*source_, n, ptx_, *to_ptx_, false);
    const std::uint32_t main_loop = main_of(n, later);
    v.ptx_loop = ptx_ids_->id(main_loop);
    v.evidence.push_back(loop_text("ptx", ptx_, main_loop, *v.ptx_loop));
    if (polls(*source_, n) && !polls(ptx_, main_loop)) {
      v.verdict = "load-hoisted";
      v.lost_in = "nvcc";
      loop_verdict after;
      through_ptxas(main_loop, after);
      v.sass_loop = after.sass_loop;
      v.evidence.insert(v.evidence.end(), after.evidence.begin(), after.evidence.end());
      return v;
    }
    v.peeled = c.in_loop == 1 && c.outside >= 1;
    judge_in_ptxas(later, main_loop, c, v);
    return v;
  }

  /// Of several PTX loops from one source loop (an unrolled one and its remainder; copies made by
  /// inlining or by unrolling around it) the one that holds most copies of the body.
  std::uint32_t main_of(std::uint32_t n, const std::vector<std::uint32_t>& later) const {
    std::uint32_t best = later[0];
    int most = -1;
    for (const std::uint32_t p : later) {
      int markers = 0;
      for (const operation& o : ptx_.operations(p)) {
        const stage_function& f = ptx_.stage().functions[o.function];
        if (is_marker(f, o.op) && to_ptx_->loop_of(o) == n) ++markers;
      }
      if (markers > most) {
        most = markers;
        best = p;
      }
    }
    return best;
  }

  void judge_in_ptxas(const std::vector<std::uint32_t>& later, std::uint32_t main_loop,
                      const copies& c, loop_verdict& v) const {
    const bool unrolled = c.in_loop >= 2;
    bool kept = through_ptxas(main_loop, v);
    if (!unrolled) {
      // Several PTX loops of one source loop are copies of it: the worst of them is the verdict.
      for (const std::uint32_t p : later) {
        if (!kept || p == main_loop) continue;
        loop_verdict other;
        if (through_ptxas(p, other)) continue;
        kept = false;
        other.file = v.file, other.line = v.line, other.function = v.function;
        other.ptx_loop = ptx_ids_->id(p);
        other.evidence.insert(other.evidence.begin(), v.evidence.begin(), v.evidence.end());
        other.evidence.push_back(
            fmt::format("one of {} copies of the loop in the PTX", later.size()));
        v = std::move(other);
      }
      if (kept) v.verdict = "kept";
      return;
    }
    if (kept || v.verdict == "unrolled") {
      v.verdict = "unrolled";
      v.lost_in = "nvcc";
      v.factor = c.in_loop * (kept ? 1 : v.factor.value_or(1));
      if (!kept && !v.full) v.evidence.push_back("unrolled further by ptxas");
    }
  }

  const kernel_stages& k_;
  const site_table& sites_;
  loop_tree ptx_;
  std::unique_ptr<loop_tree> source_, sass_;
  std::unique_ptr<loop_match> to_ptx_, to_sass_;
  std::unique_ptr<loop_ids> ptx_ids_, sass_ids_;
};

}  // namespace

std::vector<loop_verdict> judge_loops(const kernel_stages& k, const site_table& sites) {
  if (k.ptx == nullptr) return {};
  return judge(k, sites).run();
}

}  // namespace ptxlab::facts
