// SPDX-License-Identifier: Apache-2.0
// References of the kernels that time one instruction, by latency and by throughput: the step that
// a copy makes.
#pragma once

#include <string>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {

struct step_registration {
  /// `name` is "int32/add_s32": latency/int32/add_s32 and throughput/int32/add_s32.
  step_registration(const std::string& name, const timed_model& m, bool latency = true,
                    bool throughput = true) {
    if (latency)
      reference_registration("latency/" + name, [m](const subject& s) { check_chain(s, m); });
    if (throughput)
      reference_registration("throughput/" + name,
                             [m](const subject& s) { check_streams(s, m, 2); });
  }
};

}  // namespace ptxlab::machine
