// SPDX-License-Identifier: Apache-2.0
// Table 3 of 2012: the best unroll factor, with what each takes of a multiprocessor; and the same
// question without launches: loads in flight against threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report/cells.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"
#include "analysis/report/throughput.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* factors = "reduce/unroll_factor/by_";
constexpr const char* flights = "reduce/loads_in_flight/";

/// Ids by unroll factor.
std::map<double, std::string> by_factor(const section& s) {
  std::map<double, std::string> out;
  for (const std::string& id : sums_of(s, factors))
    if (const auto uf = factor_of(id)) out[*uf] = id;
  return out;
}

/// Sizes above one number at which all have rows of `quantity`.
std::vector<double> common_sizes(const section& s, const std::map<double, std::string>& ids,
                                 const std::string& quantity) {
  std::vector<double> out;
  bool first = true;
  for (const auto& [uf, id] : ids) {
    const std::vector<double> sizes = sizes_of(s, id, quantity);
    if (first) out = sizes;
    first = false;
    std::erase_if(
        out, [&](double n) { return n < 2 || !std::binary_search(sizes.begin(), sizes.end(), n); });
  }
  return out;
}

/// Launches until one number is left (document C).
int launches_of(double n, double uf) {
  int out = 0;
  for (; n > 1; n = std::max(1.0, std::floor(n / uf))) ++out;
  return out;
}

/// KiB that the loads of all resident threads of a multiprocessor ask for at once, if each thread
/// asks for `bytes`.
std::string kib_in_flight(const results::resources& uses, double bytes) {
  if (!uses.blocks_per_sm || !uses.block_threads) return absent;
  const auto threads = static_cast<double>(*uses.blocks_per_sm * *uses.block_threads);
  return fixed(threads * bytes / 1024, 0);
}

struct timed_factor {
  double uf = 0;
  const measurement* at = nullptr;
};

line best_line(const std::vector<timed_factor>& all, const std::string& what,
               const std::string& size) {
  const auto least =
      std::min_element(all.begin(), all.end(), [](const timed_factor& a, const timed_factor& b) {
        return a.at->row().value->median < b.at->row().value->median;
      });
  std::string ties;
  for (const timed_factor& t : all)
    if (t.uf != least->uf && t.at->row().value->p5 <= least->at->row().value->p95)
      ties += (ties.empty() ? "" : ", ") + exact(t.uf);
  line l{{what, size, exact(least->uf)}, {}};
  l.cells.push_back(time_cell(least->at, l.notes));
  l.cells.push_back(ties.empty() ? "none" : ties);
  return l;
}

table best_factors(const topic_context& c, const std::map<double, std::string>& ids) {
  table out{"The best unroll factor",
            {{"what"}, {"N", true}, {"best", true}, {"us", true}, {"within its spread", true}},
            {}};
  const historical_value* then = nullptr;
  for (const historical_value* v : c.then.column("table 3 (2012)", "time by unroll factor"))
    if (then == nullptr || v->value < then->value) then = v;
  if (then != nullptr)
    out.lines.push_back(
        {{"2012, with copies", "not told", then->row, fixed(then->value * 1e6, 1), absent}, {}});
  for (const char* quantity : {"time with copies", "time"})
    for (const double n : common_sizes(c.of, ids, quantity)) {
      std::vector<timed_factor> all;
      for (const auto& [uf, id] : ids)
        if (const measurement* m = sum_at(c.of, id, quantity, n); m != nullptr && m->ok())
          all.push_back({uf, m});
      if (!all.empty())
        out.lines.push_back(best_line(
            all, quantity == std::string("time") ? "here, on the device" : "here, with copies",
            size_name(n)));
    }
  return out;
}

/// A surface over loads in flight and warps, as rows that heat maps are drawn from.
struct flight_surface {
  std::vector<results::row> rows;
  section of;
};

std::string kind_of(const std::string& id) {
  return id.substr(0, id.rfind('_'));
}

/// Of each kind ("narrow", "wide") the best bandwidth for each number of loads and of warps on an
/// SM, however these are split into blocks.
void fill(flight_surface& out, const section& s) {
  std::map<std::tuple<std::string, double, double>, results::row> best;
  for (const std::string& id : sums_of(s, flights))
    for (const measurement& m : s.measurements) {
      const results::row& r = m.row();
      const auto loads = factor_of(id);
      if (r.id != id || r.quantity != "bandwidth" || !m.ok() || !loads ||
          !r.axes.contains("blocks_per_sm") || !r.uses.blocks_per_sm)
        continue;
      // More blocks than fit run one after the other.
      const double blocks =
          std::min(r.axes.at("blocks_per_sm"), static_cast<double>(*r.uses.blocks_per_sm));
      const double warps = blocks * r.axes.at("threads") / 32;
      results::row& at = best[{kind_of(id), *loads, warps}];
      if (at.value && at.value->median >= r.value->median) continue;
      at = r;
      at.id = kind_of(id);
      at.protocol = at.quantity = "throughput";
      at.axes = {{"ilp", *loads}, {"warps", warps}};
      at.cubin_sha256.clear();
    }
  for (auto& [key, r] : best) out.rows.push_back(std::move(r));
  out.of.of = s.of;
  out.of.files = s.files;
  for (const results::row& r : out.rows) out.of.measurements.push_back({{&r}});
}

}  // namespace

std::vector<table> unroll_tables(const topic_context& c) {
  const auto ids = by_factor(c.of);
  const std::vector<double> sizes = common_sizes(c.of, ids, "time");
  table out{
      "By unroll factor, us", {{"UF", true}, {"2012", true}, {"with copies, N = 10000", true}}, {}};
  for (const double n : sizes) out.columns.push_back({"N = " + size_name(n), true});
  for (column& one : std::vector<column>{{"launches at most", true, false, 1},
                                         {"KiB in flight per SM", true, false, 1}})
    out.columns.push_back(std::move(one));
  for (column& one : resource_columns(2)) out.columns.push_back(std::move(one));
  for (const auto& [uf, id] : ids) {
    const historical_value* then =
        c.then.find("table 3 (2012)", exact(uf), "time by unroll factor");
    line l{{exact(uf), then == nullptr ? absent : fixed(then->value * 1e6, 1)}, {}};
    l.cells.push_back(time_cell(sum_at(c.of, id, "time with copies", 10000), l.notes));
    const measurement* last = nullptr;
    for (const double n : sizes) {
      last = sum_at(c.of, id, "time", n);
      l.cells.push_back(time_cell(last, l.notes));
    }
    l.cells.push_back(sizes.empty() ? absent : std::to_string(launches_of(sizes.back(), uf)));
    const results::row none, &r = last == nullptr ? none : last->row();
    l.cells.push_back(kib_in_flight(r.uses, uf * sizeof(float)));
    for (std::string& cell : resource_cells(r)) l.cells.push_back(std::move(cell));
    out.lines.push_back(std::move(l));
  }
  return {out, best_factors(c, ids)};
}

std::vector<table> in_flight_tables(const topic_context& c) {
  flight_surface surface;
  fill(surface, c.of);
  double highest = 0;
  for (const results::row& r : surface.rows) highest = std::max(highest, r.value->median);
  table out{"Loads in flight against threads",
            {{"kind"},
             {"loads of a thread", true},
             {"registers", true},
             {"best GB/s", true},
             {"at warps per SM", true},
             {"fewest warps for 95 % of the best of all", true}},
            {}};
  std::map<std::pair<std::string, double>, std::vector<const results::row*>> groups;
  for (const results::row& r : surface.rows) groups[{r.id, r.axes.at("ilp")}].push_back(&r);
  for (const auto& [key, rows] : groups) {
    const results::row* best = nullptr;
    std::optional<double> fewest;
    for (const results::row* r : rows) {
      if (best == nullptr || r->value->median > best->value->median) best = r;
      if (r->value->median >= 0.95 * highest)
        fewest = std::min(fewest.value_or(r->axes.at("warps")), r->axes.at("warps"));
    }
    out.lines.push_back({{operation_of(key.first), exact(key.second),
                          best->uses.registers ? std::to_string(*best->uses.registers) : absent,
                          fixed(best->value->median, 0), exact(best->axes.at("warps")),
                          fewest ? exact(*fewest) : "never"},
                         {}});
  }
  if (out.lines.empty()) out.title += ": " + std::string(not_measured_text);
  return {out};
}

std::vector<figure> in_flight_figures(const topic_context& c) {
  flight_surface surface;
  fill(surface, c.of);
  return heat_maps(surface.of, flights);
}

}  // namespace ptxlab::report
