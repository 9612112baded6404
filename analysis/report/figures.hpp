// SPDX-License-Identifier: Apache-2.0
// Which figures a section gives, as gnuplot commands with their data inside.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/report/collection.hpp"

namespace ptxlab::report {

struct figure {
  std::string name;       ///< of its files, without suffix: letters, digits, '-', '_'
  std::string commands;   ///< title, axes, data and plot; terminal and output are set elsewhere
  std::string says = {};  ///< what it shows, for those who cannot see it
};

/// Staircase, heat maps and ladder of `s`, those that there is something to draw for. A heat map is
/// made for each throughput surface whose id contains `filter`; without one, contains "fma".
std::vector<figure> figures_of(const section& s, const std::string& filter);

/// Axes that have the same value in all of `group`: they need not be told again and again.
std::map<std::string, double> common_axes(const std::vector<const measurement*>& group);

/// Cycles over footprint, one curve for each id and each value of the other axes.
std::vector<figure> staircases(const section& s);
/// Throughput over instruction-level parallelism and warps.
std::vector<figure> heat_maps(const section& s, const std::string& filter);
/// Latencies of fences, sorted, on a logarithmic axis; several figures where there are many.
std::vector<figure> fence_ladders(const section& s);

}  // namespace ptxlab::report
