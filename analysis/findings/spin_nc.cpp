// SPDX-License-Identifier: Apache-2.0
// spin-nc: a wait that polls through the read-only path.
#include "analysis/facts/wait.hpp"

namespace ptxlab::facts {
namespace {

void look(const subject& s, std::vector<finding>& out) {
  find_waits(s, flow::order::nc, "it promises that nobody writes the word", out);
}

const rule_registration registration({
    .id = "spin-nc",
    .severity = "warning",
    .what = "A loop waits for another thread by a non-coherent load (ld.global.nc, LDG.CONSTANT).",
    .why = "Such a load says that the word does not change while the kernel runs. It may be served "
           "by a cache that nobody keeps coherent, so the wait may never end.",
    .remedy =
        "Drop __ldg, and const with __restrict__, from the pointer that is polled; then poll by "
        "a volatile, relaxed or acquire load.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
