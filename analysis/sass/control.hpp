// SPDX-License-Identifier: Apache-2.0
// The control bits of a SASS instruction: what ptxas tells the scheduler. They stand in bits 105 to
// 125 of the 128-bit word of Volta and later (Jia et al., "Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", 2018, section 2.1); nvdisasm does not print them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/sass/module.hpp"

namespace ptxlab::sass {

struct control {
  static constexpr unsigned no_barrier = 7;
  unsigned stall = 0;                   ///< cycles before the same warp may issue again, 0 to 15
  bool yield = false;                   ///< bit 109 as it is; its sense is not documented
  unsigned write_barrier = no_barrier;  ///< scoreboard set until the result is written, 0 to 5
  unsigned read_barrier = no_barrier;   ///< scoreboard set until the operands are read
  unsigned wait_mask = 0;               ///< scoreboards waited for, one bit each
  unsigned reuse = 0;                   ///< operand reuse cache, one bit each
};

/// Decodes the upper 64 bits of an instruction word.
control decode_control(std::uint64_t upper);

/// Control of every instruction of `f`, read from the bytes of its cubin. Throws ptxlab::error for
/// bytes that are no CUDA ELF file, that lack the function's section or end within it, or whose
/// instructions are not 128 bits wide (before Volta).
std::vector<control> read_controls(const module& m, const function& f, std::string_view cubin);

}  // namespace ptxlab::sass
