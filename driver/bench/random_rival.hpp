// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface at a point of the protocol `random`.
#pragma once

#include <string>

#include "driver/bench/drawing.hpp"
#include "driver/bench/random_rows.hpp"

namespace ptxlab::bench {

/// Has cuRAND draw as many numbers into the memory of `d`, which lies there drawn, in each of its
/// orders; adds its times, and whether its numbers are ours. Gives back what differs where they
/// have to be the same: in the legacy order with as many subsequences, and in every Sobol sequence.
/// Without cuRAND there is one row that says so.
std::string against_curand(lab& l, const kernels::variant& v, const drawing& d, const axes& at,
                           random_rows& to);

}  // namespace ptxlab::bench
