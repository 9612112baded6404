// SPDX-License-Identifier: Apache-2.0
// Addresses of PTX accesses as sums: a variable, multiples of values that differ between threads or
// not, and a number of bytes. Tells whether two accesses of one thread touch the same element.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/facts/stage_code.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::facts {

struct linear_address {
  struct term {
    std::int64_t bytes = 0;  ///< by which the address grows when the value grows by 1
    bool lane = false;       ///< the value depends on the thread or lane number
    bool operator==(const term&) const = default;
  };
  bool known = false;                 ///< false: no single sum; nothing else is filled in
  std::string variable;               ///< the PTX variable it points into; empty where none
  std::map<std::string, term> terms;  ///< by register or special register
  std::int64_t offset = 0;            ///< bytes
};

/// The address of operation `op` of `code`, which was lowered from `f`.
linear_address address_of(const ptx::module& m, const ptx::function& f, const stage_function& code,
                          std::uint32_t op);

}  // namespace ptxlab::facts
