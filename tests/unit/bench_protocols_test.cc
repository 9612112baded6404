// SPDX-License-Identifier: Apache-2.0
// The protocols of block synchronisation without a GPU: their points, what a litmus log says, what
// races did to an array, and the transform's reference against one that was written anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "driver/bench/gate.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/litmus_log.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/race_counts.hpp"
#include "driver/bench/transform_reference.hpp"
#include "driver/cuda/launch.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::measurement;
using enum kernels::protocol;
using doubles = std::vector<double>;
using counts = std::vector<unsigned>;
using words = std::vector<std::uint32_t>;

constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};

template <typename F>
std::string message_of(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

doubles axis(const std::vector<axes>& points, const std::string& name) {
  doubles out;
  for (const axes& a : points) out.push_back(a.at(name));
  return out;
}

// ---- grids

TEST(bench_grids, blocks) {
  measurement m;
  EXPECT_EQ(grid_blocks(m, h200), counts{132});
  EXPECT_EQ(grid_blocks(m, h200, {2, 0}), (counts{2, 132}));
  m.blocks = {2, 132, 0, 133};
  EXPECT_EQ(grid_blocks(m, h200, {7}), (counts{2, 132}))
      << "each once, and none of a bigger device";
  m.blocks_per_sm = {1, 2, 100};
  EXPECT_EQ(grid_blocks(m, h200), (counts{2, 132, 264, 13200})) << "the launch refuses, not we";
  m.blocks.clear();
  EXPECT_EQ(grid_blocks(m, h200, {7}), (counts{132, 264, 13200}));
  m.blocks = {2, 4, 16, 0};
  m.blocks_per_sm = {};
  m.cluster_blocks = 8;
  EXPECT_EQ(grid_blocks(m, h200), (counts{16, 128})) << "whole clusters";
}

TEST(bench_grids, threads) {
  measurement m;
  EXPECT_EQ(grid_threads(m, h200), counts{32});
  EXPECT_EQ(grid_threads(m, h200, {64, 1024, 2048}), (counts{64, 1024}));
  m.threads = {128, 1024, 1056};
  EXPECT_EQ(grid_threads(m, h200), (counts{128, 1024}));
}

TEST(bench_grids, of_a_grid_barrier) {
  const protocol& p = protocol_of(grid);
  measurement m;
  m.threads = {32, 1024};
  m.blocks = {2, 0};
  m.blocks_per_sm = {2};
  const auto all = p.points(m, h200, false);
  EXPECT_EQ(axis(all, "threads"), (doubles{32, 32, 32, 1024, 1024, 1024}));
  EXPECT_EQ(axis(all, "blocks"), (doubles{2, 132, 264, 2, 132, 264}));
  EXPECT_EQ(p.points(m, h200, true).size(), 2u);
}

TEST(bench_grids, clusters_leave_room) {
  cuda::residency r{8, 132, 0, 0};
  EXPECT_EQ(r.text(256), "8 blocks per SM x 132 SMs = 1056 blocks of 256 threads at once");
  r.clusters = 15;
  r.cluster_blocks = 8;
  EXPECT_EQ(r.blocks(), 120);
  EXPECT_EQ(r.text(1024), "15 clusters x 8 blocks = 120 blocks of 1024 threads at once");
}

// ---- what must hold of a kernel that is not timed inside

TEST(bench_facts, must_hold) {
  facts::report seen;
  seen.arch = "sm_90";
  seen.kernels.resize(1);
  seen.kernels[0].name = "litmus";
  seen.kernels[0].res.registers = 18;
  kernels::variant v;
  v.symbol = "litmus";
  EXPECT_EQ(facts_against(v, seen), "") << "nothing is said";
  v.must = {"registers <= 32"};
  EXPECT_EQ(facts_against(v, seen), "");
  v.must = {"registers <= 32", "registers <= 16"};
  const std::string failed = facts_against(v, seen);
  EXPECT_TRUE(failed.starts_with("fail: registers <= 16: ")) << failed;
  EXPECT_TRUE(holds(failed, "18")) << failed;
  v.must = {"barriers == 1"};  // nobody has told
  const std::string unknown = facts_against(v, seen);
  EXPECT_TRUE(unknown.starts_with("not trustworthy: barriers == 1")) << unknown;
  v.must = {"registers <= 32"};
  v.symbol = "litmos";
  EXPECT_TRUE(holds(facts_against(v, seen), "litmus")) << "no such kernel; the nearest";
  v.must = {"registers <<"};
  EXPECT_NE(facts_against(v, seen), "");
}

// ---- litmus

TEST(bench_litmus, points) {
  const protocol& p = protocol_of(litmus);
  EXPECT_EQ(p.contract, nullptr);
  measurement m;
  m.threads = {64, 256};
  m.blocks = {1, 2, 0};
  m.distances = {1, 66, 0};
  m.stress = {0, 8};
  const auto all = p.points(m, h200, false);
  // One block has no partner; of two blocks the other is 1 away, whatever is asked for.
  EXPECT_EQ(axis(all, "blocks"), (doubles{2, 2, 132, 132, 132, 132, 2, 2, 132, 132, 132, 132}));
  EXPECT_EQ(axis(all, "distance"), (doubles{1, 1, 1, 1, 66, 66, 1, 1, 1, 1, 66, 66}));
  EXPECT_EQ(axis(all, "stress"), (doubles{0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8}));
  const auto few = p.points(m, h200, true);
  ASSERT_EQ(few.size(), 4u);
  EXPECT_EQ(few.front(), all.front());
  EXPECT_EQ(few.back(), all.back());
  EXPECT_EQ(p.points({}, h200, false).size(), 1u);
}

/// A log in which all blocks saw what they must: behind round r the value r, before it r - 1.
words right_log(unsigned rounds, unsigned blocks) {
  words log;
  for (unsigned r = 1; r <= rounds; ++r)
    for (unsigned b = 0; b < blocks; ++b) {
      log.push_back(r);
      log.push_back(r - 1);
    }
  return log;
}

std::uint32_t& behind(words& log, unsigned blocks, unsigned round, unsigned block) {
  return log.at(((round - 1) * blocks + block) * 2);
}
std::uint32_t& before(words& log, unsigned blocks, unsigned round, unsigned block) {
  return log.at(((round - 1) * blocks + block) * 2 + 1);
}

TEST(bench_litmus, nothing_forbidden) {
  const litmus_counts c = count_litmus(right_log(5, 4), 5, 4, 1);
  EXPECT_EQ(c, (litmus_counts{.observed = 20}));
  EXPECT_EQ(c.forbidden(), 0u);
  EXPECT_EQ(verdict_of(c), "");
  EXPECT_EQ(count_litmus(right_log(5, 4), 5, 4, 2), (litmus_counts{.observed = 20, .pairs = 10}));
  EXPECT_EQ(count_litmus(right_log(3, 2), 3, 2, 1), (litmus_counts{.observed = 6, .pairs = 3}));
}

TEST(bench_litmus, stale) {
  words log = right_log(5, 4);
  behind(log, 4, 5, 2) = 3;
  behind(log, 4, 2, 0) = 0;
  litmus_counts c = count_litmus(log, 5, 4, 1);
  EXPECT_EQ(c, (litmus_counts{.observed = 20, .stale = 2}));
  EXPECT_EQ(verdict_of(c), "stale 2 of 20: not a barrier");
  // Still old when the next round looks: its own count, not one reading more.
  before(log, 4, 3, 0) = 0;
  c = count_litmus(log, 5, 4, 1);
  EXPECT_EQ(c, (litmus_counts{.observed = 20, .stale = 2, .stale_next = 1}));
  EXPECT_EQ(verdict_of(c), "stale 2, stale next 1 of 20: not a barrier");
}

TEST(bench_litmus, early) {
  words log = right_log(5, 4);
  before(log, 4, 3, 1) = 4;
  behind(log, 4, 1, 3) = 3;
  const litmus_counts c = count_litmus(log, 5, 4, 1);
  EXPECT_EQ(c, (litmus_counts{.observed = 20, .early = 2}));
  EXPECT_EQ(verdict_of(c), "early 2 of 20: not a barrier");
}

TEST(bench_litmus, both_of_a_pair) {
  words log = right_log(4, 4);
  behind(log, 4, 3, 1) = 1;
  behind(log, 4, 3, 2) = 1;  // not its partner: 1 reads 3 and 3 reads 1
  EXPECT_EQ(count_litmus(log, 4, 4, 2), (litmus_counts{.observed = 16, .stale = 2, .pairs = 8}));
  behind(log, 4, 4, 3) = 2;  // its partner, but in another round
  EXPECT_EQ(count_litmus(log, 4, 4, 2), (litmus_counts{.observed = 16, .stale = 3, .pairs = 8}));
  behind(log, 4, 3, 3) = 1;
  EXPECT_EQ(count_litmus(log, 4, 4, 2),
            (litmus_counts{.observed = 16, .stale = 4, .pairs = 8, .stale_both = 1}));
  EXPECT_EQ(count_litmus(log, 4, 4, 1), (litmus_counts{.observed = 16, .stale = 4}))
      << "nobody reads each other";
}

TEST(bench_litmus, sums) {
  litmus_counts c{1, 2, 3, 4, 5, 6};
  c += {10, 20, 30, 40, 50, 60};
  EXPECT_EQ(c, (litmus_counts{11, 22, 33, 44, 55, 66}));
  EXPECT_EQ(c.forbidden(), 22u + 33 + 44);
}

TEST(bench_litmus, what_no_block_wrote_is_an_error) {
  const auto said = [](const words& log, unsigned rounds, unsigned blocks, unsigned distance) {
    return message_of([&] { count_litmus(log, rounds, blocks, distance); });
  };
  words log = right_log(5, 4);
  behind(log, 4, 2, 1) = unwritten;
  EXPECT_TRUE(holds(said(log, 5, 4, 1), "block 1 logged nothing behind the barrier of round 2"));
  log = right_log(5, 4);
  before(log, 4, 5, 3) = unwritten;
  EXPECT_TRUE(holds(said(log, 5, 4, 1), "block 3 logged nothing before the barrier of round 5"));
  log = right_log(5, 4);
  behind(log, 4, 2, 1) = 3;  // odd rounds are stored to the other slot
  EXPECT_TRUE(holds(said(log, 5, 4, 1), "block 1 read 3 behind the barrier of round 2"));
  behind(log, 4, 2, 1) = 6;  // there is no such round
  EXPECT_TRUE(holds(said(log, 5, 4, 1), "block 1 read 6 behind")) << said(log, 5, 4, 1);
  log = right_log(5, 4);
  for (const auto& [rounds, blocks, distance] :
       std::vector<std::tuple<unsigned, unsigned, unsigned>>{
           {0, 4, 1}, {4, 4, 1}, {6, 4, 1}, {5, 3, 1}, {5, 4, 0}, {5, 4, 4}, {20, 1, 1}})
    EXPECT_TRUE(holds(said(log, rounds, blocks, distance), "a log of 40 words"))
        << rounds << " " << blocks << " " << distance;
}

TEST(bench_litmus, how_far_it_came) {
  words log = right_log(5, 4);
  EXPECT_EQ(litmus_progress(log, 5, 4), "all 4 blocks have passed round 5");
  behind(log, 4, 5, 2) = behind(log, 4, 4, 2) = behind(log, 4, 5, 0) = unwritten;
  EXPECT_EQ(litmus_progress(log, 5, 4),
            "2 of 4 blocks have not passed round 5: 0 (round 4), 2 (round 3)");
  EXPECT_EQ(litmus_progress(words(40, unwritten), 5, 4), "all 4 blocks have passed round 0");
}

// ---- races

TEST(bench_races, points) {
  const protocol& p = protocol_of(races);
  measurement m;
  m.threads = {64};
  m.blocks = {2, 0};
  const auto all = p.points(m, h200, false);
  EXPECT_EQ(axis(all, "blocks"), (doubles{2, 132}));
  for (const double runs : axis(all, "runs")) {
    EXPECT_GE(runs, 20);
    EXPECT_LE(runs, 200);
  }
  EXPECT_EQ(axis(all, "skew_cycles"), (doubles{0, 0}));
  m.skews = {0, 700};
  EXPECT_EQ(axis(p.points(m, h200, false), "skew_cycles"), (doubles{0, 700, 0, 700}));
  EXPECT_EQ(p.points({}, h200, true).size(), 4u);
}

TEST(bench_races, by_warp_and_by_block) {
  std::vector<float> x(256, 1.0F);
  EXPECT_EQ(count_races(x, 128), race_counts());
  x[0] = 0.5F;  // part of warp 0 of block 0
  EXPECT_EQ(count_races(x, 128), (race_counts{1, 1, 1, 1, 1}));
  std::fill(x.begin() + 32, x.begin() + 64, 0.0F);  // all of its warp 1
  EXPECT_EQ(count_races(x, 128), (race_counts{33, 2, 1, 1, 1}));
  std::fill(x.begin() + 128, x.end(), 0.9F);  // all of block 1
  EXPECT_EQ(count_races(x, 128), (race_counts{161, 6, 1, 2, 1}));
  // The same array as other blocks.
  EXPECT_EQ(count_races(x, 256), (race_counts{161, 6, 1, 1, 1}));
  EXPECT_EQ(count_races(x, 64), (race_counts{161, 6, 1, 3, 1}));
}

TEST(bench_races, blocks_of_other_than_whole_warps) {
  std::vector<float> x(96, 1.0F);
  std::fill(x.begin() + 32, x.begin() + 48, 0.0F);  // the half warp at the end of block 0
  EXPECT_EQ(count_races(x, 48), (race_counts{16, 1, 0, 1, 1}));
  std::fill(x.begin() + 48, x.begin() + 50, 0.0F);
  EXPECT_EQ(count_races(x, 48), (race_counts{18, 2, 1, 2, 2}));
}

TEST(bench_races, one_missing_element_counts_and_rounding_does_not) {
  constexpr unsigned n = 132 * 32;
  std::vector<float> x(n, 1.0F);
  x[7] = 1 - 1.0F / n;
  EXPECT_EQ(count_races(x, 32).elements, 1u);
  x[7] = 1 + 2 * std::numeric_limits<float>::epsilon();
  EXPECT_EQ(count_races(x, 32).elements, 0u);
  x[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(count_races(x, 32).elements, 1u);
  EXPECT_TRUE(holds(message_of([&] { count_races(x, 36); }), "no whole number of blocks of 36"));
  EXPECT_TRUE(holds(message_of([&] { count_races(x, 0); }), "no whole number"));
  EXPECT_TRUE(holds(message_of([&] { count_races({}, 32); }), "0 elements"));
}

// ---- transform

TEST(bench_transform, points) {
  const protocol& p = protocol_of(transform);
  EXPECT_EQ(p.contract, nullptr);
  measurement m;
  m.threads = {32, 64, 128, 256, 512};
  m.blocks = {2, 4, 8, 16, 32};
  m.terms = {4, 0};
  const auto all = p.points(m, h200, false);
  EXPECT_EQ(all.size(), 50u);
  std::set<std::pair<double, double>> split;  // figure 6 of 2012: 1024 threads in all
  for (const axes& at : all) {
    EXPECT_EQ(at.at("n"), at.at("blocks") * at.at("threads"));
    EXPECT_TRUE(at.at("terms") == 4 || at.at("terms") == at.at("n"));
    EXPECT_GE(at.at("transforms"), 2);
    EXPECT_LE(at.at("transforms"), 100);
    if (at.at("terms") == 4 || at.at("n") <= 1024) {
      EXPECT_EQ(at.at("transforms"), 100);
    }
    if (at.at("n") == 1024) split.insert({at.at("blocks"), at.at("threads")});
  }
  EXPECT_EQ(split, (std::set<std::pair<double, double>>{
                       {2, 512}, {4, 256}, {8, 128}, {16, 64}, {32, 32}}));
  EXPECT_EQ(p.points(m, h200, true).size(), 4u);
  m.terms = {1 << 20};
  EXPECT_EQ(p.points(m, h200, false).front().at("terms"), 64) << "no more than there are";
  // What nobody names: 2012's, and beyond.
  EXPECT_GT(p.points({}, h200, false).size(), 30u);
}

TEST(bench_transform, leaves_out_what_takes_long) {
  kernels::measurement m;
  m.terms = {4, 0};
  m.threads = {1024};
  m.blocks = {32, 0};
  std::vector<std::pair<double, double>> kept;
  for (const axes& at : protocol_of(kernels::protocol::transform).points(m, h200, false))
    kept.emplace_back(at.at("blocks"), at.at("terms"));
  EXPECT_EQ(kept, (std::vector<std::pair<double, double>>{{32, 4}, {132, 4}, {32, 32 * 1024}}))
      << "all terms of 132 x 1024 take far more than the limit";
}

TEST(bench_transform, estimate_grows) {
  EXPECT_GT(transform_ns(1024, 1024, 2, 512, h200), transform_ns(1024, 4, 2, 512, h200));
  EXPECT_GT(transform_ns(2048, 1024, 2, 512, h200), transform_ns(1024, 1024, 2, 512, h200));
  EXPECT_GT(transform_ns(132 * 1024, 132 * 1024, 132, 1024, h200), longest_transform_ns);
  EXPECT_LT(transform_ns(32 * 512, 32 * 512, 32, 512, h200), longest_transform_ns);
}

/// One step in double, with indices as the definition has them.
std::vector<double> naive(const std::vector<float>& from, const std::vector<float>& weights) {
  std::vector<double> to(from.size());
  for (std::size_t j = 0; j < from.size(); ++j) {
    for (std::size_t i = 0; i < weights.size(); ++i)
      to[j] += static_cast<double>(weights[i]) * static_cast<double>(from[(j + i) % from.size()]);
    to[j] /= static_cast<double>(weights.size());
  }
  return to;
}

TEST(bench_transform, reference_is_the_sum) {
  for (const unsigned n : {1U, 2U, 64U, 100U, 513U})
    for (const unsigned terms : {1U, 4U, n}) {
      const std::vector<float> from = first_elements(n), weights = real_weights(terms);
      const std::vector<float> to = transform_step(from, weights);
      const std::vector<double> expected = naive(from, weights);
      ASSERT_EQ(to.size(), n);
      for (unsigned j = 0; j < n; ++j)
        EXPECT_NEAR(to[j], expected[j], 1e-5) << n << " " << terms << " " << j;
    }
  // The mean of 2012 for a power of two: exact.
  const std::vector<float> ones(256, 1.0F);
  EXPECT_EQ(transform_step(ones, ones), ones);
  // In order, each rounded once: 2^24 and then ones, which are lost one by one.
  const std::vector<float> big = {16777216, 1, 1, 1};
  EXPECT_EQ(transform_element(big, {1, 1, 1, 1}, 0), 4194304.0F);
  EXPECT_EQ(transform_element(big, {1, 1, 1, 1}, 1), 4194304.75F) << "3 + 2^24, rounded to even";
}

TEST(bench_transform, weights_keep_the_elements_normal) {
  for (const unsigned terms : {1U, 4U, 256U}) {
    const std::vector<float> weights = real_weights(terms);
    double sum = 0;
    for (const float w : weights) {
      EXPECT_NE(w, 0.0F);
      sum += std::abs(static_cast<double>(w));
    }
    EXPECT_LE(sum, terms * 1.000001);
    EXPECT_EQ(weights, real_weights(terms)) << "the same every time";
    std::vector<float> x = first_elements(terms);
    for (int i = 0; i < 200; ++i) x = transform_step(x, weights);
    for (const float f : x) EXPECT_TRUE(std::isnormal(f)) << f;
  }
  const std::vector<float> x = first_elements(4096);
  EXPECT_GT(std::set<float>(x.begin(), x.end()).size(), 4000u);
}

TEST(bench_transform, elements_looked_at) {
  using sizes_t = std::vector<std::size_t>;
  EXPECT_EQ(looked_at(4, 2), (sizes_t{0, 1, 2, 3}));
  EXPECT_EQ(looked_at(1, 1), sizes_t{0});
  const sizes_t some = looked_at(100000, 100000, 1000);
  EXPECT_EQ(some.size(), 64u) << "never fewer";
  EXPECT_EQ(some.front(), 0u);
  EXPECT_EQ(some.back(), 99999u);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(looked_at(100000, 10, 10000).size(), 1000u);
}

TEST(bench_transform, wrong_elements_are_told) {
  const std::vector<float> from = first_elements(128), weights = real_weights(8);
  std::vector<float> to = transform_step(from, weights);
  const auto which = looked_at(128, 8);
  EXPECT_EQ(wrong_elements("P", from, to, weights, which), "");
  to[100] = std::nextafter(to[100], 2.0F);  // by one bit
  const std::string one = wrong_elements("P", from, to, weights, which);
  EXPECT_TRUE(one.starts_with("P[100] is ")) << one;
  EXPECT_TRUE(holds(one, "; 1 of 128 looked at are wrong")) << one;
  to[17] = std::numeric_limits<float>::quiet_NaN();
  const std::string two = wrong_elements("X", from, to, weights, which);
  EXPECT_TRUE(two.starts_with("X[17] is nan, not ")) << two;
  EXPECT_TRUE(holds(two, "; 2 of 128 looked at are wrong")) << two;
  EXPECT_EQ(wrong_elements("X", from, to, weights, {1, 2, 3}), "") << "nobody looks there";
}

}  // namespace
}  // namespace ptxlab::bench
