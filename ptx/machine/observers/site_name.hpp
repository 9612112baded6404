// SPDX-License-Identifier: Apache-2.0
// A site and a launch as the observers' reports keep them after the launch: owned text, in a stable
// order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

struct site_name {
  std::string opcode, function, file;
  std::uint32_t line = 0, ptx_line = 0;

  site_name() = default;
  explicit site_name(const site& s);
  /// "reduce.cu:12" without folders, so that reports agree between machines; "ptx:34" where no
  /// source line is known.
  std::string label() const;
  /// By file, line and line of the PTX text.
  friend bool operator<(const site_name& a, const site_name& b) {
    return std::tie(a.file, a.line, a.ptx_line) < std::tie(b.file, b.line, b.ptx_line);
  }
};

/// Which launch a report is about.
struct launch_name {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};

  launch_name() = default;
  explicit launch_name(const launch_info& l);
  /// "PTX-level WHAT of reduce3, grid 64x1x1, block 256x1x1", with ", cluster 2x1x1" behind
  /// the grid where there are clusters of several blocks.
  std::string heading(std::string_view what) const;
  /// The same in at most `width` characters (80 or more), the kernel's name shortened.
  std::string short_heading(std::string_view what, unsigned width) const;

 private:
  std::string heading_with(std::string_view what, std::string_view name) const;
};

}  // namespace ptxlab::machine
