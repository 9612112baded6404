// SPDX-License-Identifier: Apache-2.0
// random: numbers of a sequence, set up by one kernel and drawn by another, or by one for both.
// What is drawn is held against the host's own sequence, at the beginning, in the middle and at the
// end, and, where cuRAND's host interface is in the same order, against that. Two events around the
// work, the stream held until it is queued.
#include <algorithm>

#include "driver/bench/drawing.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/random_rival.hpp"
#include "driver/bench/random_rows.hpp"
#include "driver/bench/random_windows.hpp"
#include "driver/bench/repeats.hpp"

namespace ptxlab::bench {
namespace {

using kernels::generator;

constexpr int repeats = 10, set_up_repeats = 3;

/// 0 subsequences: as many as there are threads for. Dimensions divide the numbers.
std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  const bool xorwow = m.generator.by == generator::law::xorwow;
  std::vector<std::uint64_t> spread = m.swept.values;
  if (spread.empty()) spread = {xorwow ? 0U : 1U};
  std::vector<axes> out;
  for (const std::uint64_t s : spread)
    for (const std::uint64_t n : m.generator.numbers)
      out.push_back({{"numbers", static_cast<double>(xorwow || s == 0 ? n : n / s * s)},
                     {xorwow ? "subsequences" : "dimensions", static_cast<double>(s)}});
  return quick ? few_of(out) : out;
}

/// Set up, drawn once and, where that goes on, once more: what is wrong with it.
std::string wrong_after_drawing(lab& l, drawing& d, generator::output as) {
  d.set_up();
  d.draw();
  l.wait();
  std::string wrong = wrong_in(d, as);
  if (!wrong.empty() || !d.goes_on()) return wrong;
  d.draw();
  l.wait();
  wrong = wrong_in(d, as);
  return wrong.empty() ? "" : "the second draw: " + wrong;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  random_rows out(at);
  const generator& of = v.measure.generator;
  if (const std::string why = refusal_of(v, at, l.device_sizes().memory_bytes); !why.empty()) {
    out.lost("time", "us", results::status::not_run, why);
    return out.rows();
  }
  const auto d = drawing_of(l, v, at);
  std::string wrong = wrong_after_drawing(l, *d, of.as);
  if (!wrong.empty()) {
    out.invalid(wrong);
    return out.rows();
  }
  l.warm_up([&] {
    d->draw();
    l.wait();
  });
  if (!of.setup.empty())
    out.add_time("set-up time",
                 timed(l, {.queue = [&] { d->set_up(); }, .repeats = set_up_repeats}));
  out.add("", timed(l, {.queue = [&] { d->draw(); }, .repeats = repeats}), d->numbers(),
          output_of(of.as).bytes);
  const auto& rivals = v.measure.rivals;
  if (std::find(rivals.begin(), rivals.end(), "curand") != rivals.end() && d->numbers() > 0) {
    d->set_up();
    d->draw();
    l.wait();
    wrong = against_curand(l, v, *d, at, out);
    if (!wrong.empty()) out.invalid(wrong);
  }
  return out.rows();
}

const protocol_registration registered({.how = kernels::protocol::random,
                                        .name = "random",
                                        .says = "random numbers: set-up and drawing",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
