// SPDX-License-Identifier: Apache-2.0
// Special registers (PTX ISA 9.0, "Special Registers") that the machine knows.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "ptx/machine/program.hpp"

namespace ptxlab::machine {

class warp;

struct special_register {
  std::string_view name;  ///< "%tid.x"
  unsigned bytes = 4;     ///< of an element: 4 or 8
  /// Writes the 32 lanes' values, for one that does not change while the warp lives.
  void (*fill)(const warp&, std::byte* to) = nullptr;
  /// Reads it anew each time: clocks. A step whose `d` gets the value.
  run_function read = nullptr;
  std::string_view says = {};  ///< what the machine makes of it, where that is not the hardware's
};

/// The register, or null for one that the machine does not know. %envreg1 and so on are known.
const special_register* special_named(std::string_view name);
std::span<const special_register> special_registers();

}  // namespace ptxlab::machine
