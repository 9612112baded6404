// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/site_name.hpp"

#include <fmt/format.h>

#include "ptx/machine/observers/fitted_table.hpp"

namespace ptxlab::machine {

site_name::site_name(const site& s)
    : opcode(s.opcode), function(s.function), file(s.file), line(s.line), ptx_line(s.ptx_line) {}

std::string site_name::label() const {
  if (file.empty() || line == 0) return fmt::format("ptx:{}", ptx_line);
  const std::size_t folder = file.rfind('/');
  return fmt::format("{}:{}", folder == std::string::npos ? file : file.substr(folder + 1), line);
}

launch_name::launch_name(const launch_info& l)
    : kernel(l.kernel),
      grid{l.grid[0], l.grid[1], l.grid[2]},
      block{l.block[0], l.block[1], l.block[2]},
      cluster{l.cluster[0], l.cluster[1], l.cluster[2]} {}

std::string launch_name::heading_with(std::string_view what, std::string_view name) const {
  const std::string clusters =
      cluster[0] * cluster[1] * cluster[2] == 1
          ? ""
          : fmt::format(", cluster {}x{}x{}", cluster[0], cluster[1], cluster[2]);
  return fmt::format("PTX-level {} of {}, grid {}x{}x{}{}, block {}x{}x{}", what, name, grid[0],
                     grid[1], grid[2], clusters, block[0], block[1], block[2]);
}

std::string launch_name::heading(std::string_view what) const {
  return heading_with(what, kernel);
}

std::string launch_name::short_heading(std::string_view what, unsigned width) const {
  const std::size_t rest = heading_with(what, "").size();
  return heading_with(what, shortened(kernel, width > rest ? width - rest : 2));
}

}  // namespace ptxlab::machine
