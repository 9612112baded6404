// SPDX-License-Identifier: Apache-2.0
// References: for each kernel of the catalogue, a check of what it does on the machine against
// plain C++. Files of the test register them before main; machine_kernels_test.cc goes through the
// catalogue.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "kernels/kernel.hpp"
#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {

/// A kernel on a workbench that holds its file's module.
struct subject {
  workbench& on;
  const kernels::variant& what;
  std::string id;                   ///< "arith/divide/by_constant"
  std::set<std::string>& verdicts;  ///< of the race detector

  /// Runs it with its declared parameters, and expects an end. The race detector watches.
  run_report run(std::uint32_t grid, std::uint32_t block, const std::vector<std::uint64_t>& words,
                 ending expected = ending::finished) const {
    std::vector<unsigned> bytes;
    for (const kernels::param p : what.params) bytes.push_back(static_cast<unsigned>(p));
    race_detector races;
    on.how.observers.push_back(&races);
    run_report r = on.run(what.symbol, grid, block, words, bytes);
    on.how.observers.pop_back();
    verdicts.insert(verdict_of(races.report()));
    EXPECT_EQ(name(r.how), name(expected)) << id << ": " << r.reason;
    return r;
  }
};

using reference = std::function<void(const subject&)>;

inline std::map<std::string, reference>& references() {
  static std::map<std::string, reference> all;
  return all;
}

struct reference_registration {
  reference_registration(const std::string& id, reference r) {
    if (!references().emplace(id, std::move(r)).second) repeated() += " " + id;
  }
  /// Ids that were registered twice.
  static std::string& repeated() {
    static std::string ids;
    return ids;
  }
};

}  // namespace ptxlab::machine
