// SPDX-License-Identifier: Apache-2.0
// What PTX instructions read, write and touch, and which object an address points into.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab::ptx {
namespace {

using flow::kind;

// Names of the registers that operation `i` reads (address first, guard last) and writes, as
// "%r1 %p1 -> %r2". Registers have the numbers of snippet.hpp's declaration.
std::string effect(const snippet& s, std::size_t i) {
  const auto name = [&](flow::reg r) -> std::string {
    for (const register_range& range : s.function.registers)
      if (r >= range.first && r < range.first + range.count)
        return range.numbered ? fmt::format("{}{}", range.prefix, r - range.first)
                              : std::string(range.prefix);
    return fmt::format("slot{}", r - s.function.register_count);
  };
  std::string out;
  for (const flow::reg r : s.code.reads(s.op(i))) out += name(r) + " ";
  out += "->";
  for (const flow::reg r : s.code.writes(s.op(i))) out += " " + name(r);
  return out;
}

TEST(ptx_lower, reads_and_writes) {
  struct row {
    const char *text, *effect;
  };
  constexpr row rows[] = {
      {"add.s32 %r1, %r2, %r3;", "%r2 %r3 -> %r1"},
      {"@!%p1 add.s32 %r1, %r1, 4;", "%r1 %p1 -> %r1"},
      {"ld.global.v2.u32 {%r1, %r2}, [%rd1+8];", "%rd1 -> %r1 %r2"},
      {"st.global.v2.u32 [%rd1], {%r1, %r2};", "%rd1 %r1 %r2 ->"},
      {"setp.lt.s32 %p1|%p2, %r1, 7;", "%r1 -> %p1 %p2"},
      {"setp.lt.and.s32 %p1, %r1, 7, !%p2;", "%r1 %p2 -> %p1"},
      {"selp.b32 %r1, %r2, %r3, %p1;", "%r2 %r3 %p1 -> %r1"},
      {"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "%rd1 %r2 %r3 -> %r1"},
      {"atom.global.add.u32 _, [%rd1], 1;", "%rd1 ->"},
      {"red.global.add.u32 [%rd1], %r1;", "%rd1 %r1 ->"},
      {"shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, %r3;", "%r2 %r3 -> %r1 %p1"},
      {"mov.b64 {%r1, %r2}, %rd1;", "%rd1 -> %r1 %r2"},
      {"mov.b64 %rd1, {%r1, %r2};", "%r1 %r2 -> %rd1"},
      {"vadd.s32.s32.s32 %r1.h0, %r2.b1, %r3;", "%r2 %r3 -> %r1"},
      {"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [p0, {%r1, %r2}];", "%r1 %r2 -> %f1 %f2 %f3 %f4"},
      {"mbarrier.arrive.shared.b64 _, [%r1];", "%r1 ->"},
      {"mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;", "%r1 %rd1 -> %p1"},
      {"bar.red.popc.u32 %r1, 0, %p1;", "%p1 -> %r1"},
      {"bar.sync %r1;", "%r1 ->"},
      {"call.uni (%r1), p0, (%r2, %r3);", "%r2 %r3 -> %r1"},
      {"call p0, (%r2);", "%r2 ->"},
      {"call (%r1), %rd1, (%r2), p0;", "%rd1 %r2 -> %r1"},
      {"frobnicate.u32 %r1, %r2;", "%r1 %r2 -> %r1"},  // not known: it may do both
      {"cp.async.ca.shared.global [%r1], [%rd1], 16;", "%r1 %rd1 ->"},
      {"ret;", "->"}};
  for (const row& r : rows) {
    const snippet s(r.text);
    EXPECT_EQ(effect(s, 0), r.effect) << r.text;
  }
  const snippet s("@%p1 st.global.u32 [%rd1], %r1;");
  EXPECT_TRUE(s.op(0).guarded);
  EXPECT_EQ(s.op(0).address_reads, 1);
}

TEST(ptx_lower, forms) {
  const snippet s(
      "add.s32 %r1, %r2, -4; add.s32 %r1, 4, %r2; sub.s32 %r1, %r2, 4; sub.s32 %r1, 4, %r2;\n"
      "add.s32 %r1, %r2, %r3; add.s32 %r1, %r2, p0; mov.u32 %r1, 7; mov.u32 %r1, %r2;\n"
      "mov.u32 %r1, %tid.x; setp.lt.s32 %p1, %r1, 7; setp.lt.s32 %p1, 7, %r1;\n"
      "setp.lt.s32 %p1|%p2, %r1, 7; not.pred %p1, %p2; mov.b64 {%r1, %r2}, %rd1;\n"
      "mov.u64 %rd1, %clock64; mov.u32 %r1, %laneid; mov.u32 %r1, %ctaid.x;");
  const auto is_form = [&](std::size_t i, flow::form f, bool immediate, std::int64_t value) {
    EXPECT_EQ(s.op(i).shape, f) << i;
    EXPECT_EQ(s.op(i).has_immediate, immediate) << i;
    EXPECT_EQ(s.op(i).immediate, value) << i;
  };
  is_form(0, flow::form::add, true, -4);
  is_form(1, flow::form::add, true, 4);
  is_form(2, flow::form::add, true, -4);
  for (const std::size_t i : {3, 4, 5, 8, 10, 11, 13}) is_form(i, flow::form::other, false, 0);
  is_form(6, flow::form::move, true, 7);
  is_form(7, flow::form::move, false, 0);
  is_form(9, flow::form::compare, true, 7);
  is_form(12, flow::form::negate_predicate, false, 0);
  EXPECT_TRUE(s.op(8).lane_dependent);
  EXPECT_EQ(s.op(14).what, kind::clock);
  EXPECT_TRUE(s.op(15).lane_dependent);
  EXPECT_FALSE(s.op(16).lane_dependent) << "the same for all lanes of a block";
}

TEST(ptx_lower, control_goes_where_the_text_says) {
  const snippet s(
      "L: @%p1 bra END;\nT: .branchtargets L, M;\n@%p2 brx.idx %r1, T;\nM: @%p3 ret;\n"
      "bra L;\nEND:");
  EXPECT_EQ(s.op(0).target, 4u) << "an operation was added for the end of the body";
  EXPECT_EQ(s.op(4).then, flow::transfer::leave);
  EXPECT_EQ(s.op(4).where, nothing);
  EXPECT_EQ(s.op(1).then, flow::transfer::indirect);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> table{{1, 0}, {1, 2}};
  EXPECT_EQ(s.code.indirect_targets, table);
  EXPECT_FALSE(s.graph.any_unknown());
  EXPECT_EQ(s.forest.loops.size(), 1u);
  const snippet no_table("brx.idx %r1, T;\nA: ret;");
  EXPECT_TRUE(no_table.graph.any_unknown()) << "targets not known: cannot tell";
  const snippet empty("");
  EXPECT_EQ(empty.code.ops.size(), 1u);
  EXPECT_EQ(empty.op(0).then, flow::transfer::leave);
}

TEST(ptx_lower, values_go_through_the_parameters_of_a_call) {
  const snippet s(
      "{ // callseq 0, 0\n.param .b32 param0; st.param.b32 [param0+0], %r1;\n"
      ".param .b64 param1; st.param.b32 [param1+4], %r2;\n.param .b32 retval0;\n"
      "call.uni (retval0), p0, (param0, param1);\nld.param.b32 %r3, [retval0+0];\n}");
  const std::string slot0 = effect(s, 0).substr(7), slot1 = effect(s, 1).substr(7);
  EXPECT_EQ(effect(s, 0), "%r1 -> " + slot0);
  EXPECT_NE(slot0, slot1);
  EXPECT_EQ(effect(s, 2).substr(0, effect(s, 2).find(" ->")), slot0 + " " + slot1);
  const std::string result = effect(s, 2).substr(effect(s, 2).find("-> ") + 3);
  EXPECT_EQ(effect(s, 3), result + " -> %r3");
}

TEST(ptx_lower, address_origins) {
  struct row {
    const char *text, *origin;  // of the last operation
  };
  constexpr row rows[] = {
      {"ld.param.u64 %rd1, [p1]; cvta.to.global.u64 %rd2, %rd1; ld.global.u32 %r1, [%rd2+4];",
       "param+8+4"},
      {"ld.param.u64 %rd1, [p0+8]; ld.global.u32 %r1, [%rd1];", "param+8"},
      {"ld.param.u64 %rd1, [p0]; mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
       "ld.global.u32 %r1, [%rd3];",
       "param+0[]"},
      {"ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p2]; cvt.s64.s32 %rd2, %r1;\n"
       "add.s64 %rd3, %rd1, %rd2; ld.global.u8 %rs1, [%rd3];",
       "param+0[]"},
      {"ld.param.u64 %rd1, [p0]; L: add.s64 %rd1, %rd1, 4; ld.global.u32 %r1, [%rd1];",
       "param+0[]"},
      {"ld.param.u64 %rd1, [p0]; mov.u64 %rd2, %rd1; L: ld.global.u32 %r2, [%rd3];\n"
       "add.s64 %rd2, %rd2, %rd9; mov.u64 %rd3, %rd2; ld.global.u32 %r1, [%rd3];",
       "param+0[]"},
      {"ld.shared.u32 %r1, [stage+4];", "stage+4"},
      {"mov.u32 %r1, stage; add.s32 %r2, %r1, 8; ld.shared.u32 %r3, [%r2];", "stage+8"},
      {"ld.param.u64 %rd1, [p0]; ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd2];", "?"},
      {"ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; selp.b64 %rd3, %rd1, %rd2, %p1;\n"
       "ld.global.u32 %r1, [%rd3];",
       "?"},
      // One of two definitions is not known.
      {"ld.param.u64 %rd1, [p0]; @%p1 ld.global.u64 %rd1, [%rd5]; ld.global.u32 %r1, [%rd1];", "?"},
      {"ld.param.u64 %rd1, [p0]; @%p1 ld.param.u64 %rd1, [p1]; ld.global.u32 %r1, [%rd1];", "?"},
      {"ld.global.u32 %r1, [%rd1];", "?"},
      {"ld.global.u32 %r1, [4096];", "?"}};
  for (const row& r : rows) {
    const snippet s(std::string(".shared .align 4 .b8 stage[16];\n") + r.text);
    EXPECT_EQ(s.origin(static_cast<std::uint32_t>(s.code.ops.size() - 1)), r.origin) << r.text;
  }
}

}  // namespace
}  // namespace ptxlab::ptx
