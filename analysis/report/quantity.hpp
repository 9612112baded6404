// SPDX-License-Identifier: Apache-2.0
// Quantities as text: numbers of one table with the same decimals, sizes, axes, parts of an id.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ptxlab::report {

/// What stands in a table for a value that is not there.
inline constexpr const char* absent = "-";

/// Decimals that suit a column whose largest magnitude is `largest`: 2, 1 from 1000, 0 from 100000.
int decimals_for(double largest);
std::string fixed(double value, int decimals);
/// The shortest decimal that reads back as `value`.
std::string exact(double value);

/// The number that the whole of `text` is, or nothing.
std::optional<double> number_of(std::string_view text);

/// "32 B", "1.5 KiB", "25 MiB".
std::string bytes_text(double bytes);

/// An axis as a column title: a size in bytes loses its "_bytes".
std::string axis_title(const std::string& axis);
/// Its value: a size in bytes gets its unit.
std::string axis_text(const std::string& axis, double value);
/// "footprint 128 KiB, stride 32 B"; empty without axes.
std::string axes_text(const std::map<std::string, double>& axes);
/// "footprint_bytes=131072;stride_bytes=32", exact, for machines.
std::string axes_record(const std::map<std::string, double>& axes);

/// The first two parts of an id, or all but the last one of a shorter id.
std::string family_of(const std::string& id);
/// The parts of an id behind its family.
std::string operation_of(const std::string& id);

}  // namespace ptxlab::report
