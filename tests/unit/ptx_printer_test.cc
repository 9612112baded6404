// SPDX-License-Identifier: Apache-2.0
// From a module back to text. That ptxas makes the same code of it is shown on the whole corpus,
// in ptx_corpus_test.cc.
#include <gtest/gtest.h>

#include <string>

#include "ptx/text/printer.hpp"
#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab::ptx {
namespace {

TEST(ptx_printer, writes_every_form_of_operand_back) {
  // Canonical spelling: printing it must change nothing.
  for (const std::string text :
       {"@!%p1 bra L;", "@%p1 bra.uni L;", "ret;", "mov.u32 %r1, -4;", "mov.u32 %r1, name+4;",
        "ld.global.v2.u32 {%r1, %r2}, [%rd1+-8];", "st.shared.u32 [name+4], %r1;",
        "setp.ne.and.s32 %p1|%p2, %r1, 0, !%p3;", "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;",
        "call.uni (%r1), name, (%r2, %r3);", "call (%r1), %rd1, (%r2), prototype;",
        "tex.2d.v4.f32.s32 {%f1, %f2, %f3, _}, [name, {%r1, %r2}];", "mov.f32 %f1, 0f3F800000;",
        "vadd.s32.s32.s32.add %r1, %r2.b0, -%r3.h1, %r4;", "bar.sync 0;", "mov.u64 %rd1, %clock64;",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1}, {%r2}, {%f3, %f4};",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
        "[%rd1, {%r2, %r3}], [%r4];"}) {
    const snippet s("L: " + text);
    EXPECT_EQ(print(s.module, s.function, s.function.instructions.at(0)), text);
  }
}

TEST(ptx_printer, a_module_printed_twice_is_the_same) {
  const std::string source =
      std::string(prologue) +
      ".file 1 \"a b.cu\"\n.global .align 4 .b8 t[4] = {1, 2, 3, 4}; // comment\n"
      ".extern .func (.param .b32 r) g(.param .b32 x);\n"
      ".visible .entry k(.param .u64 p) .maxntid 64, 1, 1 .pragma \"nounroll\";\n{\n"
      ".reg .pred %p<2>; .reg .b32 %r<4>;\n.loc 1 3 4\nL: { .reg .b32 t; mov.u32 t, 4;\n"
      "@%p1 bra L; }\nTABLE: .branchtargets L;\n"
      "{ .param .b32 a; st.param.b32 [a+0], %r1; .param .b32 r;\n"
      "call.uni (r), g, (a); ld.param.b32 %r2, [r+0]; }\nret;\n}\n"
      ".section .debug_str {\n.b8 1,2\n}\n";
  const module m = parse(source, "first");
  const std::string once = print(m);
  const module again = parse(once, "second");
  EXPECT_EQ(print(again), once);
  EXPECT_EQ(again.functions.size(), m.functions.size());
  const function &a = *m.find("k"), &b = *again.find("k");
  ASSERT_EQ(a.instructions.size(), b.instructions.size());
  EXPECT_EQ(a.operands.size(), b.operands.size());
  EXPECT_EQ(a.register_count, b.register_count);
  for (std::size_t i = 0; i < a.instructions.size(); ++i) {
    EXPECT_EQ(print(m, a, a.instructions[i]), print(again, b, b.instructions[i]));
    EXPECT_EQ(a.instructions[i].target, b.instructions[i].target);
    EXPECT_EQ(a.instructions[i].guard, b.instructions[i].guard);
  }
  for (const char* kept : {".file 1 \"a b.cu\"", "t[4] = {1, 2, 3, 4};", ".maxntid 64, 1, 1",
                           ".branchtargets L;", ".loc 1 3 4", ".b8 1,2"})
    EXPECT_NE(once.find(kept), std::string::npos) << kept;
  EXPECT_EQ(once.find("comment"), std::string::npos);
}

}  // namespace
}  // namespace ptxlab::ptx
