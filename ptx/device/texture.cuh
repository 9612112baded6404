// SPDX-License-Identifier: Apache-2.0
// Fetches through a texture object, one instruction each, as a step of a timed chain: what they
// give is where the next one fetches.
#pragma once

namespace ptxlab::device {

// `volatile` and "memory": each fetch stays where it stands, between the clock reads; a later one
// may give something else.

/// tex1Dfetch: word `index` of linear memory.
__device__ __forceinline__ unsigned tex_1d_u32_s32(unsigned long long object, unsigned index) {
  unsigned x;
  asm volatile("tex.1d.v4.u32.s32 {%0, _, _, _}, [%1, {%2}];"
               : "=r"(x)
               : "l"(object), "r"(index)
               : "memory");
  return x;
}

// Two coordinates, and the two channels that a fetch gives, as one number: x in the low half.

__device__ __forceinline__ unsigned long long pair_of(float x, float y) {
  return static_cast<unsigned long long>(__float_as_uint(y)) << 32 | __float_as_uint(x);
}
__device__ __forceinline__ float first_of(unsigned long long pair) {
  return __uint_as_float(static_cast<unsigned>(pair));
}
__device__ __forceinline__ float second_of(unsigned long long pair) {
  return __uint_as_float(static_cast<unsigned>(pair >> 32));
}

/// tex2DLod: both channels. `level` is 0, and comes from memory: ptxas gives every fetch a level in
/// a register, and would write a constant there again and again.
__device__ __forceinline__ unsigned long long tex_level_2d_f32_f32(unsigned long long object,
                                                                   unsigned long long at,
                                                                   float level) {
  float x, y;
  asm volatile("tex.level.2d.v4.f32.f32 {%0, %1, _, _}, [%2, {%3, %4}], %5;"
               : "=f"(x), "=f"(y)
               : "l"(object), "f"(first_of(at)), "f"(second_of(at)), "f"(level)
               : "memory");
  return pair_of(x, y);
}

}  // namespace ptxlab::device
