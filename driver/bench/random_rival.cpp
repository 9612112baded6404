// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/random_rival.hpp"

#include <chrono>
#include <span>

#include "driver/bench/curand_library.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/random_windows.hpp"
#include "driver/bench/repeats.hpp"

namespace ptxlab::bench {
namespace {

using kernels::generator;

constexpr int repeats = 10, set_up_repeats = 3;
constexpr double legacy_subsequences = 4096;

struct ordering {
  curandOrdering_t which;
  const char* suffix;
};
constexpr ordering pseudo[] = {{CURAND_ORDERING_PSEUDO_DEFAULT, " of curand"},
                               {CURAND_ORDERING_PSEUDO_LEGACY, " of curand, legacy"},
                               {CURAND_ORDERING_PSEUDO_SEEDED, " of curand, seeded"},
                               {CURAND_ORDERING_PSEUDO_DYNAMIC, " of curand, dynamic"}};
constexpr ordering quasi[] = {{CURAND_ORDERING_QUASI_DEFAULT, " of curand"}};

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
  /// Nanoseconds of the host until the states are there, anew each time. It waits for the stream,
  /// so that it cannot be held.
  results::series set_up() {
    using clock = std::chrono::steady_clock;
    results::series out{1, {}};
    for (int i = 0; i < set_up_repeats; ++i) {
      if (of_.by == generator::law::xorwow) made_.seed(random_seed);
      const auto begin = clock::now();
      made_.set_up();
      lab_.wait();
      out.values.push_back(std::chrono::duration<double, std::nano>(clock::now() - begin).count());
    }
    return out;
  }
  void generate(const drawing& d) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are numbers
    made_.generate(of_.as, reinterpret_cast<void*>(d.out()), d.numbers());
  }

 private:
  lab& lab_;
  generator of_;
  curand_generator made_;
};

/// Rows of one ordering; gives back what differs from `ours` and must not.
std::string against(lab& l, const kernels::variant& v, const drawing& d, const axes& at,
                    const ordering& o, const std::vector<std::vector<double>>& ours,
                    random_rows& to) {
  const generator& of = v.measure.generator;
  const bool xorwow = of.by == generator::law::xorwow;
  rival_generator rival(l, d, of, o.which);
  to.add_time(std::string("set-up time") + o.suffix, rival.set_up());
  rival.generate(d);
  l.wait();
  // With a subsequence of each state there is no such order.
  if (!xorwow || at.at("subsequences") != 0) {
    const std::string differs = difference(ours, d, of.as);
    const bool must = !xorwow || (at.at("subsequences") == legacy_subsequences &&
                                  o.which == CURAND_ORDERING_PSEUDO_LEGACY);
    if (must && !differs.empty()) return "against cuRAND's host interface: " + differs;
    to.add_equal(o.suffix, differs.empty());
  }
  to.add(o.suffix, timed(l, {.queue = [&] { rival.generate(d); }, .repeats = repeats}), d.numbers(),
         output_of(of.as).bytes);
  return "";
}

}  // namespace

std::string against_curand(lab& l, const kernels::variant& v, const drawing& d, const axes& at,
                           random_rows& to) {
  const generator& of = v.measure.generator;
  const bool xorwow = of.by == generator::law::xorwow;
  if (const std::string& why = curand_library::get().missing(); !why.empty()) {
    to.lost("throughput of curand", "GB/s", results::status::not_run, why);
    return "";
  }
  const auto ours = windows_of(d, of.as);
  for (const ordering& o :
       xorwow ? std::span<const ordering>(pseudo) : std::span<const ordering>(quasi)) {
    std::string wrong;
    const std::string failure = failure_of([&] { wrong = against(l, v, d, at, o, ours, to); });
    if (!failure.empty())
      to.lost(std::string("throughput") + o.suffix, "GB/s", results::status::error, failure);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace ptxlab::bench
