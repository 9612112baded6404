// SPDX-License-Identifier: Apache-2.0
// How many loads code has on their way at once.
#pragma once

#include "ptx/flow/code.hpp"

namespace ptxlab::facts {

/// The most loads from global memory that the code issues before anything reads, or overwrites,
/// what they load; along straight pieces of it, so that a loop counts as one pass. A thread then
/// waits for so many at a time.
int loads_in_flight(const flow::code& c);

}  // namespace ptxlab::facts
