// SPDX-License-Identifier: Apache-2.0
// References of the barriers over the grid and of their launch-side rivals. What the barriers do
// under many schedules, and what the race detector says of all of them, is in
// machine_barriers_test.cc.
#include "tests/unit/machine/barriers.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;

constexpr u32 blocks = 4, threads = 64;
constexpr u32 rounds = 3, all_rounds = rounds * device::exchange_samples;
constexpr std::size_t own_words_at = 65536;  // of the scratch memory, behind the state

void check_rounds(const subject& s) {
  s.on.operand(device::rounds_operand, rounds);
  s.on.how.cooperative = s.what.measure.cooperative;
  s.on.how.resident = {blocks, 132, "a test"};
  const run_report r = s.on.run_timed(s.what.symbol, blocks, threads,
                                      std::size_t{blocks} * device::exchange_samples);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const auto seen = s.on.read<device::watch>(s.on.watch, 1)[0];
  for (u32 b = 0; b < blocks; ++b) {
    expect_samples(&s.on.samples[std::size_t{b} * device::exchange_samples],
                   device::exchange_samples, 1, b);
    EXPECT_EQ(seen.begun[b], device::exchange_samples);
  }
  // Every thread's own word holds the round in which it was stored last.
  const u32 last = s.what.symbol == "dirty" ? all_rounds : 0;
  EXPECT_EQ(s.on.read<u32>(s.on.scratch + own_words_at, blocks * threads),
            std::vector<u32>(blocks * threads, last));
}
/// Block 0 gets on only after so many ticks of its clock, in every round.
void check_late(const subject& s) {
  check_rounds(s);
  for (u32 i = 0; i < device::exchange_samples; ++i)
    EXPECT_GE(s.on.samples[i].end - s.on.samples[i].begin, rounds * 4000);
}
void check_transform(const subject& s) {
  s.on.how.cooperative = s.what.measure.cooperative;
  const transform_case c;
  barrier_outcome o;
  run_transform(s.on, s.what.symbol, blocks, threads, c, o);
  ASSERT_EQ(o.report.how, ending::finished) << o.report.reason;
  EXPECT_EQ(o.x, c.wanted());
}
void check_litmus(const subject& s) {
  s.on.how.cooperative = s.what.measure.cooperative;
  barrier_outcome o;
  run_litmus(s.on, s.what.symbol, blocks, threads, rounds, o);
  ASSERT_EQ(o.report.how, ending::finished) << o.report.reason;
  EXPECT_EQ(o.log, clean_log(blocks, rounds));
}

/// Eight additions of each block in every round.
void check_drain(const subject& s) {
  check_rounds(s);
  EXPECT_EQ(s.on.read<u32>(s.on.scratch, 1)[0], 8 * blocks * all_rounds);
}

/// The kernels that (nearly) every barrier's file has.
void add(const std::string& barrier, bool mutants = true) {
  const std::string file = "barrier/" + barrier + "/";
  reference_registration(file + "bare", check_rounds);
  reference_registration(file + "dirty", check_rounds);
  reference_registration(file + "late", check_late);
  reference_registration(file + "litmus", check_litmus);
  reference_registration(file + "transform", check_transform);
  if (!mutants) return;
  for (const char* broken : {"narrow", "no_acquire", "no_release"})
    reference_registration(file + "litmus_" + broken, check_litmus);
}

/// One step of the transform for each launch, and the end of the launch as the barrier.
void check_step(const subject& s) {
  const transform_case c;
  std::vector<float> now = c.x();
  for (u32 i = 0; i < 2; ++i) {
    const address from = s.on.buffer(now, "from"), to = s.on.buffer(std::vector<float>(c.n), "to");
    const address weights = s.on.buffer(c.weights(), "weights");
    s.run(2, 32, {from, to, weights, c.n, c.terms});
    EXPECT_EQ(s.on.read<float>(from, c.n), now);
    now = s.on.read<float>(to, c.n);
  }
  EXPECT_EQ(now, c.step(c.step(c.x())));
}

const bool added = [] {
  for (const char* b : {"all_to_all", "counter", "fenced", "flag", "gather", "mirrored", "placed",
                        "split", "two_level"})
    add(b);
  add("cooperative", false);
  add("wrapping", false);
  reference_registration("barrier/fenced/both_ways", check_rounds);
  reference_registration("barrier/split/in_a_row", check_rounds);
  reference_registration("barrier/split/overlapped", check_rounds);
  reference_registration("barrier/parts/drain", check_drain);
  // Used once it is a barrier like the others; what comes of more is in machine_barriers_test.cc.
  reference_registration("barrier/wrapping/reused", [](const subject& s) {
    barrier_outcome o;
    run_litmus(s.on, s.what.symbol, blocks, threads, 1, o);
    ASSERT_EQ(o.report.how, ending::finished) << o.report.reason;
    EXPECT_EQ(o.log, clean_log(blocks, 1));
  });
  for (const char* how : {"dependent", "graph", "stream"})
    reference_registration(std::string("barrier/launches/") + how, check_step);
  return true;
}();

}  // namespace
}  // namespace ptxlab::machine
