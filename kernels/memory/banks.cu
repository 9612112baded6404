// SPDX-License-Identifier: Apache-2.0
// Question: what does a bank conflict cost, stride by stride and width by width?
//
// Method: lane k loads element k * stride of shared memory, elements of 1, 4, 8 and 16 bytes, strides
// 0 to 64: a chain in one warp, and independent loads of 32 warps. And the columns of a tile 16 wide whose
// rows are 16 to 20 words apart: lane k loads word k % 16 * columns + k / 16.
//
// Expectation: with 32 banks of four bytes, as many passes as the worst bank has different words. Odd
// strides are free; all lanes at one word are one pass; a padding to 17 columns suits the half-warps of
// 2009, and a whole warp no longer.
//
// Threats: all words are 0, and what is loaded is added to the address: a chain is the load and these
// additions. A conflict of few passes may hide behind the next warp's issue.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static constexpr unsigned most_stride = 64, row_bytes = 128, stride_operand = 1;

// `x` plus all words of an element, which are 0: so that none of them may be left out.
template <unsigned Bytes>
static __device__ __forceinline__ unsigned add_loaded(unsigned x) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if constexpr (Bytes == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(a) : "r"(x) : "memory");
  if constexpr (Bytes == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(x) : "memory");
  if constexpr (Bytes == 8)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(x) : "memory");
  if constexpr (Bytes == 16)
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(x)
                 : "memory");
  return x + a + b + c + d;
}

// Address of zeroed shared memory: what 32 lanes reach at the widest stride, and eight rows more, by which
// streams differ. A row is a word of every bank, so that it changes no conflict.
template <unsigned Bytes>
static __device__ __forceinline__ unsigned zeros() {
  constexpr unsigned count = (Bytes * most_stride * 32 + 8 * row_bytes) / 16;
  __shared__ uint4 held[count];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) held[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  return static_cast<unsigned>(__cvta_generic_to_shared(held));
}

template <unsigned Bytes>
static __device__ __forceinline__ unsigned strided(const word* in) {
  return zeros<Bytes>() + threadIdx.x % 32 * operand<unsigned>(in, stride_operand) * Bytes;
}
// Word (k % 16, k / 16) of a tile whose rows have as many columns as the operand says.
static __device__ __forceinline__ unsigned column(const word* in) {
  unsigned const lane = threadIdx.x % 32;
  return zeros<4>() + (lane % 16 * operand<unsigned>(in, stride_operand) + lane / 16) * 4;
}

template <unsigned Bytes>
static __device__ __forceinline__ void chain(sample* out, const word* in, unsigned first) {
  time_chain_from<8>(out, in, first,
                      [](unsigned x, unsigned, unsigned) { return add_loaded<Bytes>(x); });
}
template <unsigned Bytes>
static __device__ __forceinline__ void rate(sample* out, const word* in, unsigned first) {
  time_streams_from<8, unsigned>(
      out, in, [=](unsigned k) { return first + row_bytes * k; },
      [](unsigned x, unsigned, unsigned) { return add_loaded<Bytes>(x); });
}

extern "C" __global__ void chain_tile(sample* out, const word* in) { chain<4>(out, in, column(in)); }
extern "C" __global__ void chain_u128(sample* out, const word* in) { chain<16>(out, in, strided<16>(in)); }
extern "C" __global__ void chain_u32(sample* out, const word* in) { chain<4>(out, in, strided<4>(in)); }
extern "C" __global__ void chain_u64(sample* out, const word* in) { chain<8>(out, in, strided<8>(in)); }
extern "C" __global__ void chain_u8(sample* out, const word* in) { chain<1>(out, in, strided<1>(in)); }

extern "C" __global__ void __launch_bounds__(1024) rate_tile(sample* out, const word* in) {
  rate<4>(out, in, column(in));
}
extern "C" __global__ void __launch_bounds__(1024) rate_u128(sample* out, const word* in) {
  rate<16>(out, in, strided<16>(in));
}
extern "C" __global__ void __launch_bounds__(1024) rate_u32(sample* out, const word* in) {
  rate<4>(out, in, strided<4>(in));
}
extern "C" __global__ void __launch_bounds__(1024) rate_u64(sample* out, const word* in) {
  rate<8>(out, in, strided<8>(in));
}
extern "C" __global__ void __launch_bounds__(1024) rate_u8(sample* out, const word* in) {
  rate<1>(out, in, strided<1>(in));
}
#else
#include <numeric>

#include "kernels/kernel.hpp"

namespace {

using namespace ptxlab::kernels;

swept strides() {
  swept s{.axis = "stride", .operand = 1, .values = std::vector<std::uint64_t>(65)};
  std::iota(s.values.begin(), s.values.end(), std::uint64_t{0});
  return s;
}
swept columns() {
  return {.axis = "columns", .operand = 1, .values = {16, 17, 18, 19, 20}};
}

/// The load, and the additions that make the next address of it.
measurement chain_of(std::string_view load, const swept& s) {
  return {.how = protocol::latency, .sass = {load, "IADD3*", "IMAD*"}, .copies = 8, .swept = s};
}
measurement rate_of(std::string_view load, const swept& s) {
  return {.how = protocol::throughput, .sass = {load, "IADD3*", "IMAD*"}, .copies = 8,
          .operands = {0}, .swept = s};
}

}  // namespace

PTXLAB_KERNEL({
    .question = "What does a bank conflict cost, stride by stride and width by width?",
    .variants =
        {
            {.symbol = "chain_tile", .says = "ld.shared.u32 of a column, a chain",
             .measure = chain_of("LDS", columns())},
            {.symbol = "chain_u128", .says = "ld.shared.v4.u32, a chain",
             .measure = chain_of("LDS.128", strides())},
            {.symbol = "chain_u32", .says = "ld.shared.u32, a chain",
             .measure = chain_of("LDS", strides())},
            {.symbol = "chain_u64", .says = "ld.shared.v2.u32, a chain",
             .measure = chain_of("LDS.64", strides())},
            {.symbol = "chain_u8", .says = "ld.shared.u8, a chain",
             .measure = chain_of("LDS.U8", strides())},
            {.symbol = "rate_tile", .says = "ld.shared.u32 of a column, by 32 warps",
             .measure = rate_of("LDS", columns())},
            {.symbol = "rate_u128", .says = "ld.shared.v4.u32, by 32 warps",
             .measure = rate_of("LDS.128", strides())},
            {.symbol = "rate_u32", .says = "ld.shared.u32, by 32 warps",
             .measure = rate_of("LDS", strides())},
            {.symbol = "rate_u64", .says = "ld.shared.v2.u32, by 32 warps",
             .measure = rate_of("LDS.64", strides())},
            {.symbol = "rate_u8", .says = "ld.shared.u8, by 32 warps",
             .measure = rate_of("LDS.U8", strides())},
        },
});
#endif
