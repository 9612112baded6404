// SPDX-License-Identifier: Apache-2.0
// What asynchronous copies, mbarriers and compare-and-swap order, and what not: PTX on the machine,
// watched by the race detector. Each clean kernel has siblings in which one step is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ptx/machine/observers/races.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

/// Of a kernel: its races, as the report has them.
struct verdict {
  std::vector<race> races;
  std::string text;
};

/// %rd4 and %r4: this thread's word of `in` and of the tile; %r5: that of the thread 32 further on.
verdict races_of(const std::string& body, std::uint32_t blocks = 1, std::uint32_t threads = 64,
                 std::uint32_t first_word = 0) {
  machine_fixture m(
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".shared .align 16 .b8 tile[512];\n.shared .align 8 .b64 gate;\n"
      ".reg .b32 %r<20>;\n.reg .b64 %rd<10>;\n.reg .pred %p<6>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r4, %r2, %r3;\n"
      "xor.b32 %r6, %r3, 128;\nadd.u32 %r5, %r2, %r6;\n"
      "cvt.u64.u32 %rd3, %r3;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
      "setp.lt.u32 %p1, %r1, 32;\nmov.u32 %r10, %ctaid.x;\nsetp.eq.u32 %p3, %r10, 0;\n"
      "setp.eq.u32 %p4, %r1, 0;\n" +
      body + "\nret;\n}\n");
  std::vector<std::uint32_t> words(64);
  words[0] = first_word;
  const address in = m.buffer(words, "in"), out = m.buffer(std::vector<std::uint32_t>(64), "out");
  race_detector watch;
  m.how.observers = {&watch};
  const run_report r = m.run("k", blocks, threads, {in, out});
  EXPECT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(watch.report().uncertain, 0u);
  EXPECT_TRUE(watch.report().complete);
  return {watch.report().races, text(watch.report(), m.module.kernel("k").code->sites)};
}

void clean(const std::string& body) {
  const verdict v = races_of(body);
  EXPECT_TRUE(v.races.empty()) << body << v.text;
}

/// Some race is there for the reason given.
void racy(const std::string& body, missing why, const std::string& said = "") {
  const verdict v = races_of(body);
  EXPECT_TRUE(std::any_of(v.races.begin(), v.races.end(),
                          [&](const race& r) { return r.cause.what == why; }))
      << body << v.text;
  EXPECT_NE(v.text.find(said), std::string::npos) << body << v.text;
}

const std::string copy = "cp.async.ca.shared.global [%r4], [%rd4], 4;\n";
const std::string commit = "cp.async.commit_group;\n", wait = "cp.async.wait_all;\n";
const std::string own = "ld.shared.u32 %r7, [%r4];\n", other = "ld.shared.u32 %r7, [%r5];\n";
const std::string barrier = "bar.sync 0;\n";

// --- copies: the lane itself ---------------------------------------------------------------------

TEST(race_copies, a_lane_reads_after_it_waited) {
  clean(copy + wait + own);
  clean(copy + commit + "cp.async.wait_group 0;\n" + own);
  racy(copy + own, missing::copy_wait,
       "with the copy of cp.async.ca.shared.global ptx:25, not waited for");
  racy(copy + commit + own, missing::copy_wait);
  racy(copy + own + wait, missing::copy_wait);
}

TEST(race_copies, a_wait_for_groups_leaves_the_last_ones_and_what_is_in_none) {
  racy(copy + commit + "cp.async.wait_group 1;\n" + own, missing::copy_wait);
  racy(copy + "cp.async.wait_group 0;\n" + own, missing::copy_wait);
  const std::string second = "cp.async.ca.shared.global [%r4+256], [%rd4], 4;\n";
  const std::string both = copy + commit + second + commit + "cp.async.wait_group 1;\n";
  clean(both + own);
  racy(both + "ld.shared.u32 %r7, [%r4+256];\n", missing::copy_wait);
  clean(both + "cp.async.wait_group 0;\nld.shared.u32 %r7, [%r4+256];\n");
  // An empty group counts.
  clean(copy + commit + commit + "cp.async.wait_group 1;\n" + own);
}

TEST(race_copies, a_lane_overwrites_neither_end_before_it_waited) {
  racy(copy + "st.shared.u32 [%r4], %r1;\n", missing::copy_wait);
  racy(copy + "st.global.u32 [%rd4], %r1;\n", missing::copy_wait);
  clean(copy + wait + "st.shared.u32 [%r4], %r1;\nst.global.u32 [%rd4], %r1;\n");
  clean("st.shared.u32 [%r4], %r1;\nst.global.u32 [%rd4], %r1;\n" + copy + wait);
  clean(copy + "ld.global.u32 %r7, [%rd4];\n");
}

TEST(race_copies, two_copies_to_one_place_are_not_in_order) {
  racy(copy + copy, missing::copy_wait);
  clean(copy + wait + copy);
}

TEST(race_copies, wide_copies_and_parts_of_warps_are_seen_too) {
  const std::string wide =
      "shl.b32 %r8, %r1, 3;\nadd.u32 %r4, %r2, %r8;\ncvt.u64.u32 %rd3, %r8;\n"
      "and.b64 %rd3, %rd3, 248;\nadd.s64 %rd4, %rd1, %rd3;\n"
      "cp.async.ca.shared.global [%r4], [%rd4], 8;\n";
  clean(wide + wait + "ld.shared.v2.u32 {%r7, %r8}, [%r4];\n");
  racy(wide + "ld.shared.u32 %r7, [%r4+4];\n", missing::copy_wait);
  racy("@%p4 " + copy + "@%p4 " + own, missing::copy_wait);
  clean("@%p4 " + copy + wait + own);
}

// --- copies: other threads -----------------------------------------------------------------------

TEST(race_copies, others_read_after_a_wait_and_then_a_barrier) {
  clean(copy + wait + barrier + other);
  clean(copy + commit + copy.substr(0, 25) + " [%r4+256], [%rd4], 4;\n" + commit +
        "cp.async.wait_group 1;\n" + barrier + other + wait + barrier + other);
  racy(copy + barrier + other, missing::copy_wait);
  racy(copy + wait + other, missing::barrier, "after the wait for the copy: no barrier");
  // Who comes last to the barrier reads while the first have not waited yet.
  racy(copy + barrier + wait + other, missing::copy_wait);
}

TEST(race_copies, lanes_of_a_warp_meet_after_the_wait) {
  const std::string next = "xor.b32 %r6, %r3, 4;\nadd.u32 %r5, %r2, %r6;\n";
  clean(next + copy + wait + "bar.warp.sync -1;\n" + other);
  racy(next + copy + wait + other, missing::warp_sync);
  racy(next + copy + "bar.warp.sync -1;\n" + other, missing::copy_wait);
}

TEST(race_copies, a_tile_is_read_before_it_is_copied_over) {
  racy(other + copy + wait, missing::barrier);
  clean(other + barrier + copy + wait);
}

TEST(race_copies, rounds_of_a_pipeline_are_clean_with_two_barriers) {
  const auto rounds = [](const std::string& last) {
    return "mov.u32 %r9, 0;\nL:\n" + copy + commit + "cp.async.wait_group 0;\n" + barrier + other +
           last + "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, 4;\n@%p2 bra L;\n";
  };
  clean(rounds(barrier));
  racy(rounds(""), missing::barrier);
}

TEST(race_copies, a_release_tells_other_blocks_of_copies_that_were_waited_for) {
  // Block 0 copies from `in` and raises a flag; block 1 sees it and overwrites `in`.
  const auto kernel = [](const std::string& waits) {
    return "@!%p3 bra B;\n@%p4 cp.async.ca.shared.global [%r4], [%rd4], 4;\n" + waits +
           "@%p4 st.release.gpu.global.u32 [%rd2], 1;\nbra E;\nB:\n"
           "@%p4 ld.acquire.gpu.global.u32 %r7, [%rd2];\n@%p4 st.global.u32 [%rd4], 5;\nE:\n";
  };
  EXPECT_TRUE(races_of(kernel(wait), 2).races.empty()) << races_of(kernel(wait), 2).text;
  const verdict v = races_of(kernel(""), 2);
  ASSERT_EQ(v.races.size(), 1u) << v.text;
  EXPECT_EQ(v.races[0].kind, race_kind::between_blocks);
}

// --- mbarriers -----------------------------------------------------------------------------------

std::string gate_of(unsigned arrivals) {
  return "@%p4 mbarrier.init.shared.b64 [gate], " + std::to_string(arrivals) + ";\n" + barrier;
}
const std::string pass = "W: mbarrier.try_wait.parity.shared.b64 %p2, [gate], 0;\n@!%p2 bra W;\n";

TEST(race_mbarriers, copies_arrive_at_one) {
  const std::string arrive = "cp.async.mbarrier.arrive.noinc.shared.b64 [gate];\n";
  clean(gate_of(64) + copy + arrive + pass + own + other);
  racy(gate_of(64) + copy + arrive + other + pass, missing::copy_wait);
  // What was begun after the arrival is not part of it.
  racy(gate_of(64) + arrive + copy + pass + other, missing::copy_wait);
  // The form that first expects one arrival more leaves the lane's own to be made.
  clean(gate_of(64) + copy + "cp.async.mbarrier.arrive.shared.b64 [gate];\n" +
        "mbarrier.arrive.shared.b64 _, [gate];\n" + pass + other);
}

TEST(race_mbarriers, an_arrival_of_the_lane_tells_of_copies_that_it_waited_for) {
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [gate];\n";
  clean(gate_of(64) + copy + wait + arrive + pass + other);
  racy(gate_of(64) + copy + arrive + pass + other, missing::copy_wait);
}

TEST(race_mbarriers, the_arrival_of_copies_tells_of_nothing_else) {
  racy(gate_of(64) + "st.shared.u32 [%r4+256], %r1;\n" + copy +
           "cp.async.mbarrier.arrive.noinc.shared.b64 [gate];\n" + pass +
           "ld.shared.u32 %r7, [%r5+256];\n",
       missing::release);
}

/// Warp 1, the last at the first barrier and so the first after it, writes and arrives; warp 0
/// waits and reads.
std::string handed_over(const std::string& arrive, const std::string& waits) {
  return gate_of(32) + "@%p1 bra C;\nst.shared.u32 [%r4], %r1;\n" + arrive + "bra E;\nC:\n" +
         waits + other + "E:\n";
}

TEST(race_mbarriers, arrivals_release_and_waits_acquire) {
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [gate];\n";
  clean(handed_over(arrive, pass));
  clean(handed_over("mbarrier.arrive.release.cta.shared.b64 _, [gate];\n",
                    "W: mbarrier.test_wait.parity.acquire.cta.shared.b64 %p2, [gate], 0;\n"
                    "@!%p2 bra W;\n"));
  racy(handed_over("mbarrier.arrive.relaxed.cta.shared.b64 _, [gate];\n", pass), missing::release);
  racy(handed_over(arrive,
                   "W: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p2, [gate], 0;\n"
                   "@!%p2 bra W;\n"),
       missing::acquire);
  racy(handed_over(arrive, ""), missing::barrier);
}

TEST(race_mbarriers, a_test_that_fails_acquires_nothing) {
  // The phase of parity 0 is over, the one of parity 1 is not.
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [gate];\n";
  const auto test = [](const char* parity) {
    return std::string("mbarrier.test_wait.parity.shared.b64 %p2, [gate], ") + parity + ";\n";
  };
  clean(handed_over(arrive, test("0")));
  racy(handed_over(arrive, test("1")), missing::acquire);
}

TEST(race_mbarriers, counting_bytes_releases_nothing) {
  racy(gate_of(32) + "@!%p1 bra C;\n@%p4 mbarrier.expect_tx.relaxed.cta.shared.b64 [gate], 4;\n" +
           "mbarrier.arrive.relaxed.cta.shared.b64 _, [gate];\nst.shared.u32 [%r4], %r1;\n" +
           "@%p4 mbarrier.complete_tx.relaxed.cta.shared.b64 [gate], 4;\nbra E;\nC:\n" + pass +
           other + "E:\n",
       missing::release);
}

// --- compare-and-swap ----------------------------------------------------------------------------

TEST(race_cas, one_that_does_not_match_only_reads) {
  const std::string kernel =
      "@!%p1 bra C;\nld.global.u32 %r7, [%rd1];\nbra E;\nC:\n"
      "atom.global.cas.b32 %r7, [%rd1], 5, 6;\nE:\n";
  EXPECT_TRUE(races_of(kernel).races.empty()) << races_of(kernel).text;
  const verdict swapped = races_of(kernel, 1, 64, 5);
  ASSERT_FALSE(swapped.races.empty());
  EXPECT_EQ(swapped.races[0].cause.what, missing::strength) << swapped.text;
}

TEST(race_cas, lanes_take_turns_and_one_wins) {
  // Lane 0 swaps, all others find another value; the same with every second lane winning.
  clean("atom.global.cas.b32 %r7, [%rd1], 0, 1;\n");
  clean("and.b32 %r8, %r1, 1;\nxor.b32 %r9, %r8, 1;\natom.shared.cas.b32 %r7, [tile], %r8, %r9;\n");
}

/// Thread 0 of block 0 writes data (in[1]) and then `hands`; that of block 1 `takes` and reads it.
verdict passed_on(const std::string& hands, const std::string& takes, std::uint32_t flag) {
  return races_of("@!%p4 bra E;\n@!%p3 bra B;\nst.global.u32 [%rd1+4], 1;\n" + hands +
                      "bra E;\nB:\n" + takes + "ld.global.u32 %r7, [%rd1+4];\nE:\n",
                  2, 64, flag);
}

TEST(race_cas, one_that_does_not_match_releases_nothing) {
  const std::string hands = "atom.release.gpu.global.cas.b32 %r7, [%rd1], 0, 1;\n";
  const std::string takes = "ld.acquire.gpu.global.u32 %r8, [%rd1];\n";
  EXPECT_TRUE(passed_on(hands, takes, 0).races.empty()) << passed_on(hands, takes, 0).text;
  EXPECT_EQ(passed_on(hands, takes, 7).races.size(), 1u) << passed_on(hands, takes, 7).text;
}

TEST(race_cas, one_that_does_not_match_acquires) {
  const std::string hands = "st.release.gpu.global.u32 [%rd1], 1;\n";
  for (const char* order : {"acquire", "acq_rel"}) {
    const std::string takes =
        std::string("atom.") + order + ".gpu.global.cas.b32 %r8, [%rd1], 9, 2;\n";
    EXPECT_TRUE(passed_on(hands, takes, 0).races.empty()) << passed_on(hands, takes, 0).text;
  }
  const std::string relaxed = "atom.relaxed.gpu.global.cas.b32 %r8, [%rd1], 9, 2;\n";
  const verdict v = passed_on(hands, relaxed, 0);
  ASSERT_EQ(v.races.size(), 1u) << v.text;
  EXPECT_EQ(v.races[0].cause.what, missing::acquire);
}

}  // namespace
}  // namespace ptxlab::machine
