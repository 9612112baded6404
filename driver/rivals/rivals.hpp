// SPDX-License-Identifier: Apache-2.0
// What the harness and the library of rivals say to each other. NVIDIA's templates are compiled by
// nvcc alone, and long, so they are a shared object of their own (`make rivals`); between the two,
// which may have different C++ runtimes, there are plain C types and no exceptions.
#pragma once

#include <cstddef>

extern "C" {

/// One call of a rival. `keys` to `temp` are addresses on the device of the current context, the
/// primary one.
///
/// "sum u32", "sum s32", "sum f32", "sum f64", "sum u64": the sum of `keys`, of one type; modulo
/// 2^32 or 2^64 of integers. CUB leaves it in `keys_out`, Thrust in `on_host`.
/// "sort u32", "sort s32", "sort f32", "sort u64": ascending. CUB sorts from `keys` to `keys_out`;
/// Thrust sorts in place, at `keys_out`, and does not look at `keys`.
/// "sort u32 pairs", "sort u64 pairs": the same, with a u32 beside each key that goes along, from
/// `values` to `values_out`.
struct ptxlab_rival_call {
  const char* who;   ///< "cub", "thrust"
  const char* what;  ///< see above
  const void* keys;
  void* keys_out;
  const void* values;
  void* values_out;
  unsigned long long n;
  void* temp;         ///< null: nothing is done but that `temp_bytes` is filled in, at least 1
  size_t temp_bytes;  ///< of `temp`
  void* stream;       ///< a CUstream
  unsigned long long on_host;  ///< the first bytes of it are the result
};

/// Puts the call into the stream. 0, a cudaError_t, or less than 0: there is no such call.
int ptxlab_rival_run(ptxlab_rival_call* call);
/// What a status that is not 0 means. Good for ever.
const char* ptxlab_rival_message(int status);
/// Names and versions: "cub 3.0.1, thrust 3.0.1, CUDA runtime 13.0". Good for ever.
const char* ptxlab_rivals_about();
}
