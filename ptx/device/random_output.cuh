// SPDX-License-Identifier: Apache-2.0
// What becomes of random words of 32 bits: uniform and normal numbers by the formulas of cuRAND
// (curand_uniform.h, curand_normal.h), so that equal words give equal numbers. A unit is what is
// drawn at once.
#pragma once

namespace ptxlab::device {

/// N of T, stored and loaded at once.
template <class T, int N>
struct alignas(sizeof(T) * N) side_by_side {
  T of[N];
};

/// In (0, 1]: word * 2^-32 + 2^-33, rounded once behind the conversion.
__device__ __forceinline__ float uniform_of(unsigned word) {
  return __fmaf_rn(__uint2float_rn(word), 0x1p-32F, 0x1p-33F);
}
/// In (0, 1]: 53 bits of two words.
__device__ __forceinline__ double uniform_of(unsigned low, unsigned high) {
  unsigned long long const z = low ^ static_cast<unsigned long long>(high) << 21;
  return __fma_rn(__ull2double_rn(z), 0x1p-53, 0x1p-54);
}

struct as_bits {
  using unit = unsigned;
  static constexpr int draws = 1;
  static __device__ __forceinline__ unit of(const unsigned (&x)[draws]) { return x[0]; }
};
struct as_uniform {
  using unit = float;
  static constexpr int draws = 1;
  static __device__ __forceinline__ unit of(const unsigned (&x)[draws]) { return uniform_of(x[0]); }
};
/// Two words are two normal numbers (Box and Muller, 1958), sine first.
struct as_normal {
  using unit = float2;
  static constexpr int draws = 2;
  static __device__ __forceinline__ unit of(const unsigned (&x)[draws]) {
    constexpr float turn = 0x1p-32F * 6.2831855F;
    float const angle = __fmaf_rn(__uint2float_rn(x[1]), turn, turn / 2);
    float const radius = sqrtf(-2.0F * logf(uniform_of(x[0])));
    float2 out;
    __sincosf(angle, &out.x, &out.y);
    out.x *= radius;
    out.y *= radius;
    return out;
  }
};
struct as_uniform_double {
  using unit = double;
  static constexpr int draws = 2;
  static __device__ __forceinline__ unit of(const unsigned (&x)[draws]) {
    return uniform_of(x[0], x[1]);
  }
};
struct as_normal_double {
  using unit = double2;
  static constexpr int draws = 4;
  static __device__ __forceinline__ unit of(const unsigned (&x)[draws]) {
    double const half_turns = 2 * uniform_of(x[2], x[3]);
    double const radius = sqrt(-2.0 * log(uniform_of(x[0], x[1])));
    double2 out;
    sincospi(half_turns, &out.x, &out.y);
    out.x *= radius;
    out.y *= radius;
    return out;
  }
};

}  // namespace ptxlab::device
