// SPDX-License-Identifier: Apache-2.0
// Text of an instruction mix: stable lines for FileCheck, a table for people.
#pragma once

#include <string>

#include "ptx/machine/observers/mix.hpp"

namespace ptxlab::machine {

/// A heading, then in the report's order, all numbers integers, `active` in thousandths:
///   all: warps 640 lanes 20480 active 1000 diverged 0 sites 10
///   opcode ld.global.f32: warps 64 lanes 2048 active 1000 diverged 0 sites 1
///   line reduce.cu:12: warps 128 lanes 4096 active 1000 diverged 0 sites 2
///   branch reduce.cu:14 bra: warps 64 lanes 2048 diverged 32
/// where "warps" counts warp instructions.
std::string mix_lines(const mix_report& r);

/// The same as tables of at most `width` characters: opcodes by how often they were executed, then
/// lines and branches in the report's order.
std::string mix_tables(const mix_report& r, unsigned width = 80);

}  // namespace ptxlab::machine
