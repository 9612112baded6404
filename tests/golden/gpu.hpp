// SPDX-License-Identifier: Apache-2.0
// Runs the golden cases on a GPU, from their cubins.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/context.hpp"
#include "driver/cuda/memory.hpp"
#include "driver/cuda/module.hpp"
#include "driver/cuda/stream.hpp"
#include "tests/golden/replay.hpp"

namespace ptxlab::golden {

class gpu {
 public:
  /// Of the first device. `skipped` are names of cases not to run: those that lose the context.
  /// Throws ptxlab::error where there is no device.
  gpu(std::filesystem::path folder, std::vector<std::string> skipped)
      : folder_(std::move(folder)), skipped_(std::move(skipped)), context_(0) {}
  const cuda::device& on() const { return context_.on(); }
  /// As replay_module. Throws ptxlab::error for a module that cannot be loaded, and, with the name
  /// of the case, when the context is lost.
  void run_module(std::size_t number, const taker& take);

 private:
  result_words run(const cuda::kernel& k, const golden_case& c);

  std::filesystem::path folder_;
  std::vector<std::string> skipped_;
  cuda::context context_;
  cuda::stream stream_;
  std::map<std::vector<operand>, std::unique_ptr<cuda::buffer<std::uint64_t>>> operands_;
  std::map<std::size_t, std::unique_ptr<cuda::buffer<std::uint64_t>>> results_;
};

/// Version of the kernel's driver, "580.95.05"; empty where it is not told.
std::string kernel_driver();

}  // namespace ptxlab::golden
