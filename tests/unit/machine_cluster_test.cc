// SPDX-License-Identifier: Apache-2.0
// Clusters of several blocks: what blocks read and write in each other's shared memory, by CUDA and
// by PTX, and what they may not.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "tests/unit/machine/cluster_kernel.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {
namespace {

using namespace clusters;

// --- what nvcc makes of CUDA ---------------------------------------------------------------------

class machine_clusters : public testing::Test {
 protected:
  void SetUp() override {
    static const compiler shared;
    if (!shared.problem().empty()) GTEST_SKIP() << shared.problem();
    on.emplace(shared.module(compiler::root() / "tests/unit/machine/cluster.cu"));
  }
  void cluster_of(u32 x, u32 y = 1, u32 z = 1) {
    on->how.cluster[0] = x;
    on->how.cluster[1] = y;
    on->how.cluster[2] = z;
  }
  run_report run(std::string_view kernel, u32 grid, u32 block,
                 const std::vector<std::uint64_t>& arguments,
                 const std::vector<unsigned>& bytes = {}) {
    on->how.observers = {&races};
    return on->run(kernel, grid, block, arguments, bytes);
  }

  std::optional<workbench> on;
  race_detector races;
};

words counting(std::size_t n, u32 first = 0) {
  words out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = first + static_cast<u32>(i) * 3;
  return out;
}

TEST_F(machine_clusters, read_what_the_next_block_wrote) {
  constexpr u32 blocks = 8, threads = 64;
  const words in = counting(std::size_t{blocks} * threads);
  for (const u32 size : {1U, 2U, 4U, 8U})
    for (const char* token : {"its", "lockstep", "random:7", "adversarial:7"}) {
      SCOPED_TRACE(std::to_string(size) + token);
      cluster_of(size);
      read_token(token, on->how);
      const address out = on->buffer(words(in.size()), "out");
      const run_report r = run("next", blocks, threads, {on->buffer(in, "in"), out});
      ASSERT_EQ(r.how, ending::finished) << r.reason;
      words wanted(in.size());
      for (u32 b = 0; b < blocks; ++b)
        for (u32 t = 0; t < threads; ++t)
          wanted[b * threads + t] = in[(b / size * size + (b + 1) % size) * threads + t];
      EXPECT_EQ(on->read<u32>(out, in.size()), wanted);
      EXPECT_EQ(verdict_of(races.report()), "no race");
    }
}

TEST_F(machine_clusters, a_missing_barrier_is_a_race_in_the_memory_of_a_named_block) {
  cluster_of(2);
  const address in = on->buffer(counting(128), "in"), out = on->buffer(words(128), "out");
  ASSERT_EQ(run("next_without_barrier", 2, 64, {in, out}).how, ending::finished);
  EXPECT_EQ(verdict_of(races.report()), "between blocks");
  ASSERT_EQ(races.report().races.size(), 2U);  // in either order
  std::set<std::string> places;
  for (const race& x : races.report().races) {
    places.insert(x.where.name);
    EXPECT_EQ(x.cause.what, missing::communication);
  }
  EXPECT_TRUE(std::all_of(places.begin(), places.end(), [](const std::string& n) {
    return n.find("mine of block ") != n.npos;
  })) << *places.begin();
}

TEST_F(machine_clusters, the_memory_of_a_block_that_left_is_gone) {
  cluster_of(2);
  const address in = on->buffer(counting(128), "in"), out = on->buffer(words(128), "out");
  const run_report r = run("next_leaves_early", 2, 64, {in, out});
  EXPECT_EQ(r.how, ending::fault);
  EXPECT_NE(r.reason.find("of the shared memory of block"), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("of the cluster has ended"), std::string::npos) << r.reason;
  // Whoever is in time reads the right thing: it depends on the schedule.
  std::set<ending> endings;
  on->how.by = policy::random;
  for (on->how.seed = 1; on->how.seed < 40; ++on->how.seed)
    endings.insert(run("next_leaves_early", 2, 64, {in, out}).how);
  EXPECT_TRUE(endings.contains(ending::fault));
}

TEST_F(machine_clusters, add_to_bins_in_each_other) {
  constexpr u32 n = 3000, blocks = 8;
  words in(n);
  for (u32 i = 0; i < n; ++i) in[i] = i * i * 7 + i;
  for (const u32 size : {2U, 4U, 8U}) {
    cluster_of(size);
    words wanted(std::size_t{16} * size);
    for (const u32 x : in) ++wanted[x % wanted.size()];
    const address out = on->buffer(words(wanted.size()), "out");
    const run_report r = run("histogram", blocks, 64, {on->buffer(in, "in"), out, n}, {8, 8, 4});
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    EXPECT_EQ(on->read<u32>(out, wanted.size()), wanted) << size;
    EXPECT_EQ(verdict_of(races.report()), "no race") << size;
  }
}

TEST_F(machine_clusters, know_their_places_in_two_dimensions) {
  constexpr u32 gx = 4, gy = 6, gz = 2, cx = 2, cy = 2;
  on->how.grid[1] = gy;
  on->how.grid[2] = gz;
  const address out = on->buffer(words(std::size_t{12} * gx * gy * gz), "out");
  const run_report r = run("who_am_i", gx, 1, {out});
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const words got = on->read<u32>(out, std::size_t{12} * gx * gy * gz);
  // Cluster after cluster, block after block of each.
  for (u32 z = 0; z < gz; ++z)
    for (u32 v = 0; v < gy / cy; ++v)
      for (u32 u = 0; u < gx / cx; ++u)
        for (u32 rank = 0; rank < cx * cy; ++rank) {
          const u32 x = u * cx + rank % cx, y = v * cy + rank / cx;
          const words wanted = {rank % cx, rank / cx, 0, rank, 221, 4, u * 100 + v * 10 + z,
                                232,       3,         3, 1,    rank};
          const auto at = got.begin() + 12 * ((z * gy + y) * gx + x);
          EXPECT_EQ(words(at, at + 12), wanted) << x << " " << y << " " << z;
        }
  EXPECT_EQ(verdict_of(races.report()), "no race");
  // The kernel's own size is the only one.
  cluster_of(4);
  EXPECT_NE(run("who_am_i", 4, 1, {out}).reason.find("compiled for 2 x 2 x 1"), std::string::npos);
}

TEST_F(machine_clusters, do_other_things_between_arrival_and_wait) {
  cluster_of(2);
  const words in = counting(64);
  const address out = on->buffer(words(64), "out");
  ASSERT_EQ(run("split", 2, 32, {on->buffer(in, "in"), out}).how, ending::finished);
  const words got = on->read<u32>(out, 64);
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(got[i], in[(i + 32) % 64] + 7);
  EXPECT_EQ(verdict_of(races.report()), "no race");
}

// --- PTX -----------------------------------------------------------------------------------------

TEST(machine_cluster_ptx, every_form_of_mapa_and_getctarank_names_the_same_place) {
  const ran r = run(kernel(R"(
  st.shared::cta.u32 [word+4], %rank;)" +
                           std::string(sync) + R"(
  mapa.shared::cluster.u32 %r1, word+4, %other;
  ld.shared::cluster.u32 %r2, [%r1];
  add.u32 %r3, %w, 4;
  setp.eq.u32 %p1, %r1, %r3;
  selp.u32 %r4, 10, 0, %p1;
  add.u32 %r2, %r2, %r4;                          // 10: word+4 and word, plus 4
  mov.u64 %rd1, word;
  mapa.shared::cluster.u64 %rd2, %rd1, %other;
  cvt.u32.u64 %r5, %rd2;
  setp.eq.u32 %p1, %r5, %w;
  selp.u32 %r4, 100, 0, %p1;
  add.u32 %r2, %r2, %r4;                          // 100: in 64 bits
  cvta.shared.u64 %rd3, %rd1;
  mapa.u64 %rd4, %rd3, %other;
  setp.eq.u64 %p1, %rd4, %g;
  selp.u32 %r4, 1000, 0, %p1;
  add.u32 %r2, %r2, %r4;                          // 1000: generic
  getctarank.u64 %r6, %rd4;
  getctarank.shared::cluster.u32 %r7, %w;
  getctarank.shared::cluster.u64 %r8, %rd1;
  shl.b32 %r6, %r6, 16; shl.b32 %r7, %r7, 17; shl.b32 %r8, %r8, 18;
  add.u32 %r2, %r2, %r6; add.u32 %r2, %r2, %r7; add.u32 %r2, %r2, %r8;
  mul.wide.u32 %rd5, %rank, 4;
  add.u64 %rd5, %out, %rd5;
  st.global.u32 [%rd5], %r2;)" +
                           sync));
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  EXPECT_EQ(r.out[0], 1111U + (1U << 16) + (1U << 17));
  EXPECT_EQ(r.out[1], 1110U + (1U << 18));
  EXPECT_EQ(r.verdict, "no race");
}

TEST(machine_cluster_ptx, an_address_goes_from_block_to_block_as_a_generic_one) {
  // Each tells the other where its own word is; cvta of the own block's address names the block.
  const ran r = run(kernel(R"(
  mov.u64 %rd1, word;
  cvta.shared.u64 %rd1, %rd1;
  st.u64 [%g], %rd1;
  st.shared.u32 [word+8], 5;
  @%p3 st.shared.u32 [word+8], 6;)" +
                           std::string(sync) + R"(
  ld.shared.u64 %rd2, [word];                      // the other's own address
  setp.eq.u64 %p1, %rd2, %g;
  ld.u32 %r1, [%rd2+8];
  selp.u32 %r2, 100, 0, %p1;
  add.u32 %r1, %r1, %r2;
  isspacep.shared %p1, %rd2;                       // not the own block's
  selp.u32 %r2, 1000, 0, %p1;
  add.u32 %r1, %r1, %r2;
  isspacep.shared::cluster %p1, %rd2;
  selp.u32 %r2, 20, 0, %p1;
  add.u32 %r1, %r1, %r2;
  isspacep.shared::cta %p1, %rd1;
  selp.u32 %r2, 300, 0, %p1;
  add.u32 %r1, %r1, %r2;
  isspacep.global %p1, %rd2;
  selp.u32 %r2, 5000, 0, %p1;
  add.u32 %r1, %r1, %r2;
  cvta.to.shared.u64 %rd3, %rd1;                   // the own block's offset again
  mov.u64 %rd4, word;
  setp.eq.u64 %p1, %rd3, %rd4;
  selp.u32 %r2, 40000, 0, %p1;
  add.u32 %r1, %r1, %r2;
  mul.wide.u32 %rd5, %rank, 4;
  add.u64 %rd5, %out, %rd5;
  st.global.u32 [%rd5], %r1;)" +
                           sync));
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  EXPECT_EQ(r.out[0], 40425U);
  EXPECT_EQ(r.out[1], 40426U);
}

TEST(machine_cluster_ptx, a_kernel_knows_whether_clusters_were_asked_for) {
  const std::string text = kernel(
      "mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 2, %p1; mov.b32 %r2, "
      "%cluster_nctarank; mad.lo.u32 %r1, %r2, 10, %r1; st.global.u32 [%out], %r1;",
      "");
  EXPECT_EQ(run(text).out[0], 12U);
  EXPECT_EQ(
      run(text, 2, 1, [](launch& l) { l.cluster[0] = l.cluster[1] = l.cluster[2] = 1; }).out[0],
      11U);
  EXPECT_EQ(run(text, 4, 1,
                [](launch& l) {
                  l.cluster[0] = 4;
                  l.cluster[1] = l.cluster[2] = 1;
                })
                .out[0],
            41U);
}

TEST(machine_cluster_ptx, atomics_reach_the_other_block_by_every_spelling) {
  const ran r = run(kernel(R"(
  st.shared.u32 [word], 0;)" +
                           std::string(sync) + R"(
  atom.shared::cluster.add.u32 %r1, [%w], 1;
  red.relaxed.cluster.shared::cluster.add.u32 [%w], 10;
  atom.add.u32 %r1, [%g], 100;
  red.add.u32 [%g], 1000;)" +
                           sync + R"(
  ld.shared.u32 %r2, [word];
  mul.wide.u32 %rd5, %rank, 4;
  add.u64 %rd5, %out, %rd5;
  st.global.u32 [%rd5], %r2;)"),
                    2, 32);
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  EXPECT_EQ(r.out[0], 32U * 1111);
  EXPECT_EQ(r.out[1], 32U * 1111);
}

TEST(machine_cluster_ptx, lanes_of_one_access_may_go_to_several_blocks) {
  // Lane i adds to the word of block i % 4, by one instruction.
  const ran r = run(kernel(R"(
  st.shared.u32 [word], 0;)" + std::string(sync) +
                               R"(
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
  mapa.shared::cluster.u32 %r3, word, %r2;
  red.shared::cluster.add.u32 [%r3], %r1;)" +
                               sync + R"(
  ld.shared.u32 %r2, [word];
  mul.wide.u32 %rd5, %rank, 4;
  add.u64 %rd5, %out, %rd5;
  st.global.u32 [%rd5], %r2;)",
                           ".reqnctapercluster 4"),
                    4, 32);
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  for (u32 b = 0; b < 4; ++b) EXPECT_EQ(r.out[b], 4U * (8 * b + 4 * 28));
}

// --- what is outside -----------------------------------------------------------------------------

TEST(machine_cluster_faults, name_the_block_whose_memory_it_is) {
  const auto access = [](const std::string& what) {
    return run(kernel(sync + ("@%p3 " + what) + sync));
  };
  EXPECT_EQ(access("ld.shared::cluster.u32 %r1, [%w+28];").report.how, ending::finished);
  expect_fault(access("ld.shared::cluster.u32 %r1, [%w+32];"),
               "reads byte 32 of shared memory of block 1 of the cluster, which has 32");
  expect_fault(access("st.u32 [%g+4096], %r1;"),
               "writes byte 4096 of shared memory of block 1 of the cluster, which has 32");
  expect_fault(access("ld.shared.u32 %r1, [%w];"),
               "by an instruction for the own block's, block 0");
  expect_fault(access("ld.shared::cluster.u32 %r1, [%w+2];"), "not a multiple of 4");
  // Of the own block, too: by an address with its rank and by one without.
  const std::string own = "mapa.shared::cluster.u32 %r2, word, %rank;\n";
  EXPECT_EQ(run(kernel(own + "ld.shared.u32 %r1, [%r2];")).report.how, ending::finished);
  expect_fault(run(kernel(own + "ld.shared.u32 %r1, [%r2+32];")), "which has 32");
  expect_fault(run(kernel("ld.shared::cluster.u32 %r1, [word+32];")),
               "reads byte 32 of the block's shared memory, which has 32");
}

TEST(machine_cluster_faults, a_rank_that_the_cluster_does_not_have) {
  const std::string far = "mov.u32 %r2, 7; mapa.shared::cluster.u32 %r1, word, %r2;\n";
  EXPECT_EQ(run(kernel(far)).report.how, ending::finished) << "nobody uses it";
  expect_fault(run(kernel(far + "ld.shared::cluster.u32 %r1, [%r1];")),
               "of block 7 of the cluster, which has 2");
  expect_fault(run(kernel("mapa.u64 %rd1, %out, 0; ld.u32 %r1, [%rd1];")),
               "of the cluster, which has 2");
  // Without a cluster there is only the own block.
  expect_fault(run(kernel("ld.shared::cluster.u32 %r1, [%w];", "")),
               "of block 1 of the cluster, which has 1");
}

TEST(machine_cluster_faults, what_nobody_wrote) {
  const auto checked = [](launch& l) { l.check_uninitialised = true; };
  const std::string written = "st.shared.u32 [word], 1;\n";
  const std::string read = sync + std::string("@%p3 ld.shared::cluster.u32 %r1, [%w+4];") + sync;
  expect_fault(run(kernel(written + read), 2, 1, checked),
               "reads byte 4 of shared memory of block 1 of the cluster, which nobody wrote");
  EXPECT_EQ(run(kernel("st.shared::cluster.u32 [%w+4], 1;" + read), 2, 1, checked).report.how,
            ending::finished);
}

}  // namespace
}  // namespace ptxlab::machine
