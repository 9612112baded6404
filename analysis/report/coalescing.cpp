// SPDX-License-Identifier: Apache-2.0
// Patterns of access to global memory: transactions then, sectors now, and what one SM takes for an
// access of a warp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report/memory.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

const std::string family = "memory/coalescing/";
/// The kernels are NAME_l1 and NAME_l2.
constexpr const char* kinds[] = {"strided", "offset", "flipped", "idle"};

/// The measurements of one pattern at both levels.
struct both {
  access_pattern of;
  swept_access l1, l2;
};

std::vector<both> all_patterns(const section& s) {
  std::vector<both> out;
  for (const std::string kind : kinds) {
    std::map<std::map<std::string, double>, both> by_axes;
    for (const swept_access& a : accesses_of(s, family + kind + "_l1"))
      by_axes[a.m->row().axes] = {a.of, a, {a.of, nullptr}};
    for (const swept_access& a : accesses_of(s, family + kind + "_l2")) {
      both& b = by_axes[a.m->row().axes];
      b.of = b.l1.of = a.of;
      b.l2 = a;
    }
    // In order stands at the beginning of most sweeps; once will do.
    for (auto& [axes, b] : by_axes)
      if (std::none_of(out.begin(), out.end(),
                       [&](const both& o) { return o.of.text() == b.of.text(); }))
        out.push_back(b);
  }
  return out;
}

std::string transfers_text(const machine::half_warps& h) {
  const machine::transfers sum = h.sum();
  return fmt::format("{} ({} B)", sum.transactions, sum.bytes);
}

using model = double (*)(const access_pattern&);
double sectors_of(const access_pattern& p) {
  return transactions_of(p).sectors;
}
double lines_of(const access_pattern& p) {
  return transactions_of(p).lines;
}
/// The L1 looks up so many lines in a cycle. No manual says it: it fits what was measured here.
constexpr double lines_a_cycle = 4;
/// The data of the L1 lie in the banks of shared memory.
double l1_passes_of(const access_pattern& p) {
  return std::max<double>(passes_now(p).passes, std::ceil(lines_of(p) / lines_a_cycle));
}

/// Which of the L2's slices are asked, and how far off they are, moves times by so much.
constexpr double as_good_as_even = 0.1;

std::vector<counted> counted_by(const std::vector<both>& all, swept_access both::*level,
                                model count) {
  std::vector<counted> out;
  for (const both& b : all)
    if (const auto cycles = (b.*level).cycles()) out.push_back({b.of.text(), count(b.of), *cycles});
  return out;
}

}  // namespace

std::vector<table> coalescing_tables(const topic_context& c) {
  table out{"One load of 4 bytes by a warp: counted by three rules, and cycles of one SM",
            {{"lane k loads"},
             {"CC 1.0", true},
             {"CC 1.2", true},
             {"sectors", true},
             {"lines", true},
             {"passes", true},
             {"from L1, cycles", true},
             {"from L2, cycles", true}},
            {}};
  for (const both& b : all_patterns(c.of)) {
    const machine::warp_transactions t = transactions_of(b.of);
    line l{{b.of.text(), transfers_text(t.cc10), transfers_text(t.cc12), std::to_string(t.sectors),
            std::to_string(t.lines), std::to_string(passes_now(b.of).passes)},
           {}};
    l.cells.push_back(cycles_cell(b.l1, 2, l.notes));
    l.cells.push_back(cycles_cell(b.l2, 2, l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += std::string(": ") + not_measured_text;
  return {out};
}

std::vector<table> coalescing_orders(const topic_context& c) {
  const std::vector<both> all = all_patterns(c.of);
  table out = order_table("Pairs of patterns with different counts: is the dearer one slower?");
  const auto add = [&](const char* what, const char* by, swept_access both::*level, model count) {
    out.lines.push_back(
        order_line(what, by, order_of(counted_by(all, level, count), as_good_as_even)));
  };
  add("cycles from L2", "sectors", &both::l2, sectors_of);
  add("cycles from L2", "lines", &both::l2, lines_of);
  add("cycles from L1", "passes, or a quarter of the lines, rounded up", &both::l1, l1_passes_of);
  return {out};
}

std::vector<figure> coalescing_figures(const topic_context& c) {
  curve l1{"from L1", {}}, l2{"from L2", {}}, lines{"lines", {}, true},
      passes{"passes, or lines / 4 rounded up", {}, true};
  for (const both& b : all_patterns(c.of)) {
    const access_pattern& p = b.of;
    if (p.offset != 0 || p.flip != 0 || p.every != 0) continue;
    const auto x = static_cast<double>(p.stride);
    lines.points.emplace_back(x, lines_of(p));
    passes.points.emplace_back(x, l1_passes_of(p));
    if (const auto cycles = b.l1.cycles()) l1.points.emplace_back(x, *cycles);
    if (const auto cycles = b.l2.cycles()) l2.points.emplace_back(x, *cycles);
  }
  return curves_over(c, "coalescing-strides", "A warp's load over its stride: cycles of one SM",
                     "stride in words of 4 bytes", "cycles", {l1, l2, passes, lines},
                     "set xtics 8\nset xrange [0:64]\n");
}

}  // namespace ptxlab::report
