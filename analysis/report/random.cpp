// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

using point = std::map<std::string, double>;

constexpr const char* xorwow = "random/xorwow/";
constexpr const char* sobol = "random/sobol/";
constexpr double wanted_share = 0.95;
constexpr double fewest = 1 << 16;  ///< of which a throughput is spoken

/// "16 Mi", "1000003".
std::string count_text(double n) {
  for (const auto& [unit, name] : {std::pair{1 << 20, "Mi"}, {1 << 10, "Ki"}})
    if (n >= unit && n == unit * static_cast<double>(static_cast<long long>(n / unit)))
      return fmt::format("{} {}", exact(n / unit), name);
  return exact(n);
}

std::string spread_text(const point& at) {
  const auto found = at.find("subsequences");
  if (found == at.end()) return absent;
  return found->second == 0 ? "one of each thread" : exact(found->second);
}

/// The points of all rows whose id begins with `prefix`, by id.
std::map<std::string, std::set<point>> points_of(const section& s, const std::string& prefix) {
  std::map<std::string, std::set<point>> out;
  for (const measurement& m : s.measurements)
    if (m.row().protocol == "random" && m.row().id.starts_with(prefix))
      out[m.row().id].insert(m.row().axes);
  return out;
}

/// The quantity, or why all of the point has none.
std::string cell(const section& s, const std::string& id, const std::string& quantity,
                 const point& at, int decimals, std::vector<std::string>& notes) {
  const measurement* m = find(s, id, quantity, at);
  if (m == nullptr) {
    const measurement* time = find(s, id, "time", at);
    if (time == nullptr || time->ok()) return absent;
    m = time;
  }
  return value_cell(m, decimals, notes);
}

std::optional<double> median_of(const section& s, const std::string& id,
                                const std::string& quantity, const point& at) {
  const measurement* m = find(s, id, quantity, at);
  if (m == nullptr || !m->ok()) return {};
  return m->row().value->median;
}

std::string registers_cell(const section& s, const std::string& id, const point& at) {
  const measurement* m = find(s, id, "time", at);
  if (m == nullptr || !m->row().uses.registers) return absent;
  return std::to_string(*m->row().uses.registers);
}

std::string ratio_cell(std::optional<double> ours, std::optional<double> theirs) {
  return ours && theirs && *theirs > 0 ? fmt::format("{:.2f}", *ours / *theirs) : absent;
}

/// "dynamic" of " of curand, dynamic".
std::string name_of(const std::string& order) {
  const auto comma = order.find(", ");
  return comma == order.npos ? "default" : order.substr(comma + 2);
}

table empty(const std::string& title) {
  return {title + ": " + not_measured_text, {{"kernel"}}, {}};
}

}  // namespace

std::vector<std::string> curand_orders() {
  return {" of curand", " of curand, legacy", " of curand, seeded", " of curand, dynamic"};
}

std::optional<fastest_order> fastest_of_curand(const section& s, const std::string& id,
                                               const point& at) {
  std::optional<fastest_order> out;
  for (const std::string& order : curand_orders()) {
    const auto found = median_of(s, id, "throughput" + order, at);
    if (!found || (out && out->throughput >= *found)) continue;
    out = {name_of(order), *found};
  }
  return out;
}

std::vector<table> random_throughput_tables(const topic_context& c) {
  const std::string title = "Numbers by xorwow, and cuRAND's host interface in the same run";
  table out{title,
            {{"kernel"},
             {"numbers", true},
             {"subsequences", true},
             {"registers", true},
             {"GB/s", true},
             {"numbers a ns", true},
             {"cuRAND, default", true},
             {"legacy", true},
             {"seeded", true, false, 1},
             {"dynamic", true},
             {"ours / fastest", true}},
            {}};
  for (const char* family : {xorwow, "random/curand_device/"})
    for (const auto& [id, points] : points_of(c.of, family))
      for (const point& at : points) {
        if (at.at("numbers") < fewest) continue;
        line l{{id.substr(std::string("random/").size()), count_text(at.at("numbers")),
                spread_text(at), registers_cell(c.of, id, at)},
               {}};
        l.cells.push_back(cell(c.of, id, "throughput", at, 0, l.notes));
        l.cells.push_back(cell(c.of, id, "numbers", at, 0, l.notes));
        for (const std::string& order : curand_orders())
          l.cells.push_back(cell(c.of, id, "throughput" + order, at, 0, l.notes));
        const auto rival = fastest_of_curand(c.of, id, at);
        l.cells.push_back(ratio_cell(median_of(c.of, id, "throughput", at),
                                     rival ? std::optional(rival->throughput) : std::nullopt));
        out.lines.push_back(std::move(l));
      }
  return {out.lines.empty() ? empty(title) : out};
}

std::vector<table> random_target_tables(const topic_context& c) {
  const std::string id = std::string(xorwow) + "uniform", title = "What was to be reached";
  table out{title,
            {{"uniform floats", true},
             {"wanted"},
             {"ours, GB/s", true},
             {"with subsequences", true},
             {"cuRAND's fastest, GB/s", true},
             {"its order"},
             {"share", true},
             {""}},
            {}};
  std::map<double, std::set<point>> by_size;
  const auto all = points_of(c.of, id);
  if (const auto found = all.find(id); found != all.end())
    for (const point& at : found->second) by_size[at.at("numbers")].insert(at);
  for (const auto& [numbers, points] : by_size) {
    if (numbers < fewest) continue;  // what a launch takes and no more
    std::optional<double> ours;
    std::string with;
    std::optional<fastest_order> theirs;
    for (const point& at : points) {
      const auto found = median_of(c.of, id, "throughput", at);
      if (found && (!ours || *found > *ours)) {
        ours = found;
        with = spread_text(at);
      }
      const auto rival = fastest_of_curand(c.of, id, at);
      if (rival && (!theirs || rival->throughput > theirs->throughput)) theirs = rival;
    }
    line l{{count_text(numbers), fmt::format("{:.0f} % of cuRAND's", 100 * wanted_share)}, {}};
    l.cells.push_back(ours ? fixed(*ours, *ours < 100 ? 2 : 0) : not_measured_text);
    l.cells.push_back(ours ? with : absent);
    l.cells.push_back(theirs ? fixed(theirs->throughput, theirs->throughput < 100 ? 2 : 0)
                             : not_measured_text);
    l.cells.push_back(theirs ? theirs->name : absent);
    if (ours && theirs) {
      const double share = *ours / theirs->throughput;
      l.cells.push_back(fmt::format("{:.0f} %", 100 * share));
      l.cells.emplace_back(share >= wanted_share ? "met" : "missed");
    } else {
      l.cells.insert(l.cells.end(), {absent, "cannot tell"});
    }
    out.lines.push_back(std::move(l));
  }
  return {out.lines.empty() ? empty(title) : out};
}

std::vector<table> random_order_tables(const topic_context& c) {
  const std::string id = std::string(xorwow) + "uniform",
                    title = "Whose order it is: sizes at which cuRAND gave the same numbers";
  table out{title, {{"subsequences", true}}, {}};
  for (const std::string& order : curand_orders()) out.columns.push_back({name_of(order), true});
  std::map<double, std::set<point>> by_spread;
  const auto all = points_of(c.of, id);
  if (const auto found = all.find(id); found != all.end())
    for (const point& at : found->second) by_spread[at.at("subsequences")].insert(at);
  for (const auto& [spread, points] : by_spread) {
    line l{{exact(spread)}, {}};
    int looked_at = 0;
    for (const std::string& order : curand_orders()) {
      int equal = 0, known = 0;
      for (const point& at : points)
        if (const auto found = median_of(c.of, id, "equal numbers" + order, at);
            found && at.at("numbers") > spread) {  // of one row all orders begin the same
          ++known;
          equal += *found == 1 ? 1 : 0;
        }
      looked_at += known;
      l.cells.push_back(known == 0 ? absent : fmt::format("{} of {}", equal, known));
    }
    if (looked_at > 0) out.lines.push_back(std::move(l));
  }
  return {out.lines.empty() ? empty(title) : out};
}

std::vector<table> random_sobol_tables(const topic_context& c) {
  const std::string title = "Sobol's sequences";
  table out{title,
            {{"kernel"},
             {"numbers", true},
             {"dimensions", true},
             {"registers", true},
             {"GB/s", true},
             {"numbers a ns", true},
             {"cuRAND, GB/s", true},
             {"ours / cuRAND", true},
             {"set-up, us", true}},
            {}};
  for (const auto& [id, points] : points_of(c.of, sobol))
    for (const point& at : points) {
      line l{{operation_of(id), count_text(at.at("numbers")), exact(at.at("dimensions")),
              registers_cell(c.of, id, at)},
             {}};
      l.cells.push_back(cell(c.of, id, "throughput", at, 0, l.notes));
      l.cells.push_back(cell(c.of, id, "numbers", at, 0, l.notes));
      l.cells.push_back(cell(c.of, id, "throughput of curand", at, 0, l.notes));
      l.cells.push_back(ratio_cell(median_of(c.of, id, "throughput", at),
                                   median_of(c.of, id, "throughput of curand", at)));
      l.cells.push_back(cell(c.of, id, "set-up time", at, 1, l.notes));
      out.lines.push_back(std::move(l));
    }
  return {out.lines.empty() ? empty(title) : out};
}

std::vector<table> random_set_up_tables(const topic_context& c) {
  const std::string title = "Set-up, and one kernel that does both";
  table out{title,
            {{"kernel"},
             {"numbers", true},
             {"subsequences", true},
             {"set-up, us", true},
             {"drawing, us", true},
             {"both, us", true},
             {"cuRAND's set-up, default, us", true},
             {"dynamic, us", true}},
            {}};
  std::set<double> both;  // sizes at which one kernel did it all
  for (const auto& [id, points] : points_of(c.of, std::string(xorwow) + "uniform_at_once"))
    for (const point& at : points) both.insert(at.at("numbers"));
  for (const char* family : {xorwow, "random/curand_device/"})
    for (const auto& [id, points] : points_of(c.of, family)) {
      if (id.find("uniform") == id.npos || id.find("double") != id.npos) continue;
      for (const point& at : points) {
        if (!both.contains(at.at("numbers"))) continue;
        line l{{id.substr(std::string("random/").size()), count_text(at.at("numbers")),
                spread_text(at)},
               {}};
        const bool at_once = id.ends_with("_at_once");
        l.cells.push_back(at_once ? absent : cell(c.of, id, "set-up time", at, 1, l.notes));
        l.cells.push_back(at_once ? absent : cell(c.of, id, "time", at, 1, l.notes));
        const auto set_up = median_of(c.of, id, "set-up time", at),
                   draw = median_of(c.of, id, "time", at);
        if (at_once)
          l.cells.push_back(cell(c.of, id, "time", at, 1, l.notes));
        else
          l.cells.push_back(set_up && draw ? fixed(*set_up + *draw, 1) : absent);
        l.cells.push_back(cell(c.of, id, "set-up time of curand", at, 1, l.notes));
        l.cells.push_back(cell(c.of, id, "set-up time of curand, dynamic", at, 1, l.notes));
        out.lines.push_back(std::move(l));
      }
    }
  return {out.lines.empty() ? empty(title) : out};
}

}  // namespace ptxlab::report
