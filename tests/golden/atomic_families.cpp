// SPDX-License-Identifier: Apache-2.0
// Golden cases for atom and red: each thread on an address of its own, so that the old value and
// the new one are defined; and the lanes of a warp on one address, where the operation commutes.
#include <fmt/format.h>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;

struct form {
  const char* text;  ///< "min.s32"
  type of;
  bool returns_only = false;  ///< no red has it
  bool commutes = true;
};
constexpr form forms[] = {{"add.u32", type::u32},
                          {"add.s32", type::s32},
                          {"add.u64", type::u64},
                          {"add.f32", type::f32, false, false},
                          {"add.f64", type::f64, false, false},
                          {"add.noftz.f16", type::f16, false, false},
                          {"add.noftz.f16x2", type::f16x2, false, false},
                          {"add.noftz.bf16", type::bf16, false, false},
                          {"add.noftz.bf16x2", type::bf16x2, false, false},
                          {"min.u32", type::u32},
                          {"min.s32", type::s32},
                          {"min.u64", type::u64},
                          {"min.s64", type::s64},
                          {"max.u32", type::u32},
                          {"max.s32", type::s32},
                          {"max.u64", type::u64},
                          {"max.s64", type::s64},
                          {"inc.u32", type::u32, false, false},
                          {"dec.u32", type::u32, false, false},
                          {"and.b32", type::b32},
                          {"and.b64", type::b64},
                          {"or.b32", type::b32},
                          {"or.b64", type::b64},
                          {"xor.b32", type::b32},
                          {"xor.b64", type::b64},
                          {"exch.b32", type::b32, true, false},
                          {"exch.b64", type::b64, true, false},
                          {"cas.b16", type::b16, true, false},
                          {"cas.b32", type::b32, true, false},
                          {"cas.b64", type::b64, true, false}};

std::string shared_cell(unsigned bits, const char* offset) {
  return fmt::format(
      ".shared .align 8 .b8 cells[8192];\nmov.u32 %t6, cells;\n"
      "{}mad.lo.u32 %t6, %t7, 8, %t6;\n{}st.shared.b{} [%t6], %i0;\n",
      *offset == '\0' ? "mov.b32 %t7, %t0;\n" : "and.b32 %t7, %t0, -32;\n", offset, bits);
}

void add_alone(const form& f, std::vector<golden_case>& to) {
  const unsigned bits = machine::bits(f.of);
  const bool cas = std::string_view(f.text).starts_with("cas");
  // A cas that finds what it expects must be common: few values.
  const operand value{f.of, cas ? use::few : use::value};
  const std::vector<operand> in(cas ? 3 : 2, value);
  const std::string rest = cas ? "%i1, %i2" : "%i1";
  for (const char* where : {"global.", "", "acq_rel.gpu.global."}) {
    const std::string start = fmt::format("st.global.b{} [%out], %i0;\n", bits);
    to.push_back({fmt::format("atom.{}{}", where, f.text),
                  in,
                  {0, bits},
                  start + fmt::format("atom.{}{} %o1, [%out], {};\n", where, f.text, rest)});
    const std::string_view red =
        std::string_view(where) == "acq_rel.gpu.global." ? "release.gpu.global." : where;
    if (!f.returns_only)
      to.push_back({fmt::format("red.{}{}", red, f.text),
                    in,
                    {0},
                    start + fmt::format("red.{}{} [%out], {};\n", red, f.text, rest)});
  }
  const std::string cell = shared_cell(bits, "");
  const std::string after = fmt::format("ld.shared.b{} %o0, [%t6];\n", bits);
  to.push_back({fmt::format("atom.shared.{}", f.text),
                in,
                {bits, bits},
                cell + fmt::format("atom.shared.{} %o1, [%t6], {};\n", f.text, rest) + after});
  to.push_back({fmt::format("atom.{}:shared", f.text),
                in,
                {bits, bits},
                cell +
                    fmt::format("cvt.u64.u32 %l3, %t6;\ncvta.shared.u64 %l3, %l3;\n"
                                "atom.{} %o1, [%l3], {};\n",
                                f.text, rest) +
                    after});
  if (!f.returns_only)
    to.push_back({fmt::format("red.shared.{}", f.text),
                  in,
                  {bits},
                  cell + fmt::format("red.shared.{} [%t6], {};\n", f.text, rest) + after});
}

void add_together(const form& f, std::vector<golden_case>& to) {
  const unsigned bits = machine::bits(f.of);
  const std::vector<operand> in(2, operand{f.of});
  const char* const first_lane = "and.b32 %t8, %t0, 31;\nsetp.eq.b32 %p, %t8, 0;\n@%p ";
  const std::string shared = shared_cell(bits, first_lane);
  const std::string global = fmt::format(
      "and.b32 %t8, %t0, 31;\nsetp.eq.b32 %p, %t8, 0;\nmul.wide.u32 %l3, %t8, 8;\n"
      "sub.u64 %l3, %out, %l3;\n@%p st.global.b{} [%l3], %i0;\n",
      bits);
  const char* const meet = "bar.warp.sync -1;\n";
  to.push_back({fmt::format("red.shared.{}:warp", f.text),
                in,
                {bits},
                shared + meet + fmt::format("red.shared.{} [%t6], %i1;\n", f.text) + meet +
                    fmt::format("ld.shared.b{} %o0, [%t6];\n", bits)});
  to.push_back(
      {fmt::format("atom.global.{}:warp", f.text),
       in,
       {0},
       global + meet +
           fmt::format("atom.global.{} {}, [%l3], %i1;\n", f.text, bits == 64 ? "%l4" : "%t9")});
}

}  // namespace

void add_atomic_families(std::vector<golden_case>& to) {
  for (const form& f : forms) {
    add_alone(f, to);
    if (f.commutes) add_together(f, to);
  }
}

}  // namespace ptxlab::golden
