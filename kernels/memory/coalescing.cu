// SPDX-License-Identifier: Apache-2.0
// Question: what does an access cost that is not coalesced: from the L1, and from the L2?
//
// Method: document B's patterns, a parameter of each swept: lane k loads word k * stride, or word k
// behind a base that is not aligned, or word k ^ flip, or only every n-th lane loads at all. Independent
// loads of 32 warps of one SM: plain ones, of words that all warps share, which the L1 holds; and
// ld.global.cg of words of each warp's own, which come from the L2.
//
// Expectation: what counts is how many sectors of 32 bytes a warp touches, and in the L1 how many lines.
// Order among lanes and idle lanes are free; a base of 132 costs one sector more.
//
// Threats: one SM alone, while the L2 and its network serve all. In the L1 every warp reads the words of
// every other.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

enum class from { l1, l2 };
// This lane's word, counted from the start of the scratch memory: `at` words behind where stream k and, if
// the L2 is to answer, this warp has its own.
template <from level>
static __device__ __forceinline__ unsigned place(unsigned k, unsigned stride, unsigned at) {
  unsigned const warp = level == from::l2 ? threadIdx.x / 32 : 0;
  return (warp * 8 + k) * (stride * 32 + 128) + at;
}

// What stands in the x-th word: x itself.
template <from level>
static __device__ __forceinline__ unsigned next(word base, unsigned x) {
  word const address = base + 4 * word{x};
  if constexpr (level == from::l1)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(address) : "memory");
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(address) : "memory");
  return x;
}
// The same, by the lanes of which `active` is not 0.
template <from level>
static __device__ __forceinline__ unsigned next_of_some(word base, unsigned x, unsigned active) {
  word const address = base + 4 * word{x};
  if constexpr (level == from::l1)
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u32 %0, [%1]; }"
                 : "+r"(x) : "l"(address), "r"(active) : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.cg.u32 %0, [%1]; }"
                 : "+r"(x) : "l"(address), "r"(active) : "memory");
  return x;
}

template <from level, bool some = false>
static __device__ __forceinline__ void time_loads(sample* out, const word* in, unsigned stride, unsigned at,
                                                  unsigned active = 1) {
  word const base = scratch(in);
  for (unsigned k = 0; k < 8; ++k) {
    unsigned const x = place<level>(k, stride, at);
    reinterpret_cast<unsigned*>(base)[x] = x;
  }
  __threadfence();
  __syncthreads();
  time_streams_from<16, unsigned>(
      out, in, [=](unsigned k) { return place<level>(k, stride, at); },
      [=](unsigned x, unsigned, unsigned) {
        return some ? next_of_some<level>(base, x, active) : next<level>(base, x);
      });
}

static __device__ __forceinline__ unsigned lane() { return threadIdx.x % 32; }
static __device__ __forceinline__ unsigned swept(const word* in) { return operand<unsigned>(in, 1); }

template <from level>
static __device__ __forceinline__ void time_flipped(sample* out, const word* in) {
  time_loads<level>(out, in, 1, lane() ^ swept(in));
}
template <from level>
static __device__ __forceinline__ void time_idle(sample* out, const word* in) {
  time_loads<level, true>(out, in, 1, lane(), lane() % swept(in) == 0);
}
template <from level>
static __device__ __forceinline__ void time_offset(sample* out, const word* in) {
  time_loads<level>(out, in, 1, lane() + swept(in) / 4);
}
template <from level>
static __device__ __forceinline__ void time_strided(sample* out, const word* in) {
  time_loads<level>(out, in, swept(in), lane() * swept(in));
}

extern "C" __global__ void __launch_bounds__(1024) flipped_l1(sample* out, const word* in) {
  time_flipped<from::l1>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) flipped_l2(sample* out, const word* in) {
  time_flipped<from::l2>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) idle_l1(sample* out, const word* in) {
  time_idle<from::l1>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) idle_l2(sample* out, const word* in) {
  time_idle<from::l2>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) offset_l1(sample* out, const word* in) {
  time_offset<from::l1>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) offset_l2(sample* out, const word* in) {
  time_offset<from::l2>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) strided_l1(sample* out, const word* in) {
  time_strided<from::l1>(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) strided_l2(sample* out, const word* in) {
  time_strided<from::l2>(out, in);
}
#else
#include "kernels/kernel.hpp"

namespace {

using namespace ptxlab::kernels;

measurement loads(std::string_view opcode, std::string_view axis, std::vector<std::uint64_t> values, bool expands = false) {
  return {.how = protocol::throughput,
          .sass = {opcode, "IMAD*", "LEA*", "IADD3*"},
          .copies = 16,
          .expands = expands,
          .operands = {0},
          .swept = {.axis = axis, .operand = 1, .values = std::move(values)}};
}
constexpr std::string_view l1 = "LDG.E", l2 = "LDG.E.STRONG.GPU";
measurement flipped(std::string_view level) { return loads(level, "flip", {0, 1, 3, 16, 31}); }
measurement idle(std::string_view level) { return loads(level, "every", {1, 2, 4, 8, 16, 32}, true); }
measurement offset(std::string_view level) {
  return loads(level, "offset_bytes", {0, 4, 16, 32, 64, 96, 128, 132});
}
measurement strided(std::string_view level) {
  return loads(level, "stride", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 33, 48, 64});
}

}  // namespace

PTXLAB_KERNEL({
    .question = "What does an access cost that is not coalesced: from the L1, and from the L2?",
    .variants =
        {
            {.symbol = "flipped_l1", .says = "lane k loads word k ^ flip: ld.global.u32", .measure = flipped(l1)},
            {.symbol = "flipped_l2", .says = "lane k loads word k ^ flip: ld.global.cg.u32", .measure = flipped(l2)},
            {.symbol = "idle_l1", .says = "every n-th lane loads its word: ld.global.u32", .measure = idle(l1)},
            {.symbol = "idle_l2", .says = "every n-th lane loads its word: ld.global.cg.u32", .measure = idle(l2)},
            {.symbol = "offset_l1", .says = "words behind a base of some bytes: ld.global.u32", .measure = offset(l1)},
            {.symbol = "offset_l2", .says = "words behind a base of some bytes: ld.global.cg.u32", .measure = offset(l2)},
            {.symbol = "strided_l1", .says = "lane k loads word k * stride: ld.global.u32", .measure = strided(l1)},
            {.symbol = "strided_l2", .says = "lane k loads word k * stride: ld.global.cg.u32", .measure = strided(l2)},
        },
});
#endif
