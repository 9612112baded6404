// SPDX-License-Identifier: Apache-2.0
// What the harness and its Google Benchmark part say to each other. That part is a shared object of
// its own, so that the program starts where the library is not installed; between the two, which
// may have different C++ runtimes, there are plain C types and no exceptions.
#pragma once

#include <cstddef>

namespace ptxlab::bench {

/// One measured case, as the library reports it.
struct google_result {
  double ns = 0;                           ///< of one operation: the manual time
  double cycles = 0;                       ///< of one operation; 0 where it is no latency
  double operations_per_cycle_per_sm = 0;  ///< 0 where it is no throughput
  double gigabytes_per_second = 0;         ///< 0 where it is no bandwidth
  char label[256] = {};                    ///< the opcodes that ran
  char error[512] = {};                    ///< why there is no value; empty if there is
};

struct google_case {
  const char* name;
  void* self;
  void (*measure)(void* self, google_result* out);
};

struct google_context {
  const char* key;
  const char* value;
};

/// The entry point, `ptxlab_google_benchmark`: runs the cases that --benchmark_filter selects, with
/// all of the library's flags honoured. The exit code of the program: 2 for a flag that the library
/// does not know.
using google_entry = int(int argc, char** argv, const google_case* cases, std::size_t n,
                         const google_context* context, std::size_t n_context);

}  // namespace ptxlab::bench
