// SPDX-License-Identifier: Apache-2.0
// What NVML tells of a GPU while it works: clocks, and what holds them down. Opened at run time;
// every answer may be missing, and is then left out.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace ptxlab::cuda {

/// The state of one GPU at one moment.
struct gpu_state {
  std::optional<unsigned> sm_clock_mhz, memory_clock_mhz, max_sm_clock_mhz;
  /// NVML's nvmlClocksThrottleReasons as words: "sw_power_cap", "hw_thermal_slowdown", ... Without
  /// "gpu_idle"; empty if nothing holds the clocks down.
  std::optional<std::string> throttle_reasons;
  std::optional<unsigned> temperature_c;
};

class nvml {
 public:
  /// Of the GPU at PCI address `bus_id`. Never throws: see problem().
  explicit nvml(const std::string& bus_id);

  gpu_state look() const;
  /// Facts that do not change: driver ("580.159.04"), mig ("on"/"off"), mps ("seen"/"not seen"),
  /// other processes on the GPU.
  std::map<std::string, std::string> facts() const;
  /// Why there is nothing to tell; empty if there is.
  const std::string& problem() const { return problem_; }

 private:
  void* device_ = nullptr;
  std::string problem_;
};

}  // namespace ptxlab::cuda
