// SPDX-License-Identifier: Apache-2.0
// What printf in a kernel prints.
#pragma once

#include <string>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

class warp;

/// The string at a generic address of a lane. Throws fault for one that lies in no memory; longer
/// ones than 64 KiB are cut.
std::string string_at(warp& w, unsigned lane, address at);

/// The text of vprintf(format, arguments): arguments are packed by their alignment, 4 or 8 bytes
/// each (CUDA C++ Programming Guide, "Formatted Output").
std::string formatted(warp& w, unsigned lane, address format, address arguments);

}  // namespace ptxlab::machine
