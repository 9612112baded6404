// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry: EXPECT lines. Only ptxlab::error may come of it, and the target catches that.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/expectation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ptxlab::fuzz::expectation_target({reinterpret_cast<const char*>(data), size});
  return 0;
}
