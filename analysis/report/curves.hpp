// SPDX-License-Identifier: Apache-2.0
// Curves of one figure: data, colours and legend.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ptxlab::report {

struct curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool steps = false;  ///< a point's value holds from the point before it on
};

/// gnuplot's commands that draw them, in their order, without axes and titles; curves without
/// points are left out. Empty where nothing is left.
std::string commands_of(const std::vector<curve>& all);

}  // namespace ptxlab::report
