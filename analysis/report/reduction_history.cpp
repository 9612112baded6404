// SPDX-License-Identifier: Apache-2.0
// Tables 1 and 2 of 2012 beside ours, and from which size on the GPU is ahead of the host.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "analysis/report/break_even.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* then_cpu = "CPU";
constexpr const char* then_gpu = "GPU1 (unroll-factor reduction)";
constexpr const char* then_thrust = "Thrust";
constexpr const char* table_1 = "table 1 (2012)";
constexpr const char* table_2 = "table 2 (2012)";

bool in_table_1(double n) {
  return n >= 10000 && n <= 200000 && std::fmod(n, 10000) == 0;
}
bool in_table_2(double n) {
  int power = 0;
  return n >= 1024 && std::frexp(n, &power) == 0.5;
}

std::string then_cell(const historical& h, const std::string& table, double n,
                      const std::string& column) {
  const historical_value* v = h.find(table, exact(n), column);
  if (v == nullptr) return absent;
  if (v->unit != "s") return fixed(v->value, 2);
  return fixed(v->value * 1e6, v->value < 1e-5 ? 2 : v->value < 1e-3 ? 1 : 0);
}

/// A column of today: of whom, and which of its times.
struct today {
  std::string title, id, quantity;
  bool rival = false;

  const measurement* at(const section& s, double n) const {
    return rival ? rival_at(s, id, quantity, n) : sum_at(s, id, quantity, n);
  }
};

std::vector<today> columns_of(const std::string& best, const std::string& copied) {
  std::vector<today> out = {
      {"one core", unrolled_id, "time of one core", true},
      {"all cores", unrolled_id, "time of all cores", true},
      {"UF 7 with copies", unrolled_id, "time with copies"},
      {"Thrust with copies", unrolled_id, "time of thrust with copies", true},
      {"UF 7", unrolled_id, "time"},
      {"Thrust", unrolled_id, "time of thrust", true},
      {"CUB", best, "time of cub", true},
  };
  if (!copied.empty())
    out.push_back({operation_of(copied) + " with copies", copied, "time with copies"});
  if (!best.empty()) out.push_back({operation_of(best), best, "time"});
  return out;
}

std::optional<double> median_us(const measurement* m) {
  return m != nullptr && m->ok() ? std::optional(m->row().value->median) : std::nullopt;
}

table beside(const topic_context& c, const std::string& title, const char* name,
             const std::vector<std::string>& then, bool (*belongs)(double)) {
  const std::vector<today> now = columns_of(best_sum(c.of), copied_sum(c.of));
  table out{title, {{"N", true}}, {}};
  for (const std::string& column : then)
    out.columns.push_back({"2012: " + (column == then_gpu ? "UF" : column), true});
  for (const today& t : now) out.columns.push_back({t.title, true});
  out.columns.push_back({"one core / UF 7 with copies", true});
  std::set<double> sizes;
  for (const std::string& column : then)
    for (const historical_value* v : c.then.column(name, column))
      if (const auto n = number_of(v->row)) sizes.insert(*n);
  for (const today& t : now)
    for (const double n : sizes_of(c.of, t.id, t.quantity))
      if (belongs(n)) sizes.insert(n);
  for (const double n : sizes) {
    line l{{size_name(n)}, {}};
    for (const std::string& column : then) l.cells.push_back(then_cell(c.then, name, n, column));
    for (const today& t : now) l.cells.push_back(time_cell(t.at(c.of, n), l.notes));
    const auto host = median_us(now[0].at(c.of, n)), device = median_us(now[2].at(c.of, n));
    const double ratio = host && device ? *host / *device : 0;
    l.cells.push_back(ratio == 0 ? absent : fixed(ratio, ratio < 0.1 ? 4 : 2));
    out.lines.push_back(std::move(l));
  }
  return out;
}

std::vector<compared_size> then_compared(const historical& h, const char* gpu) {
  std::vector<compared_size> out;
  for (const char* name : {table_1, table_2})
    for (const historical_value* v : h.column(name, gpu)) {
      const historical_value* host = h.find(name, v->row, then_cpu);
      const auto n = number_of(v->row);
      if (host != nullptr && n) out.push_back({*n, {host->value}, {v->value}});
    }
  return out;
}

std::vector<compared_size> compared(const section& s, const today& host, const today& device) {
  std::vector<compared_size> out;
  for (const double n : sizes_of(s, device.id, device.quantity)) {
    const measurement *a = host.at(s, n), *b = device.at(s, n);
    if (n > 0 && a != nullptr && b != nullptr && a->ok() && b->ok())
      out.push_back({n, samples_us(*a), samples_us(*b)});
  }
  return out;
}

line crossing_line(std::vector<std::string> cells, const std::optional<crossing>& found) {
  cells.push_back(found ? found->n_text() : not_measured_text);
  cells.push_back(found && found->resampled ? found->interval_text() : absent);
  cells.push_back(
      found ? fmt::format("{} to {}", size_name(found->smallest), size_name(found->largest))
            : absent);
  return {std::move(cells), {}};
}

}  // namespace

std::vector<table> reduction_history_tables(const topic_context& c) {
  return {beside(c, "Table 1 of 2012 and today, us", table_1, {then_cpu, then_gpu, then_thrust},
                 in_table_1),
          beside(c, "Table 2 of 2012 and today, us", table_2, {then_cpu, then_gpu, "speed-up"},
                 in_table_2)};
}

std::vector<table> break_even_tables(const topic_context& c) {
  table out{"From how many numbers on the GPU is ahead of the host",
            {{"host"},
             {"GPU", false, true},
             {"the numbers lie", false},
             {"from", true},
             {"95 % of drawn samples", true},
             {"measured", true, false, 1}},
            {}};
  for (const auto& [name, gpu] : {std::pair{"UF", then_gpu}, {"Thrust", then_thrust}})
    out.lines.push_back(crossing_line({"2012: one core", std::string("2012: ") + name, "host"},
                                      break_even(then_compared(c.then, gpu))));
  const std::string copied = copied_sum(c.of);
  const auto add = [&](const today& device, const char* where) {
    for (const char* host : {"one core", "all cores"})
      out.lines.push_back(crossing_line(
          {host, device.title, where},
          break_even(
              compared(c.of, {host, device.id, std::string("time of ") + host, true}, device))));
  };
  add({"UF 7", unrolled_id, "time with copies"}, "host");
  add({"Thrust", unrolled_id, "time of thrust with copies"}, "host");
  if (!copied.empty()) {
    add({operation_of(copied), copied, "time with copies"}, "host");
    add({"CUB", copied, "time of cub with copies"}, "host");
  }
  add({"UF 7", unrolled_id, "time to the host"}, "device");
  add({"Thrust", unrolled_id, "time of thrust to the host"}, "device");
  if (!copied.empty()) {
    add({operation_of(copied), copied, "time to the host"}, "device");
    add({"CUB", copied, "time of cub to the host"}, "device");
  }
  return {out};
}

}  // namespace ptxlab::report
