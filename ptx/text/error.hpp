// SPDX-License-Identifier: Apache-2.0
// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>

namespace ptxlab {

/// Thrown by every part of the library for bad input or a tool that failed. `what()` is text for a
/// user: its first line says what is wrong and where ("FILE:LINE: message"). Only `main` prints it.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ptxlab
