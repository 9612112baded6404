// SPDX-License-Identifier: Apache-2.0
// Runs the golden cases on the machine.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "tests/golden/archive.hpp"

namespace ptxlab::golden {

/// Takes the results of a case, or why there are none (then `words` is empty).
using taker = std::function<void(const golden_case&, std::span<const std::uint64_t> words,
                                 const std::string& problem)>;

/// Runs the cases of a module on the machine, in order.
void replay_module(std::size_t number, const taker& take);

/// Words that a case leaves.
inline std::size_t result_count(const golden_case& c) {
  return c.out.size() * tuples;
}

}  // namespace ptxlab::golden
