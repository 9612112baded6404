// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loop_verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "analysis/facts/body_copies.hpp"
#include "analysis/facts/loop_ids.hpp"
#include "analysis/facts/loop_match.hpp"
#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;
using operation = loop_tree::operation;

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
      to_ptx_ = std::make_unique<loop_match>(loop_match::by_site(*source_, ptx_));
    }
    ptx_ids_ = std::make_unique<loop_ids>(ptx_);
    if (k.sass != nullptr) {
      sass_ = std::make_unique<loop_tree>(*k.sass);
      sass_ids_ = std::make_unique<loop_ids>(*sass_);
      to_sass_ = std::make_unique<loop_match>(loop_match::by_ptx_line(ptx_, *sass_));
    }
  }

  std::vector<loop_verdict> run() {
    std::vector<loop_verdict> out = all();
    // Copies outside a loop that is unrolled or gone are its remainder, not a first iteration.
    for (loop_verdict& v : out) v.peeled = v.peeled && v.verdict == "kept";
    return out;
  }

 private:
  std::vector<loop_verdict> all() const {
    std::vector<loop_verdict> out;
    // A loop without any place is library code (libdevice): it is judged from the PTX on, like
    // every PTX loop that no loop of the source explains.
    if (source_)
      for (std::uint32_t n = 0; n < source_->size(); ++n)
        if (has_place(n)) out.push_back(of_source(n));
    for (std::uint32_t n = 0; n < ptx_.size(); ++n) {
      const std::uint32_t from = source_ ? to_ptx_->source_of(n) : flow::nowhere;
      if (from != flow::nowhere && has_place(from)) continue;
      loop_verdict v = named(ptx_, n);
      v.ptx_loop = ptx_ids_->id(n);
      v.evidence.push_back(loop_text("ptx", ptx_, n, *v.ptx_loop));
      if (through_ptxas(n, v)) v.verdict = "kept";
      out.push_back(std::move(v));
    }
    return out;
  }

  bool has_place(std::uint32_t source_loop) const {
    return describe(source_->function(source_loop), (*source_)[source_loop].index, sites_)
        .line.has_value();
  }

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
      return !f.forest.irreducible.empty() || f.flow_unknown();
    });
  }

  // --- one compiler ------------------------------------------------------------------------------

  /// No loop of the later stage comes from loop `n`: fully unrolled, or gone.
  static void lost(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
                   const loop_match& match, compared_by by, loop_verdict& v) {
    const char* stage = by == compared_by::place ? "ptx" : "sass";
    const int bodies = count_copies(earlier, n, later, match, by).everywhere;
    const auto trip = earlier.loop(n).trip;
    v.lost_in = by == compared_by::place ? "nvcc" : "ptxas";
    if (bodies >= 2 || (bodies == 1 && trip && *trip == 1)) {
      v.verdict = "unrolled";
      v.full = true;
      // More copies than iterations: the loop around it was unrolled too, or it was inlined twice.
      v.factor =
          trip && *trip < static_cast<std::uint64_t>(bodies) ? static_cast<int>(*trip) : bodies;
      v.evidence.push_back(fmt::format(
          "{}: no loop comes from it, {} copies of its body stand there", stage, bodies));
      return;
    }
    v.verdict = "deleted";
    v.evidence.push_back(fmt::format("{}: no loop comes from it; {} of its body is left", stage,
                                     bodies == 1 ? "one copy" : "nothing"));
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

  /// Why a PTX loop without a SASS loop need not be gone; empty where it is.
  std::string why_loss_is_doubtful() const {
    if (irreducible(*k_.sass)) return "the kernel has a region that is no natural loop";
    const auto has_line = [&](const operation& o) {
      return k_.sass->functions[o.function].origins[o.op].ptx_line != 0;
    };
    const auto all = sass_->all();
    if (std::none_of(all.begin(), all.end(), has_line))
      return "no PTX lines in the cubin (assembled without -lineinfo), so loops cannot be matched";
    for (std::uint32_t x = 0; x < sass_->size(); ++x) {
      const auto inside = sass_->operations(x);
      if (std::none_of(inside.begin(), inside.end(), has_line))
        return fmt::format("loop {} has no PTX lines and may be it", sass_ids_->id(x));
    }
    return {};
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
      const std::string doubt = why_loss_is_doubtful();
      if (!doubt.empty()) {
        v.verdict = "unknown";
        v.evidence.push_back("sass: " + doubt);
        return false;
      }
      lost(ptx_, canonical, *sass_, *to_sass_, compared_by::ptx_line, v);
      return false;
    }
    std::uint32_t shown = later[0];
    for (const std::uint32_t x : later)
      if (sass_->polls(x) && !sass_->polls(shown)) shown = x;
    v.sass_loop = sass_ids_->id(shown);
    v.evidence.push_back(loop_text("sass", *sass_, shown, *v.sass_loop));
    if (ptx_.polls(canonical) && !sass_->polls(shown)) {
      v.verdict = "load-hoisted";
      v.lost_in = "ptxas";
      return false;
    }
    const body_copies c = count_copies(ptx_, canonical, *sass_, *to_sass_, compared_by::ptx_line);
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
    const flow::loop_facts& facts = source_->loop(n);
    const bool by_call = facts.polls.empty() && !facts.calls_tested.empty();
    v.evidence.push_back(
        fmt::format("source: loop, exit {}", by_call ? "tests a call" : flow::name(facts.exit)));
    const auto& later = to_ptx_->of(n);
    if (later.empty()) {
      const auto all_of_ptx = ptx_.all();
      if (std::none_of(all_of_ptx.begin(), all_of_ptx.end(), [&](const operation& o) {
            return k_.ptx->functions[o.function].origins[o.op].where != no_site;
          })) {
        v.verdict = "unknown";
        v.evidence.push_back("ptx: no source lines, so loops cannot be matched");
      } else if (irreducible(*k_.ptx)) {
        v.verdict = "unknown";
        v.evidence.push_back("ptx: the kernel has a region that is no natural loop");
      } else {
        lost(*source_, n, ptx_, *to_ptx_, compared_by::place, v);
      }
      return v;
    }
    const body_copies c = count_copies(*source_, n, ptx_, *to_ptx_, compared_by::place);
    const std::uint32_t main_loop = main_of(n, later);
    v.ptx_loop = ptx_ids_->id(main_loop);
    v.evidence.push_back(loop_text("ptx", ptx_, main_loop, *v.ptx_loop));
    if (source_->polls(n) && !ptx_.polls(main_loop)) {
      v.verdict = "load-hoisted";
      v.lost_in = "nvcc";
      loop_verdict after;
      through_ptxas(main_loop, after);
      v.sass_loop = after.sass_loop;
      v.evidence.insert(v.evidence.end(), after.evidence.begin(), after.evidence.end());
      return v;
    }
    v.peeled = c.in_loop == 1 && c.outside >= 1;
    judge_in_ptxas(n, later, main_loop, c, v);
    return v;
  }

  /// How many marked operations of source loop `n`, inner loops included, PTX loop `p` holds.
  int markers(std::uint32_t n, std::uint32_t p) const {
    int found = 0;
    for (const operation& o : ptx_.operations(p)) {
      const stage_function& f = ptx_.stage().functions[o.function];
      const std::uint32_t from = to_ptx_->loop_of(o);
      if (is_marker(f, o.op) && from != flow::nowhere && source_->inside(from, n)) ++found;
    }
    return found;
  }

  /// Of several PTX loops from one source loop (an unrolled one and its remainder; copies made by
  /// inlining or by unrolling around it) the one that holds most copies of the body.
  std::uint32_t main_of(std::uint32_t n, const std::vector<std::uint32_t>& later) const {
    return *std::max_element(later.begin(), later.end(), [&](std::uint32_t a, std::uint32_t b) {
      return markers(n, a) < markers(n, b);
    });
  }

  void judge_in_ptxas(std::uint32_t n, const std::vector<std::uint32_t>& later,
                      std::uint32_t main_loop, const body_copies& c, loop_verdict& v) const {
    const bool unrolled = c.in_loop >= 2;
    bool kept = through_ptxas(main_loop, v);
    if (!unrolled) {
      // Several PTX loops of one source loop are copies of it: the worst of them is the verdict.
      for (const std::uint32_t p : later) {
        if (!kept || p == main_loop) continue;
        // A copy without any of the body (what unswitching leaves) says nothing when it goes.
        if (markers(n, p) == 0 && markers(n, main_loop) > 0) continue;
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
    if (!kept && v.verdict != "unrolled") return;
    if (!kept)
      v.evidence.push_back(fmt::format("sass: ptxas unrolls what is left, by {}{}",
                                       v.factor.value_or(0), v.full ? ", fully" : ""));
    v.verdict = "unrolled";
    v.lost_in = "nvcc";
    v.full = false;
    v.factor = c.in_loop;
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
  if (k.ptx != nullptr) return judge(k, sites).run();
  if (k.sass == nullptr) return {};
  // SASS alone: the loops that are there, and nothing about those that are not.
  std::vector<loop_verdict> out;
  for (const loop& l : summarise(*k.sass, sites).loops) {
    loop_verdict v;
    v.file = l.file;
    v.line = l.line;
    v.function = l.function;
    v.verdict = "unknown";
    v.sass_loop = l.id;
    v.evidence = {fmt::format("sass: loop {}, exit {}", l.id, l.exit),
                  "no PTX at hand, so what there was before cannot be told"};
    out.push_back(std::move(v));
  }
  return out;
}

}  // namespace ptxlab::facts
