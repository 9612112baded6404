// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view protocol = "reduction";
constexpr const char* one_launch = "reduce/one_launch/float";

bool sums_f32(const std::string& id) {
  return id.starts_with(one_launch) || id.starts_with("reduce/unroll_factor/");
}

}  // namespace

const measurement* sum_at(const section& s, const std::string& id, const std::string& quantity,
                          double elements) {
  return find(s, id, quantity, {{"elements", elements}});
}

const measurement* rival_at(const section& s, const std::string& id, const std::string& quantity,
                            double elements) {
  const measurement* found = sum_at(s, id, quantity, elements);
  if (found != nullptr && found->ok()) return found;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (r.quantity != quantity || !sums_f32(r.id) || !r.axes.contains("elements") ||
        r.axes.at("elements") != elements)
      continue;
    if (m.ok()) return &m;
    if (found == nullptr) found = &m;
  }
  return found;
}

std::vector<double> samples_us(const measurement& m) {
  std::vector<double> out;
  for (const results::series& s : m.row().raw)
    for (const double ns : s.values) out.push_back(ns / 1e3 / s.length);
  if (out.empty() && m.row().value) out.push_back(m.row().value->median);
  return out;
}

std::string time_cell(const measurement* m, std::vector<std::string>& notes) {
  const double us = m != nullptr && m->ok() ? m->row().value->median : 0;
  if (m == nullptr || m->row().state != results::status::not_run)
    return value_cell(m, us < 10 ? 2 : us < 1000 ? 1 : 0, notes);
  // Of many sizes the same: told once.
  if (std::find(notes.begin(), notes.end(), m->row().reason) == notes.end())
    notes.push_back(m->row().reason);
  return results::name(m->row().state);
}

std::vector<std::string> sums_of(const section& s, const std::string& prefix) {
  std::set<std::string> ids;
  for (const measurement& m : s.measurements)
    if (m.row().protocol == protocol && m.row().id.starts_with(prefix)) ids.insert(m.row().id);
  return {ids.begin(), ids.end()};
}

std::vector<double> sizes_of(const section& s, const std::string& id, const std::string& quantity) {
  std::set<double> sizes;
  for (const measurement& m : s.measurements)
    if (m.row().id == id && m.row().quantity == quantity && m.row().axes.contains("elements"))
      sizes.insert(m.row().axes.at("elements"));
  return {sizes.begin(), sizes.end()};
}

std::string size_name(double elements) {
  int power = 0;
  return elements >= 1024 && std::frexp(elements, &power) == 0.5 ? fmt::format("2^{}", power - 1)
                                                                 : exact(elements);
}

std::string plain_read(const section& s) {
  const std::vector<std::string> ids = sums_of(s, "reduce/plain_read/");
  return ids.empty() ? "" : ids.front();
}

std::string best_sum(const section& s) {
  std::map<std::string, std::map<double, double>> times;
  std::size_t most = 0;
  for (const std::string& id : sums_of(s, one_launch))
    for (const double n : sizes_of(s, id, "time"))
      if (const measurement* m = sum_at(s, id, "time", n); n > 0 && m->ok()) {
        times[id][n] = std::log(m->row().value->median);
        most = std::max(most, times[id].size());
      }
  std::erase_if(times, [&](const auto& kernel) { return kernel.second.size() < most; });
  std::string best;
  double least = 0;
  for (const auto& [id, at] : times) {
    double sum = 0;
    for (const auto& [n, time] : at) sum += time;
    if (!best.empty() && sum >= least) continue;
    best = id;
    least = sum;
  }
  return best;
}

std::string copied_sum(const section& s) {
  const auto copied = [&](const std::string& id) {
    return !sizes_of(s, id, "time with copies").empty();
  };
  const std::string best = best_sum(s);
  if (!best.empty() && copied(best)) return best;
  const std::vector<std::string> ids = sums_of(s, one_launch);
  const auto first = std::find_if(ids.begin(), ids.end(), copied);
  return first == ids.end() ? "" : *first;
}

}  // namespace ptxlab::report
