// SPDX-License-Identifier: Apache-2.0
// References of the kernels between two GPUs, on a machine that plays both sides: the second block
// of a launch is the other side, and a barrier's two words are one.
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using device::peer_operand;

constexpr unsigned rounds = 3;
constexpr unsigned all_rounds = rounds * device::exchange_samples;

/// Words on pages of their own, zeroed.
struct arena {
  explicit arena(const subject& s) : base(s.on.buffer(std::vector<u32>(1 << 17), "arena")) {}
  address base, first = base, second = base + 4096, log = base + 8192, data = base + 16384,
                count = base + 24576, barrier_data = base + (1 << 16);
};

// --- copies

/// A chain on words of 4 bytes for each lane.
void check_atomics(const subject& s) {
  const arena a(s);
  kernels::variant at_arena = s.what;
  at_arena.measure.operands.resize(peer_operand::mine + 1);
  at_arena.measure.operands[peer_operand::mine] = a.first;
  timed_model m = with_own<u32>([](u32& word, u32 x, u32) {
    const u32 old = word;
    word += x;
    return old;
  });
  check_chain({s.on, at_arena, s.id, s.verdicts}, m);
  const auto words = s.on.read<u32>(a.first, warp_lanes + 1);
  EXPECT_NE(words[0], words[1]) << "lanes have words of their own";
  EXPECT_EQ(words[warp_lanes], 0U);
}

void check_store_then_load(const subject& s) {
  const arena a(s);
  kernels::variant at_arena = s.what;
  at_arena.measure.operands.resize(peer_operand::mine + 1);
  at_arena.measure.operands[peer_operand::mine] = a.first;
  timed_model m = each<u64>([](u64 x, u64, u64) { return x; });
  m.first = [&a](const workbench&, unsigned) { return a.first; };
  check_chain({s.on, at_arena, s.id, s.verdicts}, m);
  EXPECT_EQ(s.on.read<u64>(a.first, 2), (std::vector<u64>{a.first, 0}));
}

/// After each store of x the word holds x.
void check_behind_store(const subject& s) {
  const arena a(s);
  kernels::variant at_arena = s.what;
  at_arena.measure.operands = {77, 0, 0, a.first};
  timed_model m = unchanged();
  m.by_lane = 0;
  check_chain({s.on, at_arena, s.id, s.verdicts}, m);
  EXPECT_EQ(s.on.read<u32>(a.first, 2), (std::vector<u32>{77, 0}));
}

void check_ring(const subject& s) {
  using device::ring_operand;
  constexpr unsigned links = 37, stride = 128, warm = 5;
  constexpr std::size_t samples = std::size_t{3} * device::samples_per_launch;
  const arena a(s);
  s.on.operand(ring_operand::base, a.base);
  s.on.operand(ring_operand::links, links);
  s.on.operand(ring_operand::stride, stride);
  s.on.operand(ring_operand::order, 1);
  s.on.operand(ring_operand::warm, warm);
  const run_report run = s.on.run_timed(s.what.symbol, 1, 64, samples);
  ASSERT_EQ(run.how, ending::finished) << run.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
  u64 x = a.base;
  std::set<u64> seen;
  for (unsigned i = 0; i < links; ++i, x = s.on.read<u64>(x, 1)[0])
    ASSERT_TRUE(seen.insert(x).second) << "link " << i << " leads back";
  ASSERT_EQ(x, a.base) << "the ring is open";
  for (unsigned i = 0; i < warm; ++i) x = s.on.read<u64>(x, 1)[0];
  const auto& results = s.on.sinks.of(0, 0);
  ASSERT_EQ(results.size(), samples);
  for (unsigned i = 0; i < samples; ++i) {
    for (unsigned k = 0; k < s.what.measure.copies << i % 3; ++k) x = s.on.read<u64>(x, 1)[0];
    ASSERT_EQ(results[i].back()[0], x) << "region " << i;
  }
}

const reference_registration copies[] = {
    {"peer/latency/atom_add_gpu", check_atomics},
    {"peer/latency/atom_add_sys", check_atomics},
    {"peer/latency/ld_relaxed_sys", check_ring},
    {"peer/latency/ld_weak", check_ring},
    {"peer/latency/store_then_load", check_store_then_load},
    {"peer/fence/fence_acq_rel_gpu_after_store", check_behind_store},
    {"peer/fence/fence_acq_rel_sys_after_store", check_behind_store},
    {"peer/fence/fence_acq_rel_sys_idle", [](const subject& s) { check_chain(s, unchanged()); }},
    {"peer/fence/fence_sc_sys_after_store", check_behind_store},
    {"peer/fence/fence_sc_sys_idle", [](const subject& s) { check_chain(s, unchanged()); }},
    {"peer/fence/threadfence_system_after_store", check_behind_store},
    {"peer/fence/threadfence_system_idle", [](const subject& s) { check_chain(s, unchanged()); }},
};

// --- two sides

void set_sides(const subject& s, const arena& a) {
  s.on.operand(peer_operand::mine, a.first);
  s.on.operand(peer_operand::theirs, a.second);
  s.on.operand(peer_operand::leads, 1);
  s.on.operand(peer_operand::data, a.data);
  s.on.operand(peer_operand::log, a.log);
  s.on.operand(device::rounds_operand, rounds);
}
run_report run_blocks(const subject& s, unsigned blocks, unsigned threads) {
  return s.on.run_timed(s.what.symbol, blocks, threads,
                        std::size_t{blocks} * device::exchange_samples);
}
void expect_both_sides(const subject& s, const arena& a, const run_report& r) {
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  for (unsigned b = 0; b < 2; ++b)
    expect_samples(&s.on.samples[std::size_t{b} * device::exchange_samples],
                   device::exchange_samples, 1, b);
  EXPECT_EQ(s.on.read<u32>(a.first, 1)[0], all_rounds);
  EXPECT_EQ(s.on.read<u32>(a.second, 1)[0], all_rounds);
}

void check_hand_over(const subject& s) {
  const arena a(s);
  set_sides(s, a);
  expect_both_sides(s, a, run_blocks(s, 2, warp_lanes));
  // Each side alone waits for the other.
  const arena fresh(s);
  set_sides(s, fresh);
  s.on.operand(peer_operand::leads, 0);
  const run_report alone = run_blocks(s, 1, warp_lanes);
  EXPECT_EQ(name(alone.how), name(ending::nobody_left_to_write)) << alone.reason;
}

void check_message(const subject& s) {
  const arena a(s);
  set_sides(s, a);
  expect_both_sides(s, a, run_blocks(s, 2, warp_lanes));
  EXPECT_EQ(s.on.read<u32>(a.log, 2), (std::vector<u32>{0, all_rounds * warp_lanes}));
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    EXPECT_EQ(s.on.read<u32>(a.data + 128 * lane, 1)[0], all_rounds) << lane;
}

void check_poll(const subject& s) {
  const arena a(s);
  s.on.operand(peer_operand::theirs, a.first);
  s.on.operand(peer_operand::mine, a.second);
  std::vector<u32> stopped{1};
  s.on.on.device().write(a.second, std::as_bytes(std::span(stopped)));
  const run_report r = s.on.run_timed(s.what.symbol, 1, warp_lanes, 1);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(s.on.samples[0].end, 16U) << "polls before it looks whether to stop";
}

const reference_registration sides[] = {
    {"peer/handover/acquire_red", check_hand_over},
    {"peer/handover/acquire_release", check_hand_over},
    {"peer/handover/relaxed", check_hand_over},
    {"peer/handover/relaxed_red", check_hand_over},
    {"peer/fence/message_gpu_fence", check_message},
    {"peer/fence/message_no_acquire", check_message},
    {"peer/fence/message_no_fence", check_message},
    {"peer/fence/message_sys_fence", check_message},
    {"peer/fence/message_threadfence_system", check_message},
    {"peer/fence/poll_until_stopped", check_poll},
};

// --- barriers

constexpr unsigned blocks = 3, threads = 64;

/// Both GPUs' words are one, so that each barrier is its own other half; `counted` is what is in it
/// in the end.
run_report run_barrier(const subject& s, const arena& a) {
  for (const unsigned word : {peer_operand::mine, peer_operand::theirs})
    s.on.operand(word, a.first);
  for (const unsigned data : {peer_operand::data, peer_operand::other_data})
    s.on.operand(data, a.barrier_data);
  s.on.operand(peer_operand::count, a.count);
  s.on.operand(peer_operand::log, a.log);
  s.on.operand(device::rounds_operand, rounds);
  s.on.how.resident = {blocks, 132, "a test"};
  return run_blocks(s, blocks, threads);
}
void check_barrier(const subject& s, u32 counted, bool checked) {
  const arena a(s);
  const run_report r = run_barrier(s, a);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  for (unsigned b = 0; b < blocks; ++b)
    expect_samples(&s.on.samples[std::size_t{b} * device::exchange_samples],
                   device::exchange_samples, 1, b);
  EXPECT_EQ(s.on.read<u32>(a.first, 1)[0], counted);
  // Of the checked ones each block reads two words in every round.
  EXPECT_EQ(s.on.read<u32>(a.log, 2), (std::vector<u32>{0, checked ? 2 * blocks * all_rounds : 0}));
}
/// Where the word is far ahead from the start, nobody waits, and the check has to notice: the
/// blocks run one after the other, and the other GPU's data is written by nobody.
void check_broken_barrier(const subject& s) {
  const arena a(s);
  std::vector<u32> far{1U << 30};
  s.on.on.device().write(a.first, std::as_bytes(std::span(far)));
  s.on.operand(peer_operand::mine, a.second);
  s.on.operand(peer_operand::theirs, a.first);
  s.on.operand(peer_operand::data, a.barrier_data);
  s.on.operand(peer_operand::other_data, a.barrier_data + 2 * device::peer_pushed_bytes);
  s.on.operand(peer_operand::count, a.count);
  s.on.operand(peer_operand::log, a.log);
  s.on.operand(device::rounds_operand, rounds);
  const run_report r = run_blocks(s, blocks, threads);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const auto log = s.on.read<u32>(a.log, 2);
  EXPECT_EQ(log[1], 2 * blocks * all_rounds);
  EXPECT_EQ(log[0], log[1]) << "nothing of the other GPU's was there to be seen";
}
reference barrier(u32 counted, bool checked) {
  return [=](const subject& s) {
    check_barrier(s, counted, checked);
    if (checked) check_broken_barrier(s);
  };
}

const reference_registration barriers[] = {
    {"peer/barrier/flat", barrier(2 * blocks * all_rounds, false)},
    {"peer/barrier/flat_checked", barrier(2 * blocks * all_rounds, true)},
    {"peer/barrier/leaders", barrier(2 * all_rounds, false)},
    {"peer/barrier/leaders_checked", barrier(2 * all_rounds, true)},
    {"peer/barrier/leaders_narrow_checked", barrier(2 * all_rounds, true)},
    {"peer/barrier/relay", barrier(all_rounds, false)},
    {"peer/barrier/relay_checked", barrier(all_rounds, true)},
};

}  // namespace
}  // namespace ptxlab::machine
