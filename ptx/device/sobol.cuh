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
/// Fox (1988) as Joe and Kuo (2008) have it: m[j] is the sum over GF(2) of 2^k a[k] m[j - k] for k =
/// 1 to degree, and of m[j - degree]; a[k] is the coefficient of x^(degree - k). Vector j is m[j]
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
/// cuRAND's host interface orders them. A block computes `share` points of one dimension: thread t
/// those of index t, t + threads, ... times W, so that the low bits of its indices are the same and
/// the step from one to the next is two vectors. `first` and `points` are multiples of W, the
/// number of threads is a power of two. `vectors` holds 32 for each dimension; `constants`, if not
/// null, one to be added to every point of a dimension. `v` is for the block's own.
template <class As, int W>
__device__ __forceinline__ void sobol_draw(const unsigned* vectors, const unsigned* constants,
                                           typename As::unit* out, unsigned first, unsigned points,
                                           unsigned dimensions, unsigned share,
                                           unsigned (&v)[sobol_bits]) {
  using unit = typename As::unit;
  unsigned const dimension = blockIdx.x % dimensions;
  if (threadIdx.x < sobol_bits) v[threadIdx.x] = vectors[dimension * sobol_bits + threadIdx.x];
  __syncthreads();
  unsigned const shift = 31U - static_cast<unsigned>(__clz(static_cast<int>(blockDim.x * W)));
  unsigned const from = blockIdx.x / dimensions * share, to = min(points - from, share);
  if (from >= points) return;
  unsigned i = first + from + threadIdx.x * W;
  unsigned x = sobol_point(v, i) ^ (constants == nullptr ? 0 : constants[dimension]);
  unsigned const low = v[shift - 1];
  unsigned const v0 = v[0], v1 = v[1];
  out += static_cast<unsigned long long>(dimension) * points + from;
  for (unsigned at = threadIdx.x * W; at < to; at += blockDim.x * W) {
    side_by_side<unit, W> some;
    some.of[0] = As::of(x);
    if constexpr (W >= 2) some.of[1] = As::of(x ^ v0);
    if constexpr (W >= 4) {
      some.of[2] = As::of(x ^ v0 ^ v1);
      some.of[3] = As::of(x ^ v1);
    }
    *reinterpret_cast<side_by_side<unit, W>*>(out + at) = some;
    // From i to i + 2^shift the Gray code changes at bit shift - 1 and where i >> shift does.
    x ^= low ^ v[min(sobol_bits - 1, shift + __ffs(static_cast<int>(~(i >> shift))) - 1)];
    i += blockDim.x * W;
  }
}

/// By W where the sizes allow it, else one at a time.
template <class As>
__device__ __forceinline__ void sobol_draw(const unsigned* vectors, const unsigned* constants,
                                           typename As::unit* out, unsigned first, unsigned points,
                                           unsigned dimensions, unsigned share) {
  __shared__ unsigned v[sobol_bits];
  if ((first | points | share) % As::wide == 0)
    sobol_draw<As, As::wide>(vectors, constants, out, first, points, dimensions, share, v);
  else
    sobol_draw<As, 1>(vectors, constants, out, first, points, dimensions, share, v);
}

}  // namespace ptxlab::device
