// SPDX-License-Identifier: Apache-2.0
// What a timed kernel computes, in plain C++: one step of all 32 lanes, and the checks of a chain
// (timing.cuh) and of streams (streams.cuh) that are made of it.
#pragma once

#include <cmath>
#include <limits>

#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {

template <class T>
T as(std::uint64_t word) {
  T out;
  std::memcpy(&out, &word, sizeof out);
  return out;
}
template <class T>
std::uint64_t word_of(T x) {
  std::uint64_t out = 0;
  std::memcpy(&out, &x, sizeof x);
  return out;
}

struct timed_model {
  /// One step: x becomes the next value; a and b are operands 1 and 2, and `own` a word of each
  /// lane that lives as long as the launch (memory, mostly).
  std::function<void(lane_words& x, const lane_words& a, const lane_words& b, lane_words& own)>
      step;
  /// Relative error allowed of what one region makes of the machine's own value before it; 0: every
  /// bit is the same.
  double tolerance = 0;
  bool wide = false;          ///< values are double, where there is a tolerance
  std::uint64_t by_lane = 1;  ///< how operand 0 grows from lane to lane
  /// The first value and own word of a lane; by default operand 0 and 0.
  std::function<std::uint64_t(const workbench&on, unsigned lane)> first = {}, own = {};
  /// Bytes and distance of the lanes' own words in the scratch memory; 0: they are not there.
  unsigned own_bytes = 0, own_stride = 0;
  /// Every pass has to be followed; else a few are, each from where the machine was before it.
  bool remembers = false;
};

/// The same for each lane: f(x, a, b).
template <class T, class F>
timed_model each(F f, double tolerance = 0) {
  timed_model m;
  m.step = [f](lane_words& x, const lane_words& a, const lane_words& b, lane_words&) {
    for (unsigned i = 0; i < warp_lanes; ++i)
      x[i] = word_of(static_cast<T>(f(as<T>(x[i]), as<T>(a[i]), as<T>(b[i]))));
  };
  m.tolerance = tolerance;
  m.wide = sizeof(T) == 8;
  return m;
}

/// f(x, lane) for 32-bit x of all lanes before the step; a and b as 32 bits.
template <class F>
timed_model across(F f) {
  timed_model m;
  m.step = [f](lane_words& x, const lane_words& a, const lane_words& b, lane_words&) {
    const lane_words before = x;
    for (unsigned i = 0; i < warp_lanes; ++i)
      x[i] = static_cast<std::uint32_t>(
          f(before, i, as<std::uint32_t>(a[i]), as<std::uint32_t>(b[i])));
  };
  return m;
}

/// f(own, x, a) for each lane, own being changed in place.
template <class T, class F>
timed_model with_own(F f) {
  timed_model m;
  m.remembers = true;
  m.step = [f](lane_words& x, const lane_words& a, const lane_words&, lane_words& own) {
    for (unsigned i = 0; i < warp_lanes; ++i) {
      T word = as<T>(own[i]);
      x[i] = word_of(static_cast<T>(f(word, as<T>(x[i]), as<T>(a[i]))));
      own[i] = word_of(word);
    }
  };
  return m;
}

inline timed_model unchanged() {
  return each<std::uint32_t>([](auto x, auto, auto) { return x; });
}

/// Of two words, one that a model made and one that the machine did.
inline bool agree(const timed_model& m, std::uint64_t wanted, std::uint64_t got) {
  if (wanted == got || m.tolerance == 0) return wanted == got;
  const double w = m.wide ? as<double>(wanted) : static_cast<double>(as<float>(wanted));
  const double g = m.wide ? as<double>(got) : static_cast<double>(as<float>(got));
  return std::abs(w - g) <= m.tolerance * std::abs(w);
}

/// The operands that the declaration gives, operand 0 different in each lane.
inline void set_operands(workbench& on, const kernels::measurement& how, const timed_model& m) {
  for (unsigned i = 0; i < device::scratch_operand; ++i)
    on.operand(i, i < how.operands.size() ? how.operands[i] : 0, i == 0 ? m.by_lane : 0);
}

inline void expect_own_words(workbench& on, const timed_model& m, const lane_words& own) {
  if (m.own_stride == 0) return;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    std::uint64_t got = 0;
    const auto bytes = on.read<std::byte>(on.scratch + lane * m.own_stride, m.own_bytes);
    std::memcpy(&got, bytes.data(), bytes.size());
    EXPECT_EQ(got, own[lane]) << "word of lane " << lane << " in memory";
  }
}

inline lane_words first_words(const workbench& on, const timed_model& m) {
  lane_words out = on.operand_of(0);
  if (m.first)
    for (unsigned lane = 0; lane < warp_lanes; ++lane) out[lane] = m.first(on, lane);
  return out;
}
inline lane_words own_words(const workbench& on, const timed_model& m) {
  lane_words out{};
  if (m.own)
    for (unsigned lane = 0; lane < warp_lanes; ++lane) out[lane] = m.own(on, lane);
  return out;
}

/// Passes that are followed step by step.
inline bool followed(const timed_model& m, unsigned pass, unsigned passes) {
  return m.remembers || pass < 3 || pass + 1 == passes;
}

/// Compares what a region handed over with the model, and goes on with what the machine has.
inline void expect_values(const timed_model& m, lane_words& x, const lane_words& got,
                          const std::string& where) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    ASSERT_TRUE(agree(m, x[lane], got[lane]))
        << where << ", lane " << lane << ": " << std::hex << got[lane] << " and not " << x[lane];
  x = got;
}

/// A chain of `copies`, twice and four times as many steps, in `warps` warps of one block.
inline void check_chain(const subject& s, const timed_model& m, unsigned warps = 1) {
  constexpr unsigned regions = 3, passes = device::samples_per_launch;
  workbench& on = s.on;
  set_operands(on, s.what.measure, m);
  const run_report r = on.run_timed(s.what.symbol, 1, warps * warp_lanes, regions * passes);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  expect_samples(on.samples.data(), passes, regions, 0);
  const lane_words a = on.operand_of(1), b = on.operand_of(2);
  lane_words own = own_words(on, m);
  for (unsigned w = 0; w < warps; ++w) {
    const std::vector<region_results>& results = on.sinks.of(0, w);
    ASSERT_EQ(results.size(), std::size_t{regions} * passes);
    lane_words x = first_words(on, m);
    for (unsigned i = 0; i < results.size(); ++i) {
      ASSERT_FALSE(results[i].empty());
      if (!followed(m, i / regions, passes)) {
        x = results[i].back();
        continue;
      }
      for (unsigned k = 0; k < s.what.measure.copies << i % regions; ++k) m.step(x, a, b, own);
      expect_values(
          m, x, results[i].back(),
          "pass " + std::to_string(i / regions) + " region " + std::to_string(i % regions));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  expect_own_words(on, m, own);
}

/// 1, 2, 4 and 8 streams of `copies` steps in all, so many rounds of them, in one block.
inline void check_streams(const subject& s, const timed_model& m, unsigned warps = 1,
                          unsigned rounds = 2) {
  constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
  workbench& on = s.on;
  set_operands(on, s.what.measure, m);
  const lane_words base = on.operand_of(0);
  for (unsigned k = 0; k < 8; ++k) on.operand(3 + k, base[0] + k, m.by_lane);
  on.operand(device::rounds_operand, rounds);
  on.how.dynamic_shared = device::throughput_bytes(warps);
  const run_report r =
      on.run_timed(s.what.symbol, 1, warps * warp_lanes, std::size_t{regions} * passes * warps);
  on.how.dynamic_shared = 0;
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const lane_words a = on.operand_of(1), b = on.operand_of(2);
  lane_words own = own_words(on, m);
  for (unsigned w = 0; w < warps; ++w) {
    expect_samples(on.samples.data() + std::size_t{w} * regions * passes, passes, regions, 0);
    const std::vector<region_results>& results = on.sinks.of(0, w);
    ASSERT_EQ(results.size(), std::size_t{regions} * passes);
    std::vector<std::vector<lane_words>> x(regions);
    for (unsigned region = 0; region < regions; ++region)
      for (unsigned k = 0; k < 1U << region; ++k) {
        x[region].push_back(first_words(on, m));
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
          x[region][k][lane] +=
              m.first ? m.first(on, k * warp_lanes + lane) - x[region][k][lane] : k;
      }
    for (unsigned i = 0; i < results.size(); ++i) {
      const unsigned region = i % regions, n = 1U << region;
      ASSERT_GE(results[i].size(), n);
      if (!followed(m, i / regions, passes)) {
        std::copy(results[i].end() - n, results[i].end(), x[region].begin());
        continue;
      }
      for (unsigned step = 0; step < rounds * (s.what.measure.copies / n); ++step)
        for (unsigned k = 0; k < n; ++k) m.step(x[region][k], a, b, own);
      for (unsigned k = 0; k < n; ++k)
        expect_values(m, x[region][k], results[i][results[i].size() - n + k],
                      "pass " + std::to_string(i / regions) + " streams " + std::to_string(n) +
                          " stream " + std::to_string(k));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  expect_own_words(on, m, own);
}

}  // namespace ptxlab::machine
