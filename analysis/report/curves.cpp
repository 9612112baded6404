// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/curves.hpp"

#include <fmt/format.h>

#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {

std::string commands_of(const std::vector<curve>& all) {
  std::string data, plots;
  std::size_t number = 0;
  for (const curve& c : all) {
    if (c.points.empty()) continue;
    data += fmt::format("$curve{} << EOD\n", number);
    for (const auto& [x, y] : c.points) data += fmt::format("{} {}\n", exact(x), exact(y));
    data += "EOD\n";
    plots += fmt::format("{}$curve{} using 1:2 with ", number == 0 ? "" : ", \\\n  ", number);
    plots += c.steps ? fmt::format("fsteps linewidth 2 dashtype {}", 1 + number % 4)
                     : fmt::format("linespoints linewidth 2 dashtype {} pointtype {} pointsize 0.9",
                                   1 + number / colours_apart, 4 + number % 10);
    plots += fmt::format(" linecolor rgb '{}' title {}", colour_of(number), quoted(c.name));
    ++number;
  }
  return number == 0 ? "" : data + "plot " + plots + "\n";
}

}  // namespace ptxlab::report
