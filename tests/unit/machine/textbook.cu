// SPDX-License-Identifier: Apache-2.0
// Kernels that every course has, in right and wrong spellings, for the machine to run and to judge.
#include <cooperative_groups.h>

// --- sums of a block -----------------------------------------------------------------------------

// Any number of elements, a grid of one block: each thread adds up its own first.
extern "C" __global__ void sum_shared(int* out, const int* in, int n) {
  extern __shared__ int words[];
  int const t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = t; i < n; i += static_cast<int>(blockDim.x)) sum += in[i];
  words[t] = sum;
  __syncthreads();
  for (int k = static_cast<int>(blockDim.x) / 2; k > 0; k /= 2) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t == 0) *out = words[0];
}

// Forgets the barrier between two steps.
extern "C" __global__ void sum_shared_wrong(int* out, const int* in, int n) {
  extern __shared__ int words[];
  int const t = static_cast<int>(threadIdx.x);
  words[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int k = static_cast<int>(blockDim.x) / 2; k > 0; k /= 2)
    if (t < k) words[t] += words[t + k];
  if (t == 0) *out = words[0];
}

extern "C" __global__ void sum_shuffled(int* out, const int* in, int n) {
  __shared__ int of_warp[32];
  int const t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = t; i < n; i += static_cast<int>(blockDim.x)) sum += in[i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0U, sum, k);
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < static_cast<int>(blockDim.x) / 32 ? of_warp[t] : 0;
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0U, sum, k);
    if (t == 0) *out = sum;
  }
}

// --- scans of a block ----------------------------------------------------------------------------

// Hillis and Steele: inclusive, n up to the block's threads.
extern "C" __global__ void scan_hillis_steele(int* out, const int* in, int n) {
  __shared__ int words[2][1024];
  int const t = static_cast<int>(threadIdx.x);
  int from = 0;
  words[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int k = 1; k < static_cast<int>(blockDim.x); k *= 2, from = 1 - from) {
    words[1 - from][t] = words[from][t] + (t >= k ? words[from][t - k] : 0);
    __syncthreads();
  }
  if (t < n) out[t] = words[from][t];
}

// Blelloch: exclusive, up and down the tree; n up to twice the block's threads, a power of two.
extern "C" __global__ void scan_blelloch(int* out, const int* in, int n) {
  __shared__ int words[2048];
  int const t = static_cast<int>(threadIdx.x), size = 2 * static_cast<int>(blockDim.x);
  for (int i = t; i < size; i += size / 2) words[i] = i < n ? in[i] : 0;
  int k = 1;
  for (int d = size / 2; d > 0; d /= 2, k *= 2) {
    __syncthreads();
    if (t < d) words[k * (2 * t + 2) - 1] += words[k * (2 * t + 1) - 1];
  }
  __syncthreads();
  if (t == 0) words[size - 1] = 0;
  for (int d = 1; d < size; d *= 2) {
    k /= 2;
    __syncthreads();
    if (t < d) {
      int const left = words[k * (2 * t + 1) - 1];
      words[k * (2 * t + 1) - 1] = words[k * (2 * t + 2) - 1];
      words[k * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  for (int i = t; i < size; i += size / 2)
    if (i < n) out[i] = words[i];
}

// --- matrices ------------------------------------------------------------------------------------

extern "C" __global__ void transpose_naive(float* out, const float* in, int rows, int columns) {
  int const c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int const r = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

template <int Columns>
static __device__ void transpose(float* out, const float* in, int rows, int columns) {
  __shared__ float tile[16][Columns];
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  int const c = static_cast<int>(blockIdx.x) * 16, r = static_cast<int>(blockIdx.y) * 16;
  if (r + y < rows && c + x < columns) tile[y][x] = in[(r + y) * columns + c + x];
  __syncthreads();
  if (c + y < columns && r + x < rows) out[(c + y) * rows + r + x] = tile[x][y];
}
extern "C" __global__ void transpose_tile(float* out, const float* in, int rows, int columns) {
  transpose<16>(out, in, rows, columns);
}
extern "C" __global__ void transpose_padded(float* out, const float* in, int rows, int columns) {
  transpose<17>(out, in, rows, columns);
}

// c = a b for a of m x k and b of k x n, in tiles of 16 x 16.
extern "C" __global__ void product(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float ta[16][16], tb[16][16];
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  int const row = static_cast<int>(blockIdx.y) * 16 + y;
  int const column = static_cast<int>(blockIdx.x) * 16 + x;
  float sum = 0;
  for (int i = 0; i < k; i += 16) {
    ta[y][x] = row < m && i + x < k ? a[row * k + i + x] : 0.0F;
    tb[y][x] = column < n && i + y < k ? b[(i + y) * n + column] : 0.0F;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += ta[y][j] * tb[j][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// --- counting and sorting ------------------------------------------------------------------------

extern "C" __global__ void histogram(unsigned* out, const unsigned char* in, int n) {
  __shared__ unsigned counts[64];
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  int const step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
    atomicAdd(&counts[in[i] % 64], 1U);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&out[i], counts[i]);
}

// Counts without atomics.
extern "C" __global__ void histogram_wrong(unsigned* out, const unsigned char* in, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) ++out[in[i] % 64];
}

// One block; thread t compares elements 2 t and 2 t + 1, then 2 t + 1 and 2 t + 2.
extern "C" __global__ void odd_even_sort(int* x, int n) {
  for (int round = 0; round < n; ++round) {
    int const i = 2 * static_cast<int>(threadIdx.x) + round % 2;
    if (i + 1 < n && x[i] > x[i + 1]) {
      int const held = x[i];
      x[i] = x[i + 1];
      x[i + 1] = held;
    }
    __syncthreads();
  }
}

// --- locks: every thread adds 1 to a plain word ----------------------------------------------------

static __device__ void lock(unsigned* word) {
  while (atomicCAS(word, 0U, 1U) != 0U) {
  }
  __threadfence();
}
static __device__ void unlock(unsigned* word) {
  __threadfence();
  atomicExch(word, 0U);
}
// Each block's first thread.
extern "C" __global__ void lock_by_block(unsigned* word, volatile unsigned* sum) {
  if (threadIdx.x != 0) return;
  lock(word);
  *sum = *sum + 1;
  unlock(word);
}
// As before, the fences forgotten.
extern "C" __global__ void lock_without_fences(unsigned* word, unsigned* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(word, 0U, 1U) != 0U) {
  }
  *sum += 1;
  atomicExch(word, 0U);
}
// Every thread takes it, and lets it go within the loop: right however the warp runs.
extern "C" __global__ void lock_by_thread(unsigned* word, volatile unsigned* sum) {
  for (bool done = false; !done;) {
    if (atomicCAS(word, 0U, 1U) == 0U) {
      __threadfence();
      *sum = *sum + 1;
      unlock(word);
      done = true;
    }
  }
}
// Every thread spins in a loop of its own: a warp that runs in lockstep never leaves it.
extern "C" __global__ void lock_by_lane(unsigned* word, volatile unsigned* sum) {
  lock(word);
  *sum = *sum + 1;
  unlock(word);
}

// --- what one block tells another ----------------------------------------------------------------

// Block 0 writes data and then the flag; block 1 waits for the flag and reads the data.
template <typename Release, typename Acquire>
static __device__ void message(unsigned* data, unsigned* flag, unsigned* out,
                               const Release& release, const Acquire& acquire) {
  if (blockIdx.x == 0) {
    *data = 42;
    release();
    *static_cast<volatile unsigned*>(flag) = 1;
  } else {
    while (*static_cast<volatile unsigned*>(flag) == 0) {
    }
    acquire();
    *out = *data;
  }
}
static __device__ void nothing() {}

extern "C" __global__ void message_fences(unsigned* data, unsigned* flag, unsigned* out) {
  message(data, flag, out, [] { __threadfence(); }, [] { __threadfence(); });
}
extern "C" __global__ void message_no_release(unsigned* data, unsigned* flag, unsigned* out) {
  message(data, flag, out, nothing, [] { __threadfence(); });
}
extern "C" __global__ void message_no_acquire(unsigned* data, unsigned* flag, unsigned* out) {
  message(data, flag, out, [] { __threadfence(); }, nothing);
}
extern "C" __global__ void message_narrow(unsigned* data, unsigned* flag, unsigned* out) {
  message(data, flag, out, [] { __threadfence_block(); }, [] { __threadfence(); });
}
extern "C" __global__ void message_nothing(unsigned* data, unsigned* flag, unsigned* out) {
  message(data, flag, out, nothing, nothing);
}

// Each block sets its own word and reads the other's: with fences not both may read 0. The machine
// is sequentially consistent, so they never do; whether the code says so is the detector's.
extern "C" __global__ void store_buffering(volatile unsigned* x, unsigned* out) {
  x[blockIdx.x] = 1;
  __threadfence();
  out[blockIdx.x] = x[1 - blockIdx.x];
}
extern "C" __global__ void store_buffering_plain(unsigned* x, unsigned* out) {
  x[blockIdx.x] = 1;
  out[blockIdx.x] = x[1 - blockIdx.x];
}

// Two blocks write a word, two others read it twice: they may not see it change back.
extern "C" __global__ void coherence(volatile unsigned* x, unsigned* out) {
  if (blockIdx.x < 2) {
    *x = blockIdx.x + 1;
  } else {
    out[2 * blockIdx.x - 4] = *x;
    out[2 * blockIdx.x - 3] = *x;
  }
}
extern "C" __global__ void coherence_plain(unsigned* x, unsigned* out) {
  if (blockIdx.x < 2) {
    *x = blockIdx.x + 1;
  } else {
    out[blockIdx.x - 2] = *x;
  }
}

// --- barriers of the grid: block b writes b + 1, and then adds up what all have written ------------

template <typename Wait>
static __device__ void all_to_all(unsigned* of_block, unsigned* out, const Wait& wait) {
  if (threadIdx.x == 0) of_block[blockIdx.x] = blockIdx.x + 1;
  wait();
  unsigned sum = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += of_block[b];
  atomicAdd(&out[blockIdx.x], sum);
}
extern "C" __global__ void grid_counter(unsigned* of_block, unsigned* out, unsigned* count) {
  all_to_all(of_block, out, [=] {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1U);
      while (*static_cast<volatile unsigned*>(count) < gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  });
}
extern "C" __global__ void grid_counter_volatile(unsigned* of_block, unsigned* out,
                                                 unsigned* count) {
  all_to_all(of_block, out, [=] {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1U);
      while (*static_cast<volatile unsigned*>(count) < gridDim.x) {
      }
    }
    __syncthreads();
  });
}
extern "C" __global__ void grid_cooperative(unsigned* of_block, unsigned* out, unsigned*) {
  all_to_all(of_block, out, [] { cooperative_groups::this_grid().sync(); });
}
extern "C" __global__ void grid_nothing(unsigned* of_block, unsigned* out, unsigned*) {
  all_to_all(of_block, out, nothing);
}
