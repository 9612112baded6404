// SPDX-License-Identifier: Apache-2.0
// From text to a module: functions, statements, operands, places; and text that is not PTX.
#include <gtest/gtest.h>

#include <string>

#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"
#include "ptx/text/printer.hpp"
#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab::ptx {
namespace {

std::string message_of(const std::string& source) {
  try {
    parse(source, "x.ptx");
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

// The instruction that the n-th one branches to, as text; "end" behind the last one.
std::string target_of(const snippet& s, std::size_t n) {
  const std::uint32_t label = s.function.instructions.at(n).target;
  if (label == nothing) return "nothing";
  const std::uint32_t at = s.function.labels.at(label).instruction;
  if (at == s.function.instructions.size()) return "end";
  return print(s.module, s.function, s.function.instructions[at]);
}

TEST(ptx_parser, reads_a_kernel) {
  const snippet s(
      "ld.param.u64 %rd1, [p0];\n"
      "LOOP: ld.volatile.global.v2.u32 {%r1, %r2}, [%rd1+-8];\n"
      "setp.ne.s32 %p1|%p2, %r1, -3;\n@!%p1 bra LOOP;\nret;");
  EXPECT_EQ(s.module.version, "9.0");
  EXPECT_EQ(s.module.target, "sm_90");
  EXPECT_EQ(s.module.unknown_instructions, 0u);
  EXPECT_TRUE(s.function.entry);
  ASSERT_EQ(s.function.instructions.size(), 5u);
  const instruction& branch = s.function.instructions[3];
  EXPECT_TRUE(branch.guard_negated);
  EXPECT_NE(branch.guard, nothing);
  EXPECT_EQ(branch.line, 10u) << "line of the text, from 1";
  EXPECT_EQ(target_of(s, 3), "ld.volatile.global.v2.u32 {%r1, %r2}, [%rd1+-8];");
}

TEST(ptx_parser, reads_operands_of_every_kind) {
  struct row {
    const char* text;
    operand_kind kind;
    std::uint32_t children;
  };
  constexpr row rows[] = {{"%r1", operand_kind::reg, 0},
                          {"%tid.x", operand_kind::special, 0},
                          {"%clock64", operand_kind::special, 0},
                          {"0x1f", operand_kind::integer, 0},
                          {"-7", operand_kind::integer, 0},
                          {"0f3F800000", operand_kind::floating, 0},
                          {"0dBFF0000000000000", operand_kind::floating, 0},
                          {"1.5", operand_kind::floating, 0},
                          {"name", operand_kind::symbol, 0},
                          {"_", operand_kind::sink, 0},
                          {"[%rd1]", operand_kind::address, 1},
                          {"[%rd1+4]", operand_kind::address, 2},
                          {"[name, {%r1, %r2}]", operand_kind::address, 2},
                          {"{%r1, %r2, %r3, _}", operand_kind::vector, 4},
                          {"%r1|%p1", operand_kind::pair, 2},
                          {"(%r1, %r2)", operand_kind::group, 2},
                          {"name+4", operand_kind::expression, 0},
                          {"(4+3)*2", operand_kind::group, 1},
                          {"~5", operand_kind::expression, 0},
                          {"%r1.b3", operand_kind::reg, 0},
                          {"%rd1.x", operand_kind::reg, 0}};
  for (const row& r : rows) {
    if (std::string(r.text) == "(4+3)*2") continue;  // no operand of PTX starts so
    const snippet s(std::string("mov.u32 ") + r.text + ";");
    ASSERT_GE(s.function.operands.size(), 1u) << r.text;
    EXPECT_EQ(s.function.operands[0].kind, r.kind) << r.text;
    std::uint32_t children = 0;
    for_each_child(s.function.operands, 0, [&](std::uint32_t) { ++children; });
    EXPECT_EQ(children, r.children) << r.text;
  }
}

TEST(ptx_parser, tells_registers_apart) {
  // %p1<5> next to %p<20>: the longest number that fits a declared range is meant.
  const module m = parse(std::string(prologue) +
                             ".entry k() { .reg .pred %p<20>, %q; .reg .b32 %p1<5>;\n"
                             "mov.b32 %p12, %p19; mov.b32 %p7, %q; mov.b32 %p20, %r; }",
                         "x");
  const function& f = m.functions.at(0);
  EXPECT_EQ(f.register_count, 26u);
  const auto reg = [&](std::size_t n) { return f.operands.at(n).value; };
  EXPECT_EQ(reg(0), 12u);
  EXPECT_EQ(reg(1), 19u);
  EXPECT_EQ(reg(2), 7u);
  EXPECT_EQ(reg(3), 20u) << "%q follows the range";
  EXPECT_EQ(f.operands[4].kind, operand_kind::special) << "%p20 is in no range";
  EXPECT_EQ(f.operands[5].kind, operand_kind::special) << "%r is not declared";
}

TEST(ptx_parser, inner_scopes_hide_names_and_end_with_them) {
  const snippet s(
      ".reg .b32 t;\nmov.u32 t, 1;\n{ .reg .b32 t; mov.u32 t, 2;\n"
      "{ .reg .b32 t; mov.u32 t, 3; } mov.u32 t, 4; }\nmov.u32 t, 5;");
  const auto number = [&](std::size_t n) {
    return s.function.operands.at(s.function.instructions.at(n).first_operand).value;
  };
  EXPECT_EQ(number(0), number(4));
  EXPECT_EQ(number(1), number(3));
  EXPECT_NE(number(0), number(1));
  EXPECT_NE(number(1), number(2));
}

TEST(ptx_parser, labels_of_asm_scopes_are_their_own) {
  // The same asm statement twice, as inlining makes it: each branch means the label beside it.
  const std::string twice =
      "{ .reg .pred q; WAIT: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 q, %r1, 0;\n"
      "@q bra WAIT; }\n"
      "{ .reg .pred q; WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 q, %r2, 0;\n"
      "@q bra WAIT; }\nbra END;\nEND:";
  const snippet s(twice);
  EXPECT_EQ(target_of(s, 2), "ld.volatile.global.u32 %r1, [%rd1];");
  EXPECT_EQ(target_of(s, 5), "ld.volatile.global.u32 %r2, [%rd1];");
  EXPECT_EQ(target_of(s, 6), "end");
  EXPECT_EQ(s.forest.loops.size(), 2u);
}

TEST(ptx_parser, inner_branch_may_mean_an_outer_label) {
  const snippet s("OUT: mov.u32 %r1, 0;\n{ bra OUT; }\n{ IN: mov.u32 %r2, 0; }\nbra IN;");
  EXPECT_EQ(target_of(s, 1), "mov.u32 %r1, 0;");
  EXPECT_EQ(target_of(s, 3), "mov.u32 %r2, 0;") << "ptxas takes a label of another statement";
}

TEST(ptx_parser, marks_inline_asm) {
  const snippet s(
      "mov.u32 %r1, 1;\n// begin inline asm\nmov.u32 %r2, 2;\n// end inline asm\nmov.u32 %r3, 3;");
  EXPECT_FALSE(s.function.instructions.at(0).in_asm);
  EXPECT_TRUE(s.function.instructions.at(1).in_asm);
  EXPECT_FALSE(s.function.instructions.at(2).in_asm);
}

TEST(ptx_parser, follows_inlining) {
  const std::string source = std::string(prologue) +
                             ".entry k() {\n.loc 1 10 3\nmov.u32 %r1, 1;\n"
                             ".loc 2 5 1, function_name $L__info_string0, inlined_at 1 10 3\n"
                             "mov.u32 %r1, 2;\n"
                             ".loc 2 7 2, function_name $L__info_string1+4, inlined_at 2 5 1\n"
                             "mov.u32 %r1, 3;\n.loc 1 11 0\nret;\n}\n"
                             ".file 1 \"/src/a.cu\"\n.file 2 \"/src/b.cuh\", 123, 456\n"
                             ".section .debug_str {\n$L__info_string0:\n.b8 103\n.b8 101\n"
                             ".b8 116,0\n$L__info_string1:\n.b8 120,0\n}\n";
  const module m = parse(source, "x");
  const function& f = m.functions.at(0);
  ASSERT_EQ(f.instructions.size(), 4u);
  const location& deep = f.locations.at(f.instructions[2].location);
  EXPECT_EQ(deep.file, 2u);
  EXPECT_EQ(deep.line, 7u);
  EXPECT_EQ(deep.depth, 2u);
  const location& middle = f.locations.at(deep.parent);
  EXPECT_EQ(middle.line, 5u);
  EXPECT_EQ(middle.depth, 1u);
  EXPECT_EQ(f.locations.at(middle.parent).line, 10u);
  EXPECT_EQ(f.locations.at(middle.parent).parent, nothing);
  EXPECT_EQ(f.locations.at(f.instructions[3].location).line, 11u);
  EXPECT_EQ(m.file(2), "/src/b.cuh");
  EXPECT_EQ(m.file(3), "");
  EXPECT_EQ(m.debug_string(middle.function), "get");
  EXPECT_EQ(m.debug_string(deep.function), "x");
  EXPECT_EQ(m.debug_string("$L__info_string2"), "");
}

TEST(ptx_parser, lays_out_parameters) {
  // PTX ISA, "Kernel Function Parameters": natural alignment unless .align says more.
  const module m = parse(std::string(prologue) +
                             ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b,"
                             " .param .align 4 .b8 c[5], .param .u16 d, .param .align 16 .b8 e[32])"
                             " .maxntid 32, 4, 2 .minnctapersm 2 { ret; }\n"
                             ".extern .func (.param .b32 r) g(.param .b32 x) .noreturn;",
                         "x");
  const function& f = *m.find("k");
  std::string layout;
  for (const parameter& p : f.params) layout += fmt::format("{}@{}:{} ", p.name, p.offset, p.bytes);
  EXPECT_EQ(layout, "a@0:1 b@8:8 c@16:5 d@22:2 e@32:32 ");
  EXPECT_EQ(f.max_threads, 256u);
  EXPECT_FALSE(m.find("g")->has_body);
  EXPECT_FALSE(m.find("g")->entry);
  EXPECT_EQ(m.find("h"), nullptr);
}

TEST(ptx_parser, keeps_declarations_and_tables) {
  const module m = parse(std::string(prologue) +
                             ".global .align 8 .u64 table[2] = {f, g};\n.const .b32 c = 4;\n"
                             ".extern .shared .align 16 .b8 dynamic[];\n.weak .global .b32 w;\n"
                             ".pragma \"nounroll\";\n.alias a, b;\n"
                             ".func f() { .pragma \"nounroll\";\n"
                             ".local .align 4 .b8 depot[16];\n"
                             "TABLE: .branchtargets A, B;\nbrx.idx %r1, TABLE;\nA: B: ret; }\n",
                         "x");
  EXPECT_EQ(m.globals.at(0), "table");
  EXPECT_EQ(m.globals.at(1), "c");
  EXPECT_EQ(m.globals.at(2), "dynamic");
  EXPECT_EQ(m.globals.at(3), "w");
  ASSERT_EQ(m.functions.at(0).tables.size(), 1u);
  EXPECT_EQ(m.functions[0].tables[0].name, "TABLE");
  EXPECT_EQ(m.functions[0].tables[0].labels, (std::vector<std::string_view>{"A", "B"}));
}

TEST(ptx_parser, counts_instructions_it_does_not_know) {
  const snippet s("frobnicate.u32 %r1, %r2;\nadd.s32 %r1, %r1, 1;\nnew.thing [%rd1], %r1;");
  EXPECT_EQ(s.module.unknown_instructions, 2u);
  EXPECT_EQ(print(s.module, s.function, s.function.instructions[0]), "frobnicate.u32 %r1, %r2;");
}

TEST(ptx_parser, text_that_is_no_ptx_is_an_error_with_its_line) {
  const std::string head(prologue);
  const auto body = [](const char* text) { return kernel_text(text); };
  const std::pair<std::string, const char*> rows[] = {
      {"", "x.ptx: no .version directive: this is not PTX"},
      {"// only a comment", "x.ptx: no .version directive: this is not PTX"},
      {"ELF\x7f", "x.ptx:1: expected a directive, found 'ELF'"},
      {"\x7f"
       "ELF",
       "x.ptx:1: expected a directive, found '?'"},
      {head + "int main;", "x.ptx:4: expected a directive, found 'int'"},
      {head + ".entry", "x.ptx:4: a function needs a name"},
      {head + ".entry k(", "x.ptx:4: the text ends inside a parameter list"},
      {head + ".entry k()", "x.ptx:4: function k has no body"},
      {head + ".entry k()\n{ ret;", "x.ptx:5: the body of k does not end"},
      {head + ".global .b32 x", "x.ptx:4: the text ends inside a declaration"},
      {head + ".global .b8 x[2] = {1", "x.ptx:4: '{' without its '}'"},
      {head + ".section .debug_str", "x.ptx:4: .section has no body"},
      {body("bra NOWHERE;"), "x.ptx:7: branch to label 'NOWHERE', which k does not have"},
      {body("@%q1 ret;"), "x.ptx:7: guard '%q1' is not a declared register"},
      {body("add.s32 %r1, %r2"), "x.ptx:7: instruction 'add.s32' has no ';'"},
      {body("ld.u32 %r1, [%rd1;"), "x.ptx:7: '[' without ']'"},
      {body(".reg .b32 %x<99999999>;"), "x.ptx:7: more registers than a function can have"},
      {body(".reg .b32 %x<1"), "x.ptx:7: expected '>' after the number of registers"},
      {body(".loc 1 x 3"), "x.ptx:7: expected a number, found 'x'"},
      {body("= 3;"), "x.ptx:7: expected an instruction, found '='"},
      {body("add.s32 %r1, =;"), "x.ptx:7: expected an operand, found '='"},
  };
  for (const auto& [source, message] : rows) EXPECT_EQ(message_of(source), message) << source;
}

TEST(ptx_parser, depth_and_size_are_limited) {
  EXPECT_NE(message_of(kernel_text(std::string(100000, '{'))).find("nest too deep"),
            std::string::npos);
  EXPECT_NE(message_of(kernel_text("mov.u32 " + std::string(100000, '['))).find("nest too deep"),
            std::string::npos);
  EXPECT_EQ(message_of(kernel_text(".reg .b32 %x<9000000>;")), "no error");
}

TEST(ptx_parser, integer_literals) {
  EXPECT_EQ(integer_value("12", false), 12);
  EXPECT_EQ(integer_value("12", true), -12);
  EXPECT_EQ(integer_value("0x1fU", false), 31);
  EXPECT_EQ(integer_value("0b101", false), 5);
  EXPECT_EQ(integer_value("017", false), 15);
  EXPECT_EQ(integer_value("0", true), 0);
  EXPECT_EQ(integer_value("9223372036854775808", true), INT64_MIN);
  EXPECT_EQ(integer_value("0xffffffffffffffff", false), -1);
  for (const char* bad : {"", "U", "0x", "08", "12a", "0b2", "18446744073709551616"})
    EXPECT_EQ(integer_value(bad, false), std::nullopt) << bad;
}

}  // namespace
}  // namespace ptxlab::ptx
