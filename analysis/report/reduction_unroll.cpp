// SPDX-License-Identifier: Apache-2.0
// Table 3 of 2012: the best unroll factor, with what each takes of a multiprocessor; and the same
// question without launches: loads in flight against threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/cells.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"
#include "analysis/report/throughput.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* factors = "reduce/unroll_factor/by_";
constexpr const char* flights = "reduce/loads_in_flight/";

struct factor {
  double uf = 0;
  std::string name;  ///< "7", "100 alone"
  std::string id;
  auto operator<=>(const factor&) const = default;
};

/// Kernels by unroll factor: by_7, by_100, by_100_alone.
std::vector<factor> factors_of(const section& s) {
  std::vector<factor> out;
  for (const std::string& id : sums_of(s, factors)) {
    std::string name = id.substr(std::string(factors).size());
    std::replace(name.begin(), name.end(), '_', ' ');
    if (const auto uf = number_of(name.substr(0, name.find(' ')))) out.push_back({*uf, name, id});
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Sizes above one number at which all have rows of `quantity`.
std::vector<double> common_sizes(const section& s, const std::vector<factor>& ids,
                                 const std::string& quantity) {
  std::vector<double> out;
  bool first = true;
  for (const auto& [uf, name, id] : ids) {
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
  while (n > 1) {
    n = std::max(1.0, std::floor(n / uf));
    ++out;
  }
  return out;
}

/// KiB that all resident threads of a multiprocessor have on their way at once, by loads of 4
/// bytes.
std::string kib_in_flight(const results::resources& uses) {
  if (!uses.blocks_per_sm || !uses.block_threads || !uses.loads_in_flight) return absent;
  const auto threads = static_cast<double>(*uses.blocks_per_sm * *uses.block_threads);
  return fixed(threads * static_cast<double>(*uses.loads_in_flight) * sizeof(float) / 1024, 0);
}

struct timed_factor {
  std::string name;
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
    if (t.name != least->name && t.at->row().value->p5 <= least->at->row().value->p95)
      ties += (ties.empty() ? "" : ", ") + t.name;
  line l{{what, size, least->name}, {}};
  l.cells.push_back(time_cell(least->at, l.notes));
  l.cells.push_back(ties.empty() ? "none" : ties);
  return l;
}

table best_factors(const topic_context& c, const std::vector<factor>& ids) {
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
      for (const auto& [uf, name, id] : ids)
        if (const measurement* m = sum_at(c.of, id, quantity, n); m != nullptr && m->ok())
          all.push_back({name, m});
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

/// Of "reduce/loads_in_flight/wide_16_of_512_kept_small" the loads, and the rest without the
/// threads: "reduce/loads_in_flight/wide_kept_small".
struct flight {
  double loads = 0;
  std::string kind;
};

std::optional<flight> flight_of(const std::string& id) {
  const std::string name = id.substr(std::string(flights).size());
  const auto number = name.find('_') + 1, of = name.find("_of_");
  if (number == 0 || of == std::string::npos || of < number) return {};
  const auto loads = number_of(name.substr(number, of - number));
  if (!loads) return {};
  const auto rest = name.find('_', of + std::string("_of_").size());
  return flight{*loads, flights + name.substr(0, number - 1) +
                            (rest == std::string::npos ? "" : name.substr(rest))};
}

/// Of each kind ("narrow", "wide") the best bandwidth for each number of loads and of warps on an
/// SM, however these are split into blocks.
void fill(flight_surface& out, const section& s) {
  std::map<std::tuple<std::string, double, double>, results::row> best;
  for (const std::string& id : sums_of(s, flights))
    for (const measurement& m : s.measurements) {
      const results::row& r = m.row();
      const auto is = flight_of(id);
      if (r.id != id || r.quantity != "bandwidth" || !m.ok() || !is ||
          !r.axes.contains("blocks_per_sm") || !r.uses.blocks_per_sm)
        continue;
      // More blocks than fit run one after the other.
      const double blocks =
          std::min(r.axes.at("blocks_per_sm"), static_cast<double>(*r.uses.blocks_per_sm));
      const double warps = blocks * r.axes.at("threads") / 32;
      results::row& at = best[{is->kind, is->loads, warps}];
      if (at.value && at.value->median >= r.value->median) continue;
      at = r;
      at.id = is->kind;
      at.protocol = at.quantity = "throughput";
      at.axes = {{"ilp", is->loads}, {"warps", warps}};
      at.cubin_sha256.clear();
    }
  for (auto& [key, r] : best) out.rows.push_back(std::move(r));
  out.of.of = s.of;
  out.of.files = s.files;
  for (const results::row& r : out.rows) out.of.measurements.push_back({{&r}});
}

}  // namespace

std::vector<table> unroll_tables(const topic_context& c) {
  const std::vector<factor> ids = factors_of(c.of);
  const std::vector<double> sizes = common_sizes(c.of, ids, "time");
  table out{
      "By unroll factor, us", {{"UF", true}, {"2012", true}, {"with copies, N = 10000", true}}, {}};
  for (const double n : sizes) out.columns.push_back({"N = " + size_name(n), true});
  for (column& one : std::vector<column>{{"launches at most", true, false, 1},
                                         {"loads in flight", true, false, 1},
                                         {"KiB in flight per SM", true, false, 1}})
    out.columns.push_back(std::move(one));
  for (column& one : resource_columns(2)) out.columns.push_back(std::move(one));
  for (const auto& [uf, name, id] : ids) {
    const historical_value* then = c.then.find("table 3 (2012)", name, "time by unroll factor");
    line l{{name, then == nullptr ? absent : fixed(then->value * 1e6, 1)}, {}};
    l.cells.push_back(time_cell(sum_at(c.of, id, "time with copies", 10000), l.notes));
    const measurement* last = nullptr;
    for (const double n : sizes) {
      last = sum_at(c.of, id, "time", n);
      l.cells.push_back(time_cell(last, l.notes));
    }
    l.cells.push_back(sizes.empty() ? absent : std::to_string(launches_of(sizes.back(), uf)));
    const results::row none, &r = last == nullptr ? none : last->row();
    l.cells.push_back(r.uses.loads_in_flight ? std::to_string(*r.uses.loads_in_flight) : absent);
    l.cells.push_back(kib_in_flight(r.uses));
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
             {"in flight by the facts", true, false, 1},
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
    out.lines.push_back(
        {{operation_of(key.first), exact(key.second),
          best->uses.loads_in_flight ? std::to_string(*best->uses.loads_in_flight) : absent,
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
  // With one number of loads there is nothing to draw that its line does not say.
  std::map<std::string, std::set<double>> loads;
  for (const results::row& r : surface.rows) loads[r.id].insert(r.axes.at("ilp"));
  std::erase_if(surface.of.measurements,
                [&](const measurement& m) { return loads.at(m.row().id).size() < 2; });
  std::vector<figure> out = heat_maps(surface.of, flights);
  for (figure& f : out)
    f.says = fmt::format("Bandwidth of a sum over loads in flight and warps, {}",
                         f.name.substr(f.name.rfind('-') + 1));
  return out;
}

}  // namespace ptxlab::report
