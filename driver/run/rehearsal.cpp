// SPDX-License-Identifier: Apache-2.0
#include "driver/run/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/facts/facts_format.hpp"
#include "driver/run/comparison.hpp"
#include "driver/run/outcome.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

constexpr unsigned warp = 32;

/// Whether `wrong` is made of whole runs of `size` elements.
bool made_of(const std::vector<std::uint64_t>& wrong, unsigned size) {
  for (std::size_t i = 0; i < wrong.size(); i += size) {
    if (wrong.size() - i < size || wrong[i] % size != 0) return false;
    if (wrong[i + size - 1] != wrong[i] + size - 1) return false;
  }
  return true;
}

plan plan_of(const kernels::variant& v, const source& from) {
  plan p;
  p.from.path = from.path;
  p.from.arch = from.arch;
  p.from.code = from.code;
  p.from.ptx = ptx::parse(from.code.ptx, from.path);
  p.from.log = from.log;
  p.from.usage = from.usage;
  p.kernel = v.symbol;
  p.shape.grid[0] = v.rehearse.blocks;
  p.shape.block[0] = v.rehearse.threads;
  p.shape.cooperative = v.rehearse.cooperative;
  for (const std::string_view a : v.rehearse.arguments)
    p.arguments.push_back(read_argument(a, p.arguments.size()));
  check(p);
  return p;
}

/// The loops in which a kernel waits for somebody, and what the compilers did with them.
std::string waits_of(const facts::report& r, std::string_view kernel) {
  std::string out;
  for (const facts::kernel& k : r.kernels) {
    if (k.name != kernel) continue;
    for (const facts::loop_verdict& v : k.loops) {
      const auto polls = [&](const facts::stage& s, const std::optional<std::string>& id) {
        return id && std::any_of(s.loops.begin(), s.loops.end(), [&](const facts::loop& l) {
                 return l.id == *id && (!l.polls.empty() || l.exit == "none");
               });
      };
      if (!polls(k.ptx, v.ptx_loop) && !polls(k.sass, v.sass_loop) && v.verdict != "load-hoisted")
        continue;
      out += (out.empty() ? "" : "; ") + facts::verdict_text(v);
    }
  }
  return out.empty() ? "-" : out;
}

class rehearsing {
 public:
  rehearsing(const kernels::variant& v, const source& from, rehearsed& out)
      : v_(v), plan_(plan_of(v, from)), out_(out) {
    out_.kernel = v.symbol;
    out_.ending = "finished";
  }

  void run(const std::string& token, bool with_races) {
    machine::launch how;
    machine::read_token(token, how);
    how.resident = residency_of(plan_.from, plan_.kernel, plan_.shape);
    how.step_budget = 50'000'000;
    wanted_reports reports;
    reports.races = with_races;
    const outcome o = run_on_machine(plan_, how, reports);
    ++out_.runs;
    if (with_races) take_races(o);
    if (!o.finished()) {
      if (out_.ended_badly++ == 0) {
        out_.ending = machine::name(o.report.how);
        out_.reason = o.report.reason;
      }
      return;
    }
    if (v_.rehearse.result.empty()) return;
    const comparison wanted(plan_, std::string(v_.rehearse.result), 0);
    const comparison_result c = wanted.check(o.contents);
    if (c.differing == 0) return;
    out_.fewest_wrong =
        out_.wrong_runs == 0 ? c.differing : std::min(out_.fewest_wrong, c.differing);
    out_.most_wrong = std::max(out_.most_wrong, c.differing);
    ++out_.wrong_runs;
    const std::string unit = unit_of(c.where, v_.rehearse.threads);
    if (out_.unit.empty() || unit == "elements" || (unit == "warps" && out_.unit == "blocks"))
      out_.unit = unit;
  }

 private:
  void take_races(const outcome& o) {
    std::set<std::string> kinds;
    if (o.races)
      for (const race_summary& r : *o.races)
        if (!r.harmless) kinds.insert(r.kind.substr(r.kind.starts_with("race ") ? 5 : 0));
    out_.races = static_cast<unsigned>(o.race_count());
    for (const std::string& k : kinds) out_.race += (out_.race.empty() ? "" : ", ") + k;
  }

  const kernels::variant& v_;
  const plan plan_;
  rehearsed& out_;
};

std::string wrong_text(const rehearsed& r) {
  if (r.wrong_runs == 0) return r.ended_badly == r.runs ? "-" : "none";
  const std::string range = r.fewest_wrong == r.most_wrong
                                ? fmt::format("{}", r.most_wrong)
                                : fmt::format("{} to {}", r.fewest_wrong, r.most_wrong);
  return fmt::format("{} in {} runs: {}", range, r.wrong_runs,
                     r.unit == "elements" ? "single elements" : "whole " + r.unit);
}

}  // namespace

std::string unit_of(const std::vector<std::uint64_t>& wrong, unsigned threads) {
  if (threads % warp == 0 && threads > warp && made_of(wrong, threads)) return "blocks";
  return made_of(wrong, warp) ? "warps" : "elements";
}

std::vector<rehearsed> rehearse(const kernels::entry& file, const source& from,
                                const facts::report& both_stages, unsigned seeds) {
  std::vector<rehearsed> out;
  for (const kernels::variant& v : file.what.variants) {
    if (v.rehearse.blocks == 0) continue;
    rehearsed& r = out.emplace_back();
    rehearsing run(v, from, r);
    run.run("its", true);
    for (unsigned s = 1; s <= seeds; ++s) run.run(fmt::format("random:{}", s), false);
    r.waits = waits_of(both_stages, v.symbol);
  }
  return out;
}

std::string rehearsal_table(const std::vector<rehearsed>& all, const facts::page& p) {
  facts::table t({{.title = "kernel"},
                  {.title = "on the PTX machine", .folds = true},
                  {.title = "wrong elements", .folds = true},
                  {.title = "races", .folds = true},
                  {.title = "its wait, in SASS", .folds = true}});
  for (const rehearsed& r : all) {
    const std::string ending =
        r.ended_badly == r.runs ? r.ending
        : r.ended_badly == 0    ? "finished"
                             : fmt::format("{} ({} of {} runs)", r.ending, r.ended_badly, r.runs);
    t.row({r.kernel, ending, wrong_text(r),
           r.races == 0 ? "none" : fmt::format("{}: {}", r.races, r.race), r.waits});
  }
  return t.str(p);
}

}  // namespace ptxlab::run
