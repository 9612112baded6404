// SPDX-License-Identifier: Apache-2.0
// The rough model of 2012, restated with parts that were measured on the same GPU in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/results/statistics.hpp"
#include "analysis/verdict/glob.hpp"

namespace ptxlab::report {
namespace {

/// Where a part may come from; the first that was measured counts.
struct origin {
  std::string id;  ///< a glob
  std::string quantity;
  std::map<std::string, double> axes = {};
  double times = 1;  ///< how much of it a barrier takes
};

struct found_part {
  std::string from;
  std::optional<double> cycles;
};

/// Additions of each block in a round of barrier/parts/drain.
constexpr double drain_arrivals = 8;

/// The median over all points of the first origin that has one.
found_part look(const section& s, const std::vector<origin>& from) {
  for (const origin& o : from) {
    std::vector<double> values;
    std::string id;
    for (const measurement& m : s.measurements) {
      const results::row& r = m.row();
      if (!m.ok() || r.unit != "cycle" || r.quantity != o.quantity ||
          !verdict::glob_match(o.id, r.id))
        continue;
      if (!std::all_of(o.axes.begin(), o.axes.end(), [&](const auto& axis) {
            const auto at = r.axes.find(axis.first);
            return at != r.axes.end() && at->second == axis.second;
          }))
        continue;
      values.push_back(r.value->median * o.times);
      id = r.id;
    }
    if (values.empty()) continue;
    std::string text = id + (o.quantity == "latency" ? "" : ", " + o.quantity);
    if (!o.axes.empty()) text += ", " + axes_text(o.axes);
    if (values.size() > 1) text += fmt::format(", median of {} points", values.size());
    return {text, results::median(values)};
  }
  std::string wanted;
  for (const origin& o : from)
    if (wanted.find(o.id) == std::string::npos) wanted += (wanted.empty() ? "" : " or ") + o.id;
  return {fmt::format("{}: {}", not_measured_text, wanted), {}};
}

std::string cycles_cell(const std::optional<double>& cycles) {
  return cycles ? fixed(*cycles, 0) : not_measured_text;
}

std::string product_text(const historical_value* polls, const historical_value* access,
                         const historical_value* accesses) {
  return fmt::format("{} x {} x {}", polls->text(), access->text(), accesses->text());
}

/// 2012's product, then and with what an access takes now.
void add_then(const topic_context& c, const barrier_model& now, double clock_mhz, table& out) {
  const auto get = [&](const char* row) { return c.then.find("barrier model", row, "value"); };
  const historical_value *polls = get("polls"), *access = get("one access"),
                         *accesses = get("accesses a poll"), *clock = get("clock");
  if (polls == nullptr || access == nullptr || accesses == nullptr || clock == nullptr) {
    out.lines.push_back({{"as in 2012", "no figures of 2012 were found", absent, absent}, {}});
    return;
  }
  const double then = polls->value * access->value * accesses->value;
  out.lines.push_back({{"as in 2012, then", product_text(polls, access, accesses), fixed(then, 0),
                        fmt::format("{:.3f}", then / clock->value / 1000)},
                       {}});
  line l{
      {"as in 2012, with an access of today",
       fmt::format("{} x {} cycles x {}", polls->text(), cycles_cell(now.poll), accesses->text()),
       not_measured_text, absent},
      {}};
  if (now.poll) {
    const double cycles = polls->value * *now.poll * accesses->value;
    l.cells[2] = fixed(cycles, 0);
    if (const auto ns = nanoseconds(cycles, clock_mhz)) l.cells[3] = fixed(*ns / 1000, 3);
  }
  out.lines.push_back(std::move(l));
}

/// Measurement beside the model's range.
void add_measured(const topic_context& c, const std::string& what, const std::string& name,
                  const std::optional<double>& sum, table& out) {
  const measurement* m = round_of(c.of, name, "bare", 1);
  line l{{what, name, absent, absent}, {}};
  l.cells[2] = value_cell(m, 0, l.notes);
  l.cells[3] = microseconds_cell(m, l.notes);
  if (m != nullptr && m->ok() && sum)
    l.notes.push_back(fmt::format("{}: {:.2f} of the parts", name, m->row().value->median / *sum));
  out.lines.push_back(std::move(l));
}

}  // namespace

std::optional<double> barrier_model::sum() const {
  double out = 0;
  for (const part& p : parts) {
    if (!p.cycles) return {};
    out += *p.cycles;
  }
  return out;
}

barrier_model model_of(const section& s) {
  const double sms = multiprocessors(s).value_or(1);
  barrier_model out;
  const auto add = [&](const char* what, const std::vector<origin>& from) {
    found_part p = look(s, from);
    out.parts.push_back({what, std::move(p.from), p.cycles});
  };
  add("__syncthreads before and behind",
      {{"barrier/block_cost/bar_sync", "latency", {{"threads", usual_threads}}, 2}});
  add("fence of the release",
      {{"fence/cost/fence_acq_rel_gpu_after_store", "latency", {{"blocks", sms}}}});
  add("arrivals, one behind the other at one address",
      {{"barrier/parts/drain", "latency", {{"blocks", sms}}, 1.0 / drain_arrivals}});
  add("one way to another block, half a hand-over and back",
      {{"handover/pair/blocks_relaxed", "round trip", {}, 0.5}});
  const found_part poll = look(s, {{"barrier/parts/*written*", "latency"},
                                   {"memory/l2/single_word", "far latency"},
                                   {"memory/l2/pointer", "plateau"}});
  out.poll = poll.cycles;
  out.poll_from = poll.from;
  return out;
}

std::vector<table> model_tables(const topic_context& c) {
  const barrier_model model = model_of(c.of);
  const auto best = best_of(c);
  const measurement* timed = best ? round_of(c.of, best->name, "bare", 1) : nullptr;
  double clock = timed == nullptr ? 0 : timed->row().sm_clock_mhz;
  for (const measurement& m : c.of.measurements)
    if (clock <= 0) clock = m.row().sm_clock_mhz;
  table out{
      fmt::format("A barrier over all SMs from its parts, {:.0f} threads a block", usual_threads),
      {{"part", false, true}, {"from", false, true, 1}, {"cycles", true}, {"us", true}},
      {}};
  const auto add = [&](const std::string& what, const std::string& from,
                       const std::optional<double>& cycles) {
    const auto ns = cycles ? nanoseconds(*cycles, clock) : std::nullopt;
    out.lines.push_back(
        {{what, from, cycles_cell(cycles), ns ? fixed(*ns / 1000, 3) : absent}, {}});
  };
  for (const barrier_model::part& p : model.parts) add(p.what, p.from, p.cycles);
  const auto sum = model.sum();
  add("all parts", "sum", sum);
  add("a poll that comes too early", model.poll_from, model.poll);
  add("all parts and one such poll", "sum",
      sum && model.poll ? std::optional(*sum + *model.poll) : std::nullopt);
  if (best)
    add_measured(c, "measured: the fastest sound one", best->name, sum, out);
  else
    out.lines.push_back(
        {{"measured: the fastest sound one", absent, not_measured_text, absent}, {}});
  if (const auto name = cooperative_of(c.of))
    add_measured(c, "measured: cooperative groups", *name, sum, out);
  add_then(c, model, clock, out);
  return {out};
}

}  // namespace ptxlab::report
