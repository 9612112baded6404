// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <map>

#include "analysis/toolchain/process.hpp"
#include "driver/bench/tenants.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

namespace fs = std::filesystem;
using steady = std::chrono::steady_clock;

/// Between two writes of the results file.
constexpr std::chrono::seconds write_period{5};

std::string now() {
  const std::time_t t = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
  return text;
}

void fill_in(results::row& r, const experiment& x) {
  r.id = x.id;
  r.sass = x.judged.sass;
  r.cubin_sha256 = x.cubin_sha256;
  r.static_cycles = x.judged.static_cycles;
  // Of a surface, the plateau is what others publish. A protocol may know better than the kernel.
  if (r.published.empty() && (r.protocol != "throughput" || r.quantity == "plateau"))
    r.published = x.what->measure.published;
}

/// Where two ways to know the same quantity disagree.
void compare_methods(results::row& r) {
  if (!r.value || r.unit != "cycle" || r.quantity != "latency") return;
  const double cycles = r.value->median;
  if (r.static_cycles && std::abs(cycles - *r.static_cycles) > 0.1)
    r.flags.push_back(fmt::format("{:.2f} cycles, but the stall counts of a copy add up to {:g}",
                                  cycles, *r.static_cycles));
  if (!r.by_timer_ns || r.sm_clock_mhz == 0) return;
  const double ns = cycles * 1e3 / r.sm_clock_mhz;
  if (std::abs(*r.by_timer_ns / ns - 1) > 0.05)
    r.flags.push_back(fmt::format("{:.2f} ns by the clock of the SM, {:.2f} ns by %globaltimer", ns,
                                  *r.by_timer_ns));
}

using rows_by_id = std::map<std::string, std::vector<results::row>>;

/// Rows of an earlier run that still hold: of experiments with the same cubin of which every point
/// that would be measured now is there and well.
rows_by_id finished(const plan& p, const run_options& o, const sizes& device) {
  rows_by_id out;
  if (!o.resume || !fs::exists(o.out)) return out;
  for (results::row& r : results::read(o.out).rows) out[r.id].push_back(std::move(r));
  std::erase_if(out, [&](const auto& kept) {
    const auto x = std::find_if(p.experiments.begin(), p.experiments.end(),
                                [&](const experiment& e) { return e.id == kept.first; });
    if (x == p.experiments.end()) return true;
    const auto& rows = kept.second;
    const bool well = std::all_of(rows.begin(), rows.end(), [&](const results::row& r) {
      return r.value && r.cubin_sha256 == x->cubin_sha256;
    });
    const auto points = protocol_of(x->what->measure.how).points(x->what->measure, device, o.quick);
    return !well || !std::all_of(points.begin(), points.end(), [&](const axes& at) {
      return std::any_of(rows.begin(), rows.end(), [&](const results::row& r) {
        return std::includes(r.axes.begin(), r.axes.end(), at.begin(), at.end());
      });
    });
  });
  return out;
}

/// What is kept if the run ends now: what it has, and what it would have kept.
void write_all(results::file now, const rows_by_id& later, const fs::path& out) {
  for (const auto& [id, rows] : later) now.rows.insert(now.rows.end(), rows.begin(), rows.end());
  results::write(now, out);
}

}  // namespace

results::row refusal(const experiment& x, results::status state, const std::string& reason) {
  const protocol& p = protocol_of(x.what->measure.how);
  results::row r = make_row(p, {}, p.name, "cycle");
  fill_in(r, x);
  r.state = state;
  r.reason = reason;
  r.raw_unit.clear();
  return r;
}

std::vector<results::row> measure_at(worker& w, const experiment& x, const axes& at,
                                     const run_options& o) {
  if (!x.judged.valid && !o.run_refused)
    return {refusal(x, results::status::invalid, x.judged.reason)};
  const std::string doubts = doubts_of(w.start().device);
  answer a = w.ask(x.id, at);
  std::vector<results::row> rows = std::move(a.rows);
  if (!a.problem.empty()) {
    rows.push_back(refusal(x, results::status::error, a.problem));
    rows.back().axes = at;
  }
  for (results::row& r : rows) {
    fill_in(r, x);
    compare_methods(r);
    if (!doubts.empty()) r.flags.push_back(doubts);
    if (x.judged.valid) continue;
    // It ran, and what it did is worth a word; what it took is not.
    r.reason = fmt::format("{}; launched all the same: {}", x.judged.reason,
                           r.value ? "it ended" : r.reason);
    r.state = results::status::invalid;
    r.value.reset();
  }
  return rows;
}

std::vector<results::row> measure(worker& w, const experiment& x, const run_options& o) {
  if (!x.judged.valid && !o.run_refused) return measure_at(w, x, {}, o);
  const protocol& p = protocol_of(x.what->measure.how);
  std::vector<results::row> rows;
  bool lost = false;
  for (const axes& at : p.points(x.what->measure, w.start().of, o.quick)) {
    if (lost) {  // the kernel has shown what it does
      rows.push_back(refusal(x, results::status::not_run, "an earlier point was lost"));
      rows.back().axes = at;
      continue;
    }
    std::vector<results::row> more = measure_at(w, x, at, o);
    lost = !w.running();
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  }
  if (p.conclude != nullptr) p.conclude(rows);
  for (results::row& r : rows) fill_in(r, x);
  return rows;
}

results::file start_file(const plan& p, const run_options& o, worker& w) {
  results::file out;
  const greeting& g = w.start();
  out.of.device = g.device;
  out.of.driver = g.driver;
  out.of.toolkit = p.toolkit;
  out.of.commit = p.commit;
  out.of.started = now();
  if (o.quick) out.of.notes["quick"] = "yes";
  if (const std::string doubts = doubts_of(g.device); !doubts.empty())
    out.of.notes["doubts"] = doubts;
  return out;
}

results::file run(const plan& p, const run_options& o) {
  const toolchain::interrupt_scope interrupts;
  worker w(p.folder, o.device, o.deadline, o.run_refused);
  results::file out = start_file(p, o, w);
  rows_by_id done = finished(p, o, w.start().of);
  // Now and not after minutes of measuring: whether it can be written at all.
  if (!o.out.empty() && !fs::exists(o.out)) results::write(out, o.out);
  if (!o.out.empty() && access(o.out.c_str(), W_OK) != 0)
    throw error(fmt::format("{}: {}", o.out.string(), std::strerror(errno)));

  std::size_t points = 0, past = 0;
  const auto points_of = [&](const experiment& x) {
    return (x.judged.valid || o.run_refused) && !done.contains(x.id)
               ? protocol_of(x.what->measure.how)
                     .points(x.what->measure, w.start().of, o.quick)
                     .size()
               : 0;
  };
  for (const experiment& x : p.experiments) points += points_of(x);
  auto written = steady::now();
  for (const experiment& x : p.experiments) {
    if (o.progress) o.progress(past, points, x.id);
    past += points_of(x);
    std::vector<results::row> rows;
    if (const auto kept = done.find(x.id); kept != done.end()) {
      std::move(kept->second.begin(), kept->second.end(), std::back_inserter(out.rows));
      done.erase(kept);
    } else {
      rows = measure(w, x, o);
    }
    if (toolchain::interrupt_scope::interrupted()) {
      // The signal is raised again once the stack has unwound, so this is the last word.
      if (!o.out.empty()) write_all(out, done, o.out);
      fmt::print(
          stderr, "ptxlab: interrupted; {}\n",
          o.out.empty() ? "nothing was to be kept" : "finished rows are kept, --resume goes on");
      throw error("interrupted");
    }
    std::move(rows.begin(), rows.end(), std::back_inserter(out.rows));
    if (!o.out.empty() && steady::now() - written > write_period) {
      write_all(out, done, o.out);
      written = steady::now();
    }
  }
  if (!o.out.empty()) results::write(out, o.out);
  return out;
}

}  // namespace ptxlab::bench
