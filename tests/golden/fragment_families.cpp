// SPDX-License-Identifier: Apache-2.0
// Golden cases for wmma. PTX does not say which lane holds which element, so what is measured is
// matrices in memory: each warp stages three in an area of its own, loads them, multiplies, stores
// the result and reads it line after line. Of loads and stores, elements are small integers, so
// that every order of addition gives the same bits.
#include <fmt/format.h>

#include "tests/golden/matrix_operands.hpp"
#include "tests/golden/spelled.hpp"

namespace ptxlab::golden {
namespace {

using machine::choice;
using machine::matrix_role;
using machine::matrix_shape;

constexpr unsigned area_bytes = 1536;  ///< of a warp
static_assert(area_bytes * tuples / 32 == scratch_bytes);

unsigned element_bits(std::string_view type) {
  return bits(*machine::matrix_element_named(type));
}

/// One matrix of a product, and how it comes or goes.
struct fragment {
  matrix_role role = matrix_role::a;
  std::string_view shape, type;
  std::string_view layout = "row";
  std::string_view space = "shared";  ///< empty: generic
  std::string spelling = {};          ///< empty: made of the above
  char letter() const { return role == matrix_role::a ? 'a' : role == matrix_role::b ? 'b' : 'c'; }
  unsigned registers() const { return fragment_registers(role, shape, type); }
  unsigned rows() const { return role == matrix_role::b ? whole().k : whole().m; }
  unsigned columns() const { return role == matrix_role::a ? whole().k : whole().n; }
  unsigned line() const { return layout == "row" ? columns() : rows(); }  ///< elements of a line
  unsigned lines() const { return layout == "row" ? rows() : columns(); }
  matrix_shape whole() const { return *machine::matrix_shape_named(shape); }
};

/// Elements from line to line: 16 bytes more than a line has.
unsigned stride(const fragment& f) {
  return f.line() + 128 / element_bits(f.type);
}
unsigned staged_bytes(const fragment& f) {
  return stride(f) * f.lines() * element_bits(f.type) / 8;
}
std::string modifier(std::string_view text) {
  return text.empty() ? "" : fmt::format(".{}", text);
}

/// %t6 and %l3: the warp's area in shared and in global memory; %t7 and %l4: its lane's first
/// eight bytes.
std::string areas() {
  return fmt::format(
      ".shared .align 256 .b8 area[{0}];\nmov.u32 %t6, area;\nshr.u32 %t8, %t0, 5;\n"
      "mad.lo.u32 %t6, %t8, {1}, %t6;\nand.b32 %t9, %t0, 31;\nmad.lo.u32 %t7, %t9, 8, %t6;\n"
      "mov.u64 %l3, scratch;\nmad.wide.u32 %l3, %t8, {1}, %l3;\nmad.wide.u32 %l4, %t9, 8, %l3;\n",
      scratch_bytes, area_bytes);
}
bool in_shared(const fragment& f) {
  return f.space.starts_with("shared");
}
/// Fills the area from new operands of the case.
std::string stage(golden_case& c, const fragment& f, bool exact) {
  std::string out = "bar.warp.sync -1;\n";
  for (unsigned at = 0; at < staged_bytes(f); at += 256) {
    out += in_shared(f) ? fmt::format("st.shared.b64 [%t7+{}], %i{};\n", at, c.in.size())
                        : fmt::format("st.global.b64 [%l4+{}], %i{};\n", at, c.in.size());
    c.in.push_back(elements_of(f.type, exact));
  }
  return out + "bar.warp.sync -1;\n";
}
std::string place(const fragment& f) {
  return in_shared(f) ? "%t6" : "%l3";
}
/// The matrix in registers %a0, %b0 or %c0 and on.
std::string load(golden_case& c, const fragment& f, bool exact) {
  const std::string op = !f.spelling.empty()
                             ? f.spelling
                             : fmt::format("wmma.load.{}.sync.aligned.{}.{}{}.{}", f.letter(),
                                           f.layout, f.shape, modifier(f.space), f.type);
  const std::string prefix(1, f.letter());
  return stage(c, f, exact) + declared(prefix, f.registers()) +
         fmt::format("{} {}, [{}], {};\n", op, register_list(prefix, f.registers()), place(f),
                     stride(f));
}
/// From registers with a prefix; then each lane reads its share of every 256 bytes of the area.
std::string store(golden_case& c, const fragment& f, std::string_view prefix) {
  const std::string op = !f.spelling.empty()
                             ? f.spelling
                             : fmt::format("wmma.store.d.sync.aligned.{}.{}{}.{}", f.layout,
                                           f.shape, modifier(f.space), f.type);
  // What lies between the lines is the same in every run.
  std::string out = "bar.warp.sync -1;\n";
  for (unsigned at = 0; at < staged_bytes(f); at += 256)
    out += in_shared(f) ? fmt::format("st.shared.b64 [%t7+{}], 0;\n", at)
                        : fmt::format("st.global.b64 [%l4+{}], 0;\n", at);
  out += fmt::format("bar.warp.sync -1;\n{} [{}], {}, {};\nbar.warp.sync -1;\n", op, place(f),
                     register_list(prefix, f.registers()), stride(f));
  for (unsigned at = 0; at < staged_bytes(f); at += 256) {
    out += in_shared(f) ? fmt::format("ld.shared.b64 %o{}, [%t7+{}];\n", c.out.size(), at)
                        : fmt::format("ld.global.b64 %o{}, [%l4+{}];\n", c.out.size(), at);
    c.out.push_back(64);
  }
  return out;
}

struct product {
  fragment a, b, c, d;
  std::string spelling;
};

golden_case multiplied(std::string name, const product& p, bool exact) {
  golden_case g;
  g.name = std::move(name);
  g.code = areas();
  g.code += load(g, p.a, exact);
  g.code += load(g, p.b, exact);
  g.code += load(g, p.c, exact);
  g.code += declared("d", p.d.registers());
  g.code += fmt::format("{} {}, {}, {}, {};\n", p.spelling, register_list("d", p.d.registers()),
                        register_list("a", p.a.registers()), register_list("b", p.b.registers()),
                        register_list("c", p.c.registers()));
  g.code += store(g, p.d, "d");
  return g;
}

fragment part_of(matrix_role role, std::string_view shape, std::string_view type,
                 std::string_view layout = "row") {
  return {.role = role, .shape = shape, .type = type, .layout = layout};
}

void add_product(const std::string& spelling, const choice& c, std::vector<golden_case>& to) {
  const std::string_view shape = c.get("shape"), of = c.has("a") ? c.get("a") : "f16";
  product p;
  p.a = part_of(matrix_role::a, shape, of, c.get("alayout"));
  p.b = part_of(matrix_role::b, shape, of, c.get("blayout"));
  p.c = part_of(matrix_role::accumulator, shape, c.get("c"));
  p.d = part_of(matrix_role::accumulator, shape, c.get("d"));
  p.spelling = spelling;
  to.push_back(multiplied(spelling, p, false));
}

/// The product that shows a load of A or B.
void add_operand_load(const fragment& tested, std::vector<golden_case>& to) {
  const bool whole = tested.type == "s8" || tested.type == "u8";
  const std::string_view sums = whole ? "s32" : "f32";
  product p;
  p.a = part_of(matrix_role::a, tested.shape, tested.type);
  p.b = part_of(matrix_role::b, tested.shape, tested.type, "col");
  (tested.role == matrix_role::a ? p.a : p.b) = tested;
  p.c = p.d = part_of(matrix_role::accumulator, tested.shape, sums);
  p.spelling = fmt::format(
      "wmma.mma.sync.aligned.{}.{}.{}.{}", p.a.layout, p.b.layout, tested.shape,
      tested.type == "f16" ? "f32.f32" : fmt::format("{0}.{1}.{1}.{0}", sums, tested.type));
  to.push_back(multiplied(tested.spelling, p, true));
}

/// A matrix of sums that is loaded and stored.
void add_round_trip(const fragment& in, const fragment& out, const std::string& name,
                    std::vector<golden_case>& to) {
  golden_case g;
  g.name = name;
  g.code = areas();
  g.code += load(g, in, false);
  g.code += store(g, out, "c");
  to.push_back(std::move(g));
}

}  // namespace

void add_fragment_families(std::vector<golden_case>& to) {
  each_spelling("wmma", [&](const std::string& spelling, const choice& c) {
    if (c.has("mma")) return add_product(spelling, c, to);
    fragment f{.role = c.is("role", "a")   ? matrix_role::a
                       : c.is("role", "b") ? matrix_role::b
                                           : matrix_role::accumulator,
               .shape = c.get("shape"),
               .type = c.get("t"),
               .layout = c.get("layout"),
               .space = c.get("space"),
               .spelling = spelling};
    if (f.role != matrix_role::accumulator) return add_operand_load(f, to);
    const fragment other = part_of(f.role, f.shape, f.type);
    if (c.has("load"))
      add_round_trip(f, other, spelling, to);
    else
      add_round_trip(other, f, spelling, to);
  });
}

}  // namespace ptxlab::golden
