// SPDX-License-Identifier: Apache-2.0
// races: X -> P -> X once, from X = 1 and P = 0, again and again, by a kernel without a barrier of
// the grid, whose first warp begins late by so many cycles (skew). A mean of ones is one, so every
// other element was computed too early. One thread each element; a warp or a block can be wrong as
// a whole or in part.
#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/race_counts.hpp"
#include "driver/bench/transform_reference.hpp"

namespace ptxlab::bench {
namespace {

constexpr double runs_at_most = 200, runs_at_least = 20;
constexpr double point_ns = 300e6;

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const unsigned t : grid_threads(m, s, {32, 64, 256, 1024}))
    for (const unsigned b : grid_blocks(m, s, {2, 4, 8, 16, 32, 64, 0})) {
      const double ns = transform_ns(b * t, b * t, b, t, s);
      if (ns > longest_transform_ns) continue;
      const double runs = std::clamp(std::floor(point_ns / ns), runs_at_least, runs_at_most);
      for (const unsigned skew : m.skews.empty() ? std::vector<unsigned>{0} : m.skews)
        out.push_back({{"threads", t}, {"blocks", b}, {"runs", runs}, {"skew_cycles", skew}});
    }
  return quick ? few_of(out) : out;
}

results::row count_row(const axes& at, const char* quantity, const char* unit,
                       const std::vector<race_counts>& all, std::uint64_t race_counts::*which) {
  results::row r = make_row(protocol_of(kernels::protocol::races), at, quantity, unit);
  r.raw_unit = unit;
  results::series s{static_cast<double>(all.size()), {}};
  for (const race_counts& c : all) s.values.push_back(static_cast<double>(c.*which));
  r.value = results::summarise(s.values);
  r.raw.push_back(std::move(s));
  return r;
}

/// How many of all runs went wrong: one number; raw has 1 for each that did.
results::row wrong_runs(const axes& at, const std::vector<race_counts>& all) {
  results::row r = count_row(at, "wrong runs", "run", all, &race_counts::elements);
  double n = 0;
  for (double& x : r.raw.front().values) n += x = x > 0 ? 1 : 0;
  r.value = results::summarise({n});
  r.value->samples = static_cast<int>(all.size());
  return r;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.block_threads = static_cast<unsigned>(at.at("threads"));
  g.blocks = static_cast<unsigned>(at.at("blocks"));
  g.cooperative = v.measure.cooperative;
  const unsigned n = g.blocks * g.block_threads;
  const auto memory = l.buffers({n * sizeof(float), n * sizeof(float)});
  const std::vector<float> ones(n, 1.0F);
  cuda::arguments a;
  a.add(memory[0]).add(memory[1]).add(n).add(static_cast<unsigned>(at.at("skew_cycles")));
  std::vector<race_counts> all;
  for (int i = 0; i < static_cast<int>(at.at("runs")); ++i) {
    cuda::upload(memory[0], ones);
    cuda::fill(memory[1], 0, n * sizeof(float));
    l.launch(g, a);
    all.push_back(count_races(cuda::download<float>(memory[0], n), g.block_threads));
  }
  return {wrong_runs(at, all),
          count_row(at, "wrong elements", "element", all, &race_counts::elements),
          count_row(at, "wrong warps", "warp", all, &race_counts::warps),
          count_row(at, "wrong warps in part", "warp", all, &race_counts::warps_in_part),
          count_row(at, "wrong blocks", "block", all, &race_counts::blocks),
          count_row(at, "wrong blocks in part", "block", all, &race_counts::blocks_in_part)};
}

const protocol_registration registered({.how = kernels::protocol::races,
                                        .name = "races",
                                        .says = "X -> P -> X without a barrier: what goes wrong",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
