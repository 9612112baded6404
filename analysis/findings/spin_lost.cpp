// SPDX-License-Identifier: Apache-2.0
// spin-lost: a wait of the source that the machine code no longer performs.
#include <fmt/format.h>

#include "analysis/facts/loop_tree.hpp"
#include "analysis/facts/wait.hpp"

namespace ptxlab::facts {
namespace {

/// Whether the loop that verdict number `n` speaks of was a wait before it was lost. Verdicts stand
/// in the order of the loops of the earliest stage.
bool was_wait(const subject& s, std::size_t n, const loop_verdict& v) {
  const bool in_ptx = v.lost_in == "ptxas" || s.source == nullptr;
  if (in_ptx && v.ptx_loop && s.ptx != nullptr) {
    const auto at = find_loop(*s.ptx, *v.ptx_loop);
    return at && !awaited(*s.ptx, *at).empty();
  }
  if (s.source == nullptr) return false;
  const loop_tree tree(*s.source);
  if (tree.size() != s.facts.loops.size()) return false;
  return !awaited(*s.source, {tree[n].function, tree[n].index}).empty();
}

/// Whether the later stage still waits at that place: then the verdict speaks of another copy of
/// the loop, and is no proof.
bool waits_there(const subject& s, const loop_verdict& v) {
  const stage_code* later = v.lost_in == "nvcc" ? s.ptx : s.sass;
  if (later == nullptr) return false;
  for (std::size_t n = 0; n < later->functions.size(); ++n) {
    const stage_function& f = later->functions[n];
    for (std::size_t i = 0; i < f.loops.size(); ++i) {
      const loop there = describe(f, i, s.sites);
      if (there.line == v.line && there.file == v.file && !awaited(*later, {n, i}).empty())
        return true;
    }
  }
  return false;
}

void look(const subject& s, std::vector<finding>& out) {
  for (std::size_t n = 0; n < s.facts.loops.size(); ++n) {
    const loop_verdict& v = s.facts.loops[n];
    const bool hoisted = v.verdict == "load-hoisted";
    if ((!hoisted && v.verdict != "deleted") || !was_wait(s, n, v) || waits_there(s, v)) continue;
    finding f;
    f.stage = v.lost_in == "nvcc" ? "ptx" : "sass";
    f.file = v.file;
    f.line = v.line;
    f.text = hoisted ? fmt::format(
                           "{} moved the load out of this wait: it looks once, then goes on "
                           "or hangs",
                           v.lost_in)
                     : fmt::format("{} deleted this wait: nobody waits here", v.lost_in);
    out.push_back(f);
  }
}

const rule_registration registration({
    .id = "spin-lost",
    .severity = "error",
    .what = "A loop that waits for another thread to change memory was deleted, or its load was "
            "moved out of it.",
    .why =
        "To the compiler a plain load sees the same value in every round, so one look is enough: "
        "the kernel hangs, or runs on as if the wait were over. nvcc does it to C++ loads; ptxas "
        "does it to weak loads of the PTX, where asm volatile and a \"memory\" clobber are no "
        "longer seen.",
    .remedy = "Make the load itself strong: cuda::atomic_ref, a volatile object, ld.relaxed or "
              "ld.acquire in inline PTX. Then look again whether the loop is kept at both stages.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
