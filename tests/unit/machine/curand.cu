// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators in device code: thread t draws `draws` numbers of subsequence t.
#include <curand_kernel.h>

static constexpr int draws = 9;

template <typename State>
static __device__ void draw(State& state, unsigned* out) {
  for (int i = 0; i < draws; ++i) out[threadIdx.x * draws + i] = curand(&state);
}
extern "C" __global__ void xorwow(unsigned* out, unsigned long long seed,
                                  unsigned long long offset) {
  curandStateXORWOW_t state;
  curand_init(seed, threadIdx.x, offset, &state);
  draw(state, out);
}
extern "C" __global__ void philox(unsigned* out, unsigned long long seed,
                                  unsigned long long offset) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, threadIdx.x, offset, &state);
  draw(state, out);
}
// The direction numbers stand behind the results.
extern "C" __global__ void sobol(unsigned* out, unsigned long long, unsigned long long offset) {
  curandStateSobol32_t state;
  auto* const directions =
      reinterpret_cast<curandDirectionVectors32_t*>(out + blockDim.x * draws);
  curand_init(*directions, static_cast<unsigned>(offset) + threadIdx.x, &state);
  draw(state, out);
}
extern "C" __global__ void uniform(float* out, unsigned long long seed, unsigned long long offset) {
  curandStateXORWOW_t state;
  curand_init(seed, threadIdx.x, offset, &state);
  for (int i = 0; i < draws; ++i) out[threadIdx.x * draws + i] = curand_uniform(&state);
}
