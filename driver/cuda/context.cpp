// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/context.hpp"

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

context::context(int ordinal) : device_(ordinal) {
  CUcontext made{};
  check(library::get().cuDevicePrimaryCtxRetain(&made, device_.handle()),
        "cuDevicePrimaryCtxRetain", device_.identify());
  check(library::get().cuCtxSetCurrent(made), "cuCtxSetCurrent", device_.identify());
}

void synchronise() {
  check(library::get().cuCtxSynchronize(), "cuCtxSynchronize");
}

}  // namespace ptxlab::cuda
