// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace ptxlab::cuda {
namespace {

// The toolkit does not come with nvml.h. Types and numbers are those of the NVML API reference; all
// enumerations are passed as int, and 0 is success.
struct table {
  int (*init)() = nullptr;
  int (*by_bus_id)(const char*, void**) = nullptr;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*max_clock)(void*, int, unsigned*) = nullptr;
  int (*throttle)(void*, unsigned long long*) = nullptr;
  int (*temperature)(void*, int, unsigned*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*mig)(void*, unsigned*, unsigned*) = nullptr;
  int (*processes)(void*, unsigned*, void*) = nullptr;
  int (*mps_processes)(void*, unsigned*, void*) = nullptr;
  std::string problem;
};

constexpr int clock_sm = 1, clock_memory = 2;
constexpr int insufficient_size = 7;

table open_table() {
  table t;
  const char* named = std::getenv("PTXLAB_LIBNVML");
  void* handle = dlopen(named != nullptr && *named != '\0' ? named : "libnvidia-ml.so.1",
                        RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    t.problem = fmt::format("no NVML: {}", dlerror());
    return t;
  }
  const auto get = [handle](auto& call, const char* name) {
    call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(dlsym(handle, name));
  };
  get(t.init, "nvmlInit_v2");
  get(t.by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  get(t.clock, "nvmlDeviceGetClockInfo");
  get(t.max_clock, "nvmlDeviceGetMaxClockInfo");
  get(t.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
  get(t.temperature, "nvmlDeviceGetTemperature");
  get(t.driver, "nvmlSystemGetDriverVersion");
  get(t.mig, "nvmlDeviceGetMigMode");
  get(t.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  get(t.mps_processes, "nvmlDeviceGetMPSComputeRunningProcesses_v3");
  if (t.init == nullptr || t.by_bus_id == nullptr || t.init() != 0)
    t.problem = "NVML cannot be used: nvmlInit_v2 failed";
  return t;
}

const table& calls() {
  static const table once = open_table();
  return once;
}

std::string words_of(unsigned long long reasons) {
  constexpr std::pair<unsigned long long, const char*> names[] = {
      {0x2, "applications_clocks"}, {0x4, "sw_power_cap"},   {0x8, "hw_slowdown"},
      {0x10, "sync_boost"},         {0x20, "sw_thermal"},    {0x40, "hw_thermal_slowdown"},
      {0x80, "hw_power_brake"},     {0x100, "display_clock"}};
  std::string out;
  for (const auto& [bit, name] : names)
    if ((reasons & bit) != 0) out += (out.empty() ? "" : " ") + std::string(name);
  return out;
}

}  // namespace

nvml::nvml(const std::string& bus_id) : problem_(calls().problem) {
  if (problem_.empty() && calls().by_bus_id(bus_id.c_str(), &device_) != 0)
    problem_ = fmt::format("NVML knows no GPU at {}", bus_id);
}

gpu_state nvml::look() const {
  gpu_state out;
  if (!problem_.empty()) return out;
  const table& t = calls();
  unsigned value = 0;
  if (t.clock != nullptr && t.clock(device_, clock_sm, &value) == 0) out.sm_clock_mhz = value;
  if (t.clock != nullptr && t.clock(device_, clock_memory, &value) == 0)
    out.memory_clock_mhz = value;
  if (t.max_clock != nullptr && t.max_clock(device_, clock_sm, &value) == 0)
    out.max_sm_clock_mhz = value;
  if (t.temperature != nullptr && t.temperature(device_, 0, &value) == 0) out.temperature_c = value;
  unsigned long long reasons = 0;
  if (t.throttle != nullptr && t.throttle(device_, &reasons) == 0)
    out.throttle_reasons = words_of(reasons);
  return out;
}

std::map<std::string, std::string> nvml::facts() const {
  std::map<std::string, std::string> out;
  if (!problem_.empty()) return out;
  const table& t = calls();
  char text[96] = {};
  if (t.driver != nullptr && t.driver(text, sizeof text) == 0) out["driver"] = text;
  unsigned now = 0, pending = 0;
  if (t.mig != nullptr && t.mig(device_, &now, &pending) == 0) out["mig"] = now != 0 ? "on" : "off";
  // Asked with room for none, they answer with the number there are.
  unsigned n = 0;
  if (t.mps_processes != nullptr) {
    const int status = t.mps_processes(device_, &n, nullptr);
    if (status == 0 || status == insufficient_size) out["mps"] = n > 0 ? "seen" : "not seen";
  }
  n = 0;
  if (t.processes != nullptr) {
    const int status = t.processes(device_, &n, nullptr);
    if (status == 0 || status == insufficient_size) out["processes"] = std::to_string(n);
  }
  return out;
}

}  // namespace ptxlab::cuda
