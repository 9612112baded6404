// SPDX-License-Identifier: Apache-2.0
// The only user of the toolkit's `cuda_occupancy.h`, and the table of multiprocessors it asks for.
#include "analysis/facts/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>

#include "analysis/facts/res_usage.hpp"

// The header leaves functions unused and compares signed with unsigned numbers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

namespace ptxlab::facts {
namespace {

constexpr int kib = 1024;

/// What the header cannot know of an architecture; it brings the rest (blocks per multiprocessor,
/// allocation units, barriers) itself.
struct multiprocessor {
  int sm;
  int threads;       ///< resident, per multiprocessor
  int shared_bytes;  ///< per multiprocessor
};

// Source: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability", which
// has columns 7.5 to 12.0; checked against NVIDIA's `cuda::arch_traits` (CCCL,
// libcudacxx/include/cuda/__device/arch_traits.h), which alone has 8.8, 10.3 and 12.1. Both agree
// on 65536 registers per multiprocessor and per block, 1024 threads per block, 48 KiB of static
// shared memory, and an opt-in maximum that is the multiprocessor's shared memory less the 1 KiB
// reserved per block from 8.0 on. An architecture that is not here gets no occupancy.
constexpr std::array<multiprocessor, 12> table = {{
    {75, 1024, 64 * kib},
    {80, 2048, 164 * kib},
    {86, 1536, 100 * kib},
    {87, 1536, 164 * kib},
    {88, 1536, 100 * kib},
    {89, 1536, 100 * kib},
    {90, 2048, 228 * kib},
    {100, 2048, 228 * kib},
    {103, 2048, 228 * kib},
    {110, 1536, 228 * kib},
    {120, 1536, 100 * kib},
    {121, 1536, 100 * kib},
}};

/// The hardware has 16 named barriers per block (PTX ISA, `bar`).
constexpr int most_barriers = 16;

cudaOccDeviceProp properties_of(const multiprocessor& sm, std::optional<int> max_threads) {
  cudaOccDeviceProp p;
  p.computeMajor = sm.sm / 10;
  p.computeMinor = sm.sm % 10;
  p.maxThreadsPerBlock = std::clamp(max_threads.value_or(1024), 1, 1024);
  p.maxThreadsPerMultiprocessor = sm.threads;
  p.regsPerBlock = 64 * kib;
  p.regsPerMultiprocessor = 64 * kib;
  p.warpSize = 32;
  p.sharedMemPerBlock = 48 * kib;
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(sm.shared_bytes);
  p.numSms = 1;  // only has to be positive
  p.reservedSharedMemPerBlock = sm.sm >= 80 ? kib : 0;
  p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor - p.reservedSharedMemPerBlock;
  return p;
}

std::string limiter_name(unsigned factors) {
  if ((factors & OCC_LIMIT_WARPS) != 0) return "warps";
  if ((factors & OCC_LIMIT_BLOCKS) != 0) return "blocks";
  if ((factors & OCC_LIMIT_REGISTERS) != 0) return "registers";
  if ((factors & OCC_LIMIT_SHARED_MEMORY) != 0) return "shared";
  return (factors & OCC_LIMIT_BARRIERS) != 0 ? "barriers" : "";
}

/// Asks the header. Empty where it refuses the question.
std::optional<occupancy> ask(const cudaOccDeviceProp& device, const cudaOccFuncAttributes& kernel,
                             int block_threads, std::int64_t dynamic_shared_bytes) {
  const cudaOccDeviceState state;
  cudaOccResult answer{};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&answer, &device, &kernel, &state, block_threads,
                                              static_cast<std::size_t>(dynamic_shared_bytes)) !=
      CUDA_OCC_SUCCESS) {
    return {};
  }
  // The header's bits forget the earlier limits when barriers lower the result: ask the numbers.
  unsigned factors = 0;
  const int blocks = answer.activeBlocksPerMultiprocessor;
  if (blocks == answer.blockLimitWarps) factors |= OCC_LIMIT_WARPS;
  if (blocks == answer.blockLimitBlocks) factors |= OCC_LIMIT_BLOCKS;
  if (blocks == answer.blockLimitRegs) factors |= OCC_LIMIT_REGISTERS;
  if (blocks == answer.blockLimitSharedMem) factors |= OCC_LIMIT_SHARED_MEMORY;
  if (blocks == answer.blockLimitBarriers) factors |= OCC_LIMIT_BARRIERS;
  occupancy row;
  row.block_threads = block_threads;
  row.blocks_per_sm = blocks;
  row.warps_per_sm = blocks * ((block_threads + 31) / 32);
  row.fraction = 32.0 * row.warps_per_sm / device.maxThreadsPerMultiprocessor;
  row.limiter = limiter_name(factors);
  return row;
}

/// Why no row can be computed, or empty.
std::string missing(const resources& res, std::string_view arch, const multiprocessor* sm,
                    std::int64_t dynamic_shared_bytes) {
  if (sm == nullptr) return fmt::format("no occupancy: '{}' is not in the table", arch);
  if (!res.registers) return "no occupancy: the registers are not reported";
  if (!res.shared_bytes) {
    return "no occupancy: the static shared memory is not reported (ptxas leaves out a zero; "
           "cuobjdump -res-usage prints it)";
  }
  constexpr std::int64_t sane = INT_MAX / 4;  // the header computes in int
  if (*res.registers < 0 || *res.registers > 256 || *res.shared_bytes < 0 ||
      *res.shared_bytes > sane || dynamic_shared_bytes < 0 || dynamic_shared_bytes > sane ||
      res.barriers.value_or(0) < 0 || res.barriers.value_or(0) > most_barriers) {
    return "no occupancy: a reported number is out of range";
  }
  return {};
}

}  // namespace

occupancy_table compute_occupancy(const resources& res, std::string_view arch,
                                  std::optional<int> max_threads, std::int64_t dynamic_shared_bytes,
                                  const std::vector<int>& sizes) {
  occupancy_table result;
  const auto sm = sm_number(arch);
  const auto* found = std::find_if(table.begin(), table.end(),
                                   [&](const multiprocessor& m) { return sm && m.sm == *sm; });
  if (found == table.end()) found = nullptr;
  if (auto reason = missing(res, arch, found, dynamic_shared_bytes); !reason.empty()) {
    result.notes.push_back(std::move(reason));
    return result;
  }
  const cudaOccDeviceProp device = properties_of(*found, max_threads);
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = device.maxThreadsPerBlock;
  kernel.numRegs = static_cast<int>(*res.registers);
  kernel.sharedSizeBytes = static_cast<std::size_t>(*res.shared_bytes);
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(dynamic_shared_bytes);
  std::string dependent;
  for (const int size : sizes) {
    kernel.numBlockBarriers = static_cast<int>(res.barriers.value_or(0));
    auto row = ask(device, kernel, size, dynamic_shared_bytes);
    if (!row) {
      result.notes.push_back(fmt::format(
          "no occupancy: cuda_occupancy.h of this toolkit does not answer for {}", arch));
      result.rows.clear();
      return result;
    }
    if (!res.barriers) {
      kernel.numBlockBarriers = most_barriers;
      const auto worst = ask(device, kernel, size, dynamic_shared_bytes);
      if (!worst || worst->blocks_per_sm != row->blocks_per_sm) {
        dependent += fmt::format(" {}", size);
        continue;
      }
    }
    result.rows.push_back(std::move(*row));
  }
  if (!dependent.empty()) {
    result.notes.push_back("no occupancy for blocks of" + dependent +
                           " threads: it depends on the barriers, which are not reported; need "
                           "ptxas -v");
  }
  return result;
}

std::vector<architecture> architectures() {
  std::vector<architecture> out;
  for (const multiprocessor& sm : table) {
    const cudaOccDeviceProp p = properties_of(sm, {});
    architecture a;
    a.name = fmt::format("sm_{}", sm.sm);
    a.threads = sm.threads;
    a.block_threads = p.maxThreadsPerBlock;
    a.registers = p.regsPerMultiprocessor;
    a.shared_bytes = sm.shared_bytes;
    a.block_shared_bytes = static_cast<int>(p.sharedMemPerBlockOptin);
    a.reserved_shared_bytes = static_cast<int>(p.reservedSharedMemPerBlock);
    if (cudaOccMaxBlocksPerMultiprocessor(&a.blocks, &p) != CUDA_OCC_SUCCESS ||
        cudaOccRegAllocationMaxPerThread(&a.thread_registers, &p) != CUDA_OCC_SUCCESS ||
        cudaOccRegAllocationGranularity(&a.register_unit, &p) != CUDA_OCC_SUCCESS ||
        cudaOccSubPartitionsPerMultiprocessor(&a.partitions, &p) != CUDA_OCC_SUCCESS ||
        cudaOccSMemAllocationGranularity(&a.shared_unit, &p) != CUDA_OCC_SUCCESS)
      continue;  // the header does not know it
    out.push_back(std::move(a));
  }
  return out;
}

}  // namespace ptxlab::facts
