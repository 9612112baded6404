// SPDX-License-Identifier: Apache-2.0
// One line for each barrier: its time, whether it is sound, and what shows it.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/tables.hpp"

namespace ptxlab::report {
namespace {

// Ranks of columns: what a narrow page does without first.
enum rank : int {
  always = 0,
  compilers,
  cooperative,
  litmus,
  bound,
  ratio,
  mutants,
  two,
  dirty,
  late,
  spread,
  sass
};

/// Cycles by which block 0 comes late in the `late` kernels.
constexpr double late_cycles = 4000;

std::vector<column> columns() {
  return {{"barrier"},
          {"cycles", true},
          {"us", true},
          {"p5 to p95", true, false, spread},
          {"2 per SM", true, false, two},
          {"dirty", true, false, dirty},
          {"late", true, false, late},
          {"cooperative groups take", true, false, ratio},
          {"sound"},
          {"forbidden values", true, false, litmus},
          {"so their share", true, false, bound},
          {"mutants seen", false, true, mutants},
          {"survives both compilers", false, true, compilers},
          {"launch", false, false, cooperative},
          {"SASS", false, true, sass}};
}

std::string mutants_of(const section& s, const std::string& name) {
  std::string out;
  for (const char* mutant : {"no_release", "no_acquire", "narrow"}) {
    const auto n = litmus_of(s, barrier_id(name, std::string("litmus_") + mutant));
    if (!n) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", mutant,
                       n->forbidden() > 0 ? "yes"
                       : n->reads > 0     ? "no"
                                          : not_measured_text);
  }
  return out.empty() ? not_measured_text : out;
}

std::string times_slower(const measurement* ours, const measurement* theirs) {
  if (ours == nullptr || theirs == nullptr || !ours->ok() || !theirs->ok()) return absent;
  return fmt::format("{:.2f}x", theirs->row().value->median / ours->row().value->median);
}

struct judged_line {
  line of;
  soundness is;
  double cycles;
};

judged_line line_of(const topic_context& c, const std::string& name, const measurement* reference) {
  const measurement* bare = round_of(c.of, name, "bare", 1);
  const judgement j = judge(c, name);
  const evidence_row* facts = facts_of(c.known, name);
  const auto seen = litmus_of(c.of, barrier_id(name, "litmus"));
  line l;
  const bool ok = bare != nullptr && bare->ok();
  l.cells = {
      name,
      value_cell(bare, 0, l.notes),
      ok ? microseconds_cell(bare, l.notes) : absent,
      ok ? fmt::format("{:.0f} to {:.0f}", bare->row().value->p5, bare->row().value->p95) : absent,
      value_cell(round_of(c.of, name, "bare", 2), 0, l.notes),
      value_cell(round_of(c.of, name, "dirty", 1), 0, l.notes),
      value_cell(round_of(c.of, name, "late", 1), 0, l.notes, late_cycles),
      times_slower(bare, reference),
      j.is == soundness::yes  ? "yes"
      : j.is == soundness::no ? "no"
                              : "cannot tell",
      seen ? seen->text() : not_measured_text,
      seen ? seen->bound() : absent,
      mutants_of(c.of, name),
      facts == nullptr || facts->waits.empty() || facts->waits == "-" ? "cannot tell"
      : facts->kept()                                                 ? "yes"
                                                                      : facts->waits,
      facts == nullptr     ? "cannot tell"
      : facts->cooperative ? "cooperative"
                           : "no",
      facts == nullptr || facts->sass.empty() ? absent : facts->sass};
  if (!j.why.empty()) l.notes.insert(l.notes.begin(), j.why);
  if (bare != nullptr && bare->row().axes.at("blocks") != multiprocessors(c.of))
    l.notes.push_back(
        fmt::format("{} blocks, whole clusters", exact(bare->row().axes.at("blocks"))));
  if (ok)
    if (const std::string spread_text = bare->spread(); !spread_text.empty())
      l.notes.push_back(spread_text);
  return {std::move(l), j.is, ok ? bare->row().value->median : 1e300};
}

}  // namespace

std::vector<table> verdict_tables(const topic_context& c) {
  const auto sms = multiprocessors(c.of);
  const auto name = cooperative_of(c.of);
  const measurement* reference = name ? round_of(c.of, *name, "bare", 1) : nullptr;
  std::vector<judged_line> lines;
  for (const std::string& n : barriers_of(c.of)) lines.push_back(line_of(c, n, reference));
  // Sound before unsound, fast before slow.
  std::stable_sort(lines.begin(), lines.end(), [](const judged_line& a, const judged_line& b) {
    const auto place = [](soundness s) {
      return s == soundness::yes ? 0 : s == soundness::no ? 2 : 1;
    };
    return std::tuple(place(a.is), a.cycles) < std::tuple(place(b.is), b.cycles);
  });
  table out{fmt::format("Barriers over {} blocks of {:.0f} threads, one on each SM",
                        sms ? fmt::format("{:.0f}", *sms) : "all", usual_threads),
            columns(),
            {}};
  for (judged_line& l : lines) out.lines.push_back(std::move(l.of));
  if (out.lines.empty()) out.title += ": " + std::string(not_measured_text);
  return {out};
}

}  // namespace ptxlab::report
