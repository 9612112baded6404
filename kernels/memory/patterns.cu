// SPDX-License-Identifier: Apache-2.0
// Question: how many sectors, lines and bank passes does one access of a warp take, pattern by pattern?
//
// Method: one warp and one access that is counted: lane k touches element (k ^ flip) * stride behind
// `offset` bytes, if `mask` names it. Not timed: the PTX machine counts what an access should take, and
// a profiler of the GPU what it took (tests/gpu/counters.py); both read the same arguments.
//
// Expectation: the same numbers. Sectors of 32 bytes for global memory; for shared memory as many
// passes as the worst bank has different words.
//
// Threats: a counter of the GPU counts what passes it, not what a manual means by the word. Loads of 8
// and 16 bytes are served in parts, and each part may be counted for itself.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
struct pattern {
  unsigned stride, offset, flip, mask;
};

static __device__ __forceinline__ unsigned word_of(unsigned char x) { return x; }
static __device__ __forceinline__ unsigned word_of(unsigned x) { return x; }
static __device__ __forceinline__ unsigned word_of(uint2 x) { return x.x ^ x.y; }
static __device__ __forceinline__ unsigned word_of(uint4 x) { return x.x ^ x.y ^ x.z ^ x.w; }

static __device__ __forceinline__ bool active(const pattern& p) { return (p.mask >> threadIdx.x & 1) != 0; }

// The place of this lane's element behind `from`.
template <typename T>
static __device__ __forceinline__ T* place(void* from, const pattern& p) {
  return reinterpret_cast<T*>(static_cast<char*>(from) + p.offset) + (threadIdx.x ^ p.flip) * p.stride;
}

// The word is stored by all lanes, so that the load is kept and its counter sees nothing else.
template <typename T>
static __device__ __forceinline__ void load_global(unsigned* out, void* in, const pattern& p) {
  unsigned word = 0;
  if (active(p)) word = word_of(*place<T>(in, p));
  out[threadIdx.x] = word;
}

// Nothing is written before the load: what shared memory holds is of no interest, and a store would be
// counted too. Volatile: the compiler must not see that nobody wrote it.
static __device__ __forceinline__ unsigned ld_shared(const volatile unsigned char* at) { return *at; }
static __device__ __forceinline__ unsigned ld_shared(const volatile unsigned* at) { return *at; }
static __device__ __forceinline__ unsigned ld_shared(const uint2* at) {
  uint2 x;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x.x), "=r"(x.y) : "l"(__cvta_generic_to_shared(at)));
  return word_of(x);
}
static __device__ __forceinline__ unsigned ld_shared(const uint4* at) {
  uint4 x;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "l"(__cvta_generic_to_shared(at)));
  return word_of(x);
}

template <typename T>
static __device__ __forceinline__ void load_shared(unsigned* out, const pattern& p) {
  __shared__ uint4 words[2112];  // 64 elements of 16 bytes for each lane, and the offset
  unsigned word = 0;
  if (active(p)) word = ld_shared(place<T>(words, p));
  out[threadIdx.x] = word;
}

#define PTXLAB_PATTERN unsigned stride, unsigned offset, unsigned flip, unsigned mask
#define PTXLAB_AS {stride, offset, flip, mask}

extern "C" __global__ void global_load_u8(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_global<unsigned char>(out, in, PTXLAB_AS);
}
extern "C" __global__ void global_load_u32(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_global<unsigned>(out, in, PTXLAB_AS);
}
extern "C" __global__ void global_load_u64(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_global<uint2>(out, in, PTXLAB_AS);
}
extern "C" __global__ void global_load_u128(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_global<uint4>(out, in, PTXLAB_AS);
}
extern "C" __global__ void global_store_u32(unsigned* out, void* in, PTXLAB_PATTERN) {
  pattern const p = PTXLAB_AS;
  if (active(p)) *place<unsigned>(in, p) = threadIdx.x;
}
extern "C" __global__ void shared_load_u8(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_shared<unsigned char>(out, PTXLAB_AS);
}
extern "C" __global__ void shared_load_u32(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_shared<unsigned>(out, PTXLAB_AS);
}
extern "C" __global__ void shared_load_u64(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_shared<uint2>(out, PTXLAB_AS);
}
extern "C" __global__ void shared_load_u128(unsigned* out, void* in, PTXLAB_PATTERN) {
  load_shared<uint4>(out, PTXLAB_AS);
}
// Two rows of a tile 16 wide, read by columns; `stride` is how many words a row has.
extern "C" __global__ void shared_load_tile(unsigned* out, void* in, PTXLAB_PATTERN) {
  __shared__ unsigned words[32 * 32];
  const volatile unsigned* at = words + threadIdx.x % 16 * stride + threadIdx.x / 16;
  out[threadIdx.x] = *at;
}
#else
#include "kernels/kernel.hpp"

namespace {

using namespace ptxlab::kernels;

variant access(std::string_view symbol, std::string_view says, std::vector<std::string_view> must) {
  return {.symbol = symbol, .says = says,
          .params = {param::pointer, param::pointer, param::u32, param::u32, param::u32, param::u32},
          .must = std::move(must)};
}

}  // namespace

PTXLAB_KERNEL({
    .question = "How many sectors, lines and bank passes does one access of a warp take?",
    .variants =
        {
            access("global_load_u128", "ld.global of 16 bytes", {"opcode(LDG.E.128) == 1", "opcode(LDG*) == 1"}),
            access("global_load_u32", "ld.global of 4 bytes", {"opcode(LDG.E) == 1", "opcode(LDG*) == 1"}),
            access("global_load_u64", "ld.global of 8 bytes", {"opcode(LDG.E.64) == 1", "opcode(LDG*) == 1"}),
            access("global_load_u8", "ld.global of a byte", {"opcode(LDG.E.U8) == 1", "opcode(LDG*) == 1"}),
            access("global_store_u32", "st.global of 4 bytes", {"opcode(STG.E) == 1", "opcode(STG*) == 1"}),
            access("shared_load_tile", "ld.shared of a tile's column", {"opcode(LDS) == 1", "opcode(STS*) == 0"}),
            access("shared_load_u128", "ld.shared of 16 bytes", {"opcode(LDS.128) == 1", "opcode(STS*) == 0"}),
            access("shared_load_u32", "ld.shared of 4 bytes", {"opcode(LDS) == 1", "opcode(STS*) == 0"}),
            access("shared_load_u64", "ld.shared of 8 bytes", {"opcode(LDS.64) == 1", "opcode(STS*) == 0"}),
            access("shared_load_u8", "ld.shared of a byte", {"opcode(LDS.U8) == 1", "opcode(STS*) == 0"}),
        },
});
#endif
