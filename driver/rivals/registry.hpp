// SPDX-License-Identifier: Apache-2.0
// Who is in the library of rivals. One file adds one.
#pragma once

#include "driver/rivals/rivals.hpp"

namespace ptxlab::rivals {

/// There is no call of that name: a status of ptxlab_rival_run.
inline constexpr int unknown_call = -1;

struct entry {
  const char* who;
  const char* version;               ///< "3.0.1"
  int (*run)(ptxlab_rival_call* c);  ///< as ptxlab_rival_run, `who` is known
};

struct registration {
  explicit registration(const entry& e);
};

}  // namespace ptxlab::rivals
