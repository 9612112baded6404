// SPDX-License-Identifier: Apache-2.0
// CUB's sums and radix sorts as it chooses them for a device.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/rivals/registry.hpp"

namespace ptxlab::rivals {
namespace {

template <typename T>
int sum(ptxlab_rival_call& c) {
  return cub::DeviceReduce::Sum(c.temp, c.temp_bytes, static_cast<const T*>(c.keys),
                                static_cast<T*>(c.keys_out), c.n,
                                static_cast<cudaStream_t>(c.stream));
}

template <typename T>
int sort(ptxlab_rival_call& c) {
  return cub::DeviceRadixSort::SortKeys(c.temp, c.temp_bytes, static_cast<const T*>(c.keys),
                                        static_cast<T*>(c.keys_out), c.n, 0, 8 * sizeof(T),
                                        static_cast<cudaStream_t>(c.stream));
}

template <typename T>
int sort_pairs(ptxlab_rival_call& c) {
  return cub::DeviceRadixSort::SortPairs(
      c.temp, c.temp_bytes, static_cast<const T*>(c.keys), static_cast<T*>(c.keys_out),
      static_cast<const std::uint32_t*>(c.values), static_cast<std::uint32_t*>(c.values_out), c.n,
      0, 8 * sizeof(T), static_cast<cudaStream_t>(c.stream));
}

struct call {
  std::string_view what;
  int (*run)(ptxlab_rival_call& c);
};

constexpr call calls[] = {
    {"sum u32", sum<std::uint32_t>},
    {"sum s32", sum<std::int32_t>},
    {"sum f32", sum<float>},
    {"sum f64", sum<double>},
    {"sum u64", sum<std::uint64_t>},
    {"sort u32", sort<std::uint32_t>},
    {"sort s32", sort<std::int32_t>},
    {"sort f32", sort<float>},
    {"sort u64", sort<std::uint64_t>},
    {"sort u32 pairs", sort_pairs<std::uint32_t>},
    {"sort u64 pairs", sort_pairs<std::uint64_t>},
};

int run(ptxlab_rival_call* c) {
  for (const call& one : calls) {
    if (one.what != c->what) continue;
    const int status = one.run(*c);
    if (c->temp == nullptr && c->temp_bytes == 0) c->temp_bytes = 1;
    return status;
  }
  return unknown_call;
}

const std::string version = std::to_string(CUB_MAJOR_VERSION) + "." +
                            std::to_string(CUB_MINOR_VERSION) + "." +
                            std::to_string(CUB_SUBMINOR_VERSION);
const registration registered({"cub", version.c_str(), run});

}  // namespace
}  // namespace ptxlab::rivals
