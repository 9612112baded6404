// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime of a device that is the machine: host code compiled by nvcc allocates, copies
// and launches there.
#pragma once

#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/machine/machine.hpp"
#include "ptx/text/parser.hpp"
#include "tests/unit/machine/cuda_runtime.hpp"
#include "tests/unit/machine/race_verdict.hpp"

namespace ptxlab::machine {

/// A launch that was asked for.
struct launched {
  std::string kernel;  ///< "DeviceScanKernel"
  std::uint32_t grid = 0, block = 0;
};

class runtime_on_the_machine final : public cuda_runtime {
 public:
  explicit runtime_on_the_machine(const std::string& ptx)
      : module_(on_.load(ptx::parse(ptx, "registered.ptx"))) {}

  // --- the device that the host code sees, and how its launches run

  int multiprocessors = 3, blocks_per_multiprocessor = 2;
  struct launch how;
  bool find_races = false;  ///< in each launch; one is a failure
  /// From now on, reading what nobody wrote is a failure.
  void check_uninitialised() {
    how.check_uninitialised = true;
    on_.device().track_writes(true);
  }

  // --- what the host code did

  std::vector<launched> launches;
  std::size_t copies = 0, fills = 0, live_allocations = 0;
  std::vector<std::string> failures;  ///< why a call gave an error

  // --- memory, for those who call the host code

  template <class T>
  T* buffer(const std::vector<T>& values, const std::string& name) {
    const address at = on_.device().allocate(values.size() * sizeof(T), name);
    on_.device().write(at, std::as_bytes(std::span(values)));
    return reinterpret_cast<T*>(at);
  }
  template <class T>
  std::vector<T> read(const T* at, std::size_t n) {
    std::vector<T> out(n);
    on_.device().read(std::as_writable_bytes(std::span(out)), reinterpret_cast<address>(at));
    return out;
  }

  // --- cuda_runtime

  int launch(const runtime_launch& what) noexcept override {
    return guarded(launch_failure, [&] {
      const decoded& kernel = module_.kernel(what.kernel);
      std::copy_n(what.grid, 3, how.grid);
      std::copy_n(what.block, 3, how.block);
      how.dynamic_shared = static_cast<std::uint32_t>(what.shared_bytes);
      how.parameters.assign(kernel.code->parameter_bytes, std::byte{0});
      for (std::size_t i = 0; i < kernel.code->parameters.size(); ++i) {
        const program::parameter& p = kernel.code->parameters[i];
        std::memcpy(how.parameters.data() + p.offset, what.arguments[i], p.bytes);
      }
      how.resident.blocks = static_cast<std::uint32_t>(multiprocessors * blocks_per_multiprocessor);
      how.resident.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
      race_detector races;
      how.observers.clear();
      if (find_races) how.observers = {&races};
      const std::string name = short_name(what.kernel);
      launches.push_back({name, how.grid[0], how.block[0]});
      const run_report r = on_.run(kernel, how);
      if (r.how != ending::finished) throw error(name + ": " + r.reason);
      if (find_races && verdict_of(races.report()) != "no race")
        throw error(name + ": " + verdict_of(races.report()));
    });
  }
  int allocate(void** at, std::size_t bytes) noexcept override {
    return guarded(memory_allocation, [&] {
      *at = reinterpret_cast<void*>(on_.device().allocate(bytes, "cudaMalloc"));
      ++live_allocations;
    });
  }
  int release(void* at) noexcept override {
    return guarded(invalid_value, [&] {
      on_.device().release(reinterpret_cast<address>(at));
      --live_allocations;
    });
  }
  int copy(void* to, const void* from, std::size_t bytes) noexcept override {
    return guarded(invalid_value, [&] {
      ++copies;
      std::vector<std::byte> moved(bytes);
      const auto source = reinterpret_cast<address>(from), target = reinterpret_cast<address>(to);
      if (on_.device().find(source) != nullptr)
        on_.device().read(moved, source);
      else
        std::memcpy(moved.data(), from, bytes);
      if (on_.device().find(target) != nullptr)
        on_.device().write(target, moved);
      else
        std::memcpy(to, moved.data(), bytes);
    });
  }
  int fill(void* at, int value, std::size_t bytes) noexcept override {
    return guarded(invalid_value, [&] {
      ++fills;
      on_.device().fill(reinterpret_cast<address>(at), static_cast<std::byte>(value), bytes);
    });
  }
  int attribute(int* value, int which) noexcept override {
    return guarded(not_supported, [&] {
      for (const auto& [known, number] : std::vector<std::pair<int, int>>{
               {5, 0x7fffffff},        // cudaDevAttrMaxGridDimX
               {8, 48 << 10},          // cudaDevAttrMaxSharedMemoryPerBlock, in bytes
               {16, multiprocessors},  // cudaDevAttrMultiProcessorCount
               {41, 1},                // cudaDevAttrUnifiedAddressing
               {75, 9},                // cudaDevAttrComputeCapabilityMajor
               {76, 0}})               // cudaDevAttrComputeCapabilityMinor
        if (known == which) {
          *value = number;
          return;
        }
      throw error("cudaDeviceGetAttribute: no answer for attribute " + std::to_string(which));
    });
  }
  int occupancy(int* blocks, const char*, int, std::size_t) noexcept override {
    *blocks = blocks_per_multiprocessor;
    return 0;
  }
  int ptx_version() noexcept override { return 90; }

 private:
  /// "DeviceScanKernel" of a mangled name of CUB.
  static std::string short_name(std::string_view mangled) {
    const std::size_t end = mangled.find("Kernel");
    if (end == mangled.npos) return std::string(mangled);
    const std::size_t digit = mangled.find_last_of("0123456789", end);
    return std::string(mangled.substr(digit + 1, end + 6 - digit - 1));
  }
  /// Nothing may be thrown through host code that nvcc compiled for a runtime that never throws.
  template <class F>
  int guarded(int code, const F& work) noexcept {
    try {
      work();
      return 0;
    } catch (const std::exception& e) {
      failures.push_back(e.what());
      return code;
    }
  }

  emulator on_{std::uint64_t{4} << 30};
  loaded_module& module_;
};

}  // namespace ptxlab::machine
