// SPDX-License-Identifier: Apache-2.0
// Which blocks of a cluster start together, and which launches are refused.
#include <gtest/gtest.h>

#include <set>

#include "ptx/machine/cluster_shape.hpp"
#include "tests/unit/machine/cluster_kernel.hpp"

namespace ptxlab::machine {
namespace {

using namespace clusters;

// --- who starts together -------------------------------------------------------------------------

/// Blocks that run at the same time, and the order in which they began.
class residents : public observer {
 public:
  void block_begins(u32 block) override {
    if (block % 2 == 0) {
      EXPECT_LE(now + 2, room) << "no room for both of a cluster";
    }
    order.push_back(block);
    ++now;
  }
  void block_ends(u32) override { --now; }
  words order;
  u32 now = 0, room = 1000;
};

TEST(machine_cluster_residency, whole_clusters_start_and_no_part_of_one) {
  for (const char* token : {"its", "random:4"}) {
    residents seen;
    seen.room = 5;
    const ran r = run(kernel(sync), 8, 32, [&](launch& l) {
      read_token(token, l);
      l.resident = {5, 132, "a test"};
      l.observers = {&seen};
    });
    EXPECT_EQ(r.report.how, ending::finished);
    EXPECT_EQ(seen.order, (words{0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

TEST(machine_cluster_residency, two_dimensions_start_cluster_after_cluster) {
  residents seen;
  const ran r = run(kernel(sync, ".reqnctapercluster 2, 2"), 4, 1, [&](launch& l) {
    l.grid[1] = 2;
    l.observers = {&seen};
  });
  EXPECT_EQ(r.report.how, ending::finished);
  EXPECT_EQ(seen.order, (words{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST(machine_cluster_residency, a_run_is_given_again) {
  std::vector<turn> turns;
  const std::string text =
      kernel("atom.shared::cluster.add.u32 %r1, [%w], 1;\n" + std::string(sync) +
                 "atom.global.exch.b32 %r2, [%out], %rank;\nst.global.u32 [%out+4], %r2;",
             ".reqnctapercluster 2, 2");
  const auto two_rows = [](launch& l) { l.grid[1] = 2; };
  const ran first = run(text, 4, 64, [&](launch& l) {
    two_rows(l);
    read_token("random:11", l);
    l.record = &turns;
  });
  ASSERT_EQ(first.report.how, ending::finished);
  const ran again = run(text, 4, 64, [&](launch& l) {
    two_rows(l);
    l.by = policy::trace;
    l.trace = turns;
  });
  EXPECT_EQ(again.report.how, ending::finished) << again.report.reason;
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(again.report.warp_steps, first.report.warp_steps);
}

TEST(machine_cluster_residency, several_threads_of_the_host_do_the_same) {
  const std::string text = kernel(R"(
  mov.u32 %r1, %ctaid.x;
  st.shared::cluster.u32 [%w], %r1;)" +
                                  std::string(sync) + R"(
  ld.shared.u32 %r2, [word];
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd5, %out, %rd5;
  st.global.u32 [%rd5], %r2;)");
  for (const unsigned threads : {1U, 3U, 64U}) {
    const ran r = run(text, 14, 1, [&](launch& l) {
      l.observers.clear();
      l.threads = threads;
    });
    ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
    EXPECT_EQ(r.report.blocks_finished, 14U);
    for (u32 b = 0; b < 14; ++b) EXPECT_EQ(r.out[b], b ^ 1) << threads;
  }
}

// --- what is refused -----------------------------------------------------------------------------

std::string refused(const std::string& header, u32 blocks,
                    const std::function<void(launch&)>& change = {}) {
  const ran r = run(kernel("", header), blocks, 1, change);
  EXPECT_EQ(name(r.report.how), name(ending::refused)) << header;
  EXPECT_EQ(r.report.reason.find('\n'), std::string::npos);
  return r.report.reason;
}
std::function<void(launch&)> clusters_of(u32 x, u32 y = 1, u32 z = 1) {
  return [=](launch& l) {
    l.cluster[0] = x;
    l.cluster[1] = y;
    l.cluster[2] = z;
  };
}

TEST(machine_cluster_refusals, each_is_one_line) {
  EXPECT_EQ(refused(".reqnctapercluster 2", 3),
            "a grid of 3 x 1 x 1 blocks is no multiple of its clusters of 2 x 1 x 1");
  EXPECT_EQ(refused(".reqnctapercluster 1, 2", 2),
            "a grid of 2 x 1 x 1 blocks is no multiple of its clusters of 1 x 2 x 1");
  EXPECT_EQ(refused(".reqnctapercluster 16", 16),
            "clusters of 16 x 1 x 1 blocks: 8 at most run on every GPU with clusters");
  EXPECT_EQ(refused("", 16, clusters_of(4, 2, 2)),
            "clusters of 4 x 2 x 2 blocks: 8 at most run on every GPU with clusters");
  EXPECT_EQ(refused("", 1, clusters_of(0xffffffff, 0xffffffff, 0xffffffff)),
            "clusters of 4294967295 x 4294967295 x 4294967295 blocks: 8 at most run on every GPU "
            "with clusters");
  EXPECT_EQ(refused("", 4, clusters_of(2, 0, 1)),
            "clusters of 2 x 0 x 1 blocks: at least 1 each way");
  EXPECT_EQ(refused(".reqnctapercluster 2, 1, 1", 4, clusters_of(4)),
            "clusters of 4 x 1 x 1 blocks, the kernel was compiled for 2 x 1 x 1");
  EXPECT_EQ(refused(".explicitcluster", 2),
            "k has to be launched with a size of its clusters (.explicitcluster)");
  EXPECT_EQ(refused(".maxclusterrank 4", 8, clusters_of(8)),
            "clusters of 8 blocks, the kernel was compiled for 4 at most (.maxclusterrank)");
  const auto room = [](u32 blocks, bool cooperative) {
    return [=](launch& l) {
      l.resident = {blocks, 132, "a test"};
      l.cooperative = cooperative;
    };
  };
  EXPECT_EQ(refused(".reqnctapercluster 4", 4, room(3, false)),
            "clusters of 4 blocks, of which 3 can be resident (a test)");
  EXPECT_EQ(
      refused(".reqnctapercluster 4", 8, room(7, true)),
      "a cooperative launch of 8 blocks, of which 4 can be resident (a test, in clusters of 4)");
}

TEST(machine_cluster_refusals, what_fits_is_run) {
  EXPECT_EQ(run(kernel("", ".explicitcluster"), 2, 1, clusters_of(2)).report.how, ending::finished);
  EXPECT_EQ(run(kernel("", ".maxclusterrank 4"), 4, 1, clusters_of(4)).report.how,
            ending::finished);
  EXPECT_EQ(run(kernel("", ".maxclusterrank 4"), 3).report.how, ending::finished);
  EXPECT_EQ(
      run(kernel("", ".explicitcluster .reqnctapercluster 2"), 2, 1, clusters_of(2)).report.how,
      ending::finished);
}

TEST(machine_cluster_refusals, instructions_that_do_not_fit) {
  const auto reason = [](const std::string& what) -> std::string {
    machine_fixture m(kernel(what));
    const decoded& d = m.module.kernel("k");
    return d.missing.empty() ? "" : d.missing.front().reason;
  };
  EXPECT_EQ(reason("mapa.u32 %r1, %r2, 1;"), "generic addresses have 64 bits here");
  EXPECT_NE(reason("mapa.shared::cta.u32 %r1, %r2, 1;"), "");
  EXPECT_NE(reason("mapa.shared::cluster.u32 %r1, %r2;"), "");
  EXPECT_NE(reason("getctarank.shared::cluster.u32 %r1, %r2, 1;"), "");
  EXPECT_NE(reason("barrier.cluster.arrive.acquire;"), "");
  EXPECT_NE(reason("barrier.cluster.wait.release;"), "");
  EXPECT_NE(reason("and.pred %p1, %is_explicit_cluster, %p2;"), "");
}

TEST(machine_cluster_directives, are_read_from_the_header) {
  const cluster_directives d = read_cluster_directives(
      ".entry k(.param .u64 p) .maxntid 128, 1, 1 .explicitcluster .reqnctapercluster 4, 2 "
      ".minnctapersm 3 .maxclusterrank 7");
  EXPECT_EQ(words(d.extent, d.extent + 3), (words{4, 2, 1}));
  EXPECT_TRUE(d.explicit_only);
  EXPECT_EQ(d.most_blocks, 7U);
  const cluster_directives none = read_cluster_directives(".entry k() .maxntid 128, 1, 1");
  EXPECT_EQ(words(none.extent, none.extent + 3), (words{0, 0, 0}));
  EXPECT_FALSE(none.explicit_only);
  EXPECT_EQ(none.most_blocks, 0U);
}

TEST(machine_cluster_directives, turns_and_blocks_are_each_others_inverse) {
  launch_info l;
  for (u32 d = 0; d < 3; ++d) {
    l.grid[d] = 6;
    l.cluster[d] = d + 1;
  }
  std::set<u32> all;
  for (u32 turn = 0; turn < l.blocks(); ++turn) {
    EXPECT_EQ(l.turn_of(l.block_at(turn)), turn);
    EXPECT_EQ(l.cluster_of(l.block_at(turn)), turn / 6);
    all.insert(l.block_at(turn));
  }
  EXPECT_EQ(all.size(), 216U);
  EXPECT_EQ(l.block_at(1), 6U);   // the second along y
  EXPECT_EQ(l.block_at(2), 36U);  // and then along z
}

}  // namespace
}  // namespace ptxlab::machine
