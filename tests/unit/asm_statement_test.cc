// SPDX-License-Identifier: Apache-2.0
// Which asm statements of a C++ text are found, and what is read of each.
#include "analysis/facts/asm_statement.hpp"

#include <gtest/gtest.h>

namespace ptxlab::facts {
namespace {

TEST(asm_statement, reads_qualifier_clobber_and_lines) {
  const auto all = read_asm_statements(
      "int f() {\n"
      "  asm volatile(\"ld.global.u32 %0, [%1];\"\n"
      "               : \"=r\"(x)\n"
      "               : \"l\"(std::addressof(y))\n"
      "               : \"memory\");\n"
      "  __asm__ __volatile__(\"membar.gl;\" ::: \"memory\");\n"
      "  asm(\"memory %0;\" : \"=r\"(x) : \"l\"(p[a ? 1 : 2]));\n"
      "}\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[0].last_line, 5);
  EXPECT_TRUE(all[0].is_volatile);
  EXPECT_TRUE(all[0].memory_clobber);
  EXPECT_EQ(all[1].line, 6);
  EXPECT_TRUE(all[1].is_volatile);
  EXPECT_TRUE(all[1].memory_clobber);
  // Neither the template nor the colon of ?: makes a clobber list.
  EXPECT_EQ(all[2].line, 7);
  EXPECT_FALSE(all[2].is_volatile);
  EXPECT_FALSE(all[2].memory_clobber);
}

TEST(asm_statement, an_operand_named_memory_is_no_clobber) {
  const auto all = read_asm_statements("asm(\"x %0;\" : \"=r\"(a) : \"memory\"(b) : \"cc\");");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].memory_clobber);
}

TEST(asm_statement, comments_strings_and_literals_hide_nothing_and_show_nothing) {
  const auto all = read_asm_statements(
      "// asm(\"a;\");  \\\n"
      "   asm(\"still the comment;\");\n"
      "/* asm(\"b;\"); */ const char* s = \"asm(\\\"c;\\\");\";\n"
      "char q = '\"'; int n = 1'000'000;\n"
      "const char* r = R\"x(asm(\"d;\") )\" asm(\"e;\"))x\";\n"
      "asm(\"f;\");\n"
      "int my_asm(int); int y = my_asm(1);\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].line, 6);
}

TEST(asm_statement, unfinished_text_gives_nothing) {
  EXPECT_TRUE(read_asm_statements("asm volatile(\"ld;\" : \"=r\"(x)").empty());
  EXPECT_TRUE(read_asm_statements("asm").empty());
  EXPECT_TRUE(read_asm_statements("asm(\"ld").empty());
  EXPECT_TRUE(read_asm_statements("R\"x(asm(\"a;\");").empty());
  EXPECT_TRUE(read_asm_statements("").empty());
  EXPECT_TRUE(read_asm_statements("\\").empty());
}

TEST(asm_statement, is_found_by_any_of_its_lines_unless_two_share_the_line) {
  auto all = read_asm_statements("asm(\"a;\"\n:\n);\nasm(\"b;\"); asm(\"c;\");\n");
  ASSERT_EQ(all.size(), 3u);
  for (auto& a : all) a.file = "x.cu";
  EXPECT_EQ(find_asm_statement(all, "x.cu", 2), &all[0]);
  EXPECT_EQ(find_asm_statement(all, "y.cu", 2), nullptr);
  EXPECT_EQ(find_asm_statement(all, "x.cu", 4), nullptr);
  EXPECT_EQ(find_asm_statement(all, "x.cu", 9), nullptr);
}

}  // namespace
}  // namespace ptxlab::facts
