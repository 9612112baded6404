// SPDX-License-Identifier: Apache-2.0
// Figures that others have published, to stand beside our own and never in their place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ptxlab::report {

struct published_value {
  std::string quantity, unit;
  std::string value;  ///< a number, or a range such as "475 to 522"
  std::string chip, source;

  /// "4.07 (H100 SXM5 80GB)": in our unit, or else with its own. What the chip's name says in
  /// brackets is left out.
  std::string text(const std::string& our_unit) const;
};

class published {
 public:
  published() = default;
  /// Reads columns quantity, unit, value, chip and source. Throws ptxlab::error.
  explicit published(const std::filesystem::path& path);

  bool known() const { return known_; }
  /// Those whose quantity is just `quantity`, in the file's order; none for an empty one.
  std::vector<published_value> of(const std::string& quantity) const;

 private:
  bool known_ = false;
  std::vector<published_value> values_;
};

struct interval {
  double low = 0, high = 0;
};

/// The published value in our unit, or nothing where it is no number or the units cannot be
/// converted. A fused multiply-add counts as two "flop" and, where the unit says so, as two "op".
std::optional<interval> in_unit(const published_value& value, const std::string& unit);

}  // namespace ptxlab::report
