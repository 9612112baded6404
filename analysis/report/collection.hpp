// SPDX-License-Identifier: Apache-2.0
// Results of any number of files, sorted into what may stand in one table: same device, driver,
// toolkit and commit.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"

namespace ptxlab::report {

/// What results must have in common to be shown together.
struct setting {
  std::string device, arch, driver, nvcc, commit;

  static setting of(const results::provenance& p);
  auto operator<=>(const setting&) const = default;
  /// "NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 1a2b3c4"; a long commit is cut.
  std::string text() const;
};

/// One quantity at one point of its axes, by one cubin, from all files that hold it: either all
/// runs gave a value, or none did and for the same reason. Runs are never averaged: what is shown
/// is the first one, with the span of all medians beside it.
struct measurement {
  std::vector<const results::row*> runs;  ///< at least one; earliest start first
  bool other_cubin = false;  ///< the same point was measured with another cubin as well

  const results::row& row() const { return *runs.front(); }
  bool ok() const { return row().state == results::status::ok; }
  /// Of the medians of all runs; only for one that is ok.
  double lowest_median() const;
  double highest_median() const;
  /// "2 runs: medians 4.01 to 4.03, 0.5 % apart"; empty for one run, or one that is not ok.
  std::string spread() const;
};

struct section {
  setting of;
  std::vector<const results::file*> files;  ///< earliest start first
  std::vector<measurement> measurements;    ///< by id, quantity, axes
};

/// A results file and where it came from.
struct source {
  std::string name;
  results::file content;
};

class collection {
 public:
  /// Keeps rows whose id contains `filter`. Throws ptxlab::error if the same run is there twice,
  /// or if there are rows and `filter` leaves none of them.
  explicit collection(std::vector<source> sources, const std::string& filter = "");
  collection(const collection&) = delete;
  collection& operator=(const collection&) = delete;

  /// One for each setting, in the order of the settings: the order of the files does not matter.
  const std::vector<section>& sections() const { return sections_; }

 private:
  std::vector<source> sources_;
  std::vector<section> sections_;
};

}  // namespace ptxlab::report
