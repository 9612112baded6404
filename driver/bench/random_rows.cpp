// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/random_rows.hpp"

#include "analysis/results/statistics.hpp"

namespace ptxlab::bench {

results::row& random_rows::row(const std::string& quantity, const std::string& unit) {
  rows_.push_back(
      make_row(protocol_of(kernels::protocol::random), at_, quantity.c_str(), unit.c_str()));
  rows_.back().raw_unit = "ns";
  return rows_.back();
}

void random_rows::add(const std::string& quantity, const std::string& unit,
                      const results::series& ns, const std::function<double(double)>& of) {
  results::row& r = row(quantity, unit);
  std::vector<double> values;
  for (const double t : ns.values) values.push_back(of(t));
  r.value = results::summarise(values);
  r.raw.push_back(ns);
}

void random_rows::add(const std::string& suffix, const results::series& ns, std::uint64_t numbers,
                      unsigned bytes) {
  add_time("time" + suffix, ns);
  if (numbers == 0) return;
  const auto n = static_cast<double>(numbers);
  add("throughput" + suffix, "GB/s", ns, [&](double t) { return n * bytes / t; });
  add("numbers" + suffix, "number/ns", ns, [&](double t) { return n / t; });
}

void random_rows::add_time(const std::string& quantity, const results::series& ns) {
  add(quantity, "us", ns, [](double t) { return t / 1e3; });
}

void random_rows::add_equal(const std::string& suffix, bool equal) {
  results::row& r = row("equal numbers" + suffix, "1");
  r.raw_unit = "1";
  r.value = results::summarise({equal ? 1.0 : 0.0});
}

void random_rows::lost(const std::string& quantity, const std::string& unit, results::status state,
                       const std::string& reason) {
  results::row& r = row(quantity, unit);
  r.state = state;
  r.reason = reason;
}

void random_rows::invalid(const std::string& reason) {
  rows_.clear();
  lost("time", "us", results::status::invalid, reason);
}

}  // namespace ptxlab::bench
