// SPDX-License-Identifier: Apache-2.0
// Bands that a measured value should fall into, each with its reason, and the explanation where our
// values are known to fall outside.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"

namespace ptxlab::report {

struct band {
  std::string id;      ///< glob over ids
  std::string device;  ///< glob over device names: a band holds for a chip
  std::string quantity, unit;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string why;          ///< what the band rests on
  std::string explanation;  ///< why ours lies outside; empty: an open question

  bool fits(const results::row& row, const std::string& device_name) const;
  bool holds(double value) const { return value >= low && value <= high; }
  /// "3.9 to 4.1"
  std::string range() const;
};

class bands {
 public:
  bands() = default;
  /// Reads columns id, quantity, unit, low, high, why, explanation and, if there is one, device. An
  /// empty limit does not limit; an empty or missing device is any. Throws ptxlab::error.
  explicit bands(const std::filesystem::path& path);

  bool known() const { return known_; }
  const std::vector<band>& all() const { return bands_; }
  /// The first that fits, or null.
  const band* find(const results::row& row, const std::string& device_name) const;

 private:
  bool known_ = false;
  std::vector<band> bands_;
};

}  // namespace ptxlab::report
