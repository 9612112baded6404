// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::size_t fit_a_cell = 2;

std::string all_of(const std::vector<published_value>& values, const std::string& unit) {
  std::string out;
  for (const published_value& v : values) out += (out.empty() ? "" : ", ") + v.text(unit);
  return out;
}

}  // namespace

std::string published_cell(const results::row& r, const published& others) {
  const std::vector<published_value> values = others.of(r.published);
  if (values.empty()) return absent;
  if (values.size() <= fit_a_cell) return all_of(values, r.unit);
  std::optional<interval> range;
  for (const published_value& v : values) {
    const auto i = in_unit(v, r.unit);
    if (i && !range) range = i;
    if (i) range = interval{std::min(range->low, i->low), std::max(range->high, i->high)};
  }
  if (!range) return fmt::format("{} values", values.size());
  return fmt::format("{:.6g} to {:.6g}", range->low, range->high);
}

std::vector<column> resource_columns(int rank) {
  return {{"registers", true, false, rank},
          {"shared bytes", true, false, rank + 2},
          {"blocks/SM", true, false, rank + 1}};
}

std::vector<std::string> resource_cells(const results::row& r) {
  std::vector<std::string> out;
  for (const auto& n : {r.uses.registers, r.uses.shared_bytes, r.uses.blocks_per_sm})
    out.push_back(n ? std::to_string(*n) : absent);
  return out;
}

std::vector<std::string> notes_of(const measurement& m, const published& others) {
  const results::row& first = m.row();
  std::vector<std::string> out;
  if (const std::string spread = m.spread(); !spread.empty()) out.push_back(spread);
  if (m.other_cubin)
    out.push_back(fmt::format(
        "cubin {}", first.cubin_sha256.empty() ? "unknown" : first.cubin_sha256.substr(0, 8)));
  if (const auto spilled = first.uses.spill_bytes.value_or(0); spilled > 0)
    out.push_back(fmt::format("{} bytes of spill code", spilled));
  for (const results::row* r : m.runs)
    for (const std::string& flag : r->flags)
      if (std::find(out.begin(), out.end(), flag) == out.end()) out.push_back(flag);
  const std::vector<published_value> values = others.of(first.published);
  if (values.size() > fit_a_cell) out.push_back("published: " + all_of(values, first.unit));
  return out;
}

}  // namespace ptxlab::report
