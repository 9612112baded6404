// SPDX-License-Identifier: Apache-2.0
// `ptxlab run --format facts`: one line per fact, stable, for FileCheck.
#include <fmt/format.h>

#include "driver/run/result.hpp"
#include "ptx/machine/observers/mix_text.hpp"
#include "ptx/machine/observers/traffic_text.hpp"

namespace ptxlab::run {
namespace {

std::string ending_lines(const result& r) {
  const machine::run_report& m = r.run.report;
  std::string out = fmt::format("ending {}\n", machine::name(m.how));
  if (!m.reason.empty()) out += fmt::format("reason {}\n", m.reason);
  if (!r.run.on_machine) return out;
  out += fmt::format("token {}\n", m.token);
  out += fmt::format("resident {} ({})\n", r.run.resident.blocks, r.run.resident.model);
  out += fmt::format("steps warps {} lanes {}\n", m.warp_steps, m.lane_steps);
  out += fmt::format("blocks started {} finished {}\n", m.blocks_started, m.blocks_finished);
  if (m.stuck_in_all != 0) out += fmt::format("stuck {}\n", m.stuck_in_all);
  for (const machine::waiting& w : m.stuck) {
    out += fmt::format("stuck block {} warp {} lanes {:#010x}: {}\n", w.who.block, w.who.warp,
                       w.who.mask, w.at);
    if (!w.polls.empty()) out += fmt::format("  polls {}\n", w.polls);
    if (!w.condition.empty()) out += fmt::format("  condition {}\n", w.condition);
    if (!w.writer.empty()) out += fmt::format("  {}\n", w.writer);
  }
  return out;
}

std::string value_lines(const result& r) {
  std::string out;
  for (const output& o : r.outputs)
    out += o.file.empty()
               ? fmt::format("out {} {} {}: {}\n", o.name, machine::name(o.of),
                             o.bytes.size() / element_bytes(o.of), first_elements(o.of, o.bytes))
               : fmt::format("out {} {} {}: written to {}\n", o.name, machine::name(o.of),
                             o.bytes.size() / element_bytes(o.of), o.file);
  for (const comparison_result& c : r.comparisons) {
    const type of = type_of(*r.what, c.name);
    out += fmt::format("compare {}: {}\n", c.name, comparison_text(c, of));
    for (const unequal& u : c.first)
      out += fmt::format("  [{}] {} expected {}\n", u.index, element_text(of, u.got),
                         element_text(of, u.expected));
  }
  if (r.gpu) {
    out += fmt::format("gpu ending {}\n", machine::name(r.gpu->report.how));
    if (!r.gpu->report.reason.empty()) out += fmt::format("gpu reason {}\n", r.gpu->report.reason);
  }
  for (const device_difference& d : r.differences)
    out += fmt::format("difference {}: {}\n", d.name, difference_text(d));
  return out;
}

}  // namespace

std::string facts_format(const result& r) {
  std::string out;
  if (r.repeats) {
    out += fmt::format("repeats {}\n", r.repeats->runs);
    for (const auto& [ending, tokens] : r.repeats->endings)
      out +=
          fmt::format("repeats ended {}: {} ({})\n", ending, tokens.size(), fmt::join(tokens, " "));
  }
  out += fmt::format("run {} grid {} block {} on {}\n", r.what->shown(), extent(r.what->shape.grid),
                     extent(r.what->shape.block), r.run.device);
  out += ending_lines(r);
  for (const std::string& n : r.notes) out += fmt::format("note {}\n", n);
  for (const std::string& n : r.run.report.notes) out += fmt::format("note {}\n", n);
  std::string_view printed = r.run.report.printed;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    out += fmt::format("printed {}\n", printed.substr(0, end));
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  out += value_lines(r);
  if (r.run.mix) out += machine::mix_lines(*r.run.mix);
  if (r.run.traffic) out += machine::traffic_lines(*r.run.traffic);
  if (r.run.races) out += r.run.race_text;
  return out;
}

}  // namespace ptxlab::run
