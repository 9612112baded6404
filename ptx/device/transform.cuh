// SPDX-License-Identifier: Apache-2.0
// The work between two barriers of a grid, or of one of many launches: each element becomes the
// weighted mean of its neighbours in a ring of n.
#pragma once

namespace ptxlab::device {

/// 1 / n, rounded to nearest, for n below 2^24 - 1: what the fast path of rcp.rn is (an
/// approximation within one ulp, and one step of Newton's), without the call that handles the other
/// numbers and would take registers and a stack.
__device__ __forceinline__ float reciprocal_of(unsigned n) {
  float const d = static_cast<float>(n);
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));  // not volatile: pure, may be moved
  return __fmaf_rn(__fmaf_rn(-d, r, 1.0F), r, r);
}

/// sum + weights[0] * from[0] + weights[1] * from[1] + ..., `terms` of them, one fma for each, in
/// this order.
__device__ __forceinline__ float weighted_sum(const float* from, const float* weights,
                                              unsigned terms, float sum) {
#pragma unroll 2  // four loads at a time: more do not fit beside every barrier into 32 registers
  for (unsigned i = 0; i < terms; ++i) sum = __fmaf_rn(weights[i], from[i], sum);
  return sum;
}

/// to[j] = (weights[0] * from[j] + weights[1] * from[(j + 1) % n] + ..., `terms` of them) * share,
/// for all j < n, which the threads of the grid divide among them. `share` is reciprocal_of(terms)
/// for a mean. Summed in this order with one rounding for each term (fma), and one for the product:
/// the host gets equal bits by the same steps. All accesses are weak.
__device__ __forceinline__ void weighted_means(const float* from, float* to, const float* weights,
                                               unsigned n, unsigned terms, float share) {
  unsigned const threads = gridDim.x * blockDim.x;
  for (unsigned j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += threads) {
    unsigned const first = min(terms, n - j);  // then the ring begins anew
    float sum = weighted_sum(from + j, weights, first, 0);
    sum = weighted_sum(from, weights + first, terms - first, sum);
    to[j] = __fmul_rn(sum, share);
  }
}

}  // namespace ptxlab::device
