// SPDX-License-Identifier: Apache-2.0
// Question: how fast do bytes pass between the host's memory and the device's, by copies from pageable
// and from pinned memory, and by kernels that use mapped memory themselves; and between two GPUs?
//
// Method: one copy of each size, from the call until the host sees its end; then R and 2R of them one
// behind the other between two events. Every byte is a function of its place and a seed: a kernel writes
// or reads the device's side, and in mapped memory moves the data itself, 16 bytes a thread.
//
// Expectation: a fixed cost of some microseconds, so that small copies reach a small part of the rate of
// large ones; pinned and mapped copies at the rate of the bus, pageable ones behind the host's own copy
// into a pinned buffer.
//
// Threats: the rate is that of this host's bus and memory, of which a virtual machine may show little.
// Which pages the host's caches hold is left as the copies before have left it.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

using word = unsigned long long;

// Bytes 4 i to 4 i + 3 of the data, lowest first; different for each seed at every i.
static __device__ __forceinline__ unsigned pattern(word i, unsigned seed) {
  return static_cast<unsigned>(i) * 2654435761u ^ seed;
}

static __device__ __forceinline__ word first_of_grid() {
  return word{blockIdx.x} * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ word step_of_grid() {
  return word{gridDim.x} * blockDim.x;
}

static __device__ __forceinline__ unsigned char byte_of(word i, unsigned seed) {
  return static_cast<unsigned char>(pattern(i / 4, seed) >> 8 * (i % 4));
}

static __device__ __forceinline__ void write_pattern(unsigned* to, word bytes, unsigned seed) {
  for (word i = first_of_grid(); i < bytes / 4; i += step_of_grid()) to[i] = pattern(i, seed);
  for (word i = bytes / 4 * 4 + first_of_grid(); i < bytes; i += step_of_grid())
    reinterpret_cast<unsigned char*>(to)[i] = byte_of(i, seed);
}

// found[0] counts bytes that are not what they must be, found[1] becomes the place of the first.
static __device__ __forceinline__ void count_wrong(const unsigned* from, word bytes, unsigned seed,
                                                   word* found) {
  word wrong = 0, first = ~word{0};
  const auto* const single = reinterpret_cast<const unsigned char*>(from);
  const auto look_at = [&](word k) {
    if (single[k] == byte_of(k, seed)) return;
    ++wrong;
    first = min(first, k);
  };
  for (word i = first_of_grid(); i < bytes / 4; i += step_of_grid())
    if (from[i] != pattern(i, seed))
      for (word k = 4 * i; k < 4 * i + 4; ++k) look_at(k);
  for (word k = bytes / 4 * 4 + first_of_grid(); k < bytes; k += step_of_grid()) look_at(k);
  if (wrong == 0) return;
  atomicAdd(found, wrong);
  atomicMin(found + 1, first);
}

static __device__ __forceinline__ void move(uint4* to, const uint4* from, word bytes) {
  for (word i = first_of_grid(); i < bytes / 16; i += step_of_grid()) to[i] = from[i];
  for (word i = bytes / 16 * 16 + first_of_grid(); i < bytes; i += step_of_grid())
    reinterpret_cast<unsigned char*>(to)[i] = reinterpret_cast<const unsigned char*>(from)[i];
}

// `fill` and `tally` are for those kernels that do not write or read the device's side themselves.
extern "C" __global__ void fill(unsigned* to, word bytes, unsigned seed) {
  write_pattern(to, bytes, seed);
}

// One access moves 16 bytes, on either side.
// CHECK-LABEL: kernel mapped_to_device{{$}}
// CHECK-DAG: sass opcode LDG.E.128 {{[0-9]+$}}
// CHECK-DAG: sass opcode STG.E.128 {{[0-9]+$}}
extern "C" __global__ void mapped_to_device(uint4* to, const uint4* from, word bytes) {
  move(to, from, bytes);
}

// CHECK-LABEL: kernel mapped_to_host{{$}}
// CHECK-DAG: sass opcode LDG.E.128 {{[0-9]+$}}
// CHECK-DAG: sass opcode STG.E.128 {{[0-9]+$}}
extern "C" __global__ void mapped_to_host(uint4* to, const uint4* from, word bytes) {
  move(to, from, bytes);
}

extern "C" __global__ void pageable_to_device(const unsigned* from, word bytes, unsigned seed,
                                              word* found) {
  count_wrong(from, bytes, seed, found);
}

extern "C" __global__ void pageable_to_host(unsigned* to, word bytes, unsigned seed) {
  write_pattern(to, bytes, seed);
}

extern "C" __global__ void peer_to_peer(const unsigned* from, word bytes, unsigned seed,
                                        word* found) {
  count_wrong(from, bytes, seed, found);
}

extern "C" __global__ void pinned_to_device(const unsigned* from, word bytes, unsigned seed,
                                            word* found) {
  count_wrong(from, bytes, seed, found);
}

extern "C" __global__ void pinned_to_host(unsigned* to, word bytes, unsigned seed) {
  write_pattern(to, bytes, seed);
}

extern "C" __global__ void tally(const unsigned* from, word bytes, unsigned seed, word* found) {
  count_wrong(from, bytes, seed, found);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::copying;
using ptxlab::kernels::protocol;

// From one byte to a GiB; two sizes are no multiple of anything.
#define PTXLAB_BYTES                                                                     \
  {1,       4,       64,       1024,     4096,     16384,     65536,  262144, 1000003, \
   1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30}

PTXLAB_KERNEL({
    .question = "How fast do bytes pass between the host's memory and the device's?",
    .variants =
        {
            {.symbol = "fill",
             .says = "writes bytes that a seed and their place make",
             .params = {pointer, u64, u32}},
            {.symbol = "mapped_to_device",
             .says = "a kernel reads the host's memory, 16 bytes a thread, and writes the device's",
             .params = {pointer, pointer, u64},
             .must = {"opcode(LDG.E.128*) >= 1", "opcode(STG.E.128*) >= 1"},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::mapped, copying::way::to_device}},
             .rehearse = {2,
                          32,
                          false,
                          {"buf:u8:1003:zero:name=to", "buf:u8:1003:rand:5:name=from", "u64:1003"},
                          "to=from[i]"}},
            {.symbol = "mapped_to_host",
             .says = "a kernel reads the device's memory and writes the host's, 16 bytes a thread",
             .params = {pointer, pointer, u64},
             .must = {"opcode(LDG.E.128*) >= 1", "opcode(STG.E.128*) >= 1"},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::mapped, copying::way::to_host}}},
            {.symbol = "pageable_to_device",
             .says = "reads what cuMemcpyHtoDAsync brought from pageable memory",
             .params = {pointer, u64, u32, pointer},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::pageable, copying::way::to_device}}},
            {.symbol = "pageable_to_host",
             .says = "writes what cuMemcpyDtoHAsync brings to pageable memory",
             .params = {pointer, u64, u32},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::pageable, copying::way::to_host}}},
            {.symbol = "peer_to_peer",
             .says = "reads what cuMemcpyDtoDAsync brought from another GPU and back",
             .params = {pointer, u64, u32, pointer},
             .measure = {.how = protocol::transfer,
                         .bytes = {1, 4, 4096, 65536, 1000003, 4 << 20, 64 << 20, 256 << 20, 1 << 30},
                         .copying = {copying::path::peer, copying::way::to_device}}},
            {.symbol = "pinned_to_device",
             .says = "reads what cuMemcpyHtoDAsync brought from pinned memory",
             .params = {pointer, u64, u32, pointer},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::pinned, copying::way::to_device}}},
            {.symbol = "pinned_to_host",
             .says = "writes what cuMemcpyDtoHAsync brings to pinned memory",
             .params = {pointer, u64, u32},
             .measure = {.how = protocol::transfer,
                         .bytes = PTXLAB_BYTES,
                         .copying = {copying::path::pinned, copying::way::to_host}}},
            {.symbol = "tally",
             .says = "counts bytes that are not what their place and the seed make",
             .params = {pointer, u64, u32, pointer}},
        },
});
#endif
