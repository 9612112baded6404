// SPDX-License-Identifier: Apache-2.0
// Tests that call CUB's algorithms for whole devices (cub_device.cu), with the machine as the
// device.
#pragma once

#include "tests/unit/machine/on_the_runtime.hpp"

namespace ptxlab::machine {

class on_cub : public on_the_runtime {
 protected:
  on_cub() : on_the_runtime(program()) {}

  /// Whoever runs next, and in whatever a device has room for, the result is the same.
  static constexpr const char* tokens[] = {"its",      "lockstep",      "random:3",
                                           "random:4", "adversarial:5", "adversarial:6"};

  /// What `name`(in, out, count, n) selects.
  std::vector<int> selected(const char* name, const std::vector<int>& in) {
    int* const out = device->buffer(std::vector<int>(in.size()), "out");
    int* const count = device->buffer(std::vector<int>{-1}, "count");
    EXPECT_EQ(call(name, device->buffer(in, "in"), out, count, static_cast<int>(in.size())), 0);
    return device->read(out, static_cast<std::size_t>(device->read(count, 1)[0]));
  }

 private:
  static const host_program& program() {
    static const host_program one("cub_device.cu");
    return one;
  }
};

}  // namespace ptxlab::machine
