// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/contest.hpp"

#include "analysis/results/statistics.hpp"
#include "driver/bench/repeats.hpp"

namespace ptxlab::bench {
namespace {

results::row told(results::row r, const participant& p, const contender& c) {
  r.raw.push_back(c.taken);
  if (!c.failure.empty()) return without_value(std::move(r), results::status::error, c.failure);
  p.once();  // what is in memory is the last one's result
  if (const std::string wrong = p.wrong(); !wrong.empty())
    return without_value(std::move(r), results::status::invalid, wrong);
  std::vector<double> us;
  for (const double ns : c.taken.values) us.push_back(ns / 1e3 / c.length);
  r.value = results::summarise(us);
  return r;
}

}  // namespace

results::row without_value(results::row r, results::status state, const std::string& reason) {
  r.state = state;
  r.reason = reason;
  r.value.reset();
  return r;
}

std::vector<results::row> contest(const protocol& p, const axes& at,
                                  const std::vector<participant>& all, int repeats, int cold) {
  std::vector<contender> timed;
  for (const participant& one : all)
    if (one.missing.empty()) timed.push_back({.once = one.once, .length = one.length});
  time_in_turn(timed, repeats, cold);
  std::vector<results::row> rows;
  std::size_t next = 0;
  for (const participant& one : all) {
    results::row r = make_row(p, at, one.quantity.c_str(), "us");
    r.raw_unit = "ns";
    rows.push_back(one.missing.empty()
                       ? told(std::move(r), one, timed[next++])
                       : without_value(std::move(r), results::status::not_run, one.missing));
  }
  return rows;
}

}  // namespace ptxlab::bench
