// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "ptx/text/error.hpp"

namespace ptxlab::cuda {
namespace {

// The second step expands a name that cuda.h defines as a macro before it becomes a string.
#define PTXLAB_CUDA_STRING(name) #name
#define PTXLAB_CUDA_EXPANDED(name) PTXLAB_CUDA_STRING(name)

struct opened {
  library calls;
  std::string problem;
};

opened open_library() {
  opened out;
  const char* named = std::getenv("PTXLAB_LIBCUDA");
  const char* file = named != nullptr && *named != '\0' ? named : "libcuda.so.1";
  // Never closed: the driver keeps threads of its own.
  void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    out.problem = fmt::format("no CUDA driver: {}", dlerror());
    return out;
  }
// An entry point that the driver is too old to have is named when it is used.
#define PTXLAB_CUDA_LOOK_UP(name)                                                            \
  out.calls.name =                                                                           \
      reinterpret_cast<decltype(out.calls.name)>(dlsym(handle, PTXLAB_CUDA_EXPANDED(name))); \
  if (out.calls.name == nullptr)                                                             \
    out.calls.name = [](auto...) -> CUresult {                                               \
      throw error("the driver has no " #name ": it is too old");                             \
    };
  PTXLAB_CUDA_CALLS(PTXLAB_CUDA_LOOK_UP)
#undef PTXLAB_CUDA_LOOK_UP
  if (dlsym(handle, "cuInit") == nullptr || dlsym(handle, "cuGetErrorName") == nullptr) {
    out.problem = fmt::format("{} is no CUDA driver: it has no cuInit", file);
    return out;
  }
  const CUresult status = out.calls.cuInit(0);
  if (status == CUDA_SUCCESS) return out;
  const char* name = nullptr;
  out.calls.cuGetErrorName(status, &name);
  out.problem = fmt::format("the CUDA driver cannot be used: cuInit: {}",
                            name != nullptr ? name : fmt::format("error {}", int{status}).c_str());
  return out;
}

const opened& instance() {
  static const opened once = open_library();
  return once;
}

}  // namespace

const library& library::get() {
  if (!instance().problem.empty()) throw error(instance().problem);
  return instance().calls;
}

std::optional<std::string> library::problem() {
  if (instance().problem.empty()) return std::nullopt;
  return instance().problem;
}

}  // namespace ptxlab::cuda
