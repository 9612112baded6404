// SPDX-License-Identifier: Apache-2.0
// Tests of the kernels of one file, each on a workbench of its own.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {

class on_a_workbench : public testing::Test {
 protected:
  /// `file` stands beside this one.
  explicit on_a_workbench(const char* file) : file_(file) {}
  void SetUp() override {
    if (const std::string& why = shared().problem(); !why.empty()) GTEST_SKIP() << why;
    on.emplace(shared().module(compiler::root() / "tests" / "unit" / "machine" / file_));
  }
  template <class T>
  static std::vector<T> random_values(int n, std::uint32_t seed) {
    std::mt19937 next(seed);
    std::vector<T> out(static_cast<std::size_t>(n));
    for (T& x : out) x = static_cast<T>(next() % 100003) - static_cast<T>(50000);
    return out;
  }
  /// Pointers, and one number of 4 bytes for each of `numbers`.
  void run(std::string_view kernel, std::uint32_t grid, std::uint32_t block,
           std::vector<std::uint64_t> arguments, const std::vector<int>& numbers) {
    std::vector<unsigned> bytes(arguments.size(), 8);
    for (const int n : numbers) {
      arguments.push_back(static_cast<std::uint32_t>(n));
      bytes.push_back(4);
    }
    launch(kernel, grid, block, arguments, bytes);
  }
  void launch(std::string_view kernel, std::uint32_t grid, std::uint32_t block,
              const std::vector<std::uint64_t>& arguments, const std::vector<unsigned>& bytes) {
    on->how.observers = {&races};
    const run_report r = on->run(kernel, grid, block, arguments, bytes);
    EXPECT_EQ(r.how, ending::finished) << kernel << r.reason;
    EXPECT_EQ(verdict_of(races.report()), "no race") << kernel;
  }

  std::optional<workbench> on;
  race_detector races;

 private:
  static const compiler& shared() {
    static const compiler all;
    return all;
  }

  const char* file_;
};

}  // namespace ptxlab::machine
