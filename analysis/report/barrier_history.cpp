// SPDX-License-Identifier: Apache-2.0
// What was to be reached and whether it was; what was said in 2012 and what holds here.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/tables.hpp"

namespace ptxlab::report {
namespace {

// What this project set itself (docs/barriers.md).
constexpr double good_us = 0.75, stretch_us = 0.55, times_faster = 1.25;

using points = std::map<transform_point, const measurement*>;

std::optional<double> ratio_of(const points& rival, const points& ours, const transform_point& at) {
  const auto a = rival.find(at), b = ours.find(at);
  if (a == rival.end() || b == ours.end() || !a->second->ok() || !b->second->ok()) return {};
  return a->second->row().value->median / b->second->row().value->median;
}

/// Whether the middle 90 % of the samples of the two overlap: neither is known to be faster.
bool tie(const points& rival, const points& ours, const transform_point& at) {
  const results::summary &a = *rival.at(at)->row().value, &b = *ours.at(at)->row().value;
  return a.p5 <= b.p95 && b.p5 <= a.p95;
}

line judged(const std::string& what, const std::string& wanted, const std::string& found,
            const std::optional<bool>& met) {
  return {{what, wanted, found, !met ? "cannot tell" : *met ? "met" : "missed"}, {}};
}

void add_time(const topic_context& c, const std::optional<best_barrier>& best, table& out) {
  const measurement* m = best ? round_of(c.of, best->name, "bare", 1) : nullptr;
  std::optional<double> us;
  if (m != nullptr && m->ok())
    if (const auto ns = nanoseconds(m->row().value->median, m->row().sm_clock_mhz)) us = *ns / 1000;
  const std::string found =
      us ? fmt::format("{:.3f} us, {}", *us, best->text()) : not_measured_text;
  const auto met = [&](bool holds) {
    return us && best->sound ? std::optional(holds) : std::nullopt;
  };
  for (const double limit : {good_us, stretch_us})
    out.lines.push_back(judged(
        fmt::format("a sound barrier over all SMs{}", limit == stretch_us ? " (stretch)" : ""),
        fmt::format("at most {} us", exact(limit)), found, met(us && *us <= limit)));
  const auto name = cooperative_of(c.of);
  const measurement* theirs = name ? round_of(c.of, *name, "bare", 1) : nullptr;
  if (!us || theirs == nullptr || !theirs->ok()) {
    out.lines.push_back(judged("against cooperative groups, same run",
                               fmt::format("{} times faster", exact(times_faster)),
                               not_measured_text, {}));
    return;
  }
  const double ratio = theirs->row().value->median / m->row().value->median;
  out.lines.push_back(judged("against cooperative groups, same run",
                             fmt::format("{} times faster", exact(times_faster)),
                             fmt::format("{:.2f} times", ratio), met(ratio >= times_faster)));
}

void add_graph(const topic_context& c, const std::optional<best_barrier>& best, table& out) {
  const auto sms = multiprocessors(c.of);
  bool any = false;
  for (const auto& [terms, by_id] : transforms_of(c.of)) {
    const auto rival = by_id.find("barrier/launches/graph");
    const auto ours = by_id.find(best ? barrier_id(best->name, "transform") : "");
    if (!sms || rival == by_id.end() || ours == by_id.end()) continue;
    for (const double per_sm : {1.0, 2.0}) {
      const transform_point at{*sms * per_sm, usual_threads};
      const auto ratio = ratio_of(rival->second, ours->second, at);
      std::optional<bool> met;
      if (ratio && best->sound)
        met = *ratio > 1 || (per_sm == 2 && tie(rival->second, ours->second, at));
      out.lines.push_back(judged(
          fmt::format("a step against a graph's, {} on every SM, {}",
                      per_sm == 1 ? "one block" : "two blocks", terms),
          per_sm == 1 ? "faster" : "at least a tie",
          ratio ? fmt::format("the graph takes {:.3f} times as long", *ratio) : not_measured_text,
          met));
      any = true;
    }
  }
  if (!any)
    out.lines.push_back(judged("a step against a graph's", "faster", not_measured_text, {}));
}

/// From how many blocks on the diagonal of 1024 threads a rival is the faster one.
std::string overtakes(const points& rival, const points& ours) {
  double last = 0;
  for (const auto& [p, m] : rival) {
    if (p.blocks * p.threads != 1024) continue;
    const auto ratio = ratio_of(rival, ours, p);
    if (!ratio) continue;
    last = std::max(last, p.blocks);
    if (*ratio < 1) return fmt::format("from {} blocks", exact(p.blocks));
  }
  return last > 0 ? fmt::format("not up to {} blocks", exact(last)) : not_measured_text;
}

std::string then_text(const historical& h, const char* table, const char* row) {
  const historical_value* v = h.find(table, row, "value");
  return v == nullptr ? "no figure found" : v->text();
}

}  // namespace

std::vector<table> target_tables(const topic_context& c) {
  table out{"What was to be reached",
            {{"what", false, true}, {"wanted"}, {"found", false, true}, {"", false}},
            {}};
  const auto best = best_of(c);
  add_time(c, best, out);
  add_graph(c, best, out);
  return {out};
}

std::vector<table> history_tables(const topic_context& c) {
  table out{"Then and now", {{"what", false, true}, {"2012", true}, {"here", false, true}}, {}};
  const measurement* launch = find(c.of, "launch/edge/stream", "period");
  line launch_line{{"one launch after the other into a stream",
                    then_text(c.then, "block synchronisation", "kernel launch")},
                   {}};
  launch_line.cells.push_back(launch != nullptr && launch->ok()
                                  ? fmt::format("{:.2f} us", launch->row().value->median / 1000)
                                  : value_cell(launch, 0, launch_line.notes));
  out.lines.push_back(std::move(launch_line));
  const auto sms = multiprocessors(c.of);
  out.lines.push_back(
      {{"multiprocessors", then_text(c.then, "block synchronisation", "multiprocessors"),
        sms ? exact(*sms) : "not told"},
       {}});
  const evidence_row* spin = c.known.find("barrier/device_barrier/inline_ptx_plain");
  out.lines.push_back({{"the spin in inline PTX, the remedy of 2012", "\"certainly works\"",
                        spin == nullptr || spin->waits.empty() ? "cannot tell" : spin->waits},
                       {}});
  const auto best = best_of(c);
  for (const auto& [terms, by_id] : transforms_of(c.of)) {
    const auto ours = by_id.find(best ? barrier_id(best->name, "transform") : "");
    if (ours == by_id.end()) continue;
    for (const char* how : {"stream", "graph", "dependent"}) {
      const auto rival = by_id.find(std::string("barrier/launches/") + how);
      out.lines.push_back(
          {{fmt::format("{} ahead of {}: 1024 threads in all, {}",
                        transform_label(std::string("barrier/launches/") + how), best->text(),
                        terms),
            how == std::string("stream") && terms == "all terms"
                ? then_text(c.then, "figure 6", "launches overtake")
                : absent,
            rival == by_id.end() ? not_measured_text : overtakes(rival->second, ours->second)},
           {}});
    }
  }
  return {out};
}

}  // namespace ptxlab::report
