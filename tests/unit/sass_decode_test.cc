// SPDX-License-Identifier: Apache-2.0
// Decoding of single instructions. Expected values: PTX ISA and the CUDA headers for what the
// source meant, `nvdisasm -plr` for registers (see sass_life_range_test.cc for all of them).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/sass/decode.hpp"
#include "analysis/sass/reader.hpp"

namespace ptxlab::sass {
namespace {

using flow::form;
using flow::kind;
using flow::order;
using flow::relation;
using flow::scope;
using flow::space;

decoded decode_line(const std::string& line) {
  const module m = read_text(
      "\t.target\tsm_90\n\t.section\t.text.f,\"ax\",@progbits\n        .type f,@function\nf:\n"
      "        /*0000*/                   " +
      line + " ;\n");
  decoded d;
  decode(m, m.functions.at(0).instructions.at(0), d);
  return d;
}

std::string spelled(const std::vector<register_id>& all) {
  std::string out;
  for (const register_id r : all) {
    if (r >= 528)
      out += fmt::format("B{} ", r - 528);
    else if (r >= 520)
      out += fmt::format("UP{} ", r - 520);
    else if (r >= 512)
      out += fmt::format("P{} ", r - 512);
    else if (r >= 256)
      out += fmt::format("UR{} ", r - 256);
    else
      out += fmt::format("R{} ", r);
  }
  return out;
}

TEST(sass_decode, loads_with_their_ordering) {
  const decoded weak = decode_line("LDG.E.64 R4, desc[UR6][R2.64+0x8]");
  EXPECT_EQ(weak.op.what, kind::load);
  EXPECT_EQ(weak.op.memory, space::global);
  EXPECT_EQ(weak.op.ordering, order::weak);
  EXPECT_EQ(weak.op.width_bits, 64);
  EXPECT_EQ(spelled(weak.reads), "R2 R3 UR6 UR7 ");
  EXPECT_EQ(weak.op.address_reads, 2);
  EXPECT_EQ(spelled(weak.writes), "R4 R5 ");
  // sm_75 prints .SYS on weak loads too.
  EXPECT_EQ(decode_line("LDG.E.SYS R0, [R2]").op.ordering, order::weak);
  EXPECT_EQ(decode_line("LDG.E.CONSTANT R0, [R2.64]").op.ordering, order::nc);
  const decoded strong = decode_line("LDG.E.STRONG.SYS R0, desc[UR4][R2.64]");
  EXPECT_EQ(strong.op.ordering, order::strong);
  EXPECT_EQ(strong.op.reach, scope::sys);
  EXPECT_EQ(decode_line("LD.E.STRONG.SM R0, [R4.64]").op.reach, scope::cta);
  EXPECT_EQ(decode_line("LD.E.STRONG.GPU R0, [R4.64]").op.memory, space::generic);
  const decoded shared = decode_line("LDS.128 R4, [R13.X16+UR5]");
  EXPECT_EQ(shared.op.memory, space::shared);
  EXPECT_EQ(shared.op.ordering, order::shared);
  EXPECT_EQ(spelled(shared.reads), "R13 UR5 ");
  EXPECT_EQ(spelled(shared.writes), "R4 R5 R6 R7 ");
  EXPECT_EQ(decode_line("LDG.E.U8 R2, [R22.64]").op.width_bits, 8);
  EXPECT_EQ(decode_line("LDL.64 R8, [R1+0x18]").op.memory, space::local);
  EXPECT_EQ(decode_line("LDC.64 R2, c[0x0][0x210]").op.memory, space::constant);
}

TEST(sass_decode, stores_atomics_and_fences) {
  const decoded store = decode_line("STG.E.STRONG.GPU desc[UR4][R2.64], R5");
  EXPECT_EQ(store.op.what, kind::store);
  EXPECT_EQ(spelled(store.reads), "R2 R3 UR4 UR5 R5 ");
  EXPECT_TRUE(store.writes.empty());
  const decoded cas = decode_line("ATOMG.E.CAS.STRONG.GPU PT, R0, [R2], R4, R5");
  EXPECT_EQ(cas.op.what, kind::atomic);
  EXPECT_EQ(cas.op.reach, scope::gpu);
  EXPECT_EQ(spelled(cas.reads), "R2 R3 R4 R5 ");
  EXPECT_EQ(spelled(cas.writes), "R0 ");
  EXPECT_EQ(decode_line("ATOMS.ADD RZ, [R4], R5").op.what, kind::reduction);
  EXPECT_EQ(decode_line("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5").op.what, kind::reduction);
  const decoded fence = decode_line("MEMBAR.SC.GPU");
  EXPECT_EQ(fence.op.what, kind::fence);
  EXPECT_EQ(fence.op.reach, scope::gpu);
  EXPECT_EQ(decode_line("CCTL.IVALL").op.what, kind::cache_invalidate);
  EXPECT_EQ(decode_line("CCTL.E.PF2 [R4]").op.what, kind::plain);
  EXPECT_EQ(decode_line("BAR.SYNC.DEFER_BLOCKING 0x0").op.what, kind::barrier);
  EXPECT_EQ(decode_line("WARPSYNC.ALL").op.what, kind::warp_sync);
  EXPECT_EQ(decode_line("NANOSLEEP 0x64").op.what, kind::sleep);
}

TEST(sass_decode, predicates_and_guards) {
  const decoded compare = decode_line("@!P1 ISETP.NE.AND P0, P2, R0, R3, P4");
  EXPECT_EQ(spelled(compare.writes), "P0 P2 ");
  EXPECT_EQ(spelled(compare.reads), "R0 R3 P4 P1 ");  // the guard last
  EXPECT_TRUE(compare.op.guarded);
  EXPECT_TRUE(compare.op.guard_negated);
  const decoded logic = decode_line("LOP3.LUT P4, RZ, R2, R5, RZ, 0xc0, !PT");
  EXPECT_EQ(spelled(logic.writes), "P4 ");
  EXPECT_EQ(spelled(logic.reads), "R2 R5 ");
  const decoded carry = decode_line("IADD3 R26, P0, R24, UR4, RZ");
  EXPECT_EQ(spelled(carry.writes), "R26 P0 ");
  EXPECT_EQ(spelled(decode_line("VOTE.ANY R9, PT, P1").reads), "P1 ");
  EXPECT_EQ(spelled(decode_line("VOTE.ALL P0, P1").writes), "P0 ");
  EXPECT_EQ(spelled(decode_line("VOTE.ALL P0, P1").reads), "P1 ");
  EXPECT_EQ(spelled(decode_line("R2P PR, R0, 0x5").writes), "P0 P2 ");
  EXPECT_EQ(spelled(decode_line("P2R R0, PR, RZ, 0x3").reads), "P0 P1 ");
  EXPECT_EQ(spelled(decode_line("BSYNC B6").reads), "B6 ");
}

TEST(sass_decode, register_widths) {
  EXPECT_EQ(spelled(decode_line("DFMA R8, R6, R8, c[0x2][0x0]").reads), "R6 R7 R8 R9 ");
  EXPECT_EQ(spelled(decode_line("IMAD.WIDE R2, R11, 0x4, R6").reads), "R11 R6 R7 ");
  EXPECT_EQ(spelled(decode_line("IMAD.WIDE R2, R11, 0x4, R6").writes), "R2 R3 ");
  EXPECT_EQ(spelled(decode_line("F2F.F32.F64 R17, R8").reads), "R8 R9 ");
  EXPECT_EQ(spelled(decode_line("F2F.F32.F64 R17, R8").writes), "R17 ");
  const decoded matrix = decode_line("HMMA.16816.F32 R8, R20, R10, R4");
  EXPECT_EQ(spelled(matrix.reads), "R20 R21 R22 R23 R10 R11 R4 R5 R6 R7 ");
  EXPECT_EQ(spelled(matrix.writes), "R8 R9 R10 R11 ");
  EXPECT_EQ(spelled(decode_line("IMMA.16816.S8.S8 R4, R14.ROW, R4.COL, RZ").reads), "R14 R15 R4 ");
}

TEST(sass_decode, forms_for_counting) {
  const decoded add = decode_line("IADD3 R4, R19, -0x1, RZ");
  EXPECT_EQ(add.op.shape, form::add);
  EXPECT_EQ(add.op.immediate, -1);
  EXPECT_EQ(decode_line("VIADD R1, R1, 0xfffffff8").op.immediate, -8);
  EXPECT_EQ(decode_line("UIADD3 UR4, UR4, 0x10, URZ").op.shape, form::add);
  EXPECT_EQ(decode_line("IADD3 R4, P0, R19, 0x1, RZ").op.shape, form::other);  // 64-bit half
  EXPECT_EQ(decode_line("IADD3 R4, -R19, 0x1, RZ").op.shape, form::other);
  EXPECT_EQ(decode_line("IADD3 R4, R19, 0x1, R2").op.shape, form::other);
  const decoded move = decode_line("IMAD.MOV.U32 R5, RZ, RZ, 0x3");
  EXPECT_EQ(move.op.shape, form::move);
  EXPECT_EQ(move.op.immediate, 3);
  EXPECT_EQ(decode_line("MOV R5, R7").op.shape, form::move);
  EXPECT_FALSE(decode_line("MOV R5, R7").op.has_immediate);
  EXPECT_EQ(decode_line("CS2R R4, SRZ").op.immediate, 0);
  EXPECT_TRUE(decode_line("CS2R R4, SRZ").op.has_immediate);
  // ptxas moves constants with the half-precision unit: bits 0x0000 and 0x0003.
  const decoded half = decode_line("HFMA2.MMA R3, -RZ, RZ, 0, 1.78813934326171875e-07");
  EXPECT_EQ(half.op.shape, form::move);
  EXPECT_EQ(half.op.immediate, 3);
  EXPECT_EQ(decode_line("HFMA2 R3, -RZ, RZ, 1.875, 0").op.immediate, 0x3f800000);  // 1.0f
  EXPECT_EQ(decode_line("HFMA2 R3, -RZ, RZ, -2, 0").op.immediate,
            static_cast<std::int32_t>(0xc0000000));
  EXPECT_EQ(decode_line("HFMA2 R3, R4, R5, 0, 1").op.shape, form::other);
  const decoded less = decode_line("ISETP.LT.U32.AND P0, PT, R2, 0x10, PT");
  EXPECT_EQ(less.op.shape, form::compare);
  EXPECT_EQ(less.op.rel, relation::lt);
  EXPECT_TRUE(less.op.unsigned_compare);
  EXPECT_EQ(less.op.immediate, 16);
  EXPECT_EQ(decode_line("ISETP.GT.AND P0, PT, RZ, R2, PT").op.rel, relation::lt);
  EXPECT_EQ(decode_line("ISETP.LT.AND P0, PT, R2, 0x10, P1").op.shape, form::other);
  EXPECT_EQ(decode_line("ISETP.NE.AND.EX P0, PT, R5, RZ, PT, P0").op.shape, form::other);
  EXPECT_EQ(decode_line("PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0").op.shape, form::negate_predicate);
}

TEST(sass_decode, lanes_and_clocks) {
  EXPECT_TRUE(decode_line("S2R R0, SR_TID.X").op.lane_dependent);
  EXPECT_TRUE(decode_line("S2R R0, SR_LANEID").op.lane_dependent);
  EXPECT_FALSE(decode_line("S2R R0, SR_CTAID.X").op.lane_dependent);
  EXPECT_EQ(decode_line("CS2R R2, SR_CLOCKLO").op.what, kind::clock);
  EXPECT_EQ(spelled(decode_line("CS2R.32 R2, SR_CLOCKLO").writes), "R2 ");
}

TEST(sass_decode, an_unknown_opcode_is_kept_cautiously) {
  const decoded d = decode_line("FROB.X R4, R5, [R6], P1");
  EXPECT_FALSE(d.known);
  EXPECT_EQ(spelled(d.writes), "R4 ");
  EXPECT_EQ(spelled(d.reads), "R6 R5 P1 ");
}

}  // namespace
}  // namespace ptxlab::sass
