// SPDX-License-Identifier: Apache-2.0
// Tests that call the host code of one CUDA program, with the machine as its device.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>

#include "tests/unit/machine/host_program.hpp"
#include "tests/unit/machine/runtime_on_the_machine.hpp"

namespace ptxlab::machine {

class on_the_runtime : public testing::Test {
 protected:
  using u32 = std::uint32_t;

  explicit on_the_runtime(const host_program& shared) : program_(shared) {}
  void SetUp() override {
    if (!program_.problem().empty()) GTEST_SKIP() << program_.problem();
    start(program_.ptx());
  }
  void TearDown() override {
    if (!device) return;
    EXPECT_EQ(device->failures, std::vector<std::string>{});
    EXPECT_EQ(device->live_allocations, 0U);
    program_.use(nullptr);
  }
  /// A new device, with this PTX in place of the program's.
  void start(const std::string& ptx) {
    device.emplace(ptx);
    program_.use(&*device);
  }
  /// The program's PTX with `was` replaced wherever it stands, at one place at least.
  std::string ptx_with(const std::string& was, const std::string& is) const {
    std::string text = program_.ptx();
    std::size_t at = text.find(was);
    if (at == text.npos) throw error("the PTX has no '" + was + "'");
    for (; at != text.npos; at = text.find(was, at + is.size())) text.replace(at, was.size(), is);
    return text;
  }
  /// Calls a function of the program. Arrays of the device are pointers that only it may follow.
  template <class Result = int, class... Arguments>
  Result call(const char* name, Arguments... arguments) const {
    return program_.function<Result(Arguments...)>(name)(arguments...);
  }
  /// Values in [0, `below`).
  template <class T>
  static std::vector<T> random_values(int n, u32 seed, std::uint64_t below = 1ULL << 32) {
    std::mt19937 next(seed);
    std::vector<T> out(static_cast<std::size_t>(n));
    for (T& x : out) x = static_cast<T>(next() % below);
    return out;
  }
  /// What was launched since the last call, by name.
  std::vector<std::string> kernels_launched() {
    std::vector<std::string> out;
    for (const launched& one : std::exchange(device->launches, {})) out.push_back(one.kernel);
    return out;
  }

  std::optional<runtime_on_the_machine> device;

 private:
  const host_program& program_;
};

}  // namespace ptxlab::machine
