// SPDX-License-Identifier: Apache-2.0
// `ptxlab run --format text`: for people, in 80 columns.
#include <fmt/format.h>

#include "analysis/facts/table.hpp"
#include "driver/run/result.hpp"
#include "ptx/machine/observers/mix_text.hpp"
#include "ptx/machine/observers/traffic_text.hpp"

namespace ptxlab::run {
namespace {

constexpr std::size_t width = 80;

/// Folded at blanks, every line but the first a little deeper.
std::string folded(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t deeper = indent;
  for (const std::string& line : facts::fold(text, width - indent - 2)) {
    out += std::string(deeper, ' ') + line + '\n';
    deeper = indent + 2;
  }
  return out;
}

std::string stuck_text(const machine::run_report& m) {
  std::string out;
  for (const machine::waiting& w : m.stuck) {
    out += folded(fmt::format("block {} warp {} lanes {:#010x} {}", w.who.block, w.who.warp,
                              w.who.mask, w.at),
                  2);
    if (!w.polls.empty()) out += folded("polls " + w.polls, 4);
    if (!w.condition.empty()) out += folded("condition " + w.condition, 4);
    if (!w.writer.empty()) out += folded(w.writer, 4);
  }
  if (m.stuck_in_all > m.stuck.size() && !m.stuck.empty())
    out += fmt::format("  ({} groups of lanes in all, one of each place shown)\n", m.stuck_in_all);
  return out;
}

std::string machine_text(const outcome& o) {
  const machine::run_report& m = o.report;
  std::string out =
      folded(fmt::format("{} warp steps, {} lane steps; {} of {} started blocks finished",
                         m.warp_steps, m.lane_steps, m.blocks_finished, m.blocks_started),
             2);
  const std::string room =
      o.resident.blocks == 0
          ? o.resident.model
          : fmt::format("{} blocks at once ({})", o.resident.blocks, o.resident.model);
  out += folded(fmt::format("--policy {}; resident: {}", m.token, room), 2);
  return out + stuck_text(m);
}

std::string values_text(const result& r) {
  std::string out;
  for (const output& o : r.outputs) {
    const std::string what = fmt::format("{} ({} {})", o.name, o.bytes.size() / element_bytes(o.of),
                                         machine::name(o.of));
    out += folded(o.file.empty() ? fmt::format("{}: {}", what, first_elements(o.of, o.bytes))
                                 : fmt::format("{}: written to {}", what, o.file),
                  0);
  }
  for (const comparison_result& c : r.comparisons) {
    const type of = type_of(*r.what, c.name);
    out += folded(fmt::format("{}: {}", c.name, comparison_text(c, of)), 0);
    for (const unequal& u : c.first)
      out += fmt::format("  [{}] is {}, expected {}\n", u.index, element_text(of, u.got),
                         element_text(of, u.expected));
  }
  if (r.gpu)
    out += folded(fmt::format("on {}: {}{}", r.gpu->device, machine::name(r.gpu->report.how),
                              r.gpu->report.reason.empty() ? "" : ": " + r.gpu->report.reason),
                  0);
  for (const device_difference& d : r.differences)
    out += folded(fmt::format("{}: {}", d.name, difference_text(d)), 0);
  return out;
}

std::string repeats_text(const repeat_summary& r) {
  std::string out = fmt::format("{} runs:\n", r.runs);
  for (const auto& [ending, tokens] : r.endings) {
    std::string some;
    for (std::size_t i = 0; i < tokens.size() && i < 4; ++i) some += ' ' + tokens[i];
    if (tokens.size() > 4) some += " ...";
    out += folded(fmt::format("{} {}:{}", tokens.size(), ending, some), 2);
  }
  return out + '\n';
}

}  // namespace

std::string text_format(const result& r) {
  const machine::run_report& m = r.run.report;
  std::string out;
  if (r.repeats) out += repeats_text(*r.repeats);
  out += folded(fmt::format("{}, grid {}, block {}, on {}: {}{}", r.what->shown(),
                            extent(r.what->shape.grid), extent(r.what->shape.block), r.run.device,
                            machine::name(m.how), m.reason.empty() ? "" : ": " + m.reason),
                0);
  if (r.run.on_machine) out += machine_text(r.run);
  for (const std::string& n : r.notes) out += folded("note: " + n, 2);
  for (const std::string& n : m.notes) out += folded("note: " + n, 2);
  if (!m.printed.empty()) out += "printed:\n" + m.printed + (m.printed.ends_with('\n') ? "" : "\n");
  out += values_text(r);
  if (r.run.mix) out += '\n' + machine::mix_tables(*r.run.mix, width);
  if (r.run.traffic) out += '\n' + machine::traffic_tables(*r.run.traffic, width);
  if (r.run.races) {
    out += '\n';
    std::string_view rest = r.run.race_text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string line(rest.substr(0, end));
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      out += folded(line.substr(indent), indent);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return out;
}

}  // namespace ptxlab::run
