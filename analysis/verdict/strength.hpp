// SPDX-License-Identifier: Apache-2.0
// Ordering strength of a poll: the words of the facts, their ranks, and comparison with a wish.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/verdict/expectation.hpp"
#include "analysis/verdict/judgement.hpp"

namespace ptxlab::verdict {

/// "relaxed.gpu" taken apart; `scope` is empty where none is written.
struct strength_word {
  std::string order;
  std::string scope;
};

/// Empty if `text` is no strength of PTX (PTX ISA, "Memory Consistency Model") or SASS.
std::optional<strength_word> read_strength(std::string_view text);

/// nc 0, weak 1, volatile, relaxed, release, strong and atomic 2, acquire and acq_rel 3; empty for
/// `shared`, which shows no ordering.
std::optional<int> rank(const strength_word& s);

/// Every order without its scopes, for messages.
const std::vector<std::string>& strength_orders();

/// `==` and `!=` compare the words as the facts print them, the scope only where `wanted` names
/// one; the other operators compare ranks, and the scope where named (volatile reaches sys). A
/// SASS strong access with an L1 invalidate after it is also an acquire of its scope.
judgement check_strength(const facts::poll& p, compare op, const std::string& wanted);

/// The poll is an acquire at its stage.
judgement check_acquire(const facts::poll& p);

}  // namespace ptxlab::verdict
