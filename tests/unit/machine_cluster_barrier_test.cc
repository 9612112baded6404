// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster, who it waits for and what it orders; and scopes between blocks.
#include <gtest/gtest.h>

#include "tests/unit/machine/cluster_kernel.hpp"

namespace ptxlab::machine {
namespace {

using namespace clusters;

// --- the barrier ---------------------------------------------------------------------------------

TEST(machine_cluster_barrier, threads_that_ended_are_not_waited_for) {
  // Block 1 arrives and leaves; in the other case it leaves at once.
  for (const char* arrives : {"@!%p3 barrier.cluster.arrive;", ""})
    for (const char* token : {"its", "random:2", "lockstep"}) {
      const ran r =
          run(kernel(arrives + std::string("@!%p3 ret;\n") + sync + "st.global.u32 [%out], 9;"), 2,
              64, [&](launch& l) { read_token(token, l); });
      EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
      EXPECT_EQ(r.out[0], 9U);
    }
}

TEST(machine_cluster_barrier, an_arrival_has_one_wait) {
  expect_fault(run(kernel("barrier.cluster.arrive; barrier.cluster.arrive;")),
               "arrives at the barrier of the cluster again");
  expect_fault(run(kernel("barrier.cluster.wait;")), "without an arrival");
  expect_fault(run(kernel(std::string(sync) + "barrier.cluster.wait;")), "without an arrival");
  EXPECT_EQ(run(kernel("barrier.cluster.arrive;")).report.how, ending::finished);
  // Without a cluster it is a barrier of the block.
  EXPECT_EQ(run(kernel(sync, ""), 3, 64).report.how, ending::finished);
}

TEST(machine_cluster_barrier, lanes_may_come_one_after_the_other) {
  const std::string body = R"(
  mov.u32 %r1, %tid.x;
  and.b32 %r1, %r1, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  barrier.cluster.arrive;
  bra.uni BOTH;
EVEN:
  barrier.cluster.arrive;
BOTH:
  barrier.cluster.wait;)";
  EXPECT_EQ(run(kernel(body), 2, 64).report.notes.size(), 0U);
  const ran aligned = run(kernel("and.b32 %r1, %laneid, 1; setp.eq.u32 %p1, %r1, 0;\n"
                                 "@%p1 barrier.cluster.arrive.aligned;\n"
                                 "@!%p1 barrier.cluster.arrive.aligned;\n"
                                 "barrier.cluster.wait.aligned;"),
                          2, 64);
  EXPECT_EQ(aligned.report.how, ending::finished);
  ASSERT_FALSE(aligned.report.notes.empty());
  EXPECT_NE(aligned.report.notes[0].find("with 16 of 32 lanes"), std::string::npos);
}

TEST(machine_cluster_barrier, who_never_comes_is_named) {
  // Block 1 waits at a barrier of its own for a warp that it does not have.
  ran r = run(kernel("@!%p3 bar.sync 1, 64;\n" + std::string(sync)), 2, 32);
  EXPECT_EQ(name(r.report.how), name(ending::barrier_divergence));
  ASSERT_EQ(r.report.stuck.size(), 2U);
  EXPECT_NE(r.report.stuck[0].at.find("(barrier.cluster.wait): 32 of the 64 threads of cluster 0 "
                                      "have arrived, none of block 1"),
            std::string::npos)
      << r.report.stuck[0].at;
  // Block 1 polls a word of block 0, which waits for it.
  r =
      run(kernel("st.shared.u32 [word], 4;\nAGAIN: @%p3 bra DONE;\n"
                 "ld.relaxed.cluster.shared::cluster.u32 %r1, [%w]; setp.ne.u32 %p1, %r1, 5;\n"
                 "@%p1 bra AGAIN;\nDONE:\n" +
                 std::string(sync)));
  EXPECT_EQ(name(r.report.how), name(ending::nobody_left_to_write)) << r.report.reason;
  ASSERT_EQ(r.report.stuck.size(), 2U);
  EXPECT_NE(r.report.stuck[1].polls.find("word of block 0+0 (4 bytes"), std::string::npos)
      << r.report.stuck[1].polls;
  EXPECT_NE(r.report.stuck[1].polls.find("holds 4"), std::string::npos);
  EXPECT_EQ(r.report.stuck[1].polled_block, 0U);
}

TEST(machine_cluster_barrier, an_mbarrier_of_another_block_is_arrived_at) {
  const ran r = run(kernel(R"(
  @%p3 mbarrier.init.shared::cta.b64 [word], 1;
  fence.mbarrier_init.release.cluster;)" +
                           std::string(sync) + R"(
  @%p3 bra WAIT;
  st.shared::cluster.u32 [%w+16], 77;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%w];
  bra.uni DONE;
WAIT:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [word], 0;
  @!%p1 bra WAIT;
  ld.shared.u32 %r1, [word+16];
  st.global.u32 [%out], %r1;
DONE:)" + sync));
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  EXPECT_EQ(r.out[0], 77U);
  EXPECT_EQ(r.verdict, "no race");
}

// --- races ---------------------------------------------------------------------------------------

TEST(machine_cluster_races, a_barrier_orders_as_far_as_it_releases) {
  const std::string write = "st.shared::cluster.u32 [%w], 1;\n",
                    read = "ld.shared.u32 %r1, [word];\n";
  const auto with = [&](const std::string& between) {
    const ran r = run(kernel(write + between + read + sync), 2, 32);
    EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
    return r;
  };
  const std::string wait = "barrier.cluster.wait.acquire;\n";
  // Lanes of one block write the same: only what is between blocks is of interest here.
  const auto ordered = [](const ran& r) {
    return r.verdict.find("between blocks") == r.verdict.npos;
  };
  EXPECT_FALSE(ordered(with("")));
  EXPECT_TRUE(ordered(with(sync)));
  EXPECT_TRUE(ordered(with("barrier.cluster.arrive.release.aligned;" + wait)));
  const ran relaxed = with("barrier.cluster.arrive.relaxed;" + wait);
  EXPECT_FALSE(ordered(relaxed));
  EXPECT_NE(relaxed.missing.find("release"), std::string::npos) << relaxed.missing;
  EXPECT_TRUE(ordered(with("fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;" + wait)));
  EXPECT_FALSE(ordered(with("fence.acq_rel.cta; barrier.cluster.arrive.relaxed;" + wait)));
  EXPECT_FALSE(ordered(with("barrier.sync 0;")));
}

TEST(machine_cluster_races, nothing_is_ordered_between_arrival_and_wait) {
  const std::string late =
      "barrier.cluster.arrive; st.shared::cluster.u32 [%w], 1;"
      "barrier.cluster.wait; ld.shared.u32 %r1, [word];";
  EXPECT_EQ(run(kernel(late + sync)).verdict, "between blocks");
  const std::string early =
      "st.shared::cluster.u32 [%w], 1; barrier.cluster.arrive;"
      "ld.shared.u32 %r1, [word]; barrier.cluster.wait;";
  EXPECT_EQ(run(kernel(early + sync)).verdict, "between blocks");
  const std::string next =
      "st.shared::cluster.u32 [%w], 1; barrier.cluster.arrive;"
      "barrier.cluster.wait; ld.shared.u32 %r1, [word];";
  EXPECT_EQ(run(kernel(next + sync)).verdict, "no race");
  // The same between the warps of one block, without a cluster.
  const auto of_warps = [](const std::string& first, const std::string& second) {
    return run(kernel("mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, 32;\n" + first +
                          "barrier.cluster.arrive;\n" + second +
                          "barrier.cluster.wait;\n@!%p1 ld.shared.u32 %r1, [word];",
                      ""),
               1, 64)
        .verdict.find("between warps");
  };
  const std::string store = "@%p1 st.shared.u32 [word], 1;\n";
  EXPECT_EQ(of_warps(store, ""), std::string::npos);
  EXPECT_NE(of_warps("", store), std::string::npos);
  // A thread that ended was not waited for, and released nothing.
  const std::string ends = "@!%p3 st.shared::cluster.u32 [%w], 1;\n@!%p3 ret;\n";
  EXPECT_EQ(run(kernel(ends + sync + "ld.shared.u32 %r1, [word];")).verdict, "between blocks");
}

TEST(machine_cluster_races, scope_cluster_is_between_cta_and_gpu) {
  // A flag in block 0's memory says that the data there is complete.
  const auto hand_over = [](const std::string& scope) {
    return kernel(
        "@%p3 bra WAIT;\n"
        "st.shared::cluster.u32 [%w+4], 8;\n"
        "st.release." +
        scope +
        ".shared::cluster.u32 [%w], 1;\n"
        "bra.uni DONE;\nWAIT:\n"
        "ld.acquire." +
        scope +
        ".shared.u32 %r1, [word];\n"
        "setp.ne.u32 %p1, %r1, 1;\n@%p1 bra WAIT;\n"
        "ld.shared.u32 %r2, [word+4];\nst.global.u32 [%out], %r2;\nDONE:\n" +
        std::string(sync));
  };
  for (const char* scope : {"cluster", "gpu", "sys"}) {
    const ran r = run(hand_over(scope));
    ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
    EXPECT_EQ(r.out[0], 8U);
    EXPECT_EQ(r.verdict, "no race") << scope << r.missing;
  }
  const ran narrow = run(hand_over("cta"));
  EXPECT_EQ(narrow.verdict, "between blocks");
  EXPECT_NE(narrow.missing.find("scope"), std::string::npos) << narrow.missing;
}

TEST(machine_cluster_races, fences_of_scope_cluster_release_and_acquire) {
  const auto hand_over = [](const std::string& before, const std::string& after) {
    return run(kernel("@%p3 bra WAIT;\nst.shared::cluster.u32 [%w+4], 8;\n" + before +
                      "st.relaxed.cluster.shared::cluster.u32 [%w], 1;\nbra.uni DONE;\nWAIT:\n"
                      "ld.relaxed.cluster.shared.u32 %r1, [word];\n"
                      "setp.ne.u32 %p1, %r1, 1;\n@%p1 bra WAIT;\n" +
                      after + "ld.shared.u32 %r2, [word+4];\nDONE:\n" + sync));
  };
  const std::string fence = "fence.acq_rel.cluster;\n", narrow = "fence.acq_rel.cta;\n";
  EXPECT_EQ(hand_over(fence, fence).verdict, "no race");
  const ran released = hand_over(fence, ""), acquired = hand_over("", fence);
  EXPECT_EQ(released.verdict, "between blocks");
  EXPECT_EQ(released.missing, "acquire");
  EXPECT_EQ(acquired.verdict, "between blocks");
  EXPECT_EQ(acquired.missing, "release");
  EXPECT_EQ(hand_over(narrow, fence).missing, "scope");
}

TEST(machine_cluster_races, scope_cluster_does_not_reach_other_clusters) {
  const auto count = [](const std::string& scope) {
    return run(kernel("red.relaxed." + scope + ".global.add.u32 [%out], 1;"), 4);
  };
  EXPECT_EQ(count("gpu").verdict, "no race");
  const ran r = count("cluster");
  EXPECT_EQ(r.verdict, "between blocks");
  EXPECT_EQ(r.missing, "scope");
  EXPECT_EQ(run(kernel("red.relaxed.cluster.global.add.u32 [%out], 1;"), 2).verdict, "no race");
}

TEST(machine_cluster_races, blocks_of_different_clusters_have_words_of_their_own) {
  // Block 0 of both clusters writes the same offset of its neighbour.
  const std::string text = kernel("@%p3 st.shared::cluster.u32 [%w], 1;\n" + std::string(sync) +
                                  "ld.shared.u32 %r1, [word];");
  EXPECT_EQ(run(text, 4).verdict, "no race");
}

}  // namespace
}  // namespace ptxlab::machine
