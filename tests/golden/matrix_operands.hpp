// SPDX-License-Identifier: Apache-2.0
// Matrices as operands of golden cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/matrix_layout.hpp"
#include "tests/golden/cases.hpp"

namespace ptxlab::golden {

/// 64 bits of elements of a type that PTX names ("bf16"); `exact`: whose products and sums are
/// exact.
operand elements_of(std::string_view type, bool exact = false);

/// 32-bit registers of each lane for the matrix that a type and a shape name.
unsigned fragment_registers(machine::matrix_role role, std::string_view shape,
                            std::string_view type);

/// "{%a0, %a1, %a2}"
std::string register_list(std::string_view prefix, unsigned count);

/// Declares registers PREFIX0 to PREFIX<count>; of an even number of them, fills them from new
/// operands of the case.
std::string declared(std::string_view prefix, unsigned count);
std::string from_operands(golden_case& c, std::string_view prefix, unsigned count,
                          const operand& o);

}  // namespace ptxlab::golden
