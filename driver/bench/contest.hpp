// SPDX-License-Identifier: Apache-2.0
// Several who do the same at one point, timed in turn: ours and its rivals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// One who takes part.
struct participant {
  std::string quantity;          ///< of its row: "time", "time of cub"
  std::function<double()> once;  ///< does it and gives back the nanoseconds of `length` calls
  /// What is wrong with the result of the last call: "the sum is 3, not 4"; empty: nothing.
  std::function<std::string()> wrong;
  double length = 1;
  std::string missing = {};  ///< why it does not take part; empty: it does
};

/// A row in microseconds for each: with a value, or with the reason why there is none. The results
/// of those that took part are looked at behind all timing, after one more call of each.
std::vector<results::row> contest(const protocol& p, const axes& at,
                                  const std::vector<participant>& all, int repeats, int cold);

/// `r` without a value.
results::row without_value(results::row r, results::status state, const std::string& reason);

}  // namespace ptxlab::bench
