// SPDX-License-Identifier: Apache-2.0
// Bank conflicts: passes with 16 and 32 banks, and what a load takes for each stride and width.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/memory.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

const std::string family = "memory/banks/";
constexpr const char* widths[] = {"u8", "u32", "u64", "u128"};

std::string width_text(const std::string& width) {
  const int bytes = std::stoi(width.substr(1)) / 8;
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

/// "1, 3, 5 to 9", of numbers in order.
std::string ranges(const std::vector<std::uint64_t>& all) {
  std::string out;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end + 1 < all.size() && all[end + 1] == all[end] + 1) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", all[i]);
    if (end > i + 1) out += fmt::format(" to {}", all[end]);
    if (end == i + 1) --end;
    i = end + 1;
  }
  return out;
}

/// "all odd" is what most lists are, with or without 0; a long list is cut to what tells it.
std::string strides_text(const std::vector<std::uint64_t>& all) {
  const bool zero = !all.empty() && all.front() == 0;
  if (all.size() == (zero ? 33 : 32) &&
      std::all_of(all.begin() + (zero ? 1 : 0), all.end(), [](auto s) { return s % 2 == 1; }))
    return zero ? "0, all odd ones" : "all odd ones";
  const std::string text = ranges(all);
  constexpr std::size_t most = 40;
  if (text.size() <= most) return text;
  const auto cut = text.rfind(',', most);
  return fmt::format("{}, ... ({} in all)", text.substr(0, cut), all.size());
}

/// Smallest and largest of what was measured.
struct span {
  double least = 0, most = 0;
  bool any = false;

  void add(const std::optional<double>& x) {
    if (!x) return;
    least = any ? std::min(least, *x) : *x;
    most = any ? std::max(most, *x) : *x;
    any = true;
  }
  std::string text(int decimals) const {
    if (!any) return not_measured_text;
    const std::string low = fixed(least, decimals), high = fixed(most, decimals);
    return low == high ? low : fmt::format("{} to {}", low, high);
  }
};

/// Strides of one width that today's model gives the same passes.
struct group {
  std::vector<std::uint64_t> strides;
  span then, chain, rate;
};

table width_table(const section& s, const std::string& width) {
  std::map<std::uint32_t, group> by_passes;
  for (const bool rate : {false, true})
    for (const swept_access& a : accesses_of(s, family + (rate ? "rate_" : "chain_") + width)) {
      group& g = by_passes[passes_now(a.of).passes];
      if (std::find(g.strides.begin(), g.strides.end(), a.of.stride) == g.strides.end())
        g.strides.push_back(a.of.stride);
      g.then.add(passes_then(a.of).degree);
      (rate ? g.rate : g.chain).add(a.cycles());
    }
  table out{fmt::format("{} a lane", width_text(width)),
            {{"passes, 32 banks", true},
             {"strides", false, true},
             {"degree, 16 banks", true},
             {"cycles of a chain", true},
             {"cycles of an access", true}},
            {}};
  for (auto& [passes, g] : by_passes) {
    std::sort(g.strides.begin(), g.strides.end());
    out.lines.push_back({{std::to_string(passes), strides_text(g.strides), g.then.text(0),
                          g.chain.text(1), g.rate.text(2)},
                         {}});
  }
  if (out.lines.empty()) out.title += std::string(": ") + not_measured_text;
  return out;
}

std::vector<counted> counted_of(const section& s, const std::string& id) {
  std::vector<counted> out;
  for (const swept_access& a : accesses_of(s, id))
    if (const auto cycles = a.cycles())
      out.push_back({a.of.text(), 1.0 * passes_now(a.of).passes, *cycles});
  return out;
}

}  // namespace

std::vector<table> bank_tables(const topic_context& c) {
  std::vector<table> out;
  for (const std::string width : widths) out.push_back(width_table(c.of, width));
  return out;
}

std::vector<table> tile_tables(const topic_context& c) {
  table out{"A warp reads two columns of a tile 16 wide",
            {{"columns of a row", true},
             {"degree, half-warps and 16 banks", true},
             {"passes, 32 banks", true},
             {"cycles of a chain", true},
             {"cycles of an access", true}},
            {}};
  std::map<std::uint64_t, std::pair<swept_access, swept_access>> by_columns;
  for (const swept_access& a : accesses_of(c.of, family + "chain_tile"))
    by_columns[a.of.columns].first = a;
  for (const swept_access& a : accesses_of(c.of, family + "rate_tile"))
    by_columns[a.of.columns].second = a;
  for (const auto& [columns, both] : by_columns) {
    access_pattern p;
    p.columns = columns;
    line l{{std::to_string(columns), std::to_string(passes_then(p).degree),
            std::to_string(passes_now(p).passes)},
           {}};
    l.cells.push_back(cycles_cell(both.first, 1, l.notes));
    l.cells.push_back(cycles_cell(both.second, 2, l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += std::string(": ") + not_measured_text;
  return {out};
}

std::vector<table> bank_orders(const topic_context& c) {
  table out = order_table("Pairs of strides with different passes: is the dearer one slower?");
  for (const std::string width : {"u8", "u32", "u64", "u128", "tile"})
    for (const bool rate : {false, true}) {
      const std::string what = width == "tile" ? "tile" : width_text(width);
      out.lines.push_back(order_line(
          fmt::format("{}, {}", what, rate ? "cycles of an access" : "cycles of a chain"),
          "passes with 32 banks",
          order_of(counted_of(c.of, family + (rate ? "rate_" : "chain_") + width))));
    }
  return {out};
}

std::vector<figure> bank_figures(const topic_context& c) {
  std::vector<figure> out;
  for (const std::string kind : {"rate", "chain"}) {
    std::vector<curve> all;
    for (const std::string width : widths) {
      curve measured{width_text(width), {}};
      for (const swept_access& a : accesses_of(c.of, family + kind + "_" + width))
        if (const auto cycles = a.cycles())
          measured.points.emplace_back(static_cast<double>(a.of.stride), *cycles);
      all.push_back(std::move(measured));
    }
    for (figure& f : curves_over(
             c, "banks-" + kind,
             kind == "rate" ? "Loads from shared memory over their stride: cycles of one access"
                            : "Loads from shared memory over their stride: cycles of a chain",
             "stride in elements", "cycles", all, "set xtics 8\nset xrange [0:64]\n"))
      out.push_back(std::move(f));
  }
  return out;
}

}  // namespace ptxlab::report
