// SPDX-License-Identifier: Apache-2.0
// Who wrote last to a place that somebody waits for.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "ptx/machine/observers/last_writer.hpp"

namespace ptxlab::machine {
namespace {

struct no_names : place_names {
  named_place name(flow::space, address at) const override { return {"?", at}; }
};

struct last_writers : testing::Test {
  memory device{1 << 20};
  address word = device.allocate(4, "word");
  std::array<site, 3> sites{{{"st.global.u32", "k", "a/spin.cu", 9, 20},
                             {"atom.global.add.u32", "k", "a/spin.cu", 11, 30},
                             {"atom.shared.cas.b32", "k", "", 0, 40}}};
  no_names names;

  void begin(last_writer& w) {
    launch_info l{"k", {1, 1, 1}, {64, 1, 1}, sites};
    w.begin(l, names);
  }
  /// One lane's access; the store's value is what the device then holds.
  void access_by(last_writer& w, flow::kind what, std::uint32_t at_site, address at, lanes who,
                 std::uint32_t value, flow::space in = flow::space::global, lane_mask failed = 0) {
    address addresses[warp_lanes] = {};
    std::uint32_t values[warp_lanes] = {};
    for (unsigned i = 0; i < warp_lanes; ++i) {
      addresses[i] = at;
      values[i] = value;
    }
    if (in == flow::space::global) device.write(at, std::as_bytes(std::span(&value, 1)));
    access a;
    a.site = at_site;
    a.what = what;
    a.space = in;
    a.who = who;
    a.failed = failed;
    a.at = addresses;
    a.data = what == flow::kind::store ? reinterpret_cast<const std::byte*>(values) : nullptr;
    w.accessed(a);
  }
};

TEST_F(last_writers, the_last_store_is_named_with_its_value) {
  last_writer w({{flow::space::global, word, 4, 0}}, device);
  begin(w);
  EXPECT_EQ(w.text(0), "never written by this launch");
  access_by(w, flow::kind::store, 0, word, {1, 0, 1}, 5);
  access_by(w, flow::kind::store, 0, word, {2, 1, 0b1010}, 7);
  EXPECT_EQ(w.text(0),
            "last written by block 2 warp 1 lane 3 at spin.cu:9 (st.global.u32, value 7)");
}

TEST_F(last_writers, other_places_loads_and_other_spaces_do_not_count) {
  const address other = device.allocate(4, "other");
  last_writer w({{flow::space::global, word, 4, 0}, {flow::space::shared, 16, 4, 1}}, device);
  begin(w);
  access_by(w, flow::kind::store, 0, other, {0, 0, 1}, 5);
  access_by(w, flow::kind::load, 0, word, {0, 0, 1}, 5);
  access_by(w, flow::kind::store, 0, word, {0, 0, 0}, 5);
  access_by(w, flow::kind::store, 0, 16, {0, 0, 1}, 5, flow::space::shared);
  EXPECT_FALSE(w.writes()[0].has_value());
  EXPECT_FALSE(w.writes()[1].has_value());
  access_by(w, flow::kind::store, 0, 16, {1, 0, 1}, 5, flow::space::shared);
  EXPECT_TRUE(w.writes()[1].has_value());
}

TEST_F(last_writers, an_atomic_that_changes_nothing_did_not_write) {
  last_writer w({{flow::space::global, word, 4, 0}, {flow::space::shared, 0, 4, 0}}, device);
  begin(w);
  access_by(w, flow::kind::atomic, 1, word, {0, 0, 1}, 0);
  EXPECT_FALSE(w.writes()[0].has_value());
  access_by(w, flow::kind::atomic, 1, word, {0, 1, 1}, 1);
  EXPECT_EQ(w.text(0), "last written by block 0 warp 1 lane 0 at spin.cu:11 (atom.global.add.u32)");
  access_by(w, flow::kind::atomic, 1, word, {3, 1, 1}, 1);
  EXPECT_EQ(w.writes()[0]->block, 0u);
  access_by(w, flow::kind::atomic, 1, word, {3, 1, 0b101}, 2);
  EXPECT_EQ(w.text(0),
            "last written by block 3 warp 1 lanes 0x00000005 at spin.cu:11 (atom.global.add.u32)");
}

TEST_F(last_writers, of_a_compare_and_swap_those_who_swapped_wrote) {
  last_writer w({{flow::space::global, word, 4, 0}, {flow::space::shared, 0, 4, 0}}, device);
  begin(w);
  access_by(w, flow::kind::atomic, 2, 0, {0, 1, 0b11}, 1, flow::space::shared, 0b11);
  EXPECT_FALSE(w.writes()[1].has_value());
  access_by(w, flow::kind::atomic, 2, 0, {0, 1, 0b110}, 1, flow::space::shared, 0b100);
  access_by(w, flow::kind::atomic, 2, word, {0, 1, 0b111}, 1, flow::space::global, 0b110);
  for (std::size_t i : {0, 1}) EXPECT_EQ(w.writes()[i]->lanes, 1U << i);
}

TEST_F(last_writers, each_launch_starts_anew) {
  last_writer w({{flow::space::global, word, 4, 0}}, device);
  begin(w);
  access_by(w, flow::kind::store, 0, word, {1, 0, 1}, 5);
  begin(w);
  EXPECT_EQ(w.text(0), "never written by this launch");
}

}  // namespace
}  // namespace ptxlab::machine
