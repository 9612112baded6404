// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/device.hpp"

#include <fmt/format.h>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

int device_count() {
  int count = 0;
  check(library::get().cuDeviceGetCount(&count), "cuDeviceGetCount");
  return count;
}

int driver_version() {
  int version = 0;
  check(library::get().cuDriverGetVersion(&version), "cuDriverGetVersion");
  return version;
}

device::device(int ordinal) : ordinal_(ordinal) {
  const int count = device_count();
  if (ordinal < 0 || ordinal >= count)
    throw error(fmt::format("no device {}: the driver shows {}", ordinal, count));
  check(library::get().cuDeviceGet(&handle_, ordinal), "cuDeviceGet",
        fmt::format("device {}", ordinal));
}

std::string device::name() const {
  char text[256] = {};
  check(library::get().cuDeviceGetName(text, sizeof text, handle_), "cuDeviceGetName",
        fmt::format("device {}", ordinal_));
  return text;
}

int device::attribute(CUdevice_attribute a) const {
  int value = 0;
  check(library::get().cuDeviceGetAttribute(&value, a, handle_), "cuDeviceGetAttribute",
        fmt::format("attribute {} of device {}", static_cast<int>(a), ordinal_));
  return value;
}

std::size_t device::memory_bytes() const {
  std::size_t bytes = 0;
  check(library::get().cuDeviceTotalMem(&bytes, handle_), "cuDeviceTotalMem", identify());
  return bytes;
}

std::string device::arch() const {
  return fmt::format("sm_{}{}", attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                     attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
}

std::string device::bus_id() const {
  char text[64] = {};
  check(library::get().cuDeviceGetPCIBusId(text, sizeof text, handle_), "cuDeviceGetPCIBusId",
        identify());
  return text;
}

std::string device::identify() const {
  return fmt::format("device {} ({})", ordinal_, name());
}

std::map<std::string, std::string> fingerprint(const device& d) {
  std::map<std::string, std::string> out;
  out["name"] = d.name();
  out["arch"] = d.arch();
  out["driver"] = std::to_string(driver_version());
  out["memory_bytes"] = std::to_string(d.memory_bytes());
  const std::pair<const char*, CUdevice_attribute> numbers[] = {
      {"multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {"l2_bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
      {"shared_per_sm_bytes", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
      {"registers_per_sm", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
      {"threads_per_sm", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
      {"blocks_per_sm", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
      {"threads_per_block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {"grid_x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {"constant_bytes", CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
      {"memory_bus_bits", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
      {"ecc", CU_DEVICE_ATTRIBUTE_ECC_ENABLED},
      {"cooperative_launch", CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH}};
  for (const auto& [key, attribute] : numbers) out[key] = std::to_string(d.attribute(attribute));
  return out;
}

}  // namespace ptxlab::cuda
