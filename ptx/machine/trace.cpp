// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <sstream>

#include "ptx/machine/launch.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {

std::string trace_text(const std::vector<turn>& turns) {
  std::string out = "# block warp lanes steps\n";
  for (const turn& t : turns)
    out += fmt::format("{} {} {:08x} {}\n", t.block, t.warp, t.lanes, t.steps);
  return out;
}

std::vector<turn> read_trace(std::string_view text) {
  std::vector<turn> out;
  std::istringstream in{std::string(text)};
  std::string line;
  for (std::size_t n = 1; std::getline(in, line); ++n) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    turn t;
    std::string rest;
    if (!(words >> t.block >> t.warp >> std::hex >> t.lanes >> std::dec >> t.steps) ||
        words >> rest)
      throw error(fmt::format("line {} is no turn of a trace: '{}'", n, line));
    out.push_back(t);
  }
  return out;
}

}  // namespace ptxlab::machine
