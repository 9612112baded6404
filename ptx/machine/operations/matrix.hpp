// SPDX-License-Identifier: Apache-2.0
// What the products of matrices and their loads and stores have in common when they are decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/machine/builder.hpp"
#include "ptx/machine/matrix_layout.hpp"

namespace ptxlab::machine {

/// The 32-bit registers of operand i, a vector of `count`. Refuses any other.
std::vector<slot> fragment_registers(instruction_builder& b, std::size_t i, std::size_t count,
                                     bool are_results);

/// The number of the layout that modifiers name: "m16n8k16", "bf16". Refuses what has none.
std::uint32_t fragment_named(instruction_builder& b, matrix_role role, std::string_view shape,
                             std::string_view element);

}  // namespace ptxlab::machine
