// SPDX-License-Identifier: Apache-2.0
// Thrust as a program writes it: it gets its temporary memory itself, and a sum comes back to the
// host, so that every call waits for the device.
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/version.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "driver/rivals/registry.hpp"

namespace ptxlab::rivals {
namespace {

auto on_stream_of(const ptxlab_rival_call& c) {
  return thrust::cuda::par.on(static_cast<cudaStream_t>(c.stream));
}

template <typename T>
void sum(ptxlab_rival_call& c) {
  const auto* first = static_cast<const T*>(c.keys);
  const T result = thrust::reduce(on_stream_of(c), first, first + c.n);
  std::memcpy(&c.on_host, &result, sizeof result);
}

template <typename T>
void sort(ptxlab_rival_call& c) {
  auto* first = static_cast<T*>(c.keys_out);
  thrust::sort(on_stream_of(c), first, first + c.n);
}

template <typename T>
void sort_pairs(ptxlab_rival_call& c) {
  auto* first = static_cast<T*>(c.keys_out);
  thrust::sort_by_key(on_stream_of(c), first, first + c.n,
                      static_cast<std::uint32_t*>(c.values_out));
}

struct call {
  std::string_view what;
  void (*run)(ptxlab_rival_call& c);
};

constexpr call calls[] = {
    {"sum u32", sum<std::uint32_t>},
    {"sum s32", sum<std::int32_t>},
    {"sum f32", sum<float>},
    {"sum f64", sum<double>},
    {"sum u64", sum<std::uint64_t>},
    {"sort u32", sort<std::uint32_t>},
    {"sort f32", sort<float>},
    {"sort u32 pairs", sort_pairs<std::uint32_t>},
};

int run(ptxlab_rival_call* c) {
  for (const call& one : calls) {
    if (one.what != c->what) continue;
    if (c->temp == nullptr)
      c->temp_bytes = 1;  // none is needed
    else
      one.run(*c);
    return 0;
  }
  return unknown_call;
}

const std::string version = std::to_string(THRUST_MAJOR_VERSION) + "." +
                            std::to_string(THRUST_MINOR_VERSION) + "." +
                            std::to_string(THRUST_SUBMINOR_VERSION);
const registration registered({"thrust", version.c_str(), run});

}  // namespace
}  // namespace ptxlab::rivals
