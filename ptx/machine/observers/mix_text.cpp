// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/mix_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ptx/machine/observers/fitted_table.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::string_view caution = "ptxas replaces short branches by predicates, and more";

std::string line_of(std::string_view kind, const mix_row& r) {
  return fmt::format("{}{}: warps {} lanes {} active {} diverged {} sites {}\n", kind, r.name,
                     r.counts.executed, r.counts.lanes, r.active_per_mille(), r.counts.diverged,
                     r.sites);
}

/// 31.5 % as people read it, of thousandths.
std::string percent(std::uint32_t per_mille) {
  return fmt::format("{}.{} %", per_mille / 10, per_mille % 10);
}

std::string table(std::string_view head, const std::vector<mix_row>& rows, unsigned width) {
  std::vector<table_column> columns{{std::string(head), false, 0, {}}, {"warp instr.", true, 0, {}},
                                    {"lane instr.", true, 2, {}},      {"active", true, 0, {}},
                                    {"diverged", true, 0, {}},         {"sites", true, 1, {}}};
  for (const mix_row& r : rows) {
    columns[0].cells.push_back(r.name);
    columns[1].cells.push_back(fmt::format("{}", r.counts.executed));
    columns[2].cells.push_back(fmt::format("{}", r.counts.lanes));
    columns[3].cells.push_back(percent(r.active_per_mille()));
    columns[4].cells.push_back(fmt::format("{}", r.counts.diverged));
    columns[5].cells.push_back(fmt::format("{}", r.sites));
  }
  return '\n' + fitted_table(std::move(columns), width);
}

std::string branch_table(const std::vector<branch_row>& rows, unsigned width) {
  std::vector<table_column> columns{{"branch", false, 0, {}},
                                    {"instruction", false, 1, {}},
                                    {"warp instr.", true, 0, {}},
                                    {"lane instr.", true, 2, {}},
                                    {"diverged", true, 0, {}}};
  for (const branch_row& r : rows) {
    columns[0].cells.push_back(r.where.label());
    columns[1].cells.push_back(r.where.opcode);
    columns[2].cells.push_back(fmt::format("{}", r.counts.executed));
    columns[3].cells.push_back(fmt::format("{}", r.counts.lanes));
    columns[4].cells.push_back(fmt::format("{}", r.counts.diverged));
  }
  return '\n' + fitted_table(std::move(columns), width);
}

}  // namespace

std::string mix_lines(const mix_report& r) {
  std::string out = fmt::format("{}: {}\n", r.launch.heading("mix"), caution);
  out += line_of("", r.all);
  for (const mix_row& row : r.opcodes) out += line_of("opcode ", row);
  for (const mix_row& row : r.lines) out += line_of("line ", row);
  for (const branch_row& b : r.branches)
    out += fmt::format("branch {} {}: warps {} lanes {} diverged {}\n", b.where.label(),
                       b.where.opcode, b.counts.executed, b.counts.lanes, b.counts.diverged);
  return out;
}

std::string mix_tables(const mix_report& r, unsigned width) {
  std::vector<mix_row> opcodes = r.opcodes;
  std::stable_sort(opcodes.begin(), opcodes.end(), [](const mix_row& a, const mix_row& b) {
    return a.counts.executed > b.counts.executed;
  });
  opcodes.push_back(r.all);
  std::string out = fmt::format("{}\n({})\n", r.launch.short_heading("mix", width), caution);
  out += table("instruction", opcodes, width);
  if (!r.lines.empty()) out += table("source line", r.lines, width);
  if (!r.branches.empty()) out += branch_table(r.branches, width);
  return out;
}

}  // namespace ptxlab::machine
