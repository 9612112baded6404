// SPDX-License-Identifier: Apache-2.0
// Texture objects of instructions: the handle is in a register and may differ from lane to lane.
#pragma once

#include <cstdint>

#include "ptx/machine/builder.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/texture.hpp"

namespace ptxlab::machine {

/// The texture object of a lane's handle. Throws fault for what is none, or was destroyed.
const texture_description& texture_of(const grid& g, std::uint64_t handle, unsigned lane);

/// Where the handle of a texture operand lies; textures by reference are not supported.
slot texture_handle(instruction_builder& b, const ptx::operand& o);

}  // namespace ptxlab::machine
