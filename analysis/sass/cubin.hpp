// SPDX-License-Identifier: Apache-2.0
// What a cubin (an ELF file) tells that its disassembly does not: which symbols the code takes the
// address of, where the parameters stand, and which functions are kernels.
#pragma once

#include <string_view>

#include "analysis/sass/module.hpp"

namespace ptxlab::sass {

/// Fills in module::addresses, function::param_base and function::entry from the bytes of the cubin
/// that `m` was disassembled from. Throws ptxlab::error for bytes that are no 64-bit little-endian
/// CUDA ELF file, or a damaged one.
void add_symbols(module& m, std::string_view cubin);

}  // namespace ptxlab::sass
