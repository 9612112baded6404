// SPDX-License-Identifier: Apache-2.0
// The race detector checks rows of words at once where it can. The same launch with the words of
// each row in reverse order is checked word by word; both have to tell the same races.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {
namespace {

using flow::kind;

constexpr std::uint32_t blocks = 3, threads = 96, instructions = 64;
constexpr lane_mask full = ~lane_mask{0};

class nowhere_named : public place_names {
 public:
  named_place name(flow::space, address at) const override { return {"word", at}; }
};

class launch {
 public:
  explicit launch(bool reversed) : reversed_(reversed) {
    sites_.resize(instructions);
    for (std::uint32_t i = 0; i < instructions; ++i) sites_[i].ptx_line = i;
    info_.grid[0] = 64;
    info_.block[0] = threads;
    info_.sites = sites_;
    detector.begin(info_, names_);
  }
  /// Lane i accesses `bytes` at `begin` + i * stride.
  void access_by(std::uint32_t site, kind what, lanes who, address begin, std::uint32_t stride = 4,
                 std::uint32_t bytes = 4) {
    std::array<address, warp_lanes> at{};
    for (std::uint32_t i = 0; i < warp_lanes; ++i) {
      at[i] = begin + address{i} * stride;
      if (reversed_) at[i] ^= 124;
    }
    const std::array<std::byte, warp_lanes * 16> zeros{};
    access a;
    a.site = site;
    a.what = what;
    a.bytes = bytes;
    a.who = who;
    a.at = at.data();
    a.data = what == kind::store ? zeros.data() : nullptr;
    detector.accessed(a);
  }
  void barrier(std::uint32_t block) {
    std::vector<lanes> all;
    for (std::uint32_t w = 0; w < threads / warp_lanes; ++w) all.push_back({block, w, full});
    detector.barrier_completed(0, all, {});
  }
  /// Kind, instructions, words, warps and blocks of each race.
  std::vector<std::tuple<race_kind, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t,
                         std::uint64_t>>
  races() {
    detector.end();
    decltype(races()) list;
    for (const race& r : detector.report().races)
      list.emplace_back(r.kind, r.a, r.b, r.words, r.warps, r.blocks);
    return list;
  }
  race_detector detector;

 private:
  bool reversed_;
  std::vector<site> sites_;
  launch_info info_;
  nowhere_named names_;
};

// Few of the random launches would be clean if all could store anywhere: stores of a warp mostly go
// to its own row.
void random_events(launch& l, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random() % count);
  };
  const bool partial = pick(2) != 0, shifted = pick(2) != 0, wild = pick(4) == 0;
  const std::uint32_t calm = 1 + pick(6), events = 5 + pick(50);
  for (std::uint32_t e = 0; e < events; ++e) {
    lanes who{pick(blocks), pick(threads / warp_lanes), full};
    const std::uint32_t roll = pick(8);
    if (roll < 2) {
      l.barrier(who.block);
      continue;
    }
    if (partial && pick(2) != 0) who.mask = pick(2) != 0 ? full >> pick(32) : (random() | 1U);
    if (roll == 2) {
      if (pick(2) != 0)
        l.detector.warp_synced(0, who);
      else
        l.detector.fenced(0, {who.block, who.warp, who.mask & -who.mask}, flow::order::acq_rel,
                          flow::scope::gpu);
      continue;
    }
    const bool stores = pick(calm) == 0;
    std::uint32_t row = who.block * 3 + pick(3);
    if (stores && !wild) row = who.block * 3 + who.warp;
    const address begin = 0x1000 + 128 * address{row} + (shifted && pick(3) == 0 ? 4 * pick(9) : 0);
    const bool one_word = pick(8) == 0 && !stores;
    l.access_by(e, stores ? kind::store : kind::load, who, begin, one_word ? 0 : 4);
  }
}

TEST(RaceRows, AreJudgedAsWordsAre) {
  std::size_t racy = 0, clean = 0;
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    launch rows(false), words(true);
    random_events(rows, seed);
    random_events(words, seed);
    const auto races = rows.races();
    EXPECT_EQ(races, words.races()) << "seed " << seed;
    EXPECT_EQ(rows.detector.report().uncertain, words.detector.report().uncertain)
        << "seed " << seed;
    ++(races.empty() ? clean : racy);
  }
  EXPECT_GT(racy, 500U);
  EXPECT_GT(clean, 500U);
}

// Lane i stores words 4i to 4i+3 and loads word i of each of the four rows: 4 words of 128 are its
// own (0, 42, 85 and 127).
TEST(RaceRows, VectorThenWordsOfAWarp) {
  for (const bool synced : {false, true}) {
    launch l(false);
    l.access_by(1, kind::store, {0, 0, full}, 0x1000, 16, 16);
    if (synced) l.detector.warp_synced(2, {0, 0, full});
    for (std::uint32_t row = 0; row < 4; ++row)
      l.access_by(3, kind::load, {0, 0, full}, 0x1000 + 128 * row);
    const auto races = l.races();
    ASSERT_EQ(races.size(), synced ? 0U : 1U);
    if (synced) continue;
    EXPECT_EQ(std::get<race_kind>(races[0]), race_kind::within_warp);
    EXPECT_EQ(std::get<3>(races[0]), 124U);
  }
}

TEST(RaceRows, ShiftedRowMeetsTheNextWarpsWords) {
  launch l(false);
  l.access_by(1, kind::store, {0, 0, full}, 0x1000);
  l.access_by(1, kind::store, {0, 1, full}, 0x1080);
  l.access_by(2, kind::load, {0, 0, full}, 0x1004);  // one word of the other warp, 31 of others'
  const auto races = l.races();                      // lanes
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(std::get<race_kind>(races[0]), race_kind::between_warps);
  EXPECT_EQ(std::get<3>(races[0]), 1U);
  EXPECT_EQ(std::get<race_kind>(races[1]), race_kind::within_warp);
  EXPECT_EQ(std::get<3>(races[1]), 31U);
}

// Each of two lanes that know something of their own is in line by itself; both are not.
TEST(RaceRows, LanesOfOneInstructionThatKnowDifferently) {
  launch l(false);
  l.detector.fenced(0, {0, 0, 1}, flow::order::acq_rel, flow::scope::gpu);
  l.detector.fenced(0, {0, 0, 2}, flow::order::acq_rel, flow::scope::gpu);
  l.access_by(1, kind::load, {0, 0, full}, 0x1000, 20);
  l.access_by(2, kind::store, {0, 0, full}, 0x1000, 20);
  EXPECT_TRUE(l.races().empty());
}

// More unordered readers than a word remembers: of some a later store cannot tell.
TEST(RaceRows, ForgottenReadersCountByWord) {
  launch rows(false), words(true);
  for (launch* l : {&rows, &words}) {
    for (std::uint32_t i = 0; i < 40; ++i) l->access_by(1, kind::load, {i, i % 3, full}, 0x1000);
    l->access_by(2, kind::store, {50, 0, full}, 0x1000);
  }
  EXPECT_EQ(rows.races(), words.races());
  EXPECT_EQ(rows.detector.report().uncertain, 32U);
  EXPECT_EQ(words.detector.report().uncertain, 32U);
}

}  // namespace
}  // namespace ptxlab::machine
