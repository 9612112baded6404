// SPDX-License-Identifier: Apache-2.0
// A race detector beside a launch, and its verdict in a few words.
#pragma once

#include <set>
#include <string>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {

/// "no race", or the kinds of races in alphabetic order, "between blocks, within a warp"; "cannot
/// tell" where the detector cannot.
inline std::string verdict_of(const race_report& r) {
  if (!r.complete) return "cannot tell";
  std::set<std::string> kinds;
  for (const race& x : r.races) {
    const std::string kind = name(x.kind);
    kinds.insert(kind.starts_with("race ") ? kind.substr(5) : kind);
  }
  std::string out;
  for (const std::string& k : kinds) out += (out.empty() ? "" : ", ") + k;
  if (!out.empty()) return out;
  return r.uncertain != 0 ? "cannot tell" : "no race";
}

/// What is missing, of all races: "acquire", "communication strength".
inline std::string missing_of(const race_report& r) {
  constexpr const char* names[] = {
      "communication",       "barrier", "warp_sync", "release", "acquire",
      "release_and_acquire", "scope",   "strength",  "nothing", "unknown"};
  std::set<std::string> all;
  for (const race& x : r.races) all.insert(names[static_cast<int>(x.cause.what)]);
  std::string out;
  for (const std::string& k : all) out += (out.empty() ? "" : " ") + k;
  return out;
}

}  // namespace ptxlab::machine
