// SPDX-License-Identifier: Apache-2.0
// Neighbour sorts that are broken in one way each.
#include "ptx/device/mirrored_barrier.cuh"
#include "ptx/device/neighbour_sort.cuh"

using namespace ptxlab::device;

// Passes with nothing between them.
extern "C" __global__ void no_barrier(const unsigned* from, unsigned* to, sort_counts*,
                                      unsigned n) {
  __shared__ unsigned key[1024];
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) key[i] = from[i];
  __syncthreads();
  for (unsigned pass = 0; pass < n; ++pass)
    for (unsigned i = 2 * threadIdx.x + pass % 2; i + 1 < n; i += 2 * blockDim.x)
      put_in_order(key + i);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) to[i] = key[i];
}

// What is read and written in turn lies in one half of the memory: a warp may write it while
// another one still reads.
extern "C" __global__ void one_half(const unsigned* from, unsigned* to, sort_counts*, unsigned n) {
  __shared__ row_edges<2, 1> edges;
  block_row<2, 1> row(edges, 0);
  row.load<unsigned_order>(from, static_cast<int>(n));
  row.to_other_half = 0;
  for (unsigned passes = 0; passes < n; passes += row.reach) {
    row.passes<false>(0, 0);
    row.borrow();
  }
  row.store<unsigned_order>(to, 0, static_cast<int>(n));
}

// Twice as many passes as the borrowed keys are good for.
extern "C" __global__ void used_up(const unsigned* from, unsigned* to, sort_counts*, unsigned n) {
  __shared__ row_edges<2, 1> edges;
  block_row<2, 1> row(edges, 0);
  row.load<unsigned_order>(from, static_cast<int>(n));
  for (unsigned passes = 0; passes < n; passes += 2 * row.reach) {
    row.passes<false>(0, 0);
    row.passes<false>(0, 0);
    row.borrow();
  }
  row.store<unsigned_order>(to, 0, static_cast<int>(n));
}

// A barrier over the grid that orders within a block only.
extern "C" __global__ void narrow_barrier(unsigned* keys, sort_counts*, unsigned* state,
                                          unsigned n) {
  mirrored<ordering::narrow> const barrier(state);
#pragma unroll 1  // as the sort it is made from
  for (unsigned pass = 0; pass < n; ++pass) {
    pass_in_global_memory(keys, n, pass);
    barrier.wait(pass + 1);
  }
}
