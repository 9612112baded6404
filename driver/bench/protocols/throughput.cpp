// SPDX-License-Identifier: Apache-2.0
// throughput: rounds of copies over 1, 2, 4 and 8 independent streams, in 1 to 32 warps of one
// block. From the first warp's start to the last one's end, on the one SM's clock, for R and 2R
// rounds; the slope gives the copies that the SM completes per cycle, counted in lanes. The three
// instructions that count a round are in it.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned streams[] = {1, 2, 4, 8};
constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
/// Steps of each warp in the shorter launch: long against the start of 32 warps.
constexpr unsigned steps_at_least = 8192;

timing::contract contract(const kernels::measurement& m) {
  timing::contract c;
  c.how = timing::relation::independent;
  c.opcodes.assign(m.sass.begin(), m.sass.end());
  c.per_copy = m.per_copy;
  c.expands = m.expands;
  c.rounds = true;
  for (const unsigned s : streams) c.regions.push_back({m.copies / s, s});
  return c;
}

std::vector<axes> points(const kernels::measurement&, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U})
    if (static_cast<int>(warps * 32) <= s.max_block_threads && (!quick || warps % 16 == 0))
      out.push_back({{"warps", warps}});
  return out;
}

/// Cycles from the first warp's start to the last one's end, for every pass but the cold ones.
results::series spans(const std::vector<sample>& samples, unsigned warps, unsigned region,
                      double length) {
  results::series out{length, {}};
  for (unsigned pass = cold_passes; pass < passes; ++pass) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (unsigned w = 0; w < warps; ++w) {
      const sample& s = samples.at((w * passes + pass) * regions + region);
      if (s.region != region || s.end <= s.begin)
        throw error("a sample is missing: the kernel did not write it");
      if (s.sm != samples.front().sm)
        throw error("samples of one block come from two SMs, whose clocks do not compare");
      begin = std::min<std::uint64_t>(begin, s.begin);
      end = std::max<std::uint64_t>(end, s.end);
    }
    out.values.push_back(static_cast<double>(end - begin));
  }
  return out;
}

/// One row for each number of streams.
std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const auto warps = static_cast<unsigned>(at.at("warps"));
  cuda::geometry g;
  g.block_threads = warps * 32;
  g.dynamic_shared_bytes = device::throughput_bytes(warps);
  std::vector<std::uint64_t> operands = v.measure.operands;
  operands.resize(3);
  for (unsigned k = 0; k < 8; ++k) operands.push_back(operands.front() + k);
  operands.resize(device::rounds_operand + 1);
  const std::size_t samples = std::size_t{warps} * passes * regions;
  const unsigned rounds = std::max(1U, steps_at_least / v.measure.copies);
  const auto run = [&](unsigned times) {
    operands[device::rounds_operand] = std::uint64_t{times} * rounds;
    return l.launch(g, operands, samples);
  };
  operands[device::rounds_operand] = rounds;
  l.warm_up(g, operands, samples);
  const std::vector<sample> once = run(1), twice = run(2);

  std::vector<results::row> out;
  for (unsigned i = 0; i < regions; ++i) {
    axes here = at;
    here["ilp"] = streams[i];
    results::row r = make_row(protocol_of(kernels::protocol::throughput), here, "throughput",
                              v.measure.traffic > 1 ? "byte/cycle/SM" : "operation/cycle/SM");
    const double n = static_cast<double>(v.measure.copies) * rounds;
    r.raw = {spans(once, warps, i, n), spans(twice, warps, i, 2 * n)};
    std::vector<double> rates;
    for (std::size_t p = 0; p < r.raw[0].values.size(); ++p) {
      const double cycles = r.raw[1].values[p] - r.raw[0].values[p];
      if (cycles <= 0) throw error("twice the rounds took no longer");
      rates.push_back(n * 32 * warps * v.measure.traffic / cycles);
    }
    r.value = results::summarise(rates);
    r.sm_clock_mhz = clock_of(twice);
    out.push_back(std::move(r));
  }
  return out;
}

/// The plateau: the highest rate, and the fewest warps and streams that come within 2 % of it.
void conclude(std::vector<results::row>& rows) {
  const results::row* best = nullptr;
  for (const results::row& r : rows)
    if (r.value && (best == nullptr || r.value->median > best->value->median)) best = &r;
  if (best == nullptr) return;
  const results::row* least = best;
  const auto cost = [](const results::row& r) { return r.axes.at("warps") * r.axes.at("ilp"); };
  for (const results::row& r : rows)
    if (r.value && r.value->median >= 0.98 * best->value->median && cost(r) < cost(*least))
      least = &r;
  results::row plateau = *best;
  plateau.quantity = "plateau";
  plateau.axes = least->axes;
  plateau.raw.clear();
  rows.push_back(std::move(plateau));
}

const protocol_registration registered({.how = kernels::protocol::throughput,
                                        .name = "throughput",
                                        .says = "independent streams over warps of one SM",
                                        .contract = contract,
                                        .points = points,
                                        .measure = measure,
                                        .conclude = conclude});

}  // namespace
}  // namespace ptxlab::bench
