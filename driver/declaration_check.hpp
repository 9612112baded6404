// SPDX-License-Identifier: Apache-2.0
// Does a kernel file's declaration agree with what was compiled from its other half?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/timing/gate.hpp"
#include "analysis/verdict/evaluate.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::driver {

/// One result per kernel, in both directions: each declared kernel exists and takes parameters of
/// the declared sizes; each kernel that exists is declared.
std::vector<verdict::result> check_declaration(const kernels::entry& declared,
                                               const facts::report& r, const std::string& path);

/// One result for each measured kernel: its timed regions hold what the declaration says. A kernel
/// declared as broken on purpose has to be refused for the reason it names.
std::vector<verdict::result> check_timing(const kernels::entry& declared,
                                          const std::map<std::string, timing::judgement>& timed,
                                          const std::string& path);

}  // namespace ptxlab::driver
