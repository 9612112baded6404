// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA runtime that nvcc's host code, CUB and Thrust call, each handed on to
// the cuda_runtime in use. Compiled and linked by host_program.hpp; a function that is missing here
// is a symbol that the loader names.
#include <cuda_runtime_api.h>

#include <map>
#include <utility>

#include "tests/unit/machine/cuda_runtime.hpp"

namespace {

using ptxlab::machine::runtime_launch;

ptxlab::machine::cuda_runtime* in_use = nullptr;
const void* image = nullptr;
cudaError_t last = cudaSuccess;

struct configuration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
} pushed;

// Filled before anything of this file is initialised: by address of the host's stub.
std::map<const void*, const char*>& kernels() {
  static std::map<const void*, const char*> all;
  return all;
}

const char* kernel_of(const void* stub) {
  const auto found = kernels().find(stub);
  return found == kernels().end() ? nullptr : found->second;
}

cudaError_t result(int code) {
  if (code != 0) last = static_cast<cudaError_t>(code);
  return static_cast<cudaError_t>(code);
}

cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared) {
  const char* const kernel = kernel_of(stub);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  return result(in_use->launch(
      {kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments}));
}

}  // namespace

void use_runtime(ptxlab::machine::cuda_runtime* runtime) {
  in_use = runtime;
  last = cudaSuccess;
}
const void* registered_image() {
  return image;
}

extern "C" {

// --- what nvcc's host code calls by itself (crt/host_runtime.h)

void** __cudaRegisterFatBinary(void* wrapper) {
  image = wrapper;
  return const_cast<void**>(&image);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
  return 1;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  kernels()[stub] = name;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     cudaStream_t stream) {
  pushed = {grid, block, shared_bytes, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                       void* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared_bytes = pushed.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t) {
  return launch(kernel, grid, block, arguments, shared_bytes);
}

// --- the API

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* stub, void** arguments) {
  // Launches follow each other here, which programmatic ones may do, too.
  for (unsigned i = 0; i < how->numAttrs; ++i)
    if (how->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization)
      return result(cudaErrorNotSupported);
  return launch(stub, how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes);
}
cudaError_t cudaMalloc(void** at, std::size_t bytes) {
  return result(in_use->allocate(at, bytes));
}
cudaError_t cudaFree(void* at) {
  return result(at == nullptr ? 0 : in_use->release(at));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  return result(in_use->copy(to, from, bytes));
}
cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t) {
  return result(in_use->fill(at, value, bytes));
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return result(0);
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return result(0);
}
cudaError_t cudaSetDevice(int device) {
  return result(device == 0 ? 0 : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return result(0);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  return result(in_use->attribute(value, which));
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* stub) {
  if (kernel_of(stub) == nullptr) return result(cudaErrorInvalidDeviceFunction);
  *out = {};
  out->ptxVersion = out->binaryVersion = in_use->ptx_version();
  return result(0);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  const char* const kernel = kernel_of(stub);
  if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
  return result(in_use->occupancy(blocks, kernel, threads, shared));
}
cudaError_t cudaGetLastError() {
  return std::exchange(last, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  return last;
}
const char* cudaGetErrorName(cudaError_t) {
  return "cudaError";
}
const char* cudaGetErrorString(cudaError_t) {
  return "an error of the runtime on the machine";
}

}  // extern "C"
