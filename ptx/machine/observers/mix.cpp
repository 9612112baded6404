// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/mix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "f32", "u16x2", "bf16", "b128", "e4m3x2", "pred"; not "v4", "x4", "rn".
bool is_type(std::string_view m) {
  if (m == "pred") return true;
  for (const std::string_view start : {"bf", "tf", "ue", "s", "u", "b", "f", "e"})
    if (m.starts_with(start)) return m.size() > start.size() && is_digit(m[start.size()]);
  return false;
}

bool is_space(std::string_view m) {
  return m == "global" || m == "shared" || m == "local" || m == "const" || m == "param";
}

bool is_branch(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  return base == "bra" || base == "brx";
}

void check(const site& s, const site_counts& c) {
  if (c.lanes / warp_lanes > c.executed ||
      (c.lanes / warp_lanes == c.executed && c.lanes % warp_lanes != 0) || c.diverged > c.executed)
    throw error(fmt::format("{}: counts contradict each other: {} executed, {} lanes, {} diverged",
                            site_name(s).label(), c.executed, c.lanes, c.diverged));
}

void add(mix_row& to, const site_counts& c) {
  to.counts.executed += c.executed;
  to.counts.lanes += c.lanes;
  to.counts.diverged += c.diverged;
  ++to.sites;
}

}  // namespace

std::uint32_t mix_row::active_per_mille() const {
  // The parts of a quotient below one, kept apart so that no product overflows.
  std::uint64_t whole = counts.executed, part = counts.lanes;
  while (whole > ~std::uint64_t{0} / (1000 * warp_lanes)) whole >>= 1, part >>= 1;
  return whole == 0 ? 0 : static_cast<std::uint32_t>(part * 1000 / (whole * warp_lanes));
}

std::string mix_name(std::string_view opcode) {
  std::string name;
  for (bool first = true; !opcode.empty(); first = false) {
    const std::size_t dot = opcode.find('.');
    std::string_view m = opcode.substr(0, dot);
    opcode = dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
    m = m.substr(0, m.find("::"));  // "shared::cta"
    if (!first && !is_type(m) && !is_space(m)) continue;
    if (!first) name += '.';
    name += m;
  }
  return name;
}

mix_report instruction_mix(const launch_info& l, std::span<const site_counts> counts) {
  if (counts.size() != l.sites.size())
    throw error(fmt::format("{} has {} instructions but counts for {}", l.kernel, l.sites.size(),
                            counts.size()));
  mix_report r;
  r.launch = launch_name(l);
  r.all.name = "all";
  std::map<std::string, mix_row> opcodes;
  std::map<std::pair<std::string_view, std::uint32_t>, mix_row> lines;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const site& s = l.sites[i];
    check(s, counts[i]);
    if (counts[i].executed == 0) continue;
    add(r.all, counts[i]);
    add(opcodes[mix_name(s.opcode)], counts[i]);
    const bool known = !s.file.empty() && s.line != 0;
    mix_row& line = lines[known ? std::pair{s.file, s.line} : std::pair{std::string_view{}, 0u}];
    if (line.name.empty()) line.name = known ? site_name(s).label() : "ptx";
    add(line, counts[i]);
    if (is_branch(s.opcode) || counts[i].diverged != 0)
      r.branches.push_back({site_name(s), counts[i]});
  }
  for (auto& [name, row] : opcodes) {
    row.name = name;
    r.opcodes.push_back(std::move(row));
  }
  for (auto& [place, row] : lines) r.lines.push_back(std::move(row));
  std::stable_sort(r.branches.begin(), r.branches.end(),
                   [](const branch_row& a, const branch_row& b) { return a.where < b.where; });
  return r;
}

}  // namespace ptxlab::machine
