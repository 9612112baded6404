// SPDX-License-Identifier: Apache-2.0
// Instruction mix: how opcodes are filed, sums and shares, contradictory counts, the text.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/machine/observers/mix.hpp"
#include "ptx/machine/observers/mix_text.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

TEST(mix, opcodes_are_filed_under_base_space_and_types) {
  const std::array<std::array<const char*, 2>, 16> cases{
      {{"ld.global.f32", "ld.global.f32"},
       {"ld.relaxed.gpu.global.v4.f32", "ld.global.f32"},
       {"ld.shared::cta.u8", "ld.shared.u8"},
       {"cvt.rn.f32.s32", "cvt.f32.s32"},
       {"cvt.rn.bf16x2.f32", "cvt.bf16x2.f32"},
       {"mad.wide.u32", "mad.u32"},
       {"fma.rn.ftz.f32", "fma.f32"},
       {"setp.lt.and.s32", "setp.s32"},
       {"bra.uni", "bra"},
       {"ret", "ret"},
       {"bar.sync", "bar"},
       {"mov.pred", "mov.pred"},
       {"atom.global.add.u32", "atom.global.u32"},
       {"shfl.sync.down.b32", "shfl.b32"},
       {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.f32.f16.f16.f32"},
       {"", ""}}};
  for (const auto& [opcode, name] : cases) EXPECT_EQ(mix_name(opcode), name) << opcode;
}

const std::array<site, 6> sites{{{"ld.global.f32", "k", "dir/k.cu", 12, 30},
                                 {"ld.global.nc.f32", "k", "dir/k.cu", 12, 31},
                                 {"bra", "k", "dir/k.cu", 14, 35},
                                 {"ret", "k", "", 0, 40},
                                 {"add.s32", "k", "dir/k.cu", 9, 33},
                                 {"bra.uni", "k", "dir/a.cu", 20, 36}}};

launch_info launch() {
  launch_info l;
  l.kernel = "k";
  l.grid[0] = 2;
  l.block[0] = 64;
  l.sites = sites;
  return l;
}

const std::array<site_counts, 6> counts{
    {{4, 128, 0}, {4, 126, 0}, {8, 256, 3}, {4, 64, 0}, {0, 0, 0}, {2, 2, 0}}};

TEST(mix, sums_by_opcode_and_line) {
  const mix_report r = instruction_mix(launch(), counts);
  EXPECT_EQ(r.all.counts.executed, 22u);
  EXPECT_EQ(r.all.counts.lanes, 576u);
  EXPECT_EQ(r.all.sites, 5u);
  std::istringstream in(mix_lines(r));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "PTX-level mix of k, grid 2x1x1, block 64x1x1: ptxas replaces short branches by "
                "predicates, and more",
                "all: warps 22 lanes 576 active 818 diverged 3 sites 5",
                "opcode bra: warps 10 lanes 258 active 806 diverged 3 sites 2",
                "opcode ld.global.f32: warps 8 lanes 254 active 992 diverged 0 sites 2",
                "opcode ret: warps 4 lanes 64 active 500 diverged 0 sites 1",
                "line ptx: warps 4 lanes 64 active 500 diverged 0 sites 1",
                "line a.cu:20: warps 2 lanes 2 active 31 diverged 0 sites 1",
                "line k.cu:12: warps 8 lanes 254 active 992 diverged 0 sites 2",
                "line k.cu:14: warps 8 lanes 256 active 1000 diverged 3 sites 1",
                "branch a.cu:20 bra.uni: warps 2 lanes 2 diverged 0",
                "branch k.cu:14 bra: warps 8 lanes 256 diverged 3"}));
}

TEST(mix, tables_fit_the_page) {
  launch_info l = launch();
  const std::string long_name(200, 'x');
  l.kernel = long_name;
  std::array<site_counts, 6> large = counts;
  large[0] = {std::numeric_limits<std::uint64_t>::max() / 64, 3, 0};
  for (const unsigned width : {80u, 120u}) {
    std::istringstream in(mix_tables(instruction_mix(l, large), width));
    unsigned seen = 0;
    for (std::string line; std::getline(in, line); ++seen) EXPECT_LE(line.size(), width) << line;
    EXPECT_GT(seen, 12u);
  }
  const std::string t = mix_tables(instruction_mix(launch(), counts));
  EXPECT_TRUE(t.starts_with("PTX-level mix of k"));
  EXPECT_NE(t.find("99.2 %"), std::string::npos);
  // Most often executed first.
  EXPECT_LT(t.find("bra  "), t.find("ret  "));
}

TEST(mix, full_is_said_only_of_full_and_large_counts_do_not_overflow) {
  constexpr std::uint64_t many = std::numeric_limits<std::uint64_t>::max() / 32;
  mix_row r;
  EXPECT_EQ(r.active_per_mille(), 0u);
  r.counts = {many, many * 32, 0};
  EXPECT_EQ(r.active_per_mille(), 1000u);
  r.counts = {many, many * 16, 0};
  EXPECT_EQ(r.active_per_mille(), 500u);
  r.counts = {1000000, 31999999, 0};
  EXPECT_EQ(r.active_per_mille(), 999u);
}

TEST(mix, bad_counts) {
  const launch_info l = launch();
  EXPECT_THROW(instruction_mix(l, {counts.data(), 5}), error);
  std::array<site_counts, 6> wrong = counts;
  wrong[0].lanes = 129;
  EXPECT_THROW(instruction_mix(l, wrong), error);
  wrong = counts;
  wrong[4].lanes = 1;
  EXPECT_THROW(instruction_mix(l, wrong), error);
  wrong = counts;
  wrong[2].diverged = 9;
  EXPECT_THROW(instruction_mix(l, wrong), error);
  const mix_report nothing = instruction_mix({}, {});
  EXPECT_TRUE(nothing.opcodes.empty());
  EXPECT_NE(mix_lines(nothing).find("all: warps 0 lanes 0 active 0"), std::string::npos);
  EXPECT_FALSE(mix_tables(nothing).empty());
}

}  // namespace
}  // namespace ptxlab::machine
