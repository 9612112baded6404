// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/occupancy_curve.hpp"
#include "analysis/report/curves.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/occupancy.hpp"

namespace ptxlab::report {
namespace {

using facts::occupancy_axis;
using facts::uses_of;

/// Per cent of the warps of a multiprocessor; shared memory in KiB.
curve curve_for(const std::string& name, const facts::occupancy_question& q, occupancy_axis over) {
  curve out{name, {}, over != occupancy_axis::block};
  const double unit = over == occupancy_axis::shared ? 1024 : 1;
  for (const facts::occupancy_point& p : facts::curve_of(q, over).points)
    out.points.emplace_back(static_cast<double>(p.at) / unit, 100 * p.what.fraction);
  return out;
}

figure drawn(const topic_context& c, const char* name, const std::string& what,
             const std::string& axis, const std::string& range, const std::vector<curve>& curves) {
  const std::string plot = commands_of(curves);
  if (plot.empty()) return {};
  return {fmt::format("occupancy-{}", name),
          title_of(what, c.of) + range + "set xlabel " + quoted(axis) +
              "\nset ylabel 'occupancy, % of the warps'\nset yrange [0:105]\n"
              "set key outside right center Left reverse samplen 2 font ',10'\n" +
              plot,
          what};
}

}  // namespace

std::vector<figure> occupancy_figures(const topic_context& c) {
  const std::string& arch = c.of.of.arch;
  std::vector<curve> blocks, registers, shared, then;
  for (const int r : {32, 40, 64, 128, 255})
    blocks.push_back(curve_for(fmt::format("{} registers", r), {arch, uses_of(r), {}, 0, 0},
                               occupancy_axis::block));
  for (const int t : {64, 192, 256, 512, 1024}) {
    const std::string name = fmt::format("blocks of {}", t);
    registers.push_back(curve_for(name, {arch, uses_of(32), {}, t, 0}, occupancy_axis::registers));
    shared.push_back(curve_for(name, {arch, uses_of(32), {}, t, 0}, occupancy_axis::shared));
  }
  for (const resident_limits& l : limits_then(c.then)) {
    curve one{l.name, {}, false};
    for (int t = 32; t <= l.block_threads; t += 32) one.points.emplace_back(t, 100 * l.share(t));
    if (!then.empty() && then.back().points == one.points)
      then.back().name += ", " + l.name;
    else
      then.push_back(std::move(one));
  }
  then.push_back(curve_for(c.of.of.device, {arch, uses_of(32), {}, 0, 0}, occupancy_axis::block));
  const std::string of_blocks =
      "set xrange [0:1024]\nset xtics ('32' 32, '192' 192, '256' 256, '384' 384, '512' 512, "
      "'640' 640, '768' 768, '896' 896, '1024' 1024)\n";
  std::vector<figure> out;
  for (figure f :
       {drawn(c, "blocks", fmt::format("Occupancy over block size on {}, no shared memory", arch),
              "threads of a block", of_blocks, blocks),
        drawn(c, "registers", fmt::format("Occupancy over registers on {}, no shared memory", arch),
              "registers of a thread", "set xrange [0:256]\nset xtics 32\n", registers),
        drawn(c, "shared",
              fmt::format("Occupancy over shared memory on {}, 32 registers a thread", arch),
              "KiB of shared memory of a block", "set xrange [0:228]\nset xtics 32\n", shared),
        drawn(c, "then", "Occupancy over block size, then and now, where registers suffice",
              "threads of a block", of_blocks, then)})
    if (!f.commands.empty()) out.push_back(std::move(f));
  return out;
}

double resident_limits::share(int threads) const {
  const int block_warps = (threads + 31) / 32;
  const int fit = std::min(blocks, warps / block_warps);
  return static_cast<double>(fit * block_warps) / warps;
}

std::vector<resident_limits> limits_then(const historical& h) {
  std::vector<resident_limits> out;
  const auto table_of = [&](const char* row, const std::string& name) {
    const historical_value* v = h.find("devices", row, name);
    return v == nullptr ? 0 : static_cast<int>(v->value);
  };
  for (const char* name : {"GeForce GTX 295", "Tesla C2050", "GeForce GTX 480"}) {
    resident_limits one{name, table_of("Warps per multiprocessor", name),
                        table_of("Blocks per multiprocessor", name),
                        table_of("Max threads per block", name)};
    if (one.warps > 0 && one.blocks > 0 && one.block_threads > 0) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace ptxlab::report
