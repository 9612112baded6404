// SPDX-License-Identifier: Apache-2.0
// Where our values differ from what was expected of them or from what others have published.
#pragma once

#include "analysis/report/bands.hpp"
#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/published.hpp"

namespace ptxlab::report {

/// How far from every published value a row without a band must be to be listed.
inline constexpr double notable_difference = 0.05;

/// "Differences from published values": first the rows outside their band, open questions before
/// explained ones; then rows without a band that are more than `notable_difference` from all
/// published values that can be converted to their unit; then bands that nothing was measured for
/// (left out if `filtered`); at last how many rows lie within their band. All runs count.
item_list differences_of(const section& s, const published& others, const bands& expected,
                         bool filtered);

}  // namespace ptxlab::report
