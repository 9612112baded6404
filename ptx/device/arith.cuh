// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of arithmetic that C++ has no spelling for. The name is the PTX mnemonic
// with underscores. No asm here is `volatile` and none names "memory": each is a pure function of
// its operands, and nvcc may merge, move or drop it like any other arithmetic.
#pragma once

namespace ptxlab::device {

__device__ __forceinline__ int mul24_lo_s32(int a, int b) {
  int d;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned mul24_lo_u32(unsigned a, unsigned b) {
  unsigned d;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ float div_approx_f32(float a, float b) {
  float d;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ float div_full_f32(float a, float b) {
  float d;
  asm("div.full.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ float rcp_approx_f32(float a) {
  float d;
  asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float rcp_approx_ftz_f32(float a) {
  float d;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float sqrt_approx_f32(float a) {
  float d;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float sqrt_approx_ftz_f32(float a) {
  float d;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float rsqrt_approx_ftz_f32(float a) {
  float d;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

}  // namespace ptxlab::device
