// SPDX-License-Identifier: Apache-2.0
// Errors of functions as NVIDIA documents them, to hold ours against.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace ptxlab::report {

struct documented_error {
  enum class measure {
    floats,    ///< from the correctly rounded result, counted in floats
    absolute,  ///< |result - exact|
    relative,  ///< |result - exact| / |exact|
  };
  std::string function, source;
  /// Of the operand's magnitude (of two operands the second one's), both included.
  double from = 0, to = std::numeric_limits<double>::infinity();
  measure in = measure::floats;
  double value = 0;
  double per_unit = 0;  ///< so much more, rounded down, for each unit of the operand's magnitude

  bool everywhere() const;
  /// The most that is allowed at an operand.
  double at(double operand) const;
  /// "2 floats", "2^-21.41 absolute up to 3.14".
  std::string text() const;
};

class documented {
 public:
  documented() = default;
  /// Reads columns function, from, to, measure, value, per_unit and source. Throws ptxlab::error.
  explicit documented(const std::filesystem::path& path);

  /// Those of `function`, in the file's order.
  std::vector<documented_error> of(const std::string& function) const;

 private:
  std::vector<documented_error> values_;
};

}  // namespace ptxlab::report
