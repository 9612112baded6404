// SPDX-License-Identifier: Apache-2.0
// References of the timed kernels whose blocks form a cluster: its barrier, and words in the shared
// memory of another block.
#include "ptx/machine/cluster_shape.hpp"
#include "ptx/machine/decode.hpp"
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u64 = std::uint64_t;

constexpr unsigned pair = 2;  // blocks of the one cluster that each of them launches

/// Arrivals at the barrier of each phase, and who passed it.
class barrier_watch : public observer {
 public:
  void cluster_arrived(const cluster_step& s) override {
    arrived.resize(std::max<std::size_t>(arrived.size(), s.phase + 1));
    arrived[s.phase] += static_cast<unsigned>(__builtin_popcount(s.who.mask));
  }
  void cluster_passed(const cluster_step& s) override {
    EXPECT_EQ(arrived.at(s.phase), expected) << "phase " << s.phase;
    passed += static_cast<unsigned>(__builtin_popcount(s.who.mask));
  }
  unsigned expected = 0;
  std::vector<unsigned> arrived;
  std::size_t passed = 0;
};

/// N, 2N and 4N barriers of two blocks of two warps; x stays what it was.
void check_barrier(const subject& s) {
  constexpr unsigned regions = 3, passes = device::samples_per_launch, warps = 2;
  for (unsigned i = 0; i < 3; ++i) s.on.operand(i, 40 + i, 1);
  const run_report r =
      s.on.run_timed(s.what.symbol, pair, warps * warp_lanes, std::size_t{pair} * regions * passes);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  for (unsigned b = 0; b < pair; ++b) {
    expect_samples(s.on.samples.data() + std::size_t{b} * regions * passes, passes, regions, b);
    for (unsigned w = 0; w < warps; ++w) {
      const auto& results = s.on.sinks.of(b, w);
      ASSERT_EQ(results.size(), std::size_t{regions} * passes);
      for (const region_results& one : results)
        for (unsigned lane = 0; lane < warp_lanes; ++lane) ASSERT_EQ(one.back()[lane], 40 + lane);
    }
  }
  // Once more with the barrier's own events: all threads arrive before one passes.
  barrier_watch watch;
  watch.expected = pair * warps * warp_lanes;
  s.on.how.observers = {&watch};
  const std::vector<device::sample> none(std::size_t{pair} * regions * passes);
  const address out = s.on.buffer(none, "samples");
  const address in = s.on.buffer(std::vector<u64>(std::size_t{16} * warp_lanes), "operands");
  EXPECT_EQ(s.on.run(s.what.symbol, pair, warps * warp_lanes, {out, in}).how, ending::finished);
  s.on.how.observers.clear();
  const std::size_t barriers = std::size_t{s.what.measure.copies} * 7 * passes;
  EXPECT_EQ(watch.arrived.size(), barriers);
  EXPECT_EQ(watch.passed, barriers * watch.expected);
}

/// A word that holds its own address, in the shared memory of block `rank`.
reference word_of_block(unsigned rank) {
  return [rank](const subject& s) {
    constexpr unsigned regions = 3, passes = device::samples_per_launch;
    const run_report r =
        s.on.run_timed(s.what.symbol, pair, warp_lanes, std::size_t{regions} * passes);
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    expect_samples(s.on.samples.data(), passes, regions, 0);
    const auto& results = s.on.sinks.of(0, 0);
    ASSERT_EQ(results.size(), std::size_t{regions} * passes);
    const u64 first = results.front().back()[0];
    ASSERT_LT(first - shared_base, window_bytes);
    EXPECT_EQ(rank_at(first - shared_base), static_cast<int>(rank));
    for (const region_results& one : results)
      for (unsigned lane = 0; lane < warp_lanes; ++lane) ASSERT_EQ(one.back()[lane], first);
  };
}

/// One to eight words of each lane in the other block, each with its own address.
reference words_of_other_block(unsigned readers) {
  return [readers](const subject& s) {
    constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
    constexpr std::size_t each = std::size_t{regions} * passes;
    s.on.operand(device::rounds_operand, 2);
    s.on.how.dynamic_shared = device::throughput_bytes(1);
    const run_report r = s.on.run_timed(s.what.symbol, pair, warp_lanes, pair * each);
    s.on.how.dynamic_shared = 0;
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    for (unsigned b = 0; b < readers; ++b) {
      expect_samples(s.on.samples.data() + b * each, passes, regions, b);
      const auto& results = s.on.sinks.of(b, 0);
      ASSERT_EQ(results.size(), each);
      for (unsigned i = 0; i < each; ++i) {
        const unsigned streams = 1U << i % regions;
        ASSERT_GE(results[i].size(), streams);
        const lane_words* const x = &results[i][results[i].size() - streams];
        const u64 row = x[0][0];
        EXPECT_EQ(rank_at(row - shared_base), static_cast<int>(1 - b));
        for (unsigned k = 0; k < streams; ++k)
          for (unsigned lane = 0; lane < warp_lanes; ++lane)
            ASSERT_EQ(x[k][lane], row + 256 * k + 8 * lane) << i;
      }
    }
    EXPECT_EQ(s.on.samples[each].end == 0, readers == 1) << "a block that only waits";
  };
}

/// A word to and fro between the blocks: each pass ends with the number of its last round.
void check_exchange(const subject& s) {
  constexpr unsigned rounds = 3, passes = device::exchange_samples;
  s.on.operand(device::rounds_operand, rounds);
  for (const char* token : {"its", "random:3", "adversarial:3"}) {
    read_token(token, s.on.how);
    const run_report r =
        s.on.run_timed(s.what.symbol, pair, warp_lanes, std::size_t{pair} * passes);
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    for (unsigned b = 0; b < pair; ++b) {
      expect_samples(s.on.samples.data() + std::size_t{b} * passes, passes, 1, b);
      const auto& results = s.on.sinks.of(b, 0);
      ASSERT_EQ(results.size(), passes);
      for (unsigned i = 0; i < passes; ++i) EXPECT_EQ(results[i].back()[0], (i + 1) * rounds);
    }
  }
}

const reference_registration clusters[] = {
    {"barrier/block_cost/barrier_cluster", check_barrier},
    {"handover/pair/cluster_blocks", check_exchange},
    {"memory/shared/cluster_other_block", word_of_block(1)},
    {"memory/shared/cluster_own_block", word_of_block(0)},
    {"throughput/cluster/both_ways", words_of_other_block(2)},
    {"throughput/cluster/one_way", words_of_other_block(1)},
};

}  // namespace
}  // namespace ptxlab::machine
