// SPDX-License-Identifier: Apache-2.0
// Corpus of the PTX reader: the cuRAND device interface, which brings large tables and calls.
#include <curand_kernel.h>

template <typename State>
__device__ float draw(State* state) {
  return curand_uniform(state) + curand_normal(state) + curand_log_normal(state, 0.0f, 1.0f) +
         static_cast<float>(curand_poisson(state, 3.0));
}

extern "C" __global__ void xorwow(unsigned long long seed, float* out) {
  curandStateXORWOW_t state;
  curand_init(seed, threadIdx.x, 7, &state);
  out[threadIdx.x] = draw(&state);
}

extern "C" __global__ void mrg32k3a(unsigned long long seed, float* out) {
  curandStateMRG32k3a_t state;
  curand_init(seed, threadIdx.x, 7, &state);
  out[threadIdx.x] = draw(&state);
}

extern "C" __global__ void philox(unsigned long long seed, float4* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, 7, &state);
  const float one = draw(&state);
  float4 four = curand_uniform4(&state);
  four.x += one;
  out[threadIdx.x] = four;
}

extern "C" __global__ void sobol(curandDirectionVectors32_t* vectors, float* out) {
  curandStateSobol32_t state;
  curand_init(vectors[threadIdx.x], threadIdx.x, &state);
  out[threadIdx.x] = curand_uniform(&state) + curand_normal(&state);
}
