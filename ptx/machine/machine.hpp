// SPDX-License-Identifier: Apache-2.0
// The PTX machine: runs the kernels of a PTX module on the host, lane by lane as PTX ISA 9.0 says,
// and tells what it saw. It knows PTX and no SASS, and it has no time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/launch.hpp"
#include "ptx/machine/memory.hpp"
#include "ptx/machine/texture.hpp"
#include "ptx/text/module.hpp"
#include "ptx/text/variable.hpp"

namespace ptxlab::machine {

/// A module on a machine: its variables have addresses and their first values.
class loaded_module {
 public:
  const ptx::module& text() const { return text_; }
  /// Names of its kernels, in order of the text.
  std::vector<std::string_view> kernels() const;
  /// Decodes a kernel, once. Throws ptxlab::error for a name that it does not have.
  const decoded& kernel(std::string_view name);
  /// Address and bytes of a variable in global or constant memory. Throws ptxlab::error.
  std::pair<address, std::uint64_t> variable(std::string_view name) const;

 private:
  friend class emulator;
  ptx::module text_;
  std::map<std::string, std::pair<address, std::uint64_t>, std::less<>> variables_;
  std::map<std::string, decoded, std::less<>> kernels_;
};

class emulator {
 public:
  explicit emulator(std::uint64_t memory_bytes = std::uint64_t{16} << 30) : memory_(memory_bytes) {}

  memory& device() { return memory_; }
  /// A texture object over memory of device(): the handle that kernels fetch with. Throws
  /// ptxlab::error as texture_table::add says.
  std::uint64_t create_texture(const texture_description& d) { return textures_.add(d, memory_); }
  /// Throws ptxlab::error for what is no handle, or no longer one. The texels stay.
  void destroy_texture(std::uint64_t handle) { textures_.remove(handle); }
  /// Gives the module's variables memory. Throws ptxlab::error for variables that the machine
  /// cannot have: textures by reference, external ones, addresses of 32 bits.
  loaded_module& load(ptx::module text);
  /// Runs a kernel to its end, or to the reason why it has none. A geometry or parameters that do
  /// not fit give ending::refused. Throws ptxlab::error for a program with unsupported
  /// instructions.
  run_report run(const decoded& kernel, const launch& l);

 private:
  void place(loaded_module& m, const ptx::variable& v);

  memory memory_;
  texture_table textures_;
  std::vector<std::unique_ptr<loaded_module>> modules_;
};

/// Names of the policies, and the run that a token gives again: "its", "random:7".
std::string token_of(const launch& l);
/// Sets policy and seed from a token. Throws ptxlab::error for one that is none.
void read_token(std::string_view token, launch& l);

}  // namespace ptxlab::machine
