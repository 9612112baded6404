// SPDX-License-Identifier: Apache-2.0
// Names of registers while one function body is read. PTX scopes nest: an inner `{ .reg ... }` may
// declare a name again, and its registers end with it.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

class register_names {
 public:
  void open();
  void close();
  /// `%r<200>` (numbered) or a single name. Returns the first register's number.
  std::uint32_t declare(std::string_view name, std::uint32_t count, bool numbered);
  /// Number of the register, or `nothing`.
  std::uint32_t find(std::string_view name) const;
  std::uint32_t count() const { return next_; }
  std::size_t depth() const { return scopes_.size(); }

 private:
  struct range {
    std::string_view prefix;
    std::uint32_t first, count;
  };
  struct mark {
    std::size_t ranges, undo;
  };
  std::vector<range> ranges_;
  std::unordered_map<std::string_view, std::uint32_t> singles_;
  std::vector<std::pair<std::string_view, std::uint32_t>> undo_;  // name, number it had before
  std::vector<mark> scopes_;
  std::uint32_t next_ = 0;
};

}  // namespace ptxlab::ptx
