// SPDX-License-Identifier: Apache-2.0
// Golden cases of operands rather than operations: vectors, literals, negated predicates, guards,
// and chains of carries.
#include <fmt/format.h>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;

constexpr operand half{type::b16, use::bits}, word{type::b32, use::bits},
    wide{type::b64, use::bits}, predicate{type::pred};

void add_moves(std::vector<golden_case>& to) {
  to.push_back({"mov.b32:{b16,b16}", {half, half}, {32}, "mov.b32 %o0, {%i0, %i1};\n"});
  to.push_back({"mov.b64:{b32,b32}", {word, word}, {64}, "mov.b64 %o0, {%i0, %i1};\n"});
  to.push_back(
      {"mov.b64:{b16x4}", {half, half, half, half}, {64}, "mov.b64 %o0, {%i0, %i1, %i2, %i3};\n"});
  to.push_back({"mov.{b16,b16}:b32", {word}, {16, 16}, "mov.b32 {%o0, %o1}, %i0;\n"});
  to.push_back({"mov.{b32,b32}:b64", {wide}, {32, 32}, "mov.b64 {%o0, %o1}, %i0;\n"});
  to.push_back(
      {"mov.{b16x4}:b64", {wide}, {16, 16, 16, 16}, "mov.b64 {%o0, %o1, %o2, %o3}, %i0;\n"});
  to.push_back({"mov.{_,b32}:b64", {wide}, {32}, "mov.b64 {_, %o0}, %i0;\n"});
  to.push_back({"mov.{b16,_}:b32", {word}, {16}, "mov.b32 {%o0, _}, %i0;\n"});
  to.push_back(
      {"mov.b32:swap", {word}, {32}, "mov.b32 {%h0, %h1}, %i0;\nmov.b32 %o0, {%h1, %h0};\n"});
  to.push_back({"mov.pred", {predicate}, {1}, "mov.pred %o0, %i0;\n"});
  for (const char* t : {"b16", "u16", "s16"})
    to.push_back({fmt::format("mov.{}", t), {half}, {16}, fmt::format("mov.{} %o0, %i0;\n", t)});
  for (const char* t : {"b32", "u32", "s32", "f32"})
    to.push_back({fmt::format("mov.{}", t), {word}, {32}, fmt::format("mov.{} %o0, %i0;\n", t)});
  for (const char* t : {"b64", "u64", "s64", "f64"})
    to.push_back({fmt::format("mov.{}", t), {wide}, {64}, fmt::format("mov.{} %o0, %i0;\n", t)});
}

void add_literals(std::vector<golden_case>& to) {
  const operand f32{type::f32}, f64{type::f64}, s32{type::s32}, s64{type::s64}, s16{type::s16};
  const auto one = [&](const operand& in, unsigned bits, const std::string& op,
                       const std::string& literal) {
    to.push_back({fmt::format("{}:{}", op, literal),
                  {in},
                  {bits},
                  fmt::format("{} %o0, %i0, {};\n", op, literal)});
  };
  for (const char* x :
       {"0xFFFFFFFF", "-5", "4294967295U", "0b101", "017", "0x80000000", "-2147483648"}) {
    one(s32, 32, "add.s32", x);
    one(s32, 32, "mul.lo.u32", x);
  }
  for (const char* x : {"-1", "0xFFFFFFFFFFFFFFFF", "4294967296", "-9223372036854775808"})
    one(s64, 64, "add.s64", x);
  for (const char* x : {"-1", "65535", "0x8000", "-32768"}) one(s16, 16, "add.s16", x);
  for (const char* x : {"0fBF800000", "0f00000001", "0f7F800000", "1.5", "-0.1", "1e-40", "3.0E10",
                        "0d3FF8000000000001"})
    one(f32, 32, "add.rn.f32", x);
  for (const char* x : {"0dBFF0000000000000", "0d0000000000000001", "1.5", "-0.1", "0f3FC00000"})
    one(f64, 64, "add.rn.f64", x);
  one(s32, 32, "shl.b32", "33");
  one(s32, 32, "shr.s32", "40");
  one(s32, 1, "setp.lt.s32", "-1");
  one(s32, 1, "setp.lt.u32", "-1");
  to.push_back({"mov.f32:literal", {word}, {32}, "mov.f32 %o0, 0f7FC12345;\n"});
  to.push_back({"mov.f64:literal", {word}, {64}, "mov.f64 %o0, 0d7FF0000000000001;\n"});
  to.push_back({"mov.u16:literal", {word}, {16}, "mov.u16 %o0, -2;\n"});
  to.push_back({"mov.b64:literal", {word}, {64}, "mov.b64 %o0, 0x123456789ABCDEF0;\n"});
}

void add_predicates(std::vector<golden_case>& to) {
  const operand s32{type::s32};
  for (const char* join : {"and", "or", "xor"})
    to.push_back({fmt::format("setp.lt.{}.s32:!c", join),
                  {s32, s32, predicate},
                  {1, 1},
                  fmt::format("setp.lt.{}.s32 %o0|%o1, %i0, %i1, !%i2;\n", join)});
  to.push_back({"setp.ge.u32:one", {s32, s32}, {1}, "setp.ge.u32 %o0, %i0, %i1;\n"});
  to.push_back({"setp.ge.u32:_", {s32, s32}, {1}, "setp.ge.u32 _|%o0, %i0, %i1;\n"});
  to.push_back(
      {"@p:add", {s32, s32, predicate}, {32}, "mov.b32 %o0, %i0;\n@%i2 add.s32 %o0, %o0, %i1;\n"});
  to.push_back({"@!p:add",
                {s32, s32, predicate},
                {32},
                "mov.b32 %o0, %i0;\n@!%i2 add.s32 %o0, %o0, %i1;\n"});
  to.push_back({"and.pred:!b", {predicate, predicate}, {1}, "and.pred %o0, %i0, !%i1;\n"});
}

void add_chains(std::vector<golden_case>& to) {
  const operand u64{type::u64}, u32{type::u32};
  to.push_back({"chain:add.u128",
                {u64, u64, u64, u64},
                {64, 64, 32},
                "add.cc.u64 %o0, %i0, %i1;\naddc.cc.u64 %o1, %i2, %i3;\naddc.u32 %o2, 0, 0;\n"});
  to.push_back({"chain:sub.u128",
                {u64, u64, u64, u64},
                {64, 64, 32},
                "sub.cc.u64 %o0, %i0, %i1;\nsubc.cc.u64 %o1, %i2, %i3;\nsubc.u32 %o2, 0, 0;\n"});
  to.push_back({"chain:mul.u64.u32",
                {u32, u32, u32, u32},
                {32, 32, 32, 32},
                "mul.lo.u32 %o0, %i0, %i2;\nmul.hi.u32 %o1, %i0, %i2;\n"
                "mad.lo.cc.u32 %o1, %i0, %i3, %o1;\nmadc.hi.u32 %o2, %i0, %i3, 0;\n"
                "mad.lo.cc.u32 %o1, %i1, %i2, %o1;\nmadc.hi.cc.u32 %o2, %i1, %i2, %o2;\n"
                "addc.u32 %o3, 0, 0;\nmad.lo.cc.u32 %o2, %i1, %i3, %o2;\n"
                "madc.hi.u32 %o3, %i1, %i3, %o3;\n"});
  // All 256 functions of three bits, folded into one word.
  std::string all = "mov.b32 %o0, 0;\n";
  for (int f = 0; f < 256; ++f)
    all += fmt::format("lop3.b32 %t1, %i0, %i1, %i2, {};\nmad.lo.u32 %o0, %o0, 31, %t1;\n", f);
  to.push_back({"lop3.b32:all", {word, word, word}, {32}, all});
}

}  // namespace

void add_register_families(std::vector<golden_case>& to) {
  add_moves(to);
  add_literals(to);
  add_predicates(to);
  add_chains(to);
}

}  // namespace ptxlab::golden
