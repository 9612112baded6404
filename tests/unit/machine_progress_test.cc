// SPDX-License-Identifier: Apache-2.0
// Who waits for whom: runs that end, and the reason that is given for those that do not.
#include <gtest/gtest.h>

#include "ptx/text/error.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

// A lock that each lane takes: the winner waits for the losers where they meet, unless lanes are
// independent.
constexpr const char* locked = R"(
.visible .entry locked(.param .u64 lock, .param .u64 sum) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [lock];
  ld.param.u64 %rd2, [sum];
again:
  atom.global.cas.b32 %r1, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra again;
  ld.volatile.global.u32 %r2, [%rd2];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%rd2], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [%rd1], 0;
  ret;
}
)";

TEST(machine_progress, a_lock_of_each_lane_needs_independent_threads) {
  for (const char* token : {"its", "random:1", "random:2", "adversarial:1"}) {
    machine_fixture m(locked);
    read_token(token, m.how);
    const address lock = m.buffer(std::vector<std::uint32_t>(1), "lock");
    const address sum = m.buffer(std::vector<std::uint32_t>(1), "sum");
    const run_report r = m.run("locked", 3, 64, {lock, sum});
    EXPECT_EQ(r.how, ending::finished) << token << ": " << r.reason;
    EXPECT_EQ(m.read<std::uint32_t>(sum, 1)[0], 192U) << token;
  }
  machine_fixture m(locked);
  read_token("lockstep", m.how);
  const address lock = m.buffer(std::vector<std::uint32_t>(1), "lock");
  const address sum = m.buffer(std::vector<std::uint32_t>(1), "sum");
  const run_report r = m.run("locked", 1, 32, {lock, sum});
  ASSERT_EQ(r.how, ending::simt_deadlock) << r.reason;
  ASSERT_EQ(r.stuck.size(), 2U);
  EXPECT_EQ(r.stuck[0].who.mask, 1U);
  EXPECT_EQ(r.stuck[1].who.mask, 0xfffffffeU);
  EXPECT_NE(r.stuck[1].polls.find("lock+0 (4 bytes, atom.global.cas.b32"), std::string::npos);
  EXPECT_NE(r.stuck[1].polls.find("holds 1"), std::string::npos);
  EXPECT_EQ(r.stuck[1].condition, "setp.ne.u32 1, 0");
}

// A barrier over the grid: the first thread of each block counts and polls.
constexpr const char* grid_barrier = R"(
.visible .entry together(.param .u64 count, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [count];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra all;
  membar.gl;
  atom.global.add.u32 %r2, [%rd1], 1;
  mov.u32 %r3, %nctaid.x;
poll:
  ld.acquire.gpu.global.u32 %r2, [%rd1];
  setp.lt.u32 %p2, %r2, %r3;
  @%p2 bra poll;
all:
  bar.sync 0;
  ld.acquire.gpu.global.u32 %r2, [%rd1];
  mov.u32 %r4, %ctaid.x;
  mad.lo.u32 %r5, %r4, 32, %r1;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r2;
  ret;
}
)";

run_report run_barrier(machine_fixture& m, std::uint32_t blocks, std::uint32_t resident,
                       address* out = nullptr) {
  m.how.resident.blocks = resident;
  m.how.resident.model = "a test";
  const address count = m.buffer(std::vector<std::uint32_t>(1), "count");
  const address results = m.buffer(std::vector<std::uint32_t>(std::size_t{blocks} * 32), "out");
  if (out != nullptr) *out = results;
  return m.run("together", blocks, 32, {count, results});
}

TEST(machine_progress, a_grid_barrier_passes_at_residency_and_not_one_block_above) {
  for (const char* token : {"its", "lockstep", "random:5", "adversarial:5"}) {
    machine_fixture m(grid_barrier);
    read_token(token, m.how);
    address out = 0;
    const run_report fits = run_barrier(m, 6, 6, &out);
    ASSERT_EQ(fits.how, ending::finished) << token << ": " << fits.reason;
    for (const std::uint32_t v : m.read<std::uint32_t>(out, 192)) EXPECT_EQ(v, 6U) << token;

    machine_fixture above(grid_barrier);
    read_token(token, above.how);
    const run_report r = run_barrier(above, 7, 6);
    // Under lockstep the other lanes of the polling warp wait for it, but not it for them.
    ASSERT_EQ(r.how, ending::residency_deadlock) << token << ": " << r.reason;
    EXPECT_NE(r.reason.find("7 blocks, of which 6 can be resident (a test); 1 of them never start"),
              std::string::npos)
        << r.reason;
    EXPECT_EQ(r.blocks_started, 6U);
  }
}

TEST(machine_progress, a_cooperative_launch_beyond_residency_is_refused) {
  machine_fixture m(grid_barrier);
  m.how.cooperative = true;
  const run_report r = run_barrier(m, 7, 6);
  EXPECT_EQ(r.how, ending::refused);
  EXPECT_NE(r.reason.find("7 blocks, of which 6"), std::string::npos);
}

TEST(machine_progress, a_flag_that_nobody_sets_is_said_to_be_one) {
  machine_fixture m(R"(
.visible .entry wait(.param .u64 flag) {
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
})");
  const address flag = m.buffer(std::vector<std::uint32_t>(2), "flag");
  const run_report r = m.run("wait", 2, 32, {flag + 4});
  ASSERT_EQ(r.how, ending::nobody_left_to_write);
  ASSERT_EQ(r.stuck.size(), 1U);  // one place
  EXPECT_EQ(r.stuck_in_all, 2U);  // two warps
  EXPECT_NE(r.stuck[0].polls.find("flag+4 (4 bytes, ld.volatile.global.u32"), std::string::npos);
  EXPECT_EQ(r.stuck[0].condition, "setp.eq.u32 0, 0");
}

TEST(machine_progress, a_barrier_that_some_do_not_reach_is_said_to_be_one) {
  machine_fixture m(R"(
.visible .entry half() {
  .reg .pred %p<2>; .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra first;
  bar.sync 1;
  ret;
first:
  bar.sync 2;
  ret;
})");
  const run_report r = m.run("half", 1, 64, {});
  ASSERT_EQ(r.how, ending::barrier_divergence);
  EXPECT_EQ(r.stuck.size(), 2U);
}

TEST(machine_progress, a_loop_that_changes_is_ended_by_its_budget_and_nothing_is_claimed) {
  machine_fixture m(R"(
.visible .entry count() {
  .reg .b32 %r<2>;
  mov.u32 %r1, 0;
again:
  add.u32 %r1, %r1, 1;
  bra again;
})");
  m.how.step_budget = 100000;
  const run_report r = m.run("count", 1, 32, {});
  EXPECT_EQ(r.how, ending::step_budget);
  EXPECT_NE(r.reason.find("no proof"), std::string::npos);
  m.how.step_budget = ~std::uint64_t{0};
  m.how.seconds = 0.05;
  EXPECT_EQ(m.run("count", 1, 32, {}).how, ending::time_budget);
}

TEST(machine_progress, a_token_gives_the_run_again_and_a_trace_too) {
  const auto run = [](const std::string& token, std::vector<turn>* record,
                      const std::vector<turn>* follow) {
    machine_fixture m(locked);
    read_token(token, m.how);
    m.how.record = record;
    if (follow != nullptr) {
      m.how.by = policy::trace;
      m.how.trace = *follow;
    }
    const address lock = m.buffer(std::vector<std::uint32_t>(1), "lock");
    const address sum = m.buffer(std::vector<std::uint32_t>(1), "sum");
    const run_report r = m.run("locked", 3, 64, {lock, sum});
    EXPECT_EQ(r.how, ending::finished) << r.reason;
    return r.warp_steps;
  };
  for (const char* token : {"its", "random:11", "adversarial:4"}) {
    std::vector<turn> first, second;
    const std::uint64_t steps = run(token, &first, nullptr);
    EXPECT_EQ(run(token, &second, nullptr), steps);
    EXPECT_EQ(trace_text(first), trace_text(second)) << token;
    const std::vector<turn> read = read_trace(trace_text(first));
    EXPECT_EQ(run("its", nullptr, &read), steps) << token;
  }
  EXPECT_NE(run("random:1", nullptr, nullptr), run("random:2", nullptr, nullptr));
}

TEST(machine_progress, a_trace_that_ends_early_proves_nothing) {
  machine_fixture m(locked);
  m.how.by = policy::trace;
  m.how.trace = read_trace("0 0 ffffffff 3\n");
  const address lock = m.buffer(std::vector<std::uint32_t>(1), "lock");
  const address sum = m.buffer(std::vector<std::uint32_t>(1), "sum");
  EXPECT_THROW(m.run("locked", 1, 32, {lock, sum}), error);
}

// What held the clock holds something else when the loop goes round (%laneid is widened where the
// clock was read to): all registers repeat, and still the loop ends.
TEST(machine_progress, a_loop_that_waits_for_the_clock_is_no_deadlock) {
  machine_fixture m(R"(
.visible .entry delay(.param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
again:
  mov.u32 %r1, %clock;
  setp.lt.u32 %p1, %r1, 20000;
  mov.u32 %r1, 7;
  mov.u64 %rd0, %laneid;
  @%p1 bra again;
  st.global.u32 [%rd1], %r1;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(1), "out");
  EXPECT_EQ(m.run("delay", 1, 1, {out}).how, ending::finished);
  EXPECT_EQ(m.read<std::uint32_t>(out, 1)[0], 7U);
}

TEST(machine_progress, a_loop_that_reads_nothing_is_said_to_be_one) {
  machine_fixture m(R"(
.visible .entry forever() {
again:
  bra again;
})");
  const run_report r = m.run("forever", 1, 32, {});
  EXPECT_EQ(r.how, ending::nobody_left_to_write);
  EXPECT_NE(r.reason.find("in a loop that re-reads nothing"), std::string::npos) << r.reason;
}

TEST(machine_progress, a_trace_of_something_else_is_refused) {
  machine_fixture m(locked);
  m.how.by = policy::trace;
  m.how.trace = read_trace("0 0 ffffffff 3\n0 5 ffffffff 3\n");
  const address lock = m.buffer(std::vector<std::uint32_t>(1), "lock");
  const address sum = m.buffer(std::vector<std::uint32_t>(1), "sum");
  EXPECT_THROW(m.run("locked", 1, 64, {lock, sum}), error);
  EXPECT_THROW(read_trace("0 0 zz 3\n"), error);
  EXPECT_THROW(read_trace("0 0 1\n"), error);
  launch l;
  EXPECT_THROW(read_token("sometimes", l), error);
  EXPECT_THROW(read_token("random:x", l), error);
  EXPECT_THROW(read_token("its:3", l), error);
}

}  // namespace
}  // namespace ptxlab::machine
