// SPDX-License-Identifier: Apache-2.0
// spin-weak: a wait that is there and polls with a weak load.
#include "analysis/facts/wait.hpp"

namespace ptxlab::facts {
namespace {

void look(const subject& s, std::vector<finding>& out) {
  find_waits(s, flow::order::weak, "nothing promises that it ever sees another thread's store",
             out);
}

const rule_registration registration({
    .id = "spin-weak",
    .severity = "warning",
    .what =
        "A loop waits for another thread by a weak load. A wait here is a loop without a counter "
        "and without a store to the same object, whose exit depends on loads from an address "
        "that stays the same.",
    .why =
        "A weak load and a store by another thread are a data race: the load may be moved out of "
        "the loop by the next compiler, or be served by a cache for ever. That a fence or a sleep "
        "in the body keeps it today is an observation, not a rule.",
    .remedy =
        "Poll by a volatile, relaxed or acquire load or by an atomic; take acquire where data "
        "written by the other thread is read next.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
