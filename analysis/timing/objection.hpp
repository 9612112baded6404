// SPDX-License-Identifier: Apache-2.0
// What speaks against the timed regions of a kernel, held against what it promises.
#pragma once

#include <map>
#include <string>

#include "analysis/timing/contract.hpp"
#include "analysis/timing/timed_code.hpp"

namespace ptxlab::timing {

/// Opcodes and how often each stands somewhere.
using histogram = std::map<std::string, int>;
/// The most frequent ones: "12 FFMA, 2 MOV"; "nothing" for none.
std::string list(const histogram& h);

struct review {
  std::string objection;  ///< the first one, one line; empty: the promise is kept
  histogram fixed;        ///< what each region (each round) holds beside its copies
};
review review_of(const contract& c, const timed_code& code);

}  // namespace ptxlab::timing
