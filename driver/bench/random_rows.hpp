// SPDX-License-Identifier: Apache-2.0
// The rows of one point of the protocol `random`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

class random_rows {
 public:
  explicit random_rows(const axes& at) : at_(at) {}

  /// "time" and, where numbers came of it, "throughput" and "numbers", each with `suffix` behind
  /// it, which says whose they are.
  void add(const std::string& suffix, const results::series& ns, std::uint64_t numbers,
           unsigned bytes);
  void add_time(const std::string& quantity, const results::series& ns);
  /// Whether a rival's numbers are ours: 1 or 0.
  void add_equal(const std::string& suffix, bool equal);
  void lost(const std::string& quantity, const std::string& unit, results::status state,
            const std::string& reason);
  /// Instead of all others: numbers were wrong.
  void invalid(const std::string& reason);

  const std::vector<results::row>& rows() const { return rows_; }

 private:
  results::row& row(const std::string& quantity, const std::string& unit);
  void add(const std::string& quantity, const std::string& unit, const results::series& ns,
           const std::function<double(double)>& of);

  axes at_;
  std::vector<results::row> rows_;
};

}  // namespace ptxlab::bench
