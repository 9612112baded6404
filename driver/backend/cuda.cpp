// SPDX-License-Identifier: Apache-2.0
#include "driver/backend/cuda.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::harness {

std::string no_gpu() {
  if (const auto problem = cuda::library::problem()) return *problem;
  return cuda::device_count() == 0 ? "the driver shows no device" : "";
}

cuda_backend::cuda_backend(int ordinal, std::chrono::milliseconds deadline)
    : context_(ordinal), deadline_(deadline) {}

std::string cuda_backend::identify() const {
  return context_.on().identify();
}

std::optional<std::uint64_t> cuda_backend::attribute(device_attribute a) const {
  switch (a) {
    case device_attribute::multiprocessors:
      return static_cast<std::uint64_t>(context_.on().multiprocessors());
    case device_attribute::memory_bytes:
      return context_.on().memory_bytes();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> cuda_backend::attribute(function_handle f,
                                                     function_attribute a) const {
  CUfunction_attribute asked = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
  switch (a) {
    case function_attribute::max_threads:
      break;
    case function_attribute::static_shared:
      asked = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
      break;
    case function_attribute::registers:
      asked = CU_FUNC_ATTRIBUTE_NUM_REGS;
      break;
    case function_attribute::local:
      asked = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
      break;
  }
  return static_cast<std::uint64_t>(functions_.at(static_cast<std::size_t>(f)).attribute(asked));
}

module_handle cuda_backend::load(const module_code& code) {
  using image = cuda::module::image;
  if (code.cubin.empty() && code.ptx.empty())
    throw error(fmt::format("{}: neither a cubin nor PTX", code.name));
  const bool binary = !code.cubin.empty();
  modules_.push_back(std::make_unique<cuda::module>(context_.on(), binary ? code.cubin : code.ptx,
                                                    binary ? image::cubin : image::ptx, code.name));
  return static_cast<module_handle>(modules_.size() - 1);
}

function_handle cuda_backend::function(module_handle m, const std::string& name) {
  functions_.push_back(modules_.at(static_cast<std::size_t>(m))->function(name));
  return static_cast<function_handle>(functions_.size() - 1);
}

std::pair<device_address, std::uint64_t> cuda_backend::variable(module_handle m,
                                                                const std::string& name) {
  const auto [at, bytes] = modules_.at(static_cast<std::size_t>(m))->global(name);
  return {at, bytes};
}

device_address cuda_backend::allocate(std::uint64_t bytes, const std::string& name) {
  CUdeviceptr at{};
  // The driver refuses 0 bytes; such a buffer still needs an address of its own.
  cuda::check(cuda::library::get().cuMemAlloc(&at, std::max<std::uint64_t>(bytes, 1)), "cuMemAlloc",
              fmt::format("{} bytes for '{}'", bytes, name));
  memory_.emplace(at, cuda::unique_handle<CUdeviceptr, cuda::free_memory>(at));
  return at;
}

void cuda_backend::release(device_address begin) {
  if (memory_.erase(begin) == 0) throw error(fmt::format("nothing was allocated at {:#x}", begin));
}

void cuda_backend::copy_to(device_address to, std::span<const std::byte> from) {
  if (from.empty()) return;
  cuda::check(cuda::library::get().cuMemcpyHtoD(to, from.data(), from.size()), "cuMemcpyHtoD",
              fmt::format("{} bytes", from.size()));
}

void cuda_backend::copy_from(std::span<std::byte> to, device_address from) {
  if (to.empty()) return;
  cuda::check(cuda::library::get().cuMemcpyDtoH(to.data(), from, to.size()), "cuMemcpyDtoH",
              fmt::format("{} bytes", to.size()));
}

void cuda_backend::launch(function_handle f, const launch_shape& shape,
                          std::span<const std::byte> parameters) {
  const cuda::kernel& k = functions_.at(static_cast<std::size_t>(f));
  // Copies from pageable memory may still be under way, and this stream waits for no other.
  cuda::synchronise();
  constexpr unsigned without_asking = 48U << 10;
  if (shape.dynamic_shared > 0 && shape.dynamic_shared + static_cast<unsigned>(k.attribute(
                                                             CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)) >
                                      without_asking)
    k.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    static_cast<int>(shape.dynamic_shared));
  CUlaunchAttribute attributes[2] = {};
  unsigned asked = 0;
  const auto ask = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue& {
    attributes[asked].id = id;
    return attributes[asked++].value;
  };
  if (shape.cooperative) ask(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  if (shape.has_clusters())
    ask(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {shape.cluster[0], shape.cluster[1],
                                                             shape.cluster[2]};
  CUlaunchConfig config{};
  config.gridDimX = shape.grid[0];
  config.gridDimY = shape.grid[1];
  config.gridDimZ = shape.grid[2];
  config.blockDimX = shape.block[0];
  config.blockDimY = shape.block[1];
  config.blockDimZ = shape.block[2];
  config.sharedMemBytes = shape.dynamic_shared;
  config.hStream = stream_.handle();
  config.attrs = attributes;
  config.numAttrs = asked;
  std::size_t bytes = parameters.size();
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(parameters.data()),
                    CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  cuda::check(cuda::library::get().cuLaunchKernelEx(&config, k.handle(), nullptr, packed),
              "cuLaunchKernelEx",
              fmt::format("{} with a grid of {} x {} x {} blocks of {} x {} x {} threads on {}",
                          k.name(), shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
                          shape.block[1], shape.block[2], identify()));
}

void cuda_backend::synchronise() {
  given_up_ = !stream_.wait(deadline_);
  if (given_up_)
    throw error(fmt::format("no end after {} s; no proof that there is none",
                            static_cast<double>(deadline_.count()) / 1000));
  cuda::synchronise();  // prints what printf wrote
}

}  // namespace ptxlab::harness
