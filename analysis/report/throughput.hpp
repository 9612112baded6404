// SPDX-License-Identifier: Apache-2.0
// Throughput surfaces over instruction-level parallelism and warps, and the plateau that they
// reach.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/published.hpp"

namespace ptxlab::report {

/// A row of protocol "throughput" that is a point of a surface or its plateau; where an operand was
/// swept there is neither.
bool is_throughput(const results::row& r);

/// A point of a surface: has axes "ilp" and "warps".
struct surface_point {
  double ilp = 0, warps = 0, value = 0;
};
/// The surface that belongs to `m` (same id and cubin), by warps and then ilp; only what is ok.
std::vector<surface_point> surface_of(const results::row& m, const section& s);

/// The cheapest point that gives at least `share` of `plateau`: fewest ilp x warps in flight, then
/// fewest warps. Nothing if none does.
std::optional<surface_point> reached(const std::vector<surface_point>& surface, double plateau,
                                     double share = 0.99);

/// One line for each operation of `group`: its plateau, and where 99 % of it are reached first. A
/// surface whose plateau is not ok has a line without a number.
table throughput_table(const std::vector<const measurement*>& group, const section& s,
                       const published& others);

}  // namespace ptxlab::report
