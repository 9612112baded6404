// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/error_rows.hpp"

#include <algorithm>

#include "analysis/accuracy/ulp.hpp"
#include "analysis/results/statistics.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

results::row number_row(const axes& at, const char* quantity, const char* unit, double value) {
  results::row r = make_row(protocol_of(kernels::protocol::accuracy), at, quantity, unit);
  r.raw_unit = unit;
  r.value = results::summarise({accuracy::within_overflow(value)});
  return r;
}

template <typename Value>
void add_ranges(results::row& r, const accuracy::tally& t, const Value& value) {
  for (const accuracy::range& range : t.by_range)
    if (range.inputs > 0) r.raw.push_back({range.from, {value(range)}});
}

double percent(std::uint64_t part, std::uint64_t all) {
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

std::vector<results::row> error_rows(const accuracy::function& f, const accuracy::tally& t,
                                     const axes& at) {
  if (t.inputs == 0) throw error("nothing was compared");
  const auto row = [&](const char* quantity, const char* unit, double value) {
    return number_row(at, quantity, unit, value);
  };
  results::row largest = row("largest error", "ulp", t.largest);
  add_ranges(largest, t, [](const accuracy::range& r) { return r.largest; });
  results::row right = row("correctly rounded", "%", percent(t.inputs - t.inexact, t.inputs));
  std::vector<results::row> out;
  if (f.of != accuracy::number::f32)
    add_ranges(right, t,
               [](const accuracy::range& r) { return percent(r.inputs - r.inexact, r.inputs); });
  if (f.absolute) {
    double most = 0;
    for (const accuracy::range& r : t.by_range) most = std::max(most, r.largest_absolute);
    out.push_back(row("largest absolute error", "1", most));
    add_ranges(out.back(), t, [](const accuracy::range& r) { return r.largest_absolute; });
  }
  out.push_back(std::move(largest));
  out.push_back(row("largest error at", "1", t.x));
  if (f.operands == 2) out.push_back(row("largest error at, second operand", "1", t.y));
  out.push_back(row("result there", "1", t.got));
  out.push_back(row("exact value there", "1", t.exact));
  out.push_back(row("mean error", "ulp", t.sum / static_cast<double>(t.inputs)));
  out.push_back(row("largest distance", "float", t.most_floats));
  out.push_back(std::move(right));
  out.push_back(row("wrong NaN", "result", static_cast<double>(t.wrong_nan)));
  if (t.wrong_nan > 0) {
    out.push_back(row("wrong NaN at", "1", t.nan_x));
    if (f.operands == 2) out.push_back(row("wrong NaN at, second operand", "1", t.nan_y));
  }
  out.push_back(row("inputs", "input", static_cast<double>(t.inputs)));
  return out;
}

}  // namespace ptxlab::bench
