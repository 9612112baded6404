// SPDX-License-Identifier: Apache-2.0
// The kernels that every barrier of kernels/barrier is put into (ptx/device/grid_barrier.cuh), run
// on a workbench: the transform and its CPU reference, the litmus and its log.
#pragma once

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {

inline constexpr std::size_t barrier_state_words = 65536 / 4;

/// X -> P -> X with weights of any sign, behind a barrier in one launch.
struct transform_case {
  std::uint32_t n = 150, terms = 5, transforms = 3;

  std::vector<float> x() const { return numbers(1, n); }
  std::vector<float> weights() const { return numbers(2, terms); }

  static std::vector<float> numbers(unsigned seed, std::size_t count) {
    std::mt19937 next(seed);
    std::vector<float> out(count);
    for (float& v : out) v = static_cast<float>(next() % 2001) / 1000.0F - 1.0F;
    return out;
  }
  /// One step as the PTX rounds it: fma by fma from the first term on, then one product.
  std::vector<float> step(const std::vector<float>& from) const {
    const std::vector<float> w = weights();
    const float share = 1.0F / static_cast<float>(terms);
    std::vector<float> to(n);
    for (std::uint32_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::uint32_t i = 0; i < terms; ++i) sum = std::fma(w[i], from[(j + i) % n], sum);
      to[j] = sum * share;
    }
    return to;
  }
  std::vector<float> wanted() const {
    std::vector<float> v = x();
    for (std::uint32_t i = 0; i < 2 * transforms; ++i) v = step(v);
    return v;
  }
};

/// What a launch of a barrier's kernel left behind.
struct barrier_outcome {
  run_report report;
  race_detector races;
  std::vector<float> x;              ///< of a transform
  std::vector<std::uint32_t> log;    ///< of a litmus
  std::vector<std::uint32_t> state;  ///< the barrier's own words
};

inline void run_transform(workbench& on, std::string_view kernel, std::uint32_t blocks,
                          std::uint32_t threads, const transform_case& c, barrier_outcome& out) {
  const address x = on.buffer(c.x(), "x"), p = on.buffer(std::vector<float>(c.n), "p");
  const address weights = on.buffer(c.weights(), "weights");
  const address state = on.buffer(std::vector<std::uint32_t>(barrier_state_words), "state");
  on.how.observers = {&out.races};
  out.report = on.run(kernel, blocks, threads, {x, p, weights, state, c.n, c.terms, c.transforms},
                      {8, 8, 8, 8, 4, 4, 4});
  on.how.observers.clear();
  out.x = on.read<float>(x, c.n);
  out.state = on.read<std::uint32_t>(state, barrier_state_words);
}

inline void run_litmus(workbench& on, std::string_view kernel, std::uint32_t blocks,
                       std::uint32_t threads, std::uint32_t rounds, barrier_outcome& out,
                       std::uint32_t distance = 1, std::uint32_t stress = 1) {
  using words = std::vector<std::uint32_t>;
  const address state = on.buffer(words(barrier_state_words), "state");
  const std::size_t junk = std::size_t{blocks} * threads * stress;
  const address data = on.buffer(words(std::size_t{2} * blocks * 32 + junk), "data");
  const std::size_t entries = std::size_t{rounds} * blocks * 2;
  const address log = on.buffer(words(entries), "log");
  on.how.observers = {&out.races};
  out.report = on.run(kernel, blocks, threads, {state, data, log, rounds, distance, stress},
                      {8, 8, 8, 4, 4, 4});
  on.how.observers.clear();
  out.log = on.read<std::uint32_t>(log, entries);
  out.state = on.read<std::uint32_t>(state, barrier_state_words);
}

/// The log where nothing is stale and nothing early: behind round r everybody sees r, before it the
/// word of the round before.
inline std::vector<std::uint32_t> clean_log(std::uint32_t blocks, std::uint32_t rounds) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t r = 1; r <= rounds; ++r)
    for (std::uint32_t b = 0; b < blocks; ++b) out.insert(out.end(), {r, r - 1});
  return out;
}

}  // namespace ptxlab::machine
