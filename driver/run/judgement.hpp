// SPDX-License-Identifier: Apache-2.0
// Why a GPU left other bytes than the machine did: classes of differences, where it takes further
// runs of the machine to tell them.
#pragma once

#include "driver/run/result.hpp"

namespace ptxlab::run {

/// Fills result::differences, one for each buffer, from what `r.run` and `r.gpu` left; both
/// finished. Where something differs, the machine runs the plan again as `how` says: watched for
/// races unless it was, and, where that may explain it, with mul and add fused (machine::contract).
void judge(result& r, const plan& p, const machine::launch& how);

}  // namespace ptxlab::run
