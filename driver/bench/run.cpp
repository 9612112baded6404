// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "analysis/toolchain/process.hpp"
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
  // Of a surface, the plateau is what others publish.
  if (r.protocol != "throughput" || r.quantity == "plateau")
    r.published = x.what->measure.published;
}

/// Finished rows of an earlier run that still hold: same cubin, and done.
std::map<std::string, std::vector<results::row>> finished(const plan& p, const run_options& o) {
  std::map<std::string, std::vector<results::row>> out;
  if (!o.resume || !fs::exists(o.out)) return out;
  for (results::row& r : results::read(o.out).rows) {
    const auto x = std::find_if(p.experiments.begin(), p.experiments.end(),
                                [&](const experiment& e) { return e.id == r.id; });
    if (x == p.experiments.end() || x->cubin_sha256 != r.cubin_sha256) continue;
    if (r.state == results::status::ok) out[r.id].push_back(std::move(r));
  }
  return out;
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
  answer a = w.ask(x.id, at);
  std::vector<results::row> rows = std::move(a.rows);
  if (!a.problem.empty()) {
    rows.push_back(refusal(x, results::status::error, a.problem));
    rows.back().axes = at;
  }
  for (results::row& r : rows) {
    fill_in(r, x);
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
  return out;
}

results::file run(const plan& p, const run_options& o) {
  const toolchain::interrupt_scope interrupts;
  worker w(p.folder, o.device, o.deadline, o.run_refused);
  results::file out = start_file(p, o, w);
  auto done = finished(p, o);

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
    auto rows = done.contains(x.id) ? std::move(done[x.id]) : measure(w, x, o);
    const bool stopped = toolchain::interrupt_scope::interrupted();
    if (!stopped) std::move(rows.begin(), rows.end(), std::back_inserter(out.rows));
    if (!o.out.empty() && (stopped || steady::now() - written > write_period)) {
      results::write(out, o.out);
      written = steady::now();
    }
    if (stopped) throw error("interrupted; finished rows are kept, --resume goes on");
  }
  if (!o.out.empty()) results::write(out, o.out);
  return out;
}

}  // namespace ptxlab::bench
