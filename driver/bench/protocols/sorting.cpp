// SPDX-License-Identifier: Apache-2.0
// sorting: keys put in order, by one launch or many. First what comes out is held against the
// host's stable sort, for keys in several kinds of disorder and for odd and tiny numbers of them;
// then random keys are sorted again and again, timed from outside, beside rivals. What the kernel
// counted is held against what the input has to cost.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "analysis/results/statistics.hpp"
#include "driver/bench/cpu_rivals.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/rivals.hpp"
#include "driver/bench/sorter.hpp"
#include "driver/cuda/graph.hpp"

namespace ptxlab::bench {
namespace {

constexpr int cold = 1, fewest = 3, most_repeats = 15;
constexpr double series_ns = 150e6;        ///< about what all repeats of a series take
constexpr unsigned largest_odd = 100'000;  ///< beyond it, no second number of keys is looked at
constexpr double lengthy_ns = 20e6;        ///< what takes longer is held against fewer inputs

std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  std::vector<axes> out;
  for (const unsigned looks : m.sort.looks)
    for (const std::uint64_t n : m.sort.elements) {
      axes at = {{"elements", static_cast<double>(n)}};
      if (m.sort.looks != std::vector<unsigned>{0}) at["looks"] = looks;
      out.push_back(std::move(at));
    }
  return quick ? few_of(out) : out;
}

results::row row_of(const axes& at, const std::string& quantity, const char* unit,
                    const char* raw_unit, double length, const std::vector<double>& raw,
                    double scale = 1) {
  results::row r = make_row(protocol_of(kernels::protocol::sorting), at, quantity.c_str(), unit);
  r.raw_unit = raw_unit;
  r.raw.push_back({length, raw});
  std::vector<double> values;
  for (const double x : raw) values.push_back(x * scale);
  r.value = results::summarise(values);
  return r;
}

results::row lost_row(const axes& at, const std::string& quantity, results::status state,
                      const std::string& why) {
  results::row r = make_row(protocol_of(kernels::protocol::sorting), at, quantity.c_str(), "us");
  r.raw_unit = "ns";
  r.state = state;
  r.reason = why;
  return r;
}

/// What is wrong with the sort of `in` that has just ended; empty: nothing.
std::string wrong_with(const sorter& s, const kernels::sort& how, const sort_words& in,
                       unsigned n) {
  const std::string wrong = sort_difference(s.result(), sort_expected(how, in, n));
  if (!wrong.empty()) return wrong;
  const device::sort_counts c = s.counts();
  const std::uint64_t must = how.counts ? inversions(how, in, n) : 0;
  if (how.counts && c.exchanges != must)
    return fmt::format("{} exchanges were counted, not {}", c.exchanges, must);
  if (how.three_keys && c.zero_orders != zero_orders(in, n))
    return fmt::format("{} elements of order 0 were counted, not {}", c.zero_orders,
                       zero_orders(in, n));
  return "";
}

class point {
 public:
  point(lab& l, const kernels::variant& v, const axes& at)
      : lab_(l),
        v_(v),
        how_(v.measure.sort),
        at_(at),
        n_(static_cast<unsigned>(at.at("elements"))),
        looks_(at.contains("looks") ? static_cast<unsigned>(at.at("looks")) : 0),
        sorter_(l, v, n_, looks_),
        random_(sort_input(how_, disorder::random, n_)) {}

  std::vector<results::row> measure() {
    const std::string wrong = wrong_at_all();
    if (!wrong.empty()) return {lost_row(at_, "time", results::status::invalid, wrong)};
    lab_.warm_up([&] { sorter_.sort(random_, n_); });
    add_times("", random_);
    if (how_.stops || looks_ > 0)
      for (const disorder d : {disorder::sorted, disorder::nearly, disorder::reversed})
        add_times(std::string(" when ") + name(d), sort_input(how_, d, n_));
    add_rivals();
    return std::move(rows_);
  }

 private:
  /// Sorts what is named and says what is wrong with it.
  std::string wrong_when(disorder d, unsigned n) {
    const sort_words in = sort_input(how_, d, n);
    sorter_.start(in, n);
    const auto begin = std::chrono::steady_clock::now();
    sorter_.queue();
    lab_.wait();
    ns_ =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    const std::string wrong = wrong_with(sorter_, how_, in, n);
    return wrong.empty() ? "" : fmt::format("{} elements, {}: {}", n, name(d), wrong);
  }
  std::string wrong_at_all() {
    for (const unsigned n : std::set<unsigned>{0, 1, 2, 3, 33, n_ - std::min(n_, 1U)}) {
      if (n >= n_ || n > largest_odd) continue;
      if (const std::string wrong = wrong_when(disorder::random, n); !wrong.empty()) return wrong;
    }
    for (const disorder d : {disorder::reversed, disorder::few, disorder::equal, disorder::sorted,
                             disorder::nearly, disorder::random}) {
      if (ns_ > lengthy_ns && d != disorder::random) continue;
      if (const std::string wrong = wrong_when(d, n_); !wrong.empty()) return wrong;
    }
    return "";
  }

  int repeats() const {
    return static_cast<int>(
        std::clamp(series_ns / std::max(ns_, 1.0), 1.0 * fewest, 1.0 * most_repeats));
  }

  /// Time and counts of sorting `in`; `when` stands behind the quantity's name.
  void add_times(const std::string& when, const sort_words& in) {
    const sort_words wanted = sort_expected(how_, in, n_);
    std::string wrong;
    std::vector<double> cycles;
    std::optional<cuda::graph> recorded;
    sorter_.start(in, n_);
    if (v_.measure.by == kernels::launcher::graph)
      recorded.emplace(lab_.queue_of(), [&] { sorter_.queue(); });
    const results::series taken =
        timed(lab_, {.before = [&] { sorter_.start(in, n_); },
                     .queue =
                         [&] {
                           if (recorded)
                             recorded->launch(lab_.queue_of());
                           else
                             sorter_.queue();
                         },
                     .after =
                         [&] {
                           if (wrong.empty()) wrong = sort_difference(sorter_.result(), wanted);
                           const device::sort_counts c = sorter_.counts();
                           if (c.passes > 0)
                             cycles.push_back(static_cast<double>(c.cycles) / c.passes);
                         },
                     .repeats = repeats(),
                     .cold = cold,
                     .held = !sorter_.waits()});
    if (!wrong.empty()) {
      rows_.push_back(lost_row(at_, "time" + when, results::status::invalid, wrong));
      return;
    }
    const auto counted = [&](const char* quantity, const char* unit, std::uint64_t count) {
      rows_.push_back(row_of(at_, quantity + when, unit, unit, 1, {static_cast<double>(count)}));
    };
    rows_.push_back(row_of(at_, "time" + when, "us", "ns", 1, taken.values, 1e-3));
    const std::uint64_t passes = sorter_.passes();
    counted("passes", "pass", passes);
    counted("launches", "launch", sorter_.launches());
    counted("comparisons", "comparison", comparisons_of(passes, n_));
    if (how_.counts) counted("exchanges", "exchange", sorter_.counts().exchanges);
    if (how_.in == kernels::sort::place::block && !cycles.empty()) {
      cycles.erase(cycles.begin(), cycles.begin() + cold);
      rows_.push_back(row_of(at_, "cycles of a pass" + when, "cycle", "cycle",
                             static_cast<double>(passes), cycles));
    }
  }

  void add_rivals() {
    for (const std::string_view who : v_.measure.rivals) {
      const std::string quantity = "time of " + std::string(who);
      const bool core = who == "one core";
      if (const std::string missing = core ? "" : missing_library(); !missing.empty()) {
        rows_.push_back(lost_row(at_, quantity, results::status::not_run, missing));
        continue;
      }
      std::vector<double> ns;
      std::string wrong;
      const std::string failure =
          failure_of([&] { ns = core ? by_one_core(wrong) : by_library(who, wrong); });
      if (!failure.empty())
        rows_.push_back(lost_row(at_, quantity, results::status::error, failure));
      else if (!wrong.empty())
        rows_.push_back(lost_row(at_, quantity, results::status::invalid, wrong));
      else
        rows_.push_back(row_of(at_, quantity, "us", "ns", 1, ns, 1e-3));
    }
  }
  std::string missing_library() const {
    if (how_.three_keys) return "no library sorts by three keys in one call";
    return rival_library::get().missing();
  }
  std::vector<double> by_one_core(std::string& wrong) {
    const sort_words wanted = sort_expected(how_, random_, n_);
    std::vector<double> out;
    for (int i = -cold; i < fewest + 2; ++i) {
      sort_words in = random_;
      const double ns = host_ns([&] {
        if (how_.three_keys || how_.of != kernels::number::u32)
          in = sort_expected(how_, in, n_);
        else
          sort_on_one_core(in.data(), in.size());
      });
      if (i >= 0) out.push_back(ns);
      if (wrong.empty()) wrong = sort_difference(in, wanted);
    }
    return out;
  }
  std::vector<double> by_library(std::string_view who, std::string& wrong) {
    rival other(rival_library::get(), std::string(who), "sort " + std::string(name_of(how_.of)),
                {.keys = sorter_.words(0), .keys_out = sorter_.words(1), .n = n_});
    const sort_words wanted = sort_expected(how_, random_, n_);
    const results::series taken =
        timed(lab_, {.before =
                         [&] {
                           cuda::upload(sorter_.words(0), random_);
                           cuda::upload(sorter_.words(1), random_);
                           cuda::synchronise();
                         },
                     .queue = [&] { other.queue(lab_.queue_of()); },
                     .after =
                         [&] {
                           if (wrong.empty())
                             wrong = sort_difference(
                                 cuda::download<std::uint32_t>(sorter_.words(1), n_), wanted);
                         },
                     .repeats = most_repeats,
                     .cold = cold,
                     .held = !other.waits()});
    return taken.values;
  }

  lab& lab_;
  const kernels::variant& v_;
  const kernels::sort& how_;
  const axes& at_;
  unsigned n_, looks_;
  sorter sorter_;
  sort_words random_;
  double ns_ = 0;  ///< of the last sort, by the host's clock
  std::vector<results::row> rows_;
};

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const std::string refusal = sort_refusal(v.measure, at.at("elements"), l.device_sizes());
  if (!refusal.empty()) return {lost_row(at, "time", results::status::not_run, refusal)};
  return point(l, v, at).measure();
}

const protocol_registration registered({.how = kernels::protocol::sorting,
                                        .name = "sorting",
                                        .says = "keys put in order, beside rivals",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
