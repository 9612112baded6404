// SPDX-License-Identifier: Apache-2.0
// Golden cases for loads and stores: what becomes of narrow values in wide registers, vectors, and
// the windows of the address spaces.
#include <fmt/format.h>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;

constexpr operand wide{type::b64, use::bits};
constexpr const char* types[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32",
                                 "u32", "s32", "f32", "b64", "u64", "s64", "f64"};

unsigned bits_of(std::string_view t) {
  return static_cast<unsigned>(std::stoul(std::string(t.substr(1))));
}
bool fits(std::string_view t, unsigned width) {
  return t.front() == 'f' ? bits_of(t) == width : bits_of(t) <= width;
}

/// %t6: address of the thread's own cell in shared memory, which holds operand 0.
constexpr const char* shared_cell =
    ".shared .align 8 .b8 cells[8192];\nmov.u32 %t6, cells;\nmad.lo.u32 %t6, %t0, 8, %t6;\n"
    "st.shared.b64 [%t6], %i0;\n";
constexpr const char* local_cell =
    ".local .align 8 .b8 cell[8];\nmov.u32 %t6, cell;\nst.local.b64 [%t6], %i0;\n";

void add_loads(std::vector<golden_case>& to) {
  for (const std::string_view t : types)
    for (const unsigned width : {16U, 32U, 64U}) {
      if (!fits(t, width)) continue;
      const auto name = [&](std::string_view op) { return fmt::format("{}.{}:b{}", op, t, width); };
      const unsigned bytes = bits_of(t) / 8, last = 8 - bytes;
      to.push_back(
          {name("ld.global"),
           {wide},
           {width, width},
           fmt::format("ld.global.{0} %o0, [%in];\nld.global.{0} %o1, [%in+{1}];\n", t, last)});
      to.push_back({name("ld.global.nc"),
                    {wide},
                    {width},
                    fmt::format("ld.global.nc.{} %o0, [%in+{}];\n", t, last)});
      to.push_back({name("ld"), {wide}, {width}, fmt::format("ld.{} %o0, [%in+{}];\n", t, last)});
      to.push_back({name("ld.shared"),
                    {wide},
                    {width},
                    fmt::format("{}ld.shared.{} %o0, [%t6+{}];\n", shared_cell, t, last)});
      to.push_back({name("ld.local"),
                    {wide},
                    {width},
                    fmt::format("{}ld.local.{} %o0, [%t6+{}];\n", local_cell, t, last)});
      to.push_back(
          {name("ld.const"),
           {wide},
           {width},
           fmt::format("and.b32 %t6, %t0, {};\nmul.lo.u32 %t6, %t6, {};\nmov.u64 %l3, table;\n"
                       "cvt.u64.u32 %l4, %t6;\nadd.u64 %l3, %l3, %l4;\nld.const.{} %o0, [%l3];\n",
                       32 / bytes - 1, bytes, t)});
    }
  for (const char* how : {"volatile.global", "relaxed.gpu.global", "acquire.gpu.global",
                          "relaxed.sys.global", "global.ca", "global.cg", "global.cs", "global.cv"})
    to.push_back({fmt::format("ld.{}.s16:b32", how),
                  {wide},
                  {32},
                  fmt::format("ld.{}.s16 %o0, [%in+2];\n", how)});
}

void add_stores(std::vector<golden_case>& to) {
  for (const std::string_view t : types)
    for (const unsigned width : {16U, 32U, 64U}) {
      if (!fits(t, width)) continue;
      const operand from{width == 16 ? type::b16 : width == 32 ? type::b32 : type::b64, use::bits};
      const auto name = [&](std::string_view op) { return fmt::format("{}.{}:b{}", op, t, width); };
      const unsigned last = 8 - bits_of(t) / 8;
      to.push_back({name("st.global"),
                    {from},
                    {0, 0},
                    fmt::format("st.global.{0} [%out], %i0;\nst.global.{0} [%out+{1}], %i0;\n", t,
                                tuples * 8 + last)});
      to.push_back({name("st"), {from}, {0}, fmt::format("st.{} [%out+{}], %i0;\n", t, last)});
      to.push_back({name("st.shared"),
                    {from, wide},
                    {64},
                    fmt::format(".shared .align 8 .b8 cells[8192];\nmov.u32 %t6, cells;\n"
                                "mad.lo.u32 %t6, %t0, 8, %t6;\nst.shared.b64 [%t6], %i1;\n"
                                "st.shared.{} [%t6+{}], %i0;\nld.shared.b64 %o0, [%t6];\n",
                                t, last)});
      to.push_back({name("st.local"),
                    {from, wide},
                    {64},
                    fmt::format(".local .align 8 .b8 cell[8];\nmov.u32 %t6, cell;\n"
                                "st.local.b64 [%t6], %i1;\nst.local.{} [%t6+{}], %i0;\n"
                                "ld.local.b64 %o0, [%t6];\n",
                                t, last)});
    }
  for (const char* how : {"volatile.global", "relaxed.gpu.global", "release.gpu.global",
                          "relaxed.sys.global", "global.wb", "global.cg", "global.cs", "global.wt"})
    to.push_back({fmt::format("st.{}.b8:b32", how),
                  {{type::b32, use::bits}},
                  {0},
                  fmt::format("st.{}.b8 [%out+3], %i0;\n", how)});
}

/// Threads go in pairs, so that 16 bytes are aligned; each reads and writes the whole pair's.
void add_vectors(std::vector<golden_case>& to) {
  const std::string pair =
      "and.b32 %t6, %t0, 1;\nmul.wide.u32 %l3, %t6, 8;\nsub.u64 %l4, %in, %l3;\n";
  for (const char* t : {"b8", "u8", "s8", "u16", "s16", "b32", "f32"})
    for (const unsigned n : {2U, 4U}) {
      const bool halves = bits_of(t) == 16;
      std::vector<unsigned> out(n, halves ? 16 : 32);
      std::string list, back;
      for (unsigned k = 0; k < n; ++k) list += fmt::format("{}%o{}", k == 0 ? "" : ", ", k);
      for (unsigned k = 0; k < n; ++k) back += fmt::format("{}%o{}", k == 0 ? "" : ", ", n - 1 - k);
      const std::string loaded =
          fmt::format("{}ld.global.v{}.{} {{{}}}, [%l4];\n", pair, n, t, list);
      to.push_back({fmt::format("ld.global.v{}.{}", n, t), {wide}, out, loaded});
      out.push_back(0);
      // The odd thread of a pair stores: both would write the same place.
      to.push_back({fmt::format("st.global.v{}.{}", n, t),
                    {wide},
                    out,
                    loaded + fmt::format("setp.ne.b32 %p, %t6, 0;\nsub.u64 %l5, %out, %l3;\n"
                                         "@%p st.global.v{}.{} [%l5+{}], {{{}}};\n",
                                         n, t, n * tuples * 8, back)});
    }
  to.push_back(
      {"ld.global.v2.u64", {wide}, {64, 64}, pair + "ld.global.v2.u64 {%o0, %o1}, [%l4];\n"});
  to.push_back(
      {"ld.global.v2.f64", {wide}, {64, 64}, pair + "ld.global.v2.f64 {%o0, %o1}, [%l4];\n"});
  to.push_back({"ld.shared.v2.u32",
                {wide},
                {32, 32},
                std::string(shared_cell) + "ld.shared.v2.u32 {%o0, %o1}, [%t6];\n"});
  to.push_back({"st.shared.v4.u16",
                {wide},
                {64},
                std::string(shared_cell) +
                    "mov.b64 {%h0, %h1, %h2, %h3}, %i0;\n"
                    "st.shared.v4.u16 [%t6], {%h2, %h0, %h3, %h1};\nld.shared.b64 %o0, [%t6];\n"});
}

void add_windows(std::vector<golden_case>& to) {
  const auto where = [&](const std::string& name, const std::string& address) {
    to.push_back({"isspacep:" + name,
                  {wide},
                  {1, 1, 1},
                  address + "isspacep.global %o0, %l3;\nisspacep.shared %o1, %l3;\n"
                            "isspacep.local %o2, %l3;\n"});
  };
  const std::string shared =
      std::string(shared_cell) + "cvt.u64.u32 %l4, %t6;\ncvta.shared.u64 %l3, %l4;\n";
  const std::string local =
      ".local .align 8 .b8 cell[8];\nmov.u64 %l4, cell;\nst.local.b64 [%l4], %i0;\n"
      "cvta.local.u64 %l3, %l4;\n";
  const std::string global = "cvta.global.u64 %l3, %in;\n";
  where("global", global);
  where("shared", shared);
  where("local", local);
  const auto through = [&](const std::string& space, const std::string& address) {
    to.push_back({"cvta." + space,
                  {wide},
                  {64, 64, 64},
                  address + fmt::format("ld.b64 %o0, [%l3];\ncvta.to.{0}.u64 %l5, %l3;\n"
                                        "ld.{0}.b64 %o1, [%l5];\nnot.b64 %l6, %i0;\n"
                                        "{1}\nld.{0}.b64 %o2, [%l5];\n",
                                        space, space == "global" ? "" : "st.b64 [%l3], %l6;")});
  };
  through("global", global);
  through("shared", shared);
  through("local", local);
}

}  // namespace

void add_memory_families(std::vector<golden_case>& to) {
  add_loads(to);
  add_stores(to);
  add_vectors(to);
  add_windows(to);
}

}  // namespace ptxlab::golden
