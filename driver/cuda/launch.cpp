// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/launch.hpp"

#include <fmt/format.h>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

std::vector<void*> arguments::pointers() {
  std::vector<void*> out;
  for (auto& v : values_) out.push_back(v.data());
  return out;
}

std::string residency::text(unsigned block_threads) const {
  return fmt::format("{} blocks per SM x {} SMs = {} blocks of {} threads at once", blocks_per_sm,
                     multiprocessors, blocks(), block_threads);
}

residency co_resident(const device& d, const kernel& k, const geometry& g) {
  return {k.blocks_per_sm(static_cast<int>(g.block_threads), g.dynamic_shared_bytes),
          d.multiprocessors()};
}

void launch(const device& d, const kernel& k, const geometry& g, arguments& a, const stream& s) {
  if ((g.cooperative || g.spins) && !g.unchecked) {
    const residency fits = co_resident(d, k, g);
    if (g.blocks > static_cast<unsigned>(fits.blocks()))
      throw error(fmt::format("{}: {} blocks that wait for each other do not fit {}: {}", k.name(),
                              g.blocks, d.identify(), fits.text(g.block_threads)));
  }
  if (g.cooperative && d.attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0)
    throw error(fmt::format("{}: {} has no cooperative launch", k.name(), d.identify()));
  std::vector<CUlaunchAttribute> attributes;
  const auto add = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    attributes.push_back({});
    attributes.back().id = id;
    return attributes.back().value;
  };
  if (g.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (g.cluster_blocks > 0)
    add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {g.cluster_blocks, 1, 1};
  if (g.overlaps_previous)
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        .programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config{};
  config.gridDimX = g.blocks;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = g.block_threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = g.dynamic_shared_bytes;
  config.hStream = s.handle();
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  auto pointers = a.pointers();
  check(library::get().cuLaunchKernelEx(&config, k.handle(), pointers.data(), nullptr),
        "cuLaunchKernelEx",
        fmt::format("{}<<<{}, {}>>> on {}", k.name(), g.blocks, g.block_threads, d.identify()));
}

}  // namespace ptxlab::cuda
