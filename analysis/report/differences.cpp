// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// The value of a row as a sentence's subject.
std::string subject(const results::row& r, double median) {
  std::string out = r.id;
  if (!r.axes.empty()) out += fmt::format(" ({})", axes_text(r.axes));
  return fmt::format("{}: {} {} {}", out, r.quantity, fixed(median, decimals_for(median)), r.unit);
}

std::string beside(const results::row& r, const published& others) {
  std::string out;
  for (const published_value& v : others.of(r.published))
    out += fmt::format("{}{}", out.empty() ? "; published: " : ", ", v.text(r.unit));
  return out;
}

/// Distance of `value` from the nearest published value, signed, as a share of that; nothing if
/// there is none to compare with.
std::optional<double> nearest_difference(const results::row& r, double value,
                                         const published& others) {
  std::optional<double> best;
  for (const published_value& v : others.of(r.published)) {
    const auto theirs = in_unit(v, r.unit);
    if (!theirs || theirs->low <= 0) continue;
    const double edge = std::clamp(value, theirs->low, theirs->high);
    const double difference = (value - edge) / edge;
    if (!best || std::abs(difference) < std::abs(*best)) best = difference;
  }
  return best;
}

struct findings {
  std::vector<std::string> open, explained, without_band;
  std::set<const band*> used;
  int within = 0;

  void judge(const measurement& m, const band& b, const published& others) {
    used.insert(&b);
    const double low = m.lowest_median(), high = m.highest_median();
    if (b.holds(low) && b.holds(high)) {
      ++within;
      return;
    }
    const std::string what =
        fmt::format("{}, outside {} ({}){}", subject(m.row(), b.holds(low) ? high : low), b.range(),
                    b.why.empty() ? "no reason given" : b.why, beside(m.row(), others));
    if (b.explanation.empty())
      open.push_back("open: " + what);
    else
      explained.push_back(fmt::format("explained: {}. {}", what, b.explanation));
  }

  void compare(const measurement& m, const published& others) {
    const double value = m.row().value->median;
    const auto difference = nearest_difference(m.row(), value, others);
    if (!difference || std::abs(*difference) <= notable_difference) return;
    without_band.push_back(fmt::format("no band: {}, {:+.0f} % from the nearest{}",
                                       subject(m.row(), value), *difference * 100,
                                       beside(m.row(), others)));
  }
};

/// Bands for this device that no row fell under.
std::string idle_bands(const section& s, const bands& expected, const std::set<const band*>& used) {
  std::string out;
  for (const band& b : expected.all()) {
    results::row probe;
    probe.id = b.id;
    probe.quantity = b.quantity;
    probe.unit = b.unit;
    if (!used.contains(&b) && b.fits(probe, s.of.device))
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", b.id, b.quantity);
  }
  return out;
}

}  // namespace

item_list differences_of(const section& s, const published& others, const bands& expected,
                         bool filtered) {
  findings found;
  for (const measurement& m : s.measurements) {
    if (!m.ok()) continue;
    if (const band* b = expected.find(m.row(), s.of.device))
      found.judge(m, *b, others);
    else
      found.compare(m, others);
  }
  item_list out{"Differences from published values", {}};
  for (const auto* list : {&found.open, &found.explained, &found.without_band})
    out.items.insert(out.items.end(), list->begin(), list->end());
  if (const std::string idle = idle_bands(s, expected, found.used); !filtered && !idle.empty())
    out.items.push_back("not measured, though there is a band: " + idle);
  if (expected.known()) out.items.push_back(fmt::format("within their band: {}", found.within));
  if (out.items.empty()) out.items.push_back("none that could be told");
  return out;
}

}  // namespace ptxlab::report
