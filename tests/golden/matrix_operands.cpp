// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/matrix_operands.hpp"

#include <fmt/format.h>

#include "ptx/text/error.hpp"

namespace ptxlab::golden {

using machine::type;

operand elements_of(std::string_view named, bool exact) {
  if (named == "tf32") return {type::f32, exact ? use::small_elements : use::tf32_elements};
  const std::optional<type> t = machine::type_named(named);
  if (!t) throw error(fmt::format("the golden cases do not know matrices of '{}'", named));
  return {*t, exact ? use::small_elements : use::elements};
}

unsigned fragment_registers(machine::matrix_role role, std::string_view shape,
                            std::string_view named) {
  const auto s = machine::matrix_shape_named(shape);
  const auto of = machine::matrix_element_named(named);
  const auto number = s && of ? machine::fragment_number(role, *s, *of) : std::nullopt;
  if (!number) throw error(fmt::format("no fragment of .{} has elements of .{}", shape, named));
  return machine::fragment_layouts()[*number].registers();
}

std::string register_list(std::string_view prefix, unsigned count) {
  std::string out = "{";
  for (unsigned k = 0; k < count; ++k) out += fmt::format("{}%{}{}", k == 0 ? "" : ", ", prefix, k);
  return out + "}";
}

std::string declared(std::string_view prefix, unsigned count) {
  return fmt::format(".reg .b32 %{}<{}>;\n", prefix, count + 1);
}

std::string from_operands(golden_case& c, std::string_view prefix, unsigned count,
                          const operand& o) {
  std::string out = declared(prefix, count);
  for (unsigned k = 0; k < count; k += 2) {
    out += fmt::format("mov.b64 {{%{0}{1}, %{0}{2}}}, %i{3};\n", prefix, k, k + 1, c.in.size());
    c.in.push_back(o);
  }
  return out;
}

}  // namespace ptxlab::golden
