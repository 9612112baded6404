// SPDX-License-Identifier: Apache-2.0
// References of the timed kernels that the whole device runs: exchanges between blocks, barriers of
// the grid, launches, bandwidth.
#include <random>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// --- blocks that wait for each other -------------------------------------------------------------

constexpr unsigned exchange_rounds = 3;
constexpr unsigned all_rounds = exchange_rounds * device::exchange_samples;

run_report run_exchange(const subject& s, unsigned blocks, unsigned threads) {
  s.on.operand(device::rounds_operand, exchange_rounds);
  return s.on.run_timed(s.what.symbol, blocks, threads,
                        std::size_t{blocks} * device::exchange_samples);
}
void expect_exchange_samples(const subject& s, unsigned block) {
  expect_samples(&s.on.samples[std::size_t{block} * device::exchange_samples],
                 device::exchange_samples, 1, block);
  const auto seen = s.on.read<device::watch>(s.on.watch, 1)[0];
  EXPECT_EQ(seen.begun[block], device::exchange_samples);
  EXPECT_EQ(seen.abandoned, 0U);
}

/// Three blocks of two warps; the counter in the scratch memory is then `count`.
void check_grid(const subject& s, u32 count) {
  constexpr unsigned blocks = 3;
  s.on.how.resident = {blocks, 132, "a test"};
  const run_report r = run_exchange(s, blocks, 64);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  for (unsigned b = 0; b < blocks; ++b) expect_exchange_samples(s, b);
  EXPECT_EQ(s.on.read<u32>(s.on.scratch, 1)[0], count);
}
/// One block more than can be resident never starts, and the machine says so.
void check_surplus(const subject& s) {
  check_grid(s, 3 * all_rounds);
  s.on.how.resident = {2, 132, "a test"};
  s.on.how.step_budget = 2'000'000;
  const run_report r = run_exchange(s, 3, 64);
  // The guard gives up by the clock and not by a value: a loop that changes.
  EXPECT_TRUE(r.how == ending::residency_deadlock || r.how == ending::step_budget ||
              r.how == ending::finished)
      << name(r.how) << ": " << r.reason;
}
/// nvcc loads the counter once, before the loop: who has not seen the last arrival then never does.
void check_hoisted(const subject& s) {
  const run_report r = run_exchange(s, 3, 64);
  EXPECT_EQ(name(r.how), name(ending::nobody_left_to_write)) << r.reason;
}
/// nvcc deletes the loop: all arrive, nobody waits, and how far blocks are apart is not bounded.
void check_deleted(const subject& s) {
  check_grid(s, 3 * all_rounds);
  // One block after the other, which no barrier of the grid survives.
  s.on.how.resident = {1, 132, "a test"};
  const run_report r = run_exchange(s, 3, 64);
  EXPECT_EQ(r.how, ending::finished) << "it waits after all: " << r.reason;
}

const reference_registration grids[] = {
    {"barrier/grid_cost/guarded", [](const subject& s) { check_grid(s, 3 * all_rounds); }},
    {"barrier/grid_cost/inline_ptx", [](const subject& s) { check_grid(s, 3 * all_rounds); }},
    {"barrier/grid_cost/plain", check_deleted},
    {"barrier/grid_cost/plain_to_zero", check_hoisted},
    {"barrier/grid_cost/surplus_block", check_surplus},
};

void check_block_pair(const subject& s) {
  constexpr unsigned partner = 2;
  s.on.operand(1, partner);
  const run_report r = run_exchange(s, partner + 1, 32);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  expect_exchange_samples(s, 0);
  expect_exchange_samples(s, partner);
  EXPECT_EQ(s.on.samples[device::exchange_samples].end, 0U) << "a block that takes no part";
  EXPECT_EQ(s.on.read<u32>(s.on.scratch, 1)[0], all_rounds);
  EXPECT_EQ(s.on.read<u32>(s.on.scratch + 4096, 1)[0], all_rounds);
}
const reference_registration pairs[] = {
    {"handover/pair/blocks_acquire_release", check_block_pair},
    {"handover/pair/blocks_relaxed", check_block_pair},
    {"handover/pair/blocks_relaxed_sys", check_block_pair},
    {"handover/pair/warps_shared",
     [](const subject& s) {
       const run_report r = run_exchange(s, 1, 64);
       ASSERT_EQ(r.how, ending::finished) << r.reason;
       expect_exchange_samples(s, 0);
       // Every pass hands over the number of its last round.
       const auto& passes = s.on.sinks.of(0, 0);
       ASSERT_EQ(passes.size(), device::exchange_samples);
       for (unsigned i = 0; i < passes.size(); ++i)
         EXPECT_EQ(passes[i].back()[0], (i + 1) * exchange_rounds);
     }},
};

// --- the whole device ----------------------------------------------------------------------------

void check_launch(const subject& s) {
  const run_report r = s.on.run_timed(s.what.symbol, 2, 32, 1);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_GT(s.on.samples[0].time_ns, 0U);
  EXPECT_GE(s.on.samples[0].end, s.on.samples[0].time_ns);
  EXPECT_EQ(s.on.samples[0].sm, 0U);
}
const reference_registration launches[] = {{"launch/edge/dependent", check_launch},
                                           {"launch/edge/graph", check_launch},
                                           {"launch/edge/stream", check_launch}};

constexpr unsigned moved_blocks = 2, moved_threads = 96, moved_rounds = 2;
constexpr u64 moved_words = 4 * 1003;  // no multiple of what the grid moves at once

std::vector<u32> run_moving(const subject& s, std::vector<u32> content) {
  const address at = s.on.buffer(content, "moved");
  s.on.operand(0, at);
  s.on.operand(1, moved_words * 4);
  s.on.operand(device::rounds_operand, moved_rounds);
  const run_report r = s.on.run_timed(s.what.symbol, moved_blocks, moved_threads, 1);
  EXPECT_EQ(r.how, ending::finished) << r.reason;
  return s.on.read<u32>(at, content.size());
}
std::vector<u32> random_words(std::size_t n) {
  std::vector<u32> out(n);
  std::mt19937 next(7);
  for (u32& x : out) x = static_cast<u32>(next());
  return out;
}
/// Reads all, changes nothing, and says so only if the words' parity is 0x12345678.
void check_reading(const subject& s) {
  const std::vector<u32> content = random_words(moved_words);
  EXPECT_EQ(run_moving(s, content), content);
  EXPECT_EQ(s.on.samples[0].region, 0U);
}
const reference_registration moving[] = {
    {"bandwidth/global/copy",
     [](const subject& s) {
       std::vector<u32> content = random_words(2 * moved_words);
       const std::vector<u32> after = run_moving(s, content);
       std::copy_n(content.begin(), moved_words, content.begin() + moved_words);
       EXPECT_EQ(after, content);
     }},
    {"bandwidth/global/read_dram", check_reading},
    {"bandwidth/global/read_l2", check_reading},
    {"bandwidth/global/write",
     [](const subject& s) {
       std::vector<u32> wanted(moved_words);
       constexpr u64 step = moved_blocks * moved_threads;
       for (u64 i = 0; i < moved_words / 4; ++i) {
         const u64 thread = i % step, k = i / step % 4;
         const u64 words[] = {k, thread % moved_threads, thread / moved_threads, moved_rounds};
         for (unsigned w = 0; w < 4; ++w) wanted[4 * i + w] = static_cast<u32>(words[w]);
       }
       EXPECT_EQ(run_moving(s, std::vector<u32>(moved_words)), wanted);
     }},
};

/// Eight streams of 32 fma, so often as four times the rounds; the sum is 0.125 for operands made
/// so, and then the kernel says so in its first sample.
void check_whole_device(const subject& s) {
  for (unsigned i = 0; i < 3; ++i) s.on.operand(i, s.what.measure.operands[i]);
  s.on.operand(device::rounds_operand, 1);
  run_report r = s.on.run_timed(s.what.symbol, 1, 64, 1);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(s.on.samples[0].region, 0U);
  s.on.operand(1, word_of(0.0F));
  s.on.operand(2, word_of(0.015625F));  // x becomes b: the sum of eight is 0.125
  r = s.on.run_timed(s.what.symbol, 1, 64, 1);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(s.on.samples[0].region, 1U);
}
const reference_registration whole("throughput/whole_device/fma_rn_f32", check_whole_device);

const reference_registration resolution("latency/resolution/globaltimer", [](const subject& s) {
  const run_report r = s.on.run_timed(s.what.symbol, 1, 1, device::resolution_samples);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  for (std::size_t i = 1; i < s.on.samples.size(); ++i)
    ASSERT_GT(s.on.samples[i].time_ns, s.on.samples[i - 1].time_ns) << i;
});

}  // namespace
}  // namespace ptxlab::machine
