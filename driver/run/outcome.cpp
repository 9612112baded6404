// SPDX-License-Identifier: Apache-2.0
#include "driver/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "driver/backend/cpu.hpp"
#include "driver/backend/cuda.hpp"
#include "ptx/machine/observers/last_writer.hpp"
#include "ptx/machine/observers/races.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

using machine::ending;

/// Is there anyone to name, and is a second run sure to end? One that ran out of its time is not
/// the same run again; one that ran out of steps is repeated while that takes seconds.
bool worth_another_run(const machine::run_report& r) {
  constexpr std::uint64_t most_steps = 50'000'000;
  if (r.how == ending::finished || r.how == ending::fault || r.how == ending::time_budget)
    return false;
  if (r.warp_steps > most_steps) return false;
  return std::any_of(r.stuck.begin(), r.stuck.end(),
                     [](const machine::waiting& w) { return w.polled_bytes != 0; });
}

void name_last_writers(const plan& p, machine::launch how, machine::run_report& r) {
  if (!worth_another_run(r)) return;
  std::vector<machine::watched_place> places;
  for (const machine::waiting& w : r.stuck)
    places.push_back({w.polled_space, w.polled, w.polled_bytes, w.polled_block});
  how.observers.clear();
  how.count = false;
  how.record = nullptr;
  how.threads = 1;
  harness::cpu_backend on(how);
  machine::last_writer writer(places, on.memory());
  on.observe({&writer});
  stage s(on, p);
  s.launch();
  for (std::size_t i = 0; i < r.stuck.size(); ++i)
    if (r.stuck[i].polled_bytes != 0) r.stuck[i].writer = writer.text(i);
}

void take_races(const machine::race_detector& detector, const machine::program& code,
                outcome& out) {
  const machine::race_report& r = detector.report();
  const auto spelt = [&](std::uint32_t s) {
    return s < code.sites.size() ? fmt::format("{} {}", code.sites[s].opcode,
                                               machine::site_name(code.sites[s]).label())
                                 : std::string("?");
  };
  out.races.emplace();
  for (const machine::race& x : r.races)
    out.races->push_back({machine::name(x.kind), spelt(x.a), spelt(x.b), x.pairs, x.words,
                          x.kind == machine::race_kind::one_instruction && x.same_value});
  out.race_text = machine::text(r, code.sites);
  out.races_told = r.complete && (r.uncertain == 0 || !r.races.empty());
}

}  // namespace

wanted_reports read_reports(const std::string& text) {
  wanted_reports out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (word == "all")
      out = {true, true, true, true};
    else if (word == "mix")
      out.mix = true;
    else if (word == "traffic")
      out.traffic = true;
    else if (word == "races")
      out.races = true;
    else if (word == "uninit")
      out.uninit = true;
    else if (word != "none")
      throw error(fmt::format("--report {}: '{}' is none of mix, traffic, races, uninit, all, none",
                              text, word));
  }
  return out;
}

std::size_t outcome::race_count() const {
  if (!races) return 0;
  return static_cast<std::size_t>(std::count_if(races->begin(), races->end(),
                                                [](const race_summary& r) { return !r.harmless; }));
}

outcome run_on_machine(const plan& p, machine::launch how, const wanted_reports& reports) {
  outcome out;
  machine::traffic traffic;
  machine::race_detector detector;
  how.count = reports.mix;
  how.check_uninitialised = reports.uninit;
  harness::cpu_backend on(how);
  std::vector<machine::observer*> observers;
  if (reports.traffic) observers.push_back(&traffic);
  if (reports.races) observers.push_back(&detector);
  on.observe(observers);
  stage s(on, p);
  s.launch();
  out.device = on.identify();
  out.resident = how.resident;
  out.report = on.report();
  out.contents = s.contents();
  if (out.report.how == ending::simt_deadlock)
    out.report.notes.insert(
        out.report.notes.begin(),
        "after the deadlock the launch went on with independent threads and finished: buffers,"
        " printed text, steps and instruction mix are those of its end, races and traffic those"
        " until the deadlock");
  const machine::program& code = *on.code(s.function()).code;
  if (reports.mix) {
    machine::launch_info info{code.name, {}, {}, code.sites};
    std::copy_n(p.shape.grid, 3, info.grid);
    std::copy_n(p.shape.block, 3, info.block);
    out.mix = machine::instruction_mix(info, out.report.counts);
  }
  if (reports.traffic) out.traffic = traffic.report();
  if (reports.races) take_races(detector, code, out);
  name_last_writers(p, how, out.report);
  return out;
}

outcome run_on_gpu(const plan& p, std::chrono::milliseconds deadline) {
  outcome out;
  out.on_machine = false;
  auto on = std::make_unique<harness::cuda_backend>(0, deadline);
  out.device = on->identify();
  stage s(*on, p);
  s.launch();
  try {
    on->synchronise();
  } catch (const error& e) {
    out.given_up = on->given_up();
    out.report.how = out.given_up ? ending::time_budget : ending::fault;
    out.report.reason = e.what();
    // Giving memory back would wait for the kernel that does not end.
    if (out.given_up) (void)on.release();
    return out;
  }
  out.contents = s.contents();
  return out;
}

}  // namespace ptxlab::run
