// SPDX-License-Identifier: Apache-2.0
// What protocol peer decides without a GPU: points, contracts, what counts mean, what the host does
// as the other party.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "driver/bench/host_party.hpp"
#include "driver/bench/meetings.hpp"
#include "driver/cuda/check.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {
namespace {

using kernels::measurement;
using kernels::meeting;
using doubles = std::vector<double>;

constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};

const protocol& peer() {
  return protocol_of(kernels::protocol::peer);
}

measurement of(meeting m) {
  measurement out;
  out.how = kernels::protocol::peer;
  out.sass = {"LDG*.STRONG.SYS"};
  out.copies = 16;
  out.meets = m;
  return out;
}

doubles axis(const std::vector<axes>& points, const std::string& name) {
  doubles out;
  for (const axes& a : points) out.push_back(a.at(name));
  return out;
}

// ---- contracts and points

TEST(bench_peer, contracts_are_those_of_the_templates) {
  for (const meeting m : {meeting::chain, meeting::ring, meeting::idle, meeting::order}) {
    const timing::contract c = peer().contract(of(m));
    const bool chain = m == meeting::chain || m == meeting::ring;
    EXPECT_EQ(c.how, chain ? timing::relation::chain : timing::relation::serial);
    EXPECT_FALSE(c.rounds);
    ASSERT_EQ(c.regions.size(), 3u);
    EXPECT_EQ(c.regions[2].copies, 64u);
  }
  for (const meeting m :
       {meeting::hand_over, meeting::message, meeting::barrier, meeting::checked_barrier}) {
    measurement expanding = of(m);
    expanding.expands = true;
    const timing::contract c = peer().contract(expanding);
    EXPECT_EQ(c.how, timing::relation::exchange);
    EXPECT_TRUE(c.rounds);
    EXPECT_TRUE(c.expands);
    ASSERT_EQ(c.regions.size(), 1u);
  }
}

TEST(bench_peer, points) {
  measurement m = of(meeting::chain);
  m.threads = {1, 32};
  EXPECT_EQ(axis(peer().points(m, h200, false), "threads"), (doubles{1, 32}));
  EXPECT_EQ(axis(peer().points(m, h200, true), "threads"), (doubles{32}));
  m = of(meeting::ring);
  m.ring.footprint_bytes = {4096, 1 << 20};
  EXPECT_EQ(axis(peer().points(m, h200, false), "footprint_bytes"), (doubles{4096, 1 << 20}));
  m = of(meeting::barrier);
  m.threads = {32, 256};
  m.blocks = {1, 16, 0};
  EXPECT_EQ(axis(peer().points(m, h200, false), "threads"), (doubles{32, 32, 32, 256, 256, 256}));
  EXPECT_EQ(axis(peer().points(m, h200, false), "blocks"), (doubles{1, 16, 132, 1, 16, 132}));
  EXPECT_EQ(peer().points(m, h200, true), (std::vector<axes>{{{"threads", 256}, {"blocks", 132}}}));
  for (const meeting one : {meeting::idle, meeting::order, meeting::hand_over, meeting::message})
    for (const bool quick : {false, true})
      EXPECT_EQ(peer().points(of(one), h200, quick), std::vector<axes>{{}});
}

// ---- counts

TEST(bench_peer, counts_of_a_sound_kernel_are_zero_or_no_result) {
  results::row r;
  put_counts(r, {{0, 100}, {0, 100}}, 100, false);
  ASSERT_TRUE(r.value);
  EXPECT_EQ(r.value->max, 0);
  EXPECT_EQ(r.state, results::status::ok);
  EXPECT_EQ(r.axes.at("reads"), 100);
  results::row bad;
  put_counts(bad, {{0, 100}, {17, 100}}, 100, false);
  EXPECT_FALSE(bad.value);
  EXPECT_EQ(bad.state, results::status::invalid);
  EXPECT_EQ(bad.reason, "stale 17 of 200: it does not order what it should");
  ASSERT_EQ(bad.raw.size(), 1u);
  EXPECT_EQ(bad.raw[0].values, (doubles{0, 17}));
}

TEST(bench_peer, counts_of_a_mutant_are_its_result) {
  results::row r;
  put_counts(r, {{3, 100}, {17, 100}}, 100, true);
  ASSERT_TRUE(r.value);
  EXPECT_EQ(r.value->max, 17);
  EXPECT_EQ(r.state, results::status::ok);
}

TEST(bench_peer, nothing_that_was_read_is_no_zero) {
  for (const bool mutant : {false, true}) {
    std::vector<results::row> rows;
    add_row(rows, {}, [&](results::row& r) { put_counts(r, {{0, 100}, {0, 0}}, 100, mutant); });
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_FALSE(rows[0].value);
    EXPECT_EQ(rows[0].state, results::status::error);
    EXPECT_EQ(rows[0].reason, "0 words were read, not 100: nothing follows");
  }
}

TEST(bench_peer, rows_keep_what_leaves_the_gpu_usable_only) {
  std::vector<results::row> rows;
  add_row(rows, {}, [](results::row& r) {
    r.flags.push_back("half done");
    throw cuda::cuda_error(CUDA_ERROR_NOT_SUPPORTED, "no");
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].reason, "no");
  EXPECT_TRUE(rows[0].flags.empty());
  EXPECT_THROW(add_row(rows, {}, [](results::row&) { throw hang("it hangs"); }), hang);
  EXPECT_THROW(
      add_row(rows, {},
              [](results::row&) { throw cuda::cuda_error(CUDA_ERROR_ILLEGAL_ADDRESS, "lost"); }),
      cuda::cuda_error);
  EXPECT_EQ(rows.size(), 1u);
}

// ---- the host as the other party

constexpr unsigned rounds = 50, lanes = 4, line = 32;

/// Plays the kernel's side: data, then the flag; `late` leaves the data of every fifth round out.
std::uint64_t play_messages(bool late) {
  std::uint32_t flag = 0, receipt = 0;
  std::vector<std::uint32_t> data(lanes * line);
  std::thread writer([&] {
    for (std::uint32_t r = 1; r <= rounds; ++r) {
      for (unsigned lane = 0; lane < lanes && !(late && r % 5 == 0); ++lane)
        std::atomic_ref<std::uint32_t>(data[lane * line]).store(r, std::memory_order_relaxed);
      std::atomic_ref<std::uint32_t>(flag).store(r, std::memory_order_release);
      while (std::atomic_ref<std::uint32_t>(receipt).load(std::memory_order_acquire) != r)
        std::this_thread::yield();
    }
  });
  const std::uint64_t stale =
      read_messages({&receipt, &flag, rounds, std::chrono::seconds(20)}, data.data(), lanes);
  writer.join();
  return stale;
}

TEST(bench_host_party, reads_messages_and_counts_what_is_not_there) {
  EXPECT_EQ(play_messages(false), 0u);
  EXPECT_EQ(play_messages(true), std::uint64_t{rounds} / 5 * lanes);
}

TEST(bench_host_party, answers_every_round) {
  std::uint32_t ours = 0, theirs = 0;
  std::thread host([&] { answer({&ours, &theirs, rounds, std::chrono::seconds(20)}); });
  for (std::uint32_t r = 1; r <= rounds; ++r) {
    std::atomic_ref<std::uint32_t>(theirs).store(r, std::memory_order_release);
    while (std::atomic_ref<std::uint32_t>(ours).load(std::memory_order_acquire) != r)
      std::this_thread::yield();
  }
  host.join();
  EXPECT_EQ(ours, rounds);
}

TEST(bench_host_party, gives_up_at_the_deadline) {
  std::uint32_t ours = 0, theirs = 0;
  try {
    answer({&ours, &theirs, 7, std::chrono::milliseconds(20)});
    FAIL() << "it waited for nothing and ended";
  } catch (const hang& e) {
    EXPECT_STREQ(e.what(), "the host waited in vain for round 1 of 7");
  }
}

TEST(bench_host_party, polls_until_the_end_of_its_life) {
  std::uint32_t word = 0;
  { const host_poll polling(&word); }
  EXPECT_EQ(word, 0u) << "it only reads";
}

}  // namespace
}  // namespace ptxlab::bench
