// SPDX-License-Identifier: Apache-2.0
// The traffic observer: sums equal those of the pure models, in the order and the words that tests
// with FileCheck rely on.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/machine/observers/fitted_table.hpp"
#include "ptx/machine/observers/traffic.hpp"
#include "ptx/machine/observers/traffic_text.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

constexpr lane_mask all = 0xffffffff;
using lane_array = std::array<address, warp_lanes>;

struct no_names : place_names {
  named_place name(flow::space, address) const override { return {}; }
};

const std::array<site, 7> sites{{{"ld.shared.f32", "reduce", "kernels/reduce.cu", 14, 40},
                                 {"ld.global.f32", "reduce", "kernels/reduce.cu", 12, 30},
                                 {"atom.global.add.u32", "reduce", "kernels/reduce.cu", 20, 60},
                                 {"st.local.v2.u32", "reduce", "", 0, 70},
                                 {"ld.u32", "reduce", "kernels/reduce.cu", 12, 31},
                                 {"ld.const.f32", "reduce", "kernels/reduce.cu", 9, 20},
                                 {"red.shared.add.u32", "reduce", "kernels/reduce.cu", 21, 61}}};

lane_array strided(address base, address step) {
  lane_array at;
  for (unsigned i = 0; i < warp_lanes; ++i) at[i] = base + i * step;
  return at;
}

/// A launch of 64 blocks of 256 threads that tells what the test asks for.
class launched {
 public:
  launched() {
    info_.kernel = "reduce";
    info_.grid[0] = 64;
    info_.block[0] = 256;
    info_.sites = sites;
    seen.begin(info_, names_);
  }

  void tell(std::uint32_t site, flow::kind what, flow::space space, std::uint32_t bytes,
            const lane_array& at, lane_mask mask = all) {
    access a;
    a.site = site;
    a.what = what;
    a.space = space;
    a.bytes = bytes;
    a.who.mask = mask;
    a.at = at.data();
    seen.accessed(a);
  }

  const traffic_report& end() {
    seen.end();
    return seen.report();
  }

  launch_info info_;
  no_names names_;
  traffic seen;
};

using flow::kind;
using flow::space;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(traffic, one_stable_line_for_each_site) {
  launched l;
  for (address i = 0; i < 64; ++i) {
    l.tell(0, kind::load, space::shared, 4, strided(0, 8));
    l.tell(1, kind::load, space::global, 4, strided(0x1000 + 128 * i, 4));
  }
  l.tell(2, kind::atomic, space::global, 4, strided(0x100, 0));
  l.tell(3, kind::store, space::local, 8, strided(16, 0), 0xff);
  l.tell(4, kind::load, space::shared, 4, strided(0, 4), 0xffff);
  l.tell(4, kind::load, space::global, 4, strided(132, 4), 0xffff0000);
  l.tell(5, kind::load, space::constant, 4, strided(0, 4));
  l.tell(6, kind::reduction, space::shared, 4, strided(64, 0));
  EXPECT_EQ(
      lines_of(traffic_lines(l.end())),
      (std::vector<std::string>{
          "PTX-level traffic of reduce, grid 64x1x1, block 256x1x1: ptxas may merge, split or drop "
          "what is counted here",
          "ptx:70 st.local.v2.u32: requests 1 lanes 8 bytes 64",
          "reduce.cu:9 ld.const.f32: requests 1 lanes 32 bytes 128 addresses 32",
          "reduce.cu:12 ld.global.f32: requests 64 lanes 2048 bytes 8192 sectors 256 ideal 256 "
          "lines 64 cc1.0 128 cc1.0-bytes 8192 cc1.2 128 cc1.2-bytes 8192",
          "reduce.cu:12 ld.u32 (global): requests 1 lanes 16 bytes 64 sectors 3 ideal 2 lines 2 "
          "cc1.0 16 cc1.0-bytes 512 cc1.2 2 cc1.2-bytes 96",
          "reduce.cu:12 ld.u32 (shared): requests 1 lanes 16 bytes 64 passes32 1 ideal32 1 "
          "degree32 "
          "1 passes16 1 ideal16 1 degree16 1",
          "reduce.cu:14 ld.shared.f32: requests 64 lanes 2048 bytes 8192 passes32 128 ideal32 64 "
          "degree32 2 passes16 256 ideal16 128 degree16 2",
          "reduce.cu:20 atom.global.add.u32: requests 1 lanes 32 bytes 128 sectors 1 ideal 1 lines "
          "1 addresses 1 same-address 32",
          "reduce.cu:21 red.shared.add.u32: requests 1 lanes 32 bytes 128 passes32 1 ideal32 1 "
          "degree32 1 passes16 2 ideal16 2 degree16 1 addresses 1 same-address 32"}));
}

// The remembered pattern must never change a sum: walks that shift by lines, by less, change mask,
// width and lanes, against the pure functions.
TEST(traffic, sums_equal_those_of_the_models) {
  std::mt19937_64 random(1812);
  launched l;
  traffic_counts global, shared;
  lane_array at = strided(0, 4);
  lane_mask mask = all;
  std::uint32_t bytes = 4;
  for (int round = 0; round < 20000; ++round) {
    switch (random() % 8) {
      case 0:
        bytes = 1u << random() % 5;
        at = strided(random() % 64 * 16, bytes * (random() % 5));
        break;
      case 1:
        mask = random() % 2 == 0 ? all : static_cast<lane_mask>(random());
        break;
      case 2:
        at[random() % warp_lanes] ^= 128;
        break;
      case 3:
        for (address& a : at) a += 16;
        break;
      case 4:
        for (address& a : at) a = random() % 512 * 16;
        break;
      default:
        for (address& a : at) a += 256;
    }
    const bool is_store = round % 2 != 0;
    l.tell(1, kind::load, space::global, bytes, at, mask);
    l.tell(is_store ? 0 : 4, is_store ? kind::store : kind::load, space::shared, bytes, at, mask);
    const warp_transactions t = transactions(mask, at, bytes).value();
    global.lanes += static_cast<unsigned>(std::popcount(mask));
    global.cc10 += t.cc10.sum().transactions;
    global.cc10_bytes += t.cc10.sum().bytes;
    global.cc12 += t.cc12.sum().transactions;
    global.cc12_bytes += t.cc12.sum().bytes;
    global.sectors += t.sectors;
    global.lines += t.lines;
    global.ideal_sectors += t.ideal_sectors;
    if (!banks_can_tell(mask, at, bytes)) {
      ++shared.not_modelled;
      continue;
    }
    shared.banks32.passes += passes_32_banks(mask, at, bytes)->passes;
    shared.banks32.requests += passes_32_banks(mask, at, bytes)->requests;
    shared.banks16.passes += passes_16_banks(mask, at, bytes, is_store)->passes;
  }
  const traffic_report& r = l.end();
  ASSERT_EQ(r.rows.size(), 3u);
  const traffic_counts& g = r.rows[0].counts;
  EXPECT_EQ(g.requests, 20000u);
  EXPECT_EQ(g.lanes, global.lanes);
  EXPECT_EQ(g.cc10, global.cc10);
  EXPECT_EQ(g.cc10_bytes, global.cc10_bytes);
  EXPECT_EQ(g.cc12, global.cc12);
  EXPECT_EQ(g.cc12_bytes, global.cc12_bytes);
  EXPECT_EQ(g.sectors, global.sectors);
  EXPECT_EQ(g.lines, global.lines);
  EXPECT_EQ(g.ideal_sectors, global.ideal_sectors);
  EXPECT_EQ(g.not_modelled, 0u);
  const traffic_counts &a = r.rows[1].counts, &b = r.rows[2].counts;
  EXPECT_EQ(a.banks32.passes + b.banks32.passes, shared.banks32.passes);
  EXPECT_EQ(a.banks32.requests + b.banks32.requests, shared.banks32.requests);
  EXPECT_EQ(a.banks16.passes + b.banks16.passes, shared.banks16.passes);
  EXPECT_EQ(a.not_modelled + b.not_modelled, shared.not_modelled);
}

TEST(traffic, the_worst_address_of_atomics_is_kept) {
  launched l;
  lane_array at = strided(0, 4);
  l.tell(2, kind::atomic, space::global, 4, at);
  for (unsigned i = 0; i < 7; ++i) at[i] = 64;
  l.tell(2, kind::atomic, space::global, 4, at);
  const traffic_counts c = l.end().rows.at(0).counts;
  EXPECT_EQ(c.addresses, 32u + 25u);
  EXPECT_EQ(c.same_address, 8u);  // lanes 0 to 6 and lane 16
  EXPECT_EQ(c.cc10, 0u);
}

TEST(traffic, what_a_model_cannot_tell_is_said) {
  launched l;
  l.tell(0, kind::load, space::shared, 4, strided(2, 4));
  l.tell(0, kind::load, space::shared, 12, strided(0, 12));
  l.tell(1, kind::load, space::global, 0, strided(0, 4));
  l.tell(1, kind::load, space::global, 4, strided(0, 4), 0);
  const traffic_report& r = l.end();
  ASSERT_EQ(r.rows.size(), 2u);
  EXPECT_EQ(r.rows[0].counts.not_modelled, 1u);
  EXPECT_EQ(r.rows[0].counts.requests, 2u);
  EXPECT_EQ(r.rows[0].counts.sectors, 0u);
  EXPECT_EQ(r.rows[1].counts.not_modelled, 2u);
  EXPECT_NE(traffic_lines(r).find("degree16 0 not-modelled 2\n"), std::string::npos);
  EXPECT_NE(traffic_tables(r).find("unknown"), std::string::npos);
}

TEST(traffic, a_site_that_is_not_there_is_an_error) {
  launched l;
  EXPECT_THROW(l.tell(7, kind::load, space::global, 4, strided(0, 4)), error);
  traffic never_begun;
  EXPECT_THROW(never_begun.accessed({}), error);
}

TEST(traffic, the_report_is_of_the_last_launch_and_outlives_it) {
  traffic t;
  EXPECT_TRUE(t.report().rows.empty());
  const no_names names;
  for (const int launch : {1, 2}) {
    std::string opcode = launch == 1 ? "ld.global.u32" : "ld.global.u8";
    const site only{opcode, "f", "a.cu", 3, 4};
    launch_info info;
    info.kernel = opcode;
    info.sites = {&only, 1};
    t.begin(info, names);
    const lane_array at = strided(0, 4);
    access a;
    a.who.mask = 1;
    a.at = at.data();
    for (int i = 0; i < launch; ++i) t.accessed(a);
    t.end();
    opcode.assign(opcode.size(), '#');
  }
  ASSERT_EQ(t.report().rows.size(), 1u);
  EXPECT_EQ(t.report().rows[0].where.opcode, "ld.global.u8");
  EXPECT_EQ(t.report().rows[0].counts.requests, 2u);
  EXPECT_EQ(t.report().launch.kernel, "ld.global.u8");
}

TEST(traffic, tables_fit_the_page_and_use_a_wider_one) {
  launched l;
  const std::string long_name(300, 'k');
  l.info_.kernel = long_name;
  l.seen.begin(l.info_, l.names_);
  for (address i = 0; i < 3000; ++i) {
    l.tell(0, kind::load, space::shared, 4, strided(0, 8));
    l.tell(1, kind::load, space::global, 16, strided(16 * i, 160));
    l.tell(2, kind::atomic, space::global, 4, strided(4 * i, 0));
    l.tell(3, kind::store, space::local, 8, strided(16, 0));
    l.tell(5, kind::load, space::constant, 4, strided(0, 4));
  }
  const traffic_report& r = l.end();
  for (const unsigned width : {80u, 100u, 120u, 200u})
    for (const std::string& line : lines_of(traffic_tables(r, width)))
      EXPECT_LE(line.size(), width) << line;
  const std::string narrow = traffic_tables(r), wide = traffic_tables(r, 120);
  EXPECT_TRUE(narrow.starts_with("PTX-level traffic of .."));
  EXPECT_EQ(narrow.find("cc1.2 bytes"), std::string::npos);
  EXPECT_NE(wide.find("cc1.2 bytes"), std::string::npos);
  for (const char* must : {"reduce.cu:12", "ld.global.f32", "sectors", "32 banks", "same address"})
    EXPECT_NE(narrow.find(must), std::string::npos) << must;
  traffic nothing;
  nothing.begin(l.info_, l.names_);
  nothing.end();
  EXPECT_NE(traffic_lines(nothing.report()).find("no memory accesses"), std::string::npos);
  EXPECT_NE(traffic_tables(nothing.report()).find("no memory accesses"), std::string::npos);
}

TEST(traffic, tables_shorten_text_and_leave_out_columns) {
  const table_column name{"name", false, 0, {"a long name of something"}};
  const table_column number{"n", true, 0, {"12345"}}, extra{"extra", true, 1, {"1"}};
  EXPECT_EQ(fitted_table({name, number, extra}, 80),
            "name                          n  extra\na long name of something  12345      1\n");
  EXPECT_EQ(fitted_table({name, number, extra}, 20),
            "name               n\n..f something  12345\n");
  EXPECT_EQ(fitted_table({}, 80), "");
  EXPECT_THROW(fitted_table({name, {"n", true, 0, {}}}, 80), error);
  EXPECT_EQ(shortened("abcdef", 4), "..ef");
  EXPECT_EQ(shortened("abcdef", 1), ".");
}

}  // namespace
}  // namespace ptxlab::machine
