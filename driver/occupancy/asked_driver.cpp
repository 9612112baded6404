// SPDX-License-Identifier: Apache-2.0
#include "driver/occupancy/asked_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/toolchain/files.hpp"
#include "driver/cuda/check.hpp"
#include "driver/cuda/context.hpp"
#include "driver/cuda/module.hpp"

namespace ptxlab::occupancy {
namespace {

/// The driver's answer for one kernel. It allows more dynamic shared memory than 48 KiB only to a
/// kernel that was allowed it, and refuses to allow more than there is.
int blocks_of(const cuda::kernel& k, const shape& at) {
  try {
    k.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    static_cast<int>(at.dynamic_shared_bytes));
    return k.blocks_per_sm(at.block_threads, static_cast<std::size_t>(at.dynamic_shared_bytes));
  } catch (const cuda::cuda_error& e) {
    if (e.code() != CUDA_ERROR_INVALID_VALUE) throw;
    return 0;
  }
}

void compare_attributes(const cuda::kernel& f, const prepared_kernel& k, compared& out) {
  const auto hold = [&](const char* what, const facts::count& ours, CUfunction_attribute a) {
    const int theirs = f.attribute(a);
    if (ours && *ours != theirs)
      out.disagreements.push_back(
          fmt::format("{}: {} by the facts, {} by the driver", what, *ours, theirs));
  };
  hold("registers", k.registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
  hold("static shared memory", k.shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  if (k.max_threads)
    hold("threads of a block", *k.max_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
}

}  // namespace

std::vector<compared> compare_with_driver(const prepared& p, int ordinal) {
  const cuda::context c(ordinal);
  const std::vector<shape> shapes = usual_shapes();
  std::vector<compared> out;
  std::unique_ptr<cuda::module> loaded;
  std::string loaded_from;
  for (const prepared_kernel& k : p.kernels) {
    if (k.cubin != loaded_from) {
      loaded = std::make_unique<cuda::module>(c.on(), toolchain::read_file(p.folder / k.cubin),
                                              cuda::module::image::cubin, k.cubin);
      loaded_from = k.cubin;
    }
    const cuda::kernel f = loaded->function(k.symbol);
    compared one = compare(k, p.arch, shapes, [&f](const shape& at) { return blocks_of(f, at); });
    compare_attributes(f, k, one);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace ptxlab::occupancy
