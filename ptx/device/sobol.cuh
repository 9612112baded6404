// SPDX-License-Identifier: Apache-2.0
// Sobol's sequence of 32 bits in Gray-code order (Antonov and Saleev, 1979): point i of a dimension
// is the sum over GF(2) of those direction vectors that the Gray code i ^ (i >> 1) names.
#pragma once

#include "ptx/device/random_output.cuh"

namespace ptxlab::device {

inline constexpr unsigned sobol_bits = 32;
/// The largest degree among the first 20 000 primitive polynomials.
inline constexpr unsigned sobol_degrees = 18;

/// The direction vectors of one dimension from its polynomial (bit k is the coefficient of x^k, the
/// highest of which is `degree`) and its first `degree` numbers m, by the recurrence of Bratley and
/// Fox (1988) as Joe and Kuo (2008) have it: m[j] is the sum over GF(2) of 2^k a[k] m[j - k] for k
/// = 1 to degree, and of m[j - degree]; a[k] is the coefficient of x^(degree - k). Vector j is m[j]
/// shifted up to 32 bits.
__device__ __forceinline__ void sobol_expand(unsigned* vectors, unsigned polynomial,
                                             const unsigned* first) {
  unsigned const degree = 31U - static_cast<unsigned>(__clz(static_cast<int>(polynomial)));
  for (unsigned j = 0; j < sobol_bits; ++j) {
    unsigned m;
    if (j < degree || degree == 0) {
      m = (degree == 0 ? 1U : first[j]) << (sobol_bits - 1 - j);
    } else {
      // As vectors: 2^k m[j - k], shifted for j, is vector j - k, and m[j - degree] lies lower.
      m = vectors[j - degree] ^ (vectors[j - degree] >> degree);
      for (unsigned k = 1; k < degree; ++k)
        if ((polynomial >> (degree - k) & 1) != 0) m ^= vectors[j - k];
    }
    vectors[j] = m;
  }
}

__device__ __forceinline__ unsigned sobol_point(const unsigned* vectors, unsigned index) {
  unsigned x = 0;
  for (unsigned gray = index ^ (index >> 1); gray != 0; gray &= gray - 1)
    x ^= vectors[__ffs(static_cast<int>(gray)) - 1];
  return x;
}

__device__ __forceinline__ unsigned lowest_zero(unsigned x) {
  return static_cast<unsigned>(__ffs(static_cast<int>(~x))) - 1;
}

struct sobol_as_bits {
  using unit = unsigned;
  static constexpr int wide = 4;
  static __device__ __forceinline__ unit of(unsigned x) { return x; }
};
struct sobol_as_uniform {
  using unit = float;
  static constexpr int wide = 4;
  static __device__ __forceinline__ unit of(unsigned x) { return uniform_of(x); }
};
/// In (0, 1]: (x + 1) * 2^-32, as cuRAND has it for these sequences.
struct sobol_as_uniform_double {
  using unit = double;
  static constexpr int wide = 2;
  static __device__ __forceinline__ unit of(unsigned x) {
    return __fma_rn(__uint2double_rn(x), 0x1p-32, 0x1p-32);
  }
};
/// By the inverse of the distribution, which keeps the order of the points; from the nearer end.
struct sobol_as_normal {
  using unit = float;
  static constexpr int wide = 4;
  static __device__ __forceinline__ unit of(unsigned x) {
    bool const upper = x > 0x80000000U;
    return (upper ? 1.4142135F : -1.4142135F) *
           erfcinvf(2.0F * uniform_of(upper ? 0xffffffffU - x : x));
  }
};

/// Points `first` to `first + points - 1` of each dimension, one dimension after the other, as
/// cuRAND's host interface orders them. A block computes `share` points of one dimension. A thread
/// takes W in a row, which are one aligned store, and goes on by W times the number of threads, a
/// power of two: the low bits of its indices stay, so that the step is two vectors. What lies
/// before the first such store and behind the last is done point by point. `vectors` holds 32 for
/// each dimension; `constants`, if not null, one to be added to every point of a dimension. `out`
/// is aligned to 16 bytes.
template <class As>
__device__ __forceinline__ void sobol_draw(const unsigned* vectors, const unsigned* constants,
                                           typename As::unit* out, unsigned first, unsigned points,
                                           unsigned dimensions, unsigned share) {
  using unit = typename As::unit;
  constexpr unsigned W = As::wide, bits = W == 4 ? 2 : 1;
  __shared__ unsigned v[sobol_bits];
  unsigned const dimension = blockIdx.x % dimensions;
  if (threadIdx.x < sobol_bits) v[threadIdx.x] = vectors[dimension * sobol_bits + threadIdx.x];
  __syncthreads();
  unsigned const from = blockIdx.x / dimensions * share;
  if (from >= points) return;
  unsigned const count = min(points - from, share), begin = first + from;
  unsigned const constant = constants == nullptr ? 0 : constants[dimension];
  unsigned long long const place = static_cast<unsigned long long>(dimension) * points + from;
  out += place;

  unsigned const before = min(count, (W - static_cast<unsigned>(place) % W) % W);
  unsigned const whole = (count - before) / W * W, behind = before + whole;
  if (threadIdx.x < before)
    out[threadIdx.x] = As::of(sobol_point(v, begin + threadIdx.x) ^ constant);
  if (threadIdx.x < count - behind)
    out[behind + threadIdx.x] = As::of(sobol_point(v, begin + behind + threadIdx.x) ^ constant);

  unsigned i = begin + before + threadIdx.x * W;
  unsigned const shift = 31U - static_cast<unsigned>(__clz(static_cast<int>(blockDim.x * W)));
  unsigned const low = v[shift - 1];
  // From i to i + 1 the Gray code changes where i has its lowest 0: in the low bits the same for
  // all of a block, and in one place of W further up.
  unsigned const phase = i % W;
  unsigned step[W - 1];
#pragma unroll  // between W points
  for (unsigned j = 0; j + 1 < W; ++j) step[j] = v[(phase + j) % 2 == 0 ? 0 : 1];
  unsigned x = sobol_point(v, i) ^ constant;
  for (unsigned at = before + threadIdx.x * W; at < behind; at += blockDim.x * W) {
    unsigned const far = v[min(sobol_bits - 1, bits + lowest_zero(i / W))];
    side_by_side<unit, W> some;
    unsigned point = x;
#pragma unroll  // W points
    for (unsigned j = 0; j < W; ++j) {
      some.of[j] = As::of(point);
      if (j + 1 < W) point ^= (phase + j) % W == W - 1 ? far : step[j < W - 1 ? j : 0];
    }
    *reinterpret_cast<side_by_side<unit, W>*>(out + at) = some;
    // From i to i + 2^shift it changes at bit shift - 1, and where i >> shift has its lowest 0.
    x ^= low ^ v[min(sobol_bits - 1, shift + lowest_zero(i >> shift))];
    i += blockDim.x * W;
  }
}

}  // namespace ptxlab::device
