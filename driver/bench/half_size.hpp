// SPDX-License-Identifier: Apache-2.0
// The size from which a transfer runs at half of the best rate (n 1/2 of Hockney and Jesshope).
#pragma once

#include <map>
#include <optional>

namespace ptxlab::bench {

struct half_size {
  double bytes = 0;
  double best = 0;        ///< the highest rate, in its own unit
  bool smallest = false;  ///< already the smallest size has half of it
};

/// Of the rates by size; between two sizes both are taken as powers of each other (a line where
/// both axes are logarithmic). Nothing for fewer than three sizes.
std::optional<half_size> half_size_of(const std::map<double, double>& rate_by_bytes);

}  // namespace ptxlab::bench
