// SPDX-License-Identifier: Apache-2.0
// The race detector, driven by hand-written event sequences. The verdicts follow from the PTX
// memory model by hand: each clean pattern has siblings in which one fence, scope or barrier is
// missing.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "ptx/machine/observers/races.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

using flow::kind;
using flow::order;
using flow::scope;
using flow::space;

constexpr address data = 0x1000, flag = 0x10000000, other_flag = 0x20000000, tile = 0x40;

struct thread {
  std::uint32_t block = 0, index = 0;
};

class places : public place_names {
 public:
  named_place name(space s, address at) const override {
    if (s == space::shared) return {"tile", at};
    if (at >= other_flag) return {"other_flag", at - other_flag};
    if (at >= flag) return {"flag", at - flag};
    return {"data", at - data};
  }
};

/// Tells a detector what the threads of a launch do, in the order of the calls. A source line names
/// an instruction.
class story {
 public:
  story(std::uint32_t blocks, std::uint32_t threads) {
    launch_.kernel = "story";
    launch_.grid[0] = blocks;
    launch_.block[0] = threads;
    for (std::uint32_t line = 0; line < 100; ++line)
      sites_.push_back({"", "story", "story.cu", line, 1000 + line});
    launch_.sites = sites_;
    detector.begin(launch_, names_);
  }

  void touch(std::uint32_t line, const char* opcode, kind what, order o, scope s, lanes who,
             std::array<address, warp_lanes> at, std::uint32_t bytes = 4, space in = space::global,
             const std::byte* values = nullptr) {
    sites_[line].opcode = opcode;
    access a;
    a.site = line;
    a.what = what;
    a.space = in;
    a.ordering = o;
    a.reach = s;
    a.bytes = bytes;
    a.who = who;
    a.at = at.data();
    static constexpr std::array<std::byte, warp_lanes * 16> zeros{};
    a.data = what == kind::store ? (values != nullptr ? values : zeros.data()) : nullptr;
    detector.accessed(a);
  }
  void one(std::uint32_t line, const char* opcode, kind what, order o, scope s, thread t,
           address at, std::uint32_t bytes = 4, space in = space::global) {
    std::array<address, warp_lanes> all{};
    all[t.index % warp_lanes] = at;
    touch(line, opcode, what, o, s, lane_of(t), all, bytes, in);
  }

  void st(std::uint32_t line, thread t, address at, std::uint32_t bytes = 4) {
    one(line, "st.global.u32", kind::store, order::weak, scope::none, t, at, bytes);
  }
  void ld(std::uint32_t line, thread t, address at, std::uint32_t bytes = 4) {
    one(line, "ld.global.u32", kind::load, order::weak, scope::none, t, at, bytes);
  }
  void st_shared(std::uint32_t line, thread t, address at) {
    one(line, "st.shared.u32", kind::store, order::weak, scope::none, t, at, 4, space::shared);
  }
  void ld_shared(std::uint32_t line, thread t, address at) {
    one(line, "ld.shared.u32", kind::load, order::weak, scope::none, t, at, 4, space::shared);
  }
  void st_volatile(std::uint32_t line, thread t, address at) {
    one(line, "st.volatile.global.u32", kind::store, order::volatile_, scope::none, t, at);
  }
  void ld_volatile(std::uint32_t line, thread t, address at) {
    one(line, "ld.volatile.global.u32", kind::load, order::volatile_, scope::none, t, at);
  }
  void st_release(std::uint32_t line, thread t, address at, scope s = scope::gpu) {
    one(line, "st.release.global.u32", kind::store, order::release, s, t, at);
  }
  void ld_acquire(std::uint32_t line, thread t, address at, scope s = scope::gpu) {
    one(line, "ld.acquire.global.u32", kind::load, order::acquire, s, t, at);
  }
  void st_relaxed(std::uint32_t line, thread t, address at, scope s = scope::gpu) {
    one(line, "st.relaxed.global.u32", kind::store, order::relaxed, s, t, at);
  }
  void ld_relaxed(std::uint32_t line, thread t, address at, scope s = scope::gpu) {
    one(line, "ld.relaxed.global.u32", kind::load, order::relaxed, s, t, at);
  }
  /// atom as CUDA's atomicAdd gives it: no order, no scope.
  void atom(std::uint32_t line, thread t, address at, order o = order::weak,
            scope s = scope::none) {
    one(line, "atom.global.add.u32", kind::atomic, o, s, t, at);
  }
  void fence(std::uint32_t line, thread t, scope s = scope::gpu, order o = order::acq_rel) {
    fence(line, lane_of(t), s, o);
  }
  void fence(std::uint32_t line, lanes who, scope s, order o) {
    sites_[line].opcode = s == scope::cta ? "fence.acq_rel.cta" : "fence.acq_rel.gpu";
    detector.fenced(line, who, o, s);
  }
  /// __threadfence(): told without an order.
  void membar(std::uint32_t line, lanes who) {
    sites_[line].opcode = "membar.gl";
    detector.fenced(line, who, order::weak, scope::gpu);
  }
  void bar_sync(std::uint32_t line, std::uint32_t block) {
    detector.barrier_completed(line, everyone(block), {});
  }
  void syncwarp(std::uint32_t line, std::uint32_t block, std::uint32_t warp,
                lane_mask mask = ~lane_mask{0}) {
    detector.warp_synced(line, {block, warp, mask});
  }

  std::vector<lanes> everyone(std::uint32_t block) const {
    std::vector<lanes> all;
    for (std::uint32_t w = 0; w < launch_.warps(); ++w) {
      const std::uint32_t rest = launch_.threads() - w * warp_lanes;
      all.push_back({block, w, rest >= 32 ? ~lane_mask{0} : (lane_mask{1} << rest) - 1});
    }
    return all;
  }
  static lanes lane_of(thread t) {
    return {t.block, t.index / warp_lanes, lane_mask{1} << t.index % warp_lanes};
  }

  const race_report& end() {
    detector.end();
    return detector.report();
  }
  std::string told() { return text(end(), sites_); }

  race_detector detector;

 private:
  places names_;
  launch_info launch_;
  std::vector<site> sites_;
};

constexpr thread a{0, 0}, b{1, 0}, c{2, 0};

/// The only race of a report: the data written on line 10 and read on line 20.
const race& only(const race_report& r) {
  static const race none{};
  EXPECT_EQ(r.races.size(), 1U);
  return r.races.empty() ? none : r.races.front();
}
void expect_data_race(const race_report& r, missing why, race_kind k = race_kind::between_blocks) {
  const race& x = only(r);
  EXPECT_EQ(x.a, 10U);
  EXPECT_EQ(x.b, 20U);
  EXPECT_EQ(x.kind, k);
  EXPECT_EQ(x.cause.what, why);
  EXPECT_EQ(r.uncertain, 0U);
  EXPECT_TRUE(r.complete);
}
void expect_clean(const race_report& r) {
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.races.size(), 0U);
  EXPECT_EQ(r.uncertain, 0U);
}

std::array<address, warp_lanes> row(address from, std::uint32_t step) {
  std::array<address, warp_lanes> at{};
  for (std::uint32_t l = 0; l < warp_lanes; ++l) at[l] = from + address{l} * step;
  return at;
}
constexpr lane_mask full = ~lane_mask{0};

TEST(MessagePassing, ReleaseAndAcquireOrder) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.ld_acquire(19, b, flag);
  s.ld(20, b, data);
  expect_clean(s.end());
}

TEST(MessagePassing, FencesAroundVolatileOrder) {
  story s(2, 32);
  s.st(10, a, data);
  s.membar(11, story::lane_of(a));
  s.st_volatile(12, a, flag);
  for (int poll = 0; poll < 3; ++poll) s.ld_volatile(18, b, flag);
  s.membar(19, story::lane_of(b));
  s.ld(20, b, data);
  expect_clean(s.end());
}

TEST(MessagePassing, WithoutReleaseFence) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_volatile(12, a, flag);
  s.ld_volatile(18, b, flag);
  s.fence(19, b);
  s.ld(20, b, data);
  EXPECT_EQ(
      s.told(),
      "PTX-level races of story, grid 2x1x1, block 32x1x1\n"
      "race between blocks: st.global.u32 story.cu:10 then ld.global.u32 story.cu:20: pairs "
      "1 words 1 warps 2 blocks 2, data+0: block 0 thread 0, block 1 thread 0\n"
      "  no release: st.volatile.global.u32 story.cu:12 has no fence of its thread before it, "
      "read by ld.volatile.global.u32 story.cu:18\n"
      "races 1 uncertain 0\n");
}

TEST(MessagePassing, FenceBeforeTheDataReleasesNothingOfIt) {
  story s(2, 32);
  s.fence(9, a);
  s.st(10, a, data);
  s.st_volatile(12, a, flag);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  expect_data_race(s.end(), missing::release);
}

TEST(MessagePassing, WithoutAcquire) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(12, a, flag);
  s.ld_relaxed(18, b, flag);
  s.ld(20, b, data);
  const race_report& r = s.end();
  expect_data_race(r, missing::acquire);
  EXPECT_EQ(only(r).cause.read, 18U);
  EXPECT_EQ(only(r).cause.write, 12U);
}

TEST(MessagePassing, FenceBeforeThePollAcquiresNothing) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(12, a, flag);
  s.fence(17, b);
  s.ld_relaxed(18, b, flag);
  s.ld(20, b, data);
  expect_data_race(s.end(), missing::acquire);
}

TEST(MessagePassing, VolatileFlagWithoutAnyFence) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_volatile(12, a, flag);
  s.ld_volatile(18, b, flag);
  s.ld(20, b, data);
  expect_data_race(s.end(), missing::release_and_acquire);
}

TEST(MessagePassing, FlagReadBeforeItIsWritten) {
  story s(2, 32);
  s.ld_acquire(18, b, flag);
  s.st(10, a, data);
  s.st_release(12, a, flag);
  s.ld(20, b, data);
  expect_data_race(s.end(), missing::communication);
}

TEST(MessagePassing, BlockScopeDoesNotReachAnotherBlock) {
  story s(2, 32);
  s.st(10, a, data);
  s.fence(11, a, scope::cta);
  s.st_volatile(12, a, flag);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  const race_report& r = s.end();
  expect_data_race(r, missing::scope);
  EXPECT_EQ(only(r).cause.narrow, 11U);

  story t(2, 32);
  t.st(10, a, data);
  t.st_release(12, a, flag);
  t.ld_relaxed(18, b, flag);
  t.fence(19, b, scope::cta);
  t.ld(20, b, data);
  const race_report& u = t.end();
  expect_data_race(u, missing::scope);
  EXPECT_EQ(only(u).cause.narrow, 19U);
}

TEST(MessagePassing, BlockScopeSufficesWithinABlock) {
  story s(1, 64);
  const thread second{0, 40};
  s.st(10, a, data);
  s.fence(11, a, scope::cta);
  s.st_relaxed(12, a, flag, scope::cta);
  s.ld_relaxed(18, second, flag, scope::cta);
  s.fence(19, second, scope::cta);
  s.ld(20, second, data);
  expect_clean(s.end());
}

TEST(MessagePassing, NarrowFlagIsARaceItself) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(12, a, flag, scope::cta);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 2U);
  EXPECT_EQ(r.races[0].cause.what, missing::scope);
  EXPECT_EQ(r.races[1].a, 12U);
  EXPECT_EQ(r.races[1].b, 18U);
  EXPECT_EQ(r.races[1].cause.what, missing::scope);
  EXPECT_EQ(r.races[1].cause.narrow, 12U);
}

TEST(MessagePassing, AtomicFlagWithFences) {
  story s(2, 32);
  s.st(10, a, data);
  s.fence(11, a);
  s.atom(12, a, flag);
  s.atom(18, b, flag);
  s.fence(19, b);
  s.ld(20, b, data);
  expect_clean(s.end());
}

TEST(MessagePassing, WeakFlagIsNamed) {
  story s(2, 32);
  s.st(10, a, data);
  s.fence(11, a);
  s.st(12, a, flag);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 2U);
  EXPECT_EQ(r.races[0].cause.what, missing::communication);
  EXPECT_EQ(r.races[1].a, 12U);
  EXPECT_EQ(r.races[1].cause.what, missing::strength);
  EXPECT_EQ(r.races[1].cause.narrow, 12U);
}

TEST(MessagePassing, WeakReadOfAStrongWriteIsARace) {
  story s(2, 32);
  s.st_volatile(10, a, flag);
  s.ld(20, b, flag);
  expect_data_race(s.end(), missing::strength);
}

TEST(MessagePassing, WeakWriteEndsARelease) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.st(12, a, flag);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 2U);
  EXPECT_EQ(r.races[0].a, 10U);
}

TEST(MessagePassing, RelaxedWriteAfterOwnReleaseStillReleases) {
  story s(2, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.st_relaxed(12, a, flag);
  s.ld_acquire(18, b, flag);
  s.ld(20, b, data);
  expect_clean(s.end());
}

// The poll itself orders the flag's write before a weak reset of the flag.
TEST(MessagePassing, ResetOfAnObservedFlag) {
  story s(2, 32);
  s.st_volatile(10, a, flag);
  s.ld_volatile(18, b, flag);
  s.st(20, b, flag);
  expect_clean(s.end());
  story t(2, 32);
  t.ld_volatile(18, b, flag);
  t.st_volatile(10, a, flag);
  t.st(20, b, flag);
  expect_data_race(t.end(), missing::strength);
}

TEST(StoreBuffering, WeakAccessesRaceDespiteFences) {
  story s(2, 32);
  s.st(10, a, data);
  s.fence(11, a, scope::gpu, order::sc);
  s.ld(12, a, flag);
  s.st(18, b, flag);
  s.fence(19, b, scope::gpu, order::sc);
  s.ld(20, b, data);
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 2U);
  EXPECT_EQ(r.races[0].a, 10U);
  EXPECT_EQ(r.races[1].a, 12U);
  EXPECT_EQ(r.races[1].b, 18U);
  EXPECT_EQ(r.races[0].cause.what, missing::communication);
}

TEST(StoreBuffering, RelaxedAccessesDoNotRace) {
  story s(2, 32);
  s.st_relaxed(10, a, data);
  s.ld_relaxed(12, a, flag);
  s.st_relaxed(18, b, flag);
  s.ld_relaxed(20, b, data);
  expect_clean(s.end());
}

TEST(Coherence, StrongWritesOfOnePlaceDoNotRaceWeakOnesDo) {
  story s(2, 32);
  s.st_relaxed(10, a, data);
  s.st_relaxed(20, b, data);
  s.ld_relaxed(21, a, data);
  expect_clean(s.end());
  story t(2, 32);
  t.st(10, a, data);
  t.st(20, b, data);
  expect_data_race(t.end(), missing::communication);
}

TEST(Coherence, AtomicAgainstWeakRaces) {
  story s(2, 32);
  s.atom(10, a, data);
  s.atom(11, b, data);
  expect_clean(s.end());
  story t(2, 32);
  t.atom(10, a, data);
  t.st(20, b, data);
  expect_data_race(t.end(), missing::strength);
  story u(2, 32);
  u.atom(10, a, data, order::relaxed, scope::cta);
  u.atom(20, b, data);
  expect_data_race(u.end(), missing::scope);
  story v(2, 32);  // a weak write stays known behind the own atomics
  v.st(10, a, data);
  v.atom(11, a, data);
  v.atom(20, b, data);
  expect_data_race(v.end(), missing::strength);
}

TEST(Coherence, ConsecutiveLaunchesAreOrdered) {
  story s(2, 32);
  s.st(10, a, data);
  places names;
  launch_info next;
  next.grid[0] = 2;
  next.block[0] = 32;
  s.detector.end();
  s.detector.begin(next, names);
  s.ld(20, b, data);
  expect_clean(s.end());
}

/// bar.sync; thread 0: [fence,] atomic, poll [, fence]; bar.sync, as grid barriers are written.
void grid_barrier(story& s, std::uint32_t blocks, bool release, bool acquire) {
  for (std::uint32_t k = 0; k < blocks; ++k) {
    s.bar_sync(11, k);
    if (release) s.fence(12, {k, 0});
    s.atom(13, {k, 0}, flag);
    s.ld_volatile(14, {k, 0}, flag);
  }
  for (std::uint32_t k = 0; k < blocks; ++k) {
    s.ld_volatile(14, {k, 0}, flag);
    if (acquire) s.fence(15, {k, 0});
    s.bar_sync(16, k);
  }
}

TEST(GridBarrier, CounterWithFencesOrdersAllBlocks) {
  for (const bool release : {true, false}) {
    for (const bool acquire : {true, false}) {
      story s(3, 64);
      s.st(10, {0, 40}, data);
      grid_barrier(s, 3, release, acquire);
      s.ld(20, {2, 33}, data);
      const race_report& r = s.end();
      if (release && acquire) {
        expect_clean(r);
        continue;
      }
      expect_data_race(r, !release && !acquire ? missing::release_and_acquire
                          : !release           ? missing::release
                                               : missing::acquire);
      EXPECT_EQ(only(r).cause.write, 13U);
      EXPECT_EQ(only(r).cause.read, 14U);
      EXPECT_EQ(only(r).thread_a.in_block(), 40U);
      EXPECT_EQ(only(r).thread_b.block, 2U);
    }
  }
}

// __threadfence(); __syncthreads(); thread 0 writes the flag: ordered by Fence-SC, not by
// fence.acq_rel, whose release pattern is of one thread.
TEST(GridBarrier, FenceByAllBeforeTheBarrier) {
  for (const bool sc : {true, false}) {
    story s(2, 64);
    s.st(10, {0, 40}, data);
    for (const lanes& who : s.everyone(0)) {
      if (sc)
        s.membar(11, who);
      else
        s.fence(11, who, scope::gpu, order::acq_rel);
    }
    s.bar_sync(12, 0);
    s.st_volatile(13, {0, 0}, flag);
    s.ld_volatile(17, {1, 0}, flag);
    s.bar_sync(18, 1);
    for (const lanes& who : s.everyone(1)) s.membar(19, who);
    s.ld(20, {1, 50}, data);
    const race_report& r = s.end();
    if (sc)
      expect_clean(r);
    else
      expect_data_race(r, missing::release_and_acquire);
  }
}

// Two fence.sc without a flag between them order nothing reliably.
TEST(GridBarrier, FencesAloneOrderNothing) {
  story s(2, 32);
  s.st(10, a, data);
  s.membar(11, story::lane_of(a));
  s.membar(19, story::lane_of(b));
  s.ld(20, b, data);
  expect_data_race(s.end(), missing::communication);
}

TEST(GridBarrier, BothHopsThroughAMaster) {
  const auto run = [](bool first, bool second) {
    story s(3, 32);
    s.st(10, a, data);
    if (first) s.fence(11, a);
    s.st_volatile(12, a, flag);
    s.ld_volatile(13, c, flag);
    s.fence(14, c);
    s.st_volatile(15, c, other_flag);
    s.ld_volatile(16, b, other_flag);
    if (second) s.fence(17, b);
    s.ld(20, b, data);
    return race_report(s.end());
  };
  expect_clean(run(true, true));
  const race_report no_first = run(false, true), no_second = run(true, false);
  expect_data_race(no_first, missing::release);
  EXPECT_EQ(only(no_first).cause.write, 12U);
  EXPECT_EQ(only(no_first).cause.read, 13U);
  expect_data_race(no_second, missing::acquire);
  EXPECT_EQ(only(no_second).cause.write, 15U);
  EXPECT_EQ(only(no_second).cause.read, 16U);
}

TEST(ReleaseSequence, AtomicOfAnotherBlockContinuesIt) {
  story s(3, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.atom(12, b, flag);
  s.ld_acquire(19, c, flag);
  s.ld(20, c, data);
  expect_clean(s.end());
}

TEST(ReleaseSequence, StoreOfAnotherBlockEndsIt) {
  story s(3, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.st_relaxed(12, b, flag);
  s.ld_acquire(19, c, flag);
  s.ld(20, c, data);
  expect_data_race(s.end(), missing::communication);
}

TEST(ReleaseSequence, NarrowAtomicEndsIt) {
  story s(3, 32);
  s.st(10, a, data);
  s.st_release(11, a, flag);
  s.atom(12, b, flag, order::relaxed, scope::cta);
  s.ld_acquire(19, c, flag);
  s.ld(20, c, data);
  const race_report& r = s.end();
  ASSERT_FALSE(r.races.empty());
  EXPECT_EQ(r.races[0].a, 10U);
  EXPECT_EQ(r.races[0].b, 20U);
  EXPECT_EQ(r.races[0].cause.what, missing::scope);
}

// What the middle block did itself is not released by its relaxed atomic.
TEST(ReleaseSequence, ContinuingDoesNotReleaseOwnWrites) {
  story s(3, 32);
  s.st_release(9, a, flag);
  s.st(10, b, data);
  s.atom(12, b, flag);
  s.ld_acquire(19, c, flag);
  s.ld(20, c, data);
  expect_data_race(s.end(), missing::release);
}

TEST(Block, BarrierOrdersItsWarps) {
  for (const bool barrier : {true, false}) {
    story s(1, 96);
    s.st_shared(10, {0, 0}, tile);
    if (barrier) s.bar_sync(15, 0);
    s.ld_shared(20, {0, 70}, tile);
    const race_report& r = s.end();
    if (barrier)
      expect_clean(r);
    else
      expect_data_race(r, missing::barrier, race_kind::between_warps);
  }
}

TEST(Block, BarrierOfSomeWarpsOrdersThemOnly) {
  story s(1, 96);
  s.st(10, {0, 0}, data);
  const std::array<lanes, 2> two = {lanes{0, 0, full}, lanes{0, 1, full}};
  s.detector.barrier_completed(15, two, {});
  s.ld(19, {0, 40}, data);
  s.ld(20, {0, 70}, data);
  expect_data_race(s.end(), missing::barrier, race_kind::between_warps);
}

TEST(Block, ArrivalReleasesButDoesNotWait) {
  story s(1, 64);
  const std::array<lanes, 1> waits = {lanes{0, 1, full}}, arrives = {lanes{0, 0, full}};
  s.st_shared(10, {0, 0}, tile);
  s.st_shared(11, {0, 40}, tile + 4);
  s.detector.barrier_completed(15, waits, arrives);
  s.ld_shared(19, {0, 40}, tile);  // ordered: the producer arrived before
  s.ld_shared(20, {0, 0}, tile + 4);
  const race& x = only(s.end());
  EXPECT_EQ(x.a, 11U);
  EXPECT_EQ(x.b, 20U);
}

TEST(Block, SharedMemoryOfTwoBlocksIsNotOne) {
  story s(2, 32);
  s.st_shared(10, a, tile);
  s.st_shared(20, b, tile);
  expect_clean(s.end());
}

TEST(Block, FenceIsCumulativeThroughTheBarrier) {
  story s(2, 64);
  s.st(10, {0, 63}, data);
  s.bar_sync(11, 0);
  s.fence(12, a);
  s.atom(13, a, flag);
  s.atom(18, b, flag);
  s.fence(19, b);
  s.ld(20, b, data);
  expect_clean(s.end());
}

// X -> P -> X: each thread reads its neighbours' cells, then writes its own, without a barrier.
TEST(Naive, RacesBetweenAndWithinBlocks) {
  story s(2, 64);
  const lanes all[] = {{0, 0, full}, {0, 1, full}, {1, 0, full}, {1, 1, full}};
  for (const lanes& w : all) {
    const address own = data + 128 * (2 * w.block + w.warp);
    s.touch(10, "st.global.f32", kind::store, order::weak, scope::none, w, row(own, 4));
    s.touch(20, "ld.global.f32", kind::load, order::weak, scope::none, w, row(own - 4, 4));
  }
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 3U);
  EXPECT_EQ(r.races[0].kind, race_kind::between_blocks);
  EXPECT_EQ(r.races[0].words, 1U);
  EXPECT_EQ(r.races[0].blocks, 2U);
  EXPECT_EQ(r.races[0].where.offset, 4U * 63);
  EXPECT_EQ(r.races[0].thread_a.in_block(), 63U);
  EXPECT_EQ(r.races[0].thread_b.in_block(), 0U);
  EXPECT_EQ(r.races[1].kind, race_kind::between_warps);
  EXPECT_EQ(r.races[1].words, 2U);  // one per block
  EXPECT_EQ(r.races[1].warps, 4U);
  EXPECT_EQ(r.races[1].cause.what, missing::barrier);
  EXPECT_EQ(r.races[2].kind, race_kind::within_warp);
  EXPECT_EQ(r.races[2].words, 4U * 31);
  EXPECT_EQ(r.races[2].pairs, 4U * 31);
  EXPECT_EQ(r.races[2].cause.what, missing::warp_sync);
}

TEST(Warp, ReductionNeedsSyncwarp) {
  for (const bool sync : {true, false}) {
    story s(1, 32);
    const lanes w{0, 0, full};
    s.touch(10, "st.shared.u32", kind::store, order::weak, scope::none, w, row(tile, 4), 4,
            space::shared);
    for (std::uint32_t step = 16; step > 0; step /= 2) {
      const lanes low{0, 0, (lane_mask{1} << step) - 1};
      if (sync) s.syncwarp(15, 0, 0);
      s.touch(20, "ld.shared.u32", kind::load, order::weak, scope::none, low,
              row(tile + 4 * step, 4), 4, space::shared);
      if (sync) s.syncwarp(15, 0, 0);
      s.touch(10, "st.shared.u32", kind::store, order::weak, scope::none, low, row(tile, 4), 4,
              space::shared);
    }
    const race_report& r = s.end();
    if (sync)
      expect_clean(r);
    else
      expect_data_race(r, missing::warp_sync, race_kind::within_warp);
  }
}

TEST(Warp, SyncwarpOrdersItsMaskOnly) {
  story s(1, 32);
  s.st(10, {0, 0}, data);
  s.syncwarp(15, 0, 0, 0xFFFF);
  s.ld(19, {0, 5}, data);
  s.ld(20, {0, 20}, data);
  expect_data_race(s.end(), missing::warp_sync, race_kind::within_warp);
}

TEST(Warp, AcquireByOneLaneDoesNotInformTheOthers) {
  for (const bool sync : {true, false}) {
    story s(2, 32);
    s.st(10, a, data);
    s.st_release(11, a, flag);
    s.ld_acquire(18, b, flag);
    if (sync) s.syncwarp(19, 1, 0);
    s.ld(20, {1, 7}, data);
    const race_report& r = s.end();
    if (sync)
      expect_clean(r);
    else
      expect_data_race(r, missing::communication);
  }
}

TEST(OneInstruction, LanesThatWriteOneWord) {
  std::array<std::byte, warp_lanes * 4> values{};
  for (const bool differ : {false, true}) {
    if (differ) values[4 * 9] = std::byte{7};
    story s(1, 32);
    s.touch(10, "st.global.u32", kind::store, order::weak, scope::none, {0, 0, full}, row(data, 0),
            4, space::global, values.data());
    const race_report& r = s.end();
    const race& x = only(r);
    EXPECT_EQ(x.kind, race_kind::one_instruction);
    EXPECT_EQ(x.same_value, !differ);
    EXPECT_EQ(x.pairs, 32U * 31 / 2);
    EXPECT_EQ(x.cause.what, missing::nothing);
    EXPECT_EQ(x.thread_a.in_block(), 0U);
    EXPECT_EQ(x.thread_b.in_block(), 1U);
  }
}

TEST(OneInstruction, AtomicsLoadsAndOtherBytesDoNotConflict) {
  story s(1, 32);
  const lanes w{0, 0, full};
  s.touch(10, "atom.global.add.u32", kind::atomic, order::weak, scope::none, w, row(flag, 0));
  s.touch(11, "ld.global.u32", kind::load, order::weak, scope::none, w, row(data, 0));
  s.touch(12, "st.global.u8", kind::store, order::weak, scope::none, w, row(data + 64, 1), 1);
  expect_clean(s.end());
}

TEST(Words, BytesOfOneWordAreApart) {
  story s(2, 32);
  s.st(10, a, data, 1);
  s.st(11, b, data + 1, 1);
  s.st(12, a, data + 2, 2);
  expect_clean(s.end());
  story t(2, 32);
  t.st(10, a, data + 1, 1);
  t.ld(20, b, data, 4);
  expect_data_race(t.end(), missing::communication);
}

TEST(Words, WideAccessTouchesEachWord) {
  story s(2, 32);
  s.st(10, a, data, 16);
  s.ld(20, b, data + 12, 4);
  const race_report& r = s.end();
  expect_data_race(r, missing::communication);
  EXPECT_EQ(only(r).where.offset, 12U);
  story t(2, 32);
  t.ld(10, a, data + 2, 4);  // misaligned: reaches into the next word
  t.st(20, b, data + 5, 1);
  expect_data_race(t.end(), missing::communication);
}

// More readers than a word remembers: a barrier over the grid still settles all of them, and a
// write that knows only those that are remembered is "cannot tell", not clean.
TEST(Words, ForgottenReadersAreAccountedFor) {
  constexpr std::uint32_t blocks = 60;
  story s(blocks, 32);
  for (std::uint32_t k = 0; k < blocks; ++k) s.ld(10, {k, 0}, data);
  grid_barrier(s, blocks, true, true);
  s.st(20, {3, 0}, data);
  expect_clean(s.end());

  story t(blocks, 32);
  for (std::uint32_t k = 0; k < blocks; ++k) t.ld(10, {k, 0}, data);
  t.st(20, {3, 0}, data);
  EXPECT_EQ(only(t.end()).kind, race_kind::between_blocks);

  story u(blocks, 32);
  for (std::uint32_t k = 0; k < blocks; ++k) {
    u.ld(10, {k, 0}, data);
    if (k == 40) continue;  // neither remembered nor ordered
    u.fence(11, {k, 0});
    u.atom(12, {k, 0}, flag);
  }
  u.ld_acquire(19, {3, 0}, flag);
  u.st(20, {3, 0}, data);
  const race_report& r = u.end();
  EXPECT_GE(r.races.size() + r.uncertain, 1U);
}

TEST(Report, IsSortedByLineWhateverCameFirst) {
  story s(2, 32);
  s.st(30, a, data);
  s.st(10, a, data + 4);
  s.st(20, a, data + 8);
  s.ld(42, b, data + 8);
  s.ld(41, b, data);
  s.ld(40, b, data + 4);
  const race_report& r = s.end();
  ASSERT_EQ(r.races.size(), 3U);
  EXPECT_EQ(r.races[0].a, 10U);
  EXPECT_EQ(r.races[1].a, 20U);
  EXPECT_EQ(r.races[2].a, 30U);
}

TEST(Report, CleanLaunchSaysSo) {
  story s(2, 32);
  s.st(10, a, data);
  EXPECT_EQ(s.told(), "PTX-level races of story, grid 2x1x1, block 32x1x1\nraces 0 uncertain 0\n");
}

TEST(BadInput, GeometryAndStrangeSpaces) {
  race_detector d;
  places names;
  launch_info launch;
  launch.block[0] = 1025;
  EXPECT_THROW(d.begin(launch, names), error);
  launch.block[0] = 0;
  EXPECT_THROW(d.begin(launch, names), error);
  story s(2, 32);
  s.one(10, "st.local.u32", kind::store, order::weak, scope::none, a, data, 4, space::local);
  s.one(11, "st.local.u32", kind::store, order::weak, scope::none, b, data, 4, space::local);
  s.one(12, "st.global.u32", kind::store, order::weak, scope::none, a, data, 0);
  s.touch(13, "st.global.u32", kind::store, order::weak, scope::none, {0, 0, 0}, {});
  expect_clean(s.end());
  EXPECT_EQ(s.detector.report().races.size(), 0U);
  s.detector.end();  // a second end changes nothing
  expect_clean(s.detector.report());
}

// Every thread that acquires all others' releases: the clocks grow with the square of the threads.
TEST(Size, GivingUpIsNotAPass) {
  constexpr std::uint32_t blocks = 64;
  race_detector small(1000);
  places names;
  std::vector<site> sites(20);
  launch_info launch;
  launch.grid[0] = blocks;
  launch.block[0] = 256;
  launch.sites = sites;
  small.begin(launch, names);
  const std::array<address, warp_lanes> at = row(flag, 0);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t k = 0; k < blocks; ++k) {
      for (std::uint32_t w = 0; w < 8; ++w) {
        small.fenced(1, {k, w, full}, order::sc, scope::gpu);
        access x;
        x.what = kind::atomic;
        x.site = 2;
        x.who = {k, w, full};
        x.at = at.data();
        small.accessed(x);
      }
    }
  }
  small.end();
  EXPECT_FALSE(small.report().complete);
  EXPECT_NE(text(small.report(), sites).find("cannot tell"), std::string::npos);
}

// Thousand blocks with three grid barriers and neighbour exchange: clean, and affordable.
TEST(Size, ThousandBlocks) {
  constexpr std::uint32_t blocks = 1000, warps = 8, rounds = 3;
  story s(blocks, warps * warp_lanes);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t lanes_told = 0;
  const auto sweep = [&](std::uint32_t line, kind what, std::uint32_t shift) {
    for (std::uint32_t k = 0; k < blocks; ++k) {
      for (std::uint32_t w = 0; w < warps; ++w) {
        const address at = data + 128 * (((k + shift) % blocks) * warps + w);
        s.touch(line, "x.global.u32", what, order::weak, scope::none, {k, w, full}, row(at, 4));
        lanes_told += warp_lanes;
      }
    }
  };
  double seconds_plain = 0;
  for (std::uint32_t i = 0; i < rounds; ++i) {
    const auto from = std::chrono::steady_clock::now();
    sweep(20, kind::load, i);
    sweep(10, kind::store, i);
    sweep(20, kind::load, i);
    seconds_plain += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    grid_barrier(s, blocks, true, true);
  }
  const double all =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("ns_per_lane_access", std::to_string(seconds_plain * 1e9 / lanes_told));
  RecordProperty("ms_per_grid_barrier", std::to_string((all - seconds_plain) * 1e3 / rounds));
  expect_clean(s.end());
  EXPECT_LT(all, 60.0);  // a guard against quadratic growth, not a measurement
}

}  // namespace
}  // namespace ptxlab::machine
