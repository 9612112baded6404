// SPDX-License-Identifier: Apache-2.0
// What ends a launch before its kernel does.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

/// Thrown by a step that cannot be performed; the launch ends with it as its report.
struct fault {
  enum class kind : std::uint8_t {
    outside,  ///< outside of every allocation
    misaligned,
    uninitialised,
    freed,
    trap,  ///< trap, brkpt
    assertion,
    stack,     ///< calls nest too deep
    undefined  ///< what PTX leaves undefined and no kernel should do
  };
  kind what = kind::outside;
  std::string text;
  unsigned lane = 0;
};

}  // namespace ptxlab::machine
