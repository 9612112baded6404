// SPDX-License-Identifier: Apache-2.0
// random: numbers of a sequence, set up by one kernel and drawn by another, or by one for both.
// What is drawn is held against the host's own sequence, at the beginning, in the middle and at the
// end, and, where cuRAND's host interface is in the same order, against that. Two events around the
// work, the stream held until it is queued.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "analysis/results/statistics.hpp"
#include "driver/bench/curand_library.hpp"
#include "driver/bench/drawing.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/repeats.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::generator;

constexpr int repeats = 10, set_up_repeats = 3;
constexpr std::uint64_t window = 1 << 17;
constexpr std::uint32_t legacy_subsequences = 4096;

/// 0 subsequences: as many as there are threads for. Dimensions divide the numbers.
std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  const bool xorwow = m.generator.by == generator::law::xorwow;
  std::vector<std::uint64_t> spread = m.swept.values;
  if (spread.empty()) spread = {xorwow ? 0U : 1U};
  std::vector<axes> out;
  for (const std::uint64_t s : spread)
    for (const std::uint64_t n : m.generator.numbers)
      out.push_back({{"numbers", static_cast<double>(xorwow ? n : n / s * s)},
                     {xorwow ? "subsequences" : "dimensions", static_cast<double>(s)}});
  return quick ? few_of(out) : out;
}

template <typename T>
std::vector<double> as_doubles(CUdeviceptr from, std::uint64_t first, std::uint64_t count) {
  const std::vector<T> all = cuda::download<T>(from + first * sizeof(T), count);
  return {all.begin(), all.end()};
}

std::vector<double> numbers_at(generator::output as, CUdeviceptr from, std::uint64_t first,
                               std::uint64_t count) {
  switch (as) {
    case generator::output::bits:
      return as_doubles<std::uint32_t>(from, first, count);
    case generator::output::uniform:
    case generator::output::normal:
      return as_doubles<float>(from, first, count);
    case generator::output::uniform_double:
    case generator::output::normal_double:
      break;
  }
  return as_doubles<double>(from, first, count);
}

/// Calls `look` with the first number and the count of each part that is looked at: all of few, of
/// many the two ends and the middle.
template <typename F>
std::string first_trouble(std::uint64_t numbers, F look) {
  std::vector<std::uint64_t> begins = {0};
  if (numbers > window) begins.push_back(numbers - window);
  if (numbers > 2 * window) begins.push_back((numbers - window) / 4 * 2);
  for (const std::uint64_t first : begins)
    if (const std::string wrong = look(first, std::min(window, numbers - first)); !wrong.empty())
      return wrong;
  return "";
}

std::string wrong_in(const drawing& d, generator::output as) {
  const random_output o = output_of(as);
  const auto guard =
      cuda::download<unsigned char>(d.out() + d.numbers() * o.bytes, random_guard_bytes);
  if (std::any_of(guard.begin(), guard.end(), [](unsigned char c) { return c != 0; }))
    return fmt::format("memory behind the {} numbers was written", d.numbers());
  return first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
    return wrong_numbers(numbers_at(as, d.out(), first, count), d.wanted(first, count), o.tolerance,
                         first);
  });
}

/// One measured quantity in one point.
class rows_of_point {
 public:
  explicit rows_of_point(const axes& at) : at_(at) {}

  /// "time" and, where numbers came of it, what passes through: `suffix` says whose.
  void add(const std::string& suffix, const results::series& ns, std::uint64_t numbers,
           unsigned bytes) {
    add("time" + suffix, "us", ns, [](double t) { return t / 1e3; });
    if (numbers == 0) return;
    const auto n = static_cast<double>(numbers);
    add("throughput" + suffix, "GB/s", ns, [&](double t) { return n * bytes / t; });
    add("numbers" + suffix, "number/ns", ns, [&](double t) { return n / t; });
  }
  void add_time(const std::string& quantity, const results::series& ns) {
    add(quantity, "us", ns, [](double t) { return t / 1e3; });
  }
  void lost(const std::string& quantity, const std::string& unit, results::status state,
            const std::string& reason) {
    results::row r = row(quantity, unit);
    r.state = state;
    r.reason = reason;
    rows.push_back(std::move(r));
  }
  void flag(const std::string& doubt) {
    for (results::row& r : rows) r.flags.push_back(doubt);
  }

  std::vector<results::row> rows;

 private:
  results::row row(const std::string& quantity, const std::string& unit) const {
    results::row r =
        make_row(protocol_of(kernels::protocol::random), at_, quantity.c_str(), unit.c_str());
    r.raw_unit = "ns";
    return r;
  }
  template <typename F>
  void add(const std::string& quantity, const std::string& unit, const results::series& ns, F of) {
    results::row r = row(quantity, unit);
    std::vector<double> values;
    for (const double t : ns.values) values.push_back(of(t));
    r.value = results::summarise(values);
    r.raw.push_back(ns);
    rows.push_back(std::move(r));
  }

  const axes& at_;
};

struct ordering {
  curandOrdering_t which;
  const char* suffix;
};
constexpr ordering orderings[] = {{CURAND_ORDERING_PSEUDO_DEFAULT, " of curand"},
                                  {CURAND_ORDERING_PSEUDO_LEGACY, " of curand, legacy"},
                                  {CURAND_ORDERING_PSEUDO_SEEDED, " of curand, seeded"},
                                  {CURAND_ORDERING_PSEUDO_DYNAMIC, " of curand, dynamic"}};
constexpr ordering quasi[] = {{CURAND_ORDERING_QUASI_DEFAULT, " of curand"}};

/// cuRAND's host interface, into `to`.
class rival_generator {
 public:
  rival_generator(lab& l, const drawing& d, const generator& of, curandOrdering_t order)
      : lab_(l), of_(of), made_(curand_library::get(), of.by, curand_generator::place::device) {
    made_.use(l.queue_of().handle());
    made_.order(order);
    if (of.by == generator::law::xorwow)
      made_.seed(random_seed);
    else
      made_.dimensions(d.dimensions());
  }
  /// Nanoseconds of the host until the states are there, once more each time.
  results::series set_up() {
    results::series out{1, {}};
    for (int i = 0; i < set_up_repeats; ++i) {
      if (of_.by == generator::law::xorwow) made_.seed(random_seed);
      const auto begin = std::chrono::steady_clock::now();
      made_.set_up();
      lab_.wait();
      out.values.push_back(
          std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin)
              .count());
    }
    return out;
  }
  void generate(CUdeviceptr to, std::uint64_t numbers) {
    made_.generate(of_.as, reinterpret_cast<void*>(to), numbers);
  }

 private:
  lab& lab_;
  generator of_;
  curand_generator made_;
};

/// What differs between our numbers, which are kept here, and the rival's, which lie where ours
/// were.
std::string difference(const std::vector<std::vector<double>>& ours, const drawing& d,
                       generator::output as) {
  std::size_t i = 0;
  const std::string wrong =
      first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
        return wrong_numbers(ours[i++], numbers_at(as, d.out(), first, count),
                             output_of(as).tolerance, first);
      });
  return wrong.empty() ? "" : "against cuRAND's host interface: " + wrong;
}

std::vector<std::vector<double>> windows_of(const drawing& d, generator::output as) {
  std::vector<std::vector<double>> out;
  first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
    out.push_back(numbers_at(as, d.out(), first, count));
    return std::string();
  });
  return out;
}

/// Rows of the rival in all its orders; what differs from ours, where ours is in that order.
std::string against_curand(lab& l, const generator& of, drawing& d, const axes& at,
                           rows_of_point& to) {
  const bool xorwow = of.by == generator::law::xorwow;
  const bool comparable = !xorwow || at.at("subsequences") == legacy_subsequences;
  const curand_library& from = curand_library::get();
  if (!from.missing().empty()) {
    to.lost("throughput of curand", "GB/s", results::status::not_run, from.missing());
    return "";
  }
  const auto ours = windows_of(d, of.as);
  const unsigned bytes = output_of(of.as).bytes;
  for (const ordering& o :
       xorwow ? std::span<const ordering>(orderings) : std::span<const ordering>(quasi)) {
    rival_generator rival(l, d, of, o.which);
    to.add_time(std::string("set-up time") + o.suffix, rival.set_up());
    rival.generate(d.out(), d.numbers());
    l.wait();
    const bool same_order = !xorwow || o.which == CURAND_ORDERING_PSEUDO_LEGACY;
    if (comparable && same_order)
      if (const std::string wrong = difference(ours, d, of.as); !wrong.empty()) return wrong;
    to.add(o.suffix,
           timed(l, {.queue = [&] { rival.generate(d.out(), d.numbers()); }, .repeats = repeats}),
           d.numbers(), bytes);
  }
  return "";
}

/// Set up, drawn once and, where that goes on, once more: what is wrong with it.
std::string wrong_after_drawing(lab& l, drawing& d, generator::output as) {
  d.set_up();
  d.draw();
  l.wait();
  std::string wrong = wrong_in(d, as);
  if (wrong.empty() && d.goes_on()) {
    d.draw();
    l.wait();
    wrong = wrong_in(d, as);
    if (!wrong.empty()) wrong = "the second draw: " + wrong;
  }
  return wrong;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  rows_of_point out(at);
  const generator& of = v.measure.generator;
  if (const std::string why = refusal_of(v, at, l.device_sizes().memory_bytes); !why.empty()) {
    out.lost("time", "us", results::status::not_run, why);
    return out.rows;
  }
  const auto d = drawing_of(l, v, at);
  std::string wrong = wrong_after_drawing(l, *d, of.as);
  if (!wrong.empty()) {
    out.lost("time", "us", results::status::invalid, wrong);
    return out.rows;
  }
  l.warm_up([&] {
    d->draw();
    l.wait();
  });
  if (!of.setup.empty())
    out.add_time("set-up time",
                 timed(l, {.queue = [&] { d->set_up(); }, .repeats = set_up_repeats}));
  const bool rivals = std::find(v.measure.rivals.begin(), v.measure.rivals.end(), "curand") !=
                      v.measure.rivals.end();
  results::series ours = timed(l, {.queue = [&] { d->draw(); }, .repeats = repeats});
  out.add("", ours, d->numbers(), output_of(of.as).bytes);
  if (rivals && d->numbers() > 0) {
    d->set_up();
    d->draw();
    l.wait();
    wrong = against_curand(l, of, *d, at, out);
  }
  if (!wrong.empty()) {
    out.rows.clear();
    out.lost("time", "us", results::status::invalid, wrong);
  }
  return out.rows;
}

const protocol_registration registered({.how = kernels::protocol::random,
                                        .name = "random",
                                        .says = "random numbers: set-up and drawing",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
