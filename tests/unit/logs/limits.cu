// SPDX-License-Identifier: Apache-2.0
// Source of the logs beside it: launch bounds, .maxnreg and no bound under -maxrregcount.
#define BODY                                     \
  float a[64];                                   \
  _Pragma("unroll") for (int i = 0; i < 64; ++i) a[i] = p[i * n]; \
  __threadfence();                               \
  _Pragma("unroll") for (int i = 0; i < 64; ++i) p[i] = a[i] * a[(i + 7) % 64];
extern "C" __global__ void __launch_bounds__(256) bounded(float* p, int n) { BODY }
extern "C" __global__ void __launch_bounds__(1024, 2) bounded_blocks(float* p, int n) { BODY }
extern "C" __global__ void __maxnreg__(40) maxnreg(float* p, int n) { BODY }
extern "C" __global__ void unbounded(float* p, int n) { BODY }
extern "C" __global__ void __launch_bounds__(256, 8) spills_to_shared(float* p, int n) {
  asm volatile(".pragma \"enable_smem_spilling\";");
  BODY
}
