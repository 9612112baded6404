// SPDX-License-Identifier: Apache-2.0
// The entry points of the library of rivals.
#include "driver/rivals/registry.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::rivals {
namespace {

std::vector<entry>& all() {
  static std::vector<entry> entries;
  return entries;
}

}  // namespace

registration::registration(const entry& e) {
  all().push_back(e);
}

}  // namespace ptxlab::rivals

namespace rivals = ptxlab::rivals;

extern "C" int ptxlab_rival_run(ptxlab_rival_call* call) try {
  for (const rivals::entry& e : rivals::all())
    if (std::string_view(e.who) == call->who) return e.run(call);
  return rivals::unknown_call;
} catch (const std::exception&) {
  // Thrust throws what CUDA said. An error that stays is seen by whoever waits for the stream.
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? static_cast<int>(cudaErrorUnknown) : static_cast<int>(status);
}

extern "C" const char* ptxlab_rival_message(int status) {
  return status == rivals::unknown_call ? "the library of rivals has no such call"
                                        : cudaGetErrorString(static_cast<cudaError_t>(status));
}

extern "C" const char* ptxlab_rivals_about() {
  static const std::string text = [] {
    std::string s;
    for (const rivals::entry& e : rivals::all())
      s += std::string(e.who) + " " + e.version + ", ";
    return s + "CUDA runtime " + std::to_string(CUDART_VERSION / 1000) + "." +
           std::to_string(CUDART_VERSION % 1000 / 10);
  }();
  return text.c_str();
}
