// SPDX-License-Identifier: Apache-2.0
// What a comparison with exact values says, as rows of results.
#pragma once

#include <vector>

#include "analysis/accuracy/exact.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// Rows of the protocol `accuracy` at `at`: how many inputs, the largest and the mean error in ulp,
/// where the largest one is, the largest distance from the correctly rounded result in floats, the
/// share of results that are correctly rounded, and how many are NaN and should not be or the other
/// way. A series of the largest errors (ulp, and absolute where that is what is documented) and of
/// the shares of an integer function is that of one range of operands: its length is the range's
/// lower end. Infinity stands as 2^128. Throws ptxlab::error where nothing was compared.
std::vector<results::row> error_rows(const accuracy::function& f, const accuracy::tally& t,
                                     const axes& at);

}  // namespace ptxlab::bench
