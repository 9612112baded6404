// SPDX-License-Identifier: Apache-2.0
// Runs PTX text on the machine, with buffers of words.
#pragma once

#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ptx/machine/machine.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::machine {

class machine_fixture {
 public:
  /// A module of sm_90 with this text behind its directives.
  explicit machine_fixture(const std::string& text, std::uint64_t memory = 1 << 28)
      : emulator(memory),
        module(emulator.load(
            ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + text, "test.ptx"))) {}

  template <class T>
  address buffer(const std::vector<T>& values, const std::string& name = "buffer") {
    const address at = emulator.device().allocate(values.size() * sizeof(T), name);
    emulator.device().write(at, std::as_bytes(std::span(values)));
    return at;
  }
  template <class T>
  std::vector<T> read(address at, std::size_t n) const {
    std::vector<T> out(n);
    const_cast<class emulator&>(emulator).device().read(std::as_writable_bytes(std::span(out)), at);
    return out;
  }
  /// Parameters of 8 bytes each.
  static std::vector<std::byte> parameters(std::initializer_list<std::uint64_t> words) {
    std::vector<std::byte> out(words.size() * 8);
    if (words.size() != 0) std::memcpy(out.data(), std::data(words), out.size());
    return out;
  }
  run_report run(const std::string& kernel, std::uint32_t grid, std::uint32_t block,
                 std::initializer_list<std::uint64_t> words) {
    how.grid[0] = grid;
    how.block[0] = block;
    how.parameters = parameters(words);
    return emulator.run(module.kernel(kernel), how);
  }

  class emulator emulator;
  loaded_module& module;
  launch how;
};

}  // namespace ptxlab::machine
