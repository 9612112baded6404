// SPDX-License-Identifier: Apache-2.0
// throughput: rounds of copies over 1, 2, 4 and 8 independent streams, in 1 to 32 warps of one
// block, or of each block of one cluster, of which the first one's count. From the first warp's
// start to the last one's end, on the one SM's clock, for R and 2R rounds; the slope gives the
// copies that the SM completes per cycle, counted in lanes. The three instructions that count a
// round are in it. Where an operand is swept there is no surface: each of its values is one point,
// with the most streams and warps.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/array_words.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/swept.hpp"
#include "driver/bench/words.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned streams[] = {1, 2, 4, 8};
constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
/// Steps of each warp in the shorter launch: long against the start of 32 warps.
constexpr unsigned steps_at_least = 8192;
/// The same where an operand is swept: there are many points, some of them slow.
constexpr unsigned swept_steps = 1024;
/// Words that name themselves, where the declaration does not say how many.
constexpr std::uint64_t words_bytes = 4096;
constexpr unsigned most_warps = 32;  ///< of the one block: 1024 threads
constexpr unsigned launches = 2;     ///< of each number of rounds
/// Spread of a rate, as a part of it, above which it is not one.
constexpr double unsteady = 0.1;

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

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  if (!m.swept.axis.empty()) return swept_points(m.swept, {{}}, quick);
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

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Work per cycle from the samples of R and 2R rounds, of which R do `work`. Some surfaces have
/// points where the warps fall in and out of step and the rate jumps from launch to launch: a slope
/// between two such launches is of no meaning, and is refused.
void rate(results::row& r, double work) {
  std::vector<double> plain;
  for (const double cycles : r.raw[0].values) plain.push_back(work / cycles);
  for (const double cycles : r.raw[1].values) plain.push_back(2 * work / cycles);
  const results::summary seen = results::summarise(plain);
  if (seen.max - seen.min > unsteady * seen.median) {
    r.state = results::status::invalid;
    r.reason = fmt::format("the rate is not steady: {:.1f} to {:.1f} from pass to pass", seen.min,
                           seen.max);
    return;
  }
  std::vector<double> rates;
  for (std::size_t p = 0; p < r.raw[0].values.size(); ++p) {
    const double cycles = r.raw[1].values[p] - r.raw[0].values[p];
    if (cycles <= 0) throw error("twice the rounds took no longer");
    rates.push_back(work / cycles);
  }
  r.value = results::summarise(rates);
}

std::uint64_t bytes_of(const kernels::ring& words) {
  return words.footprint_bytes.empty() ? words_bytes : words.footprint_bytes.front();
}

/// Takes the rounds of the shorter launch and of the longer one, again and again.
struct taken {
  std::vector<std::vector<sample>> once, twice;
};

taken samples_of(lab& l, const cuda::geometry& g, std::vector<std::uint64_t> operands,
                 unsigned rounds) {
  const std::size_t of_a_block = std::size_t{g.block_threads / 32} * passes * regions;
  const std::size_t samples = of_a_block * g.blocks;
  const auto run = [&](unsigned times) {
    operands[device::rounds_operand] = std::uint64_t{times} * rounds;
    std::vector<sample> out = l.launch(g, operands, samples);
    out.resize(of_a_block);  // the first block's
    return out;
  };
  operands[device::rounds_operand] = rounds;
  l.warm_up(g, operands, samples);
  taken out;
  for (unsigned i = 0; i < launches; ++i) {
    out.once.push_back(run(1));
    out.twice.push_back(run(2));
  }
  return out;
}

/// One row for each number of streams; of a swept operand one row, with the most of them.
std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const bool sweeps = !v.measure.swept.axis.empty();
  const unsigned warps = sweeps ? most_warps : static_cast<unsigned>(at.at("warps"));
  cuda::geometry g;
  g.blocks = std::max(1U, v.measure.cluster_blocks);
  g.cluster_blocks = v.measure.cluster_blocks;
  g.block_threads = warps * 32;
  g.dynamic_shared_bytes = device::throughput_bytes(warps);
  std::vector<std::uint64_t> operands = swept_operands(v.measure.swept, at, v.measure.operands);
  operands.resize(3);
  for (unsigned k = 0; k < 8; ++k) operands.push_back(operands.front() + k);
  operands.resize(device::rounds_operand + 1);
  const kernels::ring& words = v.measure.ring;
  std::optional<cuda::texture> bound;
  std::unique_ptr<cuda::texture_object> array;
  const kernels::texture& through = v.measure.texture;
  if (words.where == kernels::ring::memory::texture &&
      through.from == kernels::texture::source::array) {
    const machine::texture_description d = array_of_places(through, bytes_of(words));
    array = place_texels(l, words, d, own_texels(d));
  } else if (words.where != kernels::ring::memory::global)
    bound = place_words(l, words, own_words(words, bytes_of(words)));
  const unsigned rounds = std::max(1U, (sweeps ? swept_steps : steps_at_least) / v.measure.copies);
  const taken seen = samples_of(l, g, operands, rounds);
  std::vector<results::row> out;
  for (unsigned i = sweeps ? regions - 1 : 0; i < regions; ++i) {
    axes here = at;
    if (!sweeps) here["ilp"] = streams[i];
    results::row r = make_row(protocol_of(kernels::protocol::throughput), here, "throughput",
                              v.measure.traffic > 1 ? "byte/cycle/SM" : "operation/cycle/SM");
    const double n = static_cast<double>(v.measure.copies) * rounds;
    r.raw = {{n, {}}, {2 * n, {}}};
    for (unsigned k = 0; k < launches; ++k) {
      append(r.raw[0].values, spans(seen.once[k], warps, i, n).values);
      append(r.raw[1].values, spans(seen.twice[k], warps, i, 2 * n).values);
    }
    r.sm_clock_mhz = clock_of(seen.twice.back());
    rate(r, n * 32 * warps * v.measure.traffic);
    out.push_back(std::move(r));
  }
  return out;
}

/// The plateau: the highest rate, and the fewest warps and streams that come within 2 % of it.
void conclude(std::vector<results::row>& rows) {
  const results::row* best = nullptr;
  // A swept operand has no surface.
  for (const results::row& r : rows)
    if (r.value && r.axes.contains("ilp") &&
        (best == nullptr || r.value->median > best->value->median))
      best = &r;
  if (best == nullptr) return;
  const results::row* least = best;
  const auto cost = [](const results::row& r) { return r.axes.at("warps") * r.axes.at("ilp"); };
  for (const results::row& r : rows)
    if (r.value && r.value->median >= 0.98 * best->value->median && cost(r) < cost(*least))
      least = &r;
  results::row plateau = *best;
  plateau.quantity = "plateau";
  plateau.axes = least->axes;
  plateau.uses = least->uses;
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
