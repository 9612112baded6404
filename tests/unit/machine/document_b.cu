// SPDX-License-Identifier: Apache-2.0
// The access patterns of a course on CUDA of 2010, one kernel for each: global memory, shared
// memory, and structures.

// Element `from + permuted(thread)` of 4 bytes by every thread that `idle` does not name.
extern "C" __global__ void sequential(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void idle_lanes(float* out, const float* in) {
  if (threadIdx.x % 4 != 1) out[threadIdx.x] = in[threadIdx.x];
}
extern "C" __global__ void permuted(float* out, const float* in) {
  unsigned const at = threadIdx.x ^ 1;  // neighbours change places
  out[at] = in[at];
}
extern "C" __global__ void strided_global(float* out, const float* in, unsigned stride) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}

// Shared memory; the kernels write what they read, so that nothing is dropped.
extern "C" __global__ void strided_shared(unsigned* out, unsigned stride) {
  extern __shared__ unsigned words[];
  out[threadIdx.x] = *static_cast<volatile unsigned*>(&words[threadIdx.x * stride]);
}
extern "C" __global__ void chars_shared(unsigned* out) {
  extern __shared__ unsigned char chars[];
  out[threadIdx.x] = *static_cast<volatile unsigned char*>(&chars[threadIdx.x]);
}
extern "C" __global__ void broadcast_shared(unsigned* out) {
  extern __shared__ unsigned words[];
  out[threadIdx.x] = *static_cast<volatile unsigned*>(&words[0]);
}
extern "C" __global__ void one_word_shared(unsigned* out, unsigned which) {
  extern __shared__ unsigned words[];
  out[threadIdx.x] = *static_cast<volatile unsigned*>(&words[which]);
}
template <int Columns>
static __device__ void column(unsigned* out) {
  __shared__ unsigned tile[16][Columns];
  out[threadIdx.x] = *static_cast<volatile unsigned*>(&tile[threadIdx.x % 16][threadIdx.x / 16]);
}
extern "C" __global__ void column_of_tile(unsigned* out) { column<16>(out); }
extern "C" __global__ void column_of_padded_tile(unsigned* out) { column<17>(out); }

// Three floats of each thread: together, or each in an array of its own.
struct vector3 {
  float x, y, z;
};
extern "C" __global__ void array_of_structs(float* out, const vector3* in) {
  vector3 const v = in[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z;
}
extern "C" __global__ void struct_of_arrays(float* out, const float* in) {
  out[threadIdx.x] =
      in[threadIdx.x] + in[threadIdx.x + blockDim.x] + in[threadIdx.x + 2 * blockDim.x];
}
