// SPDX-License-Identifier: Apache-2.0
// A function of arrays, an element a thread; threads behind the last element do nothing.
#pragma once

namespace ptxlab::device {

/// out[i] = f(x[i]) for i < n.
template <typename T, typename F>
__device__ __forceinline__ void elementwise(T* out, const T* x, unsigned n, const F& f) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(x[i]);
}

/// out[i] = f(x[i], y[i]) for i < n.
template <typename T, typename F>
__device__ __forceinline__ void elementwise(T* out, const T* x, const T* y, unsigned n,
                                            const F& f) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(x[i], y[i]);
}

}  // namespace ptxlab::device
