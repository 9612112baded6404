// SPDX-License-Identifier: Apache-2.0
// From a PTX module to a program of the machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/program.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::machine {

/// An instruction that the machine does not run, and why.
struct unsupported {
  site where;
  std::string reason;
};

/// Address of a variable of the module, in global or constant memory; nothing for an unknown name.
using symbol_address = std::function<std::optional<address>(std::string_view)>;

/// Addresses that a program may hold and that are no memory: functions, by their place in the
/// module, and the windows that generic addresses of shared and local memory lie in.
inline constexpr address function_base = 0x0300'0000'0000;
inline constexpr address shared_base = 0x0100'0000'0000, local_base = 0x0200'0000'0000;
inline constexpr address window_bytes = 0x0001'0000'0000;
/// Where the kernel's parameters lie.
inline constexpr address parameter_base = 0x7000'0000'0000;
inline constexpr std::uint32_t parameter_space_bytes = 32768;

struct decoded {
  std::shared_ptr<const program> code;
  /// What cannot be run, in order of the text. Not empty: the program must not be run.
  std::vector<unsupported> missing;
  /// Registers that may be read before they are written, by name.
  std::vector<std::string> unset_registers;
};

/// Decodes a kernel and every function it may call. Every modifier of every instruction is taken by
/// a row of the operation table, or the instruction is in `missing`. Throws ptxlab::error for a
/// kernel that the module does not have. `m` must outlive the program: it holds views.
decoded decode(const ptx::module& m, std::string_view kernel, const symbol_address& address_of);

}  // namespace ptxlab::machine
