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

namespace {

/// The launch's attributes and configuration; the second points into the first.
struct configuration {
  std::vector<CUlaunchAttribute> attributes;
  CUlaunchConfig config{};
};

configuration configured(const geometry& g, const stream* s) {
  configuration out;
  const auto add = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    out.attributes.push_back({});
    out.attributes.back().id = id;
    return out.attributes.back().value;
  };
  if (g.cooperative) add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (g.cluster_blocks > 0)
    add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {g.cluster_blocks, 1, 1};
  if (g.overlaps_previous)
    add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        .programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig& config = out.config;
  config.gridDimX = g.blocks;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = g.block_threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = g.dynamic_shared_bytes;
  config.hStream = s != nullptr ? s->handle() : nullptr;
  config.attrs = out.attributes.data();
  config.numAttrs = static_cast<unsigned>(out.attributes.size());
  return out;
}

}  // namespace

std::string residency::text(unsigned block_threads) const {
  if (cluster_blocks > 0)
    return fmt::format("{} clusters x {} blocks = {} blocks of {} threads at once", clusters,
                       cluster_blocks, blocks(), block_threads);
  return fmt::format("{} blocks per SM x {} SMs = {} blocks of {} threads at once", blocks_per_sm,
                     multiprocessors, blocks(), block_threads);
}

residency co_resident(const device& d, const kernel& k, const geometry& g) {
  residency out{k.blocks_per_sm(static_cast<int>(g.block_threads), g.dynamic_shared_bytes),
                d.multiprocessors(), 0, 0};
  if (g.cluster_blocks == 0) return out;
  geometry whole = g;  // a grid that is no multiple of the cluster has no answer
  whole.blocks = g.cluster_blocks;
  out.cluster_blocks = static_cast<int>(g.cluster_blocks);
  const configuration c = configured(whole, nullptr);
  check(library::get().cuOccupancyMaxActiveClusters(&out.clusters, k.handle(), &c.config),
        "cuOccupancyMaxActiveClusters", "kernel " + k.name());
  return out;
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
  const configuration c = configured(g, &s);
  auto pointers = a.pointers();
  const CUresult status =
      library::get().cuLaunchKernelEx(&c.config, k.handle(), pointers.data(), nullptr);
  if (status == CUDA_SUCCESS) return;  // to ask for names would take as long as the launch
  check(status, "cuLaunchKernelEx",
        fmt::format("{}<<<{}, {}>>> on {}", k.name(), g.blocks, g.block_threads, d.identify()));
}

}  // namespace ptxlab::cuda
