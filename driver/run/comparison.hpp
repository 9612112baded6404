// SPDX-License-Identifier: Apache-2.0
// What a buffer should hold after the launch, and how far what it holds is from that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/run/expression.hpp"
#include "driver/run/plan.hpp"

namespace ptxlab::run {

/// One element that is not what it should be.
struct unequal {
  std::uint64_t index = 0;
  element_bits got = 0, expected = 0;
};

struct comparison_result {
  std::string name;
  std::uint64_t elements = 0, differing = 0;
  std::uint64_t largest_ulp = 0;     ///< of all elements, the equal ones too
  std::vector<unequal> first;        ///< the first that differ, at most 8
  std::vector<std::uint64_t> where;  ///< all that differ, ascending; the first 2^20 of them
};

/// One --compare option.
class comparison {
 public:
  /// Reads BUFFER=FILE or BUFFER=FORMULA: an existing file, or one that is written `file:PATH`, is
  /// a file (see read_elements); all else is a formula (see expression). `ulp` is what elements of
  /// floating types may be apart. Throws ptxlab::error. `p` must outlive it.
  comparison(const plan& p, const std::string& text, std::uint64_t ulp);

  /// `contents` as stage::contents gives them. Throws ptxlab::error for a formula that leaves its
  /// buffers.
  comparison_result check(const std::vector<std::vector<std::byte>>& contents) const;

 private:
  std::string name_;
  type of_ = type::u32;
  std::uint64_t count_ = 0;
  std::size_t which_ = 0;
  std::uint64_t ulp_;
  std::vector<std::byte> file_;
  std::optional<expression> formula_;
};

}  // namespace ptxlab::run
