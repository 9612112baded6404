// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry: nvdisasm -c. Only ptxlab::error may come of it, and the target catches that.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/sass.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ptxlab::fuzz::sass_text_target({reinterpret_cast<const char*>(data), size});
  return 0;
}
