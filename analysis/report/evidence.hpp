// SPDX-License-Identifier: Apache-2.0
// What was found of barrier kernels without a GPU: what both compilers left of the wait, and what
// the PTX machine says of the very PTX. Written by docs/evidence.py, read beside results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxlab::report {

struct evidence_row {
  std::string id;      ///< of a kernel: "barrier/central/litmus"
  std::string waits;   ///< verdicts on the loops that wait: "kept", "deleted in ptxas; kept"; "-"
  std::string ending;  ///< how the machine's runs ended; empty: not run there
  std::string wrong;   ///< which elements were wrong there: "none"
  std::string races;   ///< "none", or how many and of what kind
  std::string sass;    ///< fences, atomics and strong loads, with their counts
  bool cooperative = false;  ///< declared to need a cooperative launch

  /// Every wait of the source is a loop in SASS.
  bool kept() const;
  /// It ran on the machine.
  bool tried() const { return !ending.empty(); }
  /// Every run there finished, with the right result and without a race.
  bool clean() const { return ending == "finished" && races == "none" && !has_wrong(); }
  bool has_wrong() const { return !wrong.empty() && wrong != "none" && wrong != "-"; }
};

class evidence {
 public:
  evidence() = default;
  /// Reads columns id, waits, ending, wrong, races, sass and cooperative ("yes" or "no"). Throws
  /// ptxlab::error for a file that cannot be used, or that has an id twice.
  explicit evidence(const std::filesystem::path& path);

  bool known() const { return known_; }
  const std::vector<evidence_row>& all() const { return rows_; }
  /// Null if nothing is known of it.
  const evidence_row* find(const std::string& id) const;

 private:
  bool known_ = false;
  std::vector<evidence_row> rows_;
};

}  // namespace ptxlab::report
