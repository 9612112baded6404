// SPDX-License-Identifier: Apache-2.0
// Golden cases for matrices in registers of prescribed places: mma.sync, movmatrix, ldmatrix,
// stmatrix. Each warp has matrices of its own.
#include <fmt/format.h>

#include "tests/golden/matrix_operands.hpp"
#include "tests/golden/spelled.hpp"

namespace ptxlab::golden {
namespace {

using machine::choice;
using machine::matrix_role;
using machine::type;

/// 64 bits in four random halves, edges among them.
constexpr operand wide{type::b16, use::elements};

/// Odd numbers of registers take the first half of an operand.
unsigned taken(unsigned registers) {
  return registers + registers % 2;
}

void add_products(std::vector<golden_case>& to) {
  each_spelling("mma", [&](const std::string& spelling, const choice& c) {
    golden_case g;
    g.name = spelling;
    const std::string_view shape = c.get("shape");
    const unsigned a = fragment_registers(matrix_role::a, shape, c.get("a")),
                   b = fragment_registers(matrix_role::b, shape, c.get("b")),
                   plus = fragment_registers(matrix_role::accumulator, shape, c.get("c")),
                   d = fragment_registers(matrix_role::accumulator, shape, c.get("d"));
    g.code += from_operands(g, "a", taken(a), elements_of(c.get("a")));
    g.code += from_operands(g, "b", taken(b), elements_of(c.get("b")));
    g.code += from_operands(g, "c", taken(plus), elements_of(c.get("c")));
    g.code += fmt::format("{} {}, {}, {}, {};\n", spelling, register_list("o", d),
                          register_list("a", a), register_list("b", b), register_list("c", plus));
    g.out.assign(d, 32);
    to.push_back(std::move(g));
  });
}

/// %t6: shared memory of the warp; %t7: that of the lane, `bytes` of it, filled from operands 0 and
/// on.
std::string staged(unsigned bytes) {
  std::string out = fmt::format(
      ".shared .align 16 .b8 rows[{0}];\nmov.u32 %t6, rows;\nmad.lo.u32 %t7, %t0, {1}, %t6;\n"
      "and.b32 %t8, %t0, -32;\nmad.lo.u32 %t6, %t8, {1}, %t6;\n",
      tuples * bytes, bytes);
  for (unsigned k = 0; k * 8 < bytes; ++k)
    out += fmt::format("st.shared.b64 [%t7+{}], %i{};\n", k * 8, k);
  return out + "bar.warp.sync -1;\n";
}
/// The address of a row for each lane, not in order: in `%t9`, or generic in %l3.
std::string row_address(bool generic) {
  const std::string out =
      "and.b32 %t8, %t0, 31;\nmad.lo.u32 %t9, %t8, 5, 3;\nand.b32 %t9, %t9, 31;\n"
      "mad.lo.u32 %t9, %t9, 16, %t6;\n";
  return generic ? out + "cvt.u64.u32 %l3, %t9;\ncvta.shared.u64 %l3, %l3;\n" : out;
}

void add_rows(std::vector<golden_case>& to) {
  each_spelling("ldmatrix", [&](const std::string& spelling, const choice& c) {
    const auto count = static_cast<unsigned>(c.get("num")[1] - '0');
    const bool generic = !c.has("space");
    to.push_back({spelling,
                  {wide, wide},
                  std::vector<unsigned>(count, 32),
                  staged(16) + row_address(generic) +
                      fmt::format("{} {}, [{}];\n", spelling, register_list("o", count),
                                  generic ? "%l3" : "%t9")});
  });
  each_spelling("stmatrix", [&](const std::string& spelling, const choice& c) {
    const auto count = static_cast<unsigned>(c.get("num")[1] - '0');
    const bool generic = !c.has("space");
    golden_case g;
    g.name = spelling;
    g.in = {wide, wide};
    g.out = {64, 64};
    g.code = staged(16) + row_address(generic);
    g.code += from_operands(g, "a", taken(count), wide);
    g.code += fmt::format("{} [{}], {};\nbar.warp.sync -1;\n", spelling, generic ? "%l3" : "%t9",
                          register_list("a", count));
    g.code += "ld.shared.b64 %o0, [%t7];\nld.shared.b64 %o1, [%t7+8];\n";
    to.push_back(std::move(g));
  });
  each_spelling("movmatrix", [&](const std::string& spelling, const choice&) {
    to.push_back(
        {spelling, {{type::b32, use::bits}}, {32}, fmt::format("{} %o0, %i0;\n", spelling)});
  });
}

}  // namespace

void add_matrix_families(std::vector<golden_case>& to) {
  add_products(to);
  add_rows(to);
}

}  // namespace ptxlab::golden
