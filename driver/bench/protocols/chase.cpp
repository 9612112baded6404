// SPDX-License-Identifier: Apache-2.0
// chase: one warp follows a ring of links through memory, each load's address being the value of
// the one before. The slope over N, 2N and 4N links is the latency of one, by footprint and stride.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/results/statistics.hpp"
#include "driver/bench/array_words.hpp"
#include "driver/bench/chain.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/words.hpp"

namespace ptxlab::bench {
namespace {

using kernels::ring;

/// Links walked before timing: twice round a ring that a cache can hold, since what a store has put
/// into L2 is slower to read for the first time; a few thousand of one that none can, for the TLB.
std::uint64_t links_to_warm(std::uint64_t links, bool fits_l2) {
  return fits_l2 ? 2 * links : std::min<std::uint64_t>(2 * links, 1 << 13);
}

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<std::uint64_t> footprints = m.ring.footprint_bytes;
  for (const unsigned times : m.ring.footprint_l2) footprints.push_back(times * s.l2_bytes);
  std::vector<std::uint64_t> offsets = m.ring.offset_bytes;
  if (offsets.empty()) offsets = {0};
  std::vector<axes> out;
  for (const unsigned stride : m.ring.stride_bytes)
    for (const std::uint64_t footprint : footprints)
      for (const std::uint64_t offset : offsets) {
        if (footprint < stride) continue;
        axes a = {{"stride_bytes", stride}, {"footprint_bytes", static_cast<double>(footprint)}};
        if (offsets.size() > 1 || offset != 0) a["offset_bytes"] = static_cast<double>(offset);
        out.push_back(std::move(a));
      }
  if (!quick || out.size() <= 4) return out;
  std::vector<axes> few;
  for (std::size_t i = 0; i < 4; ++i) few.push_back(out[i * (out.size() - 1) / 3]);
  return few;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const ring& r = v.measure.ring;
  const auto footprint = static_cast<std::uint64_t>(at.at("footprint_bytes"));
  const auto stride = static_cast<std::uint64_t>(at.at("stride_bytes"));
  const std::uint64_t offset =
      at.contains("offset_bytes") ? static_cast<std::uint64_t>(at.at("offset_bytes")) : 0;
  if (const std::uint64_t l2 = l.device_sizes().l2_bytes; r.beyond_l2 && footprint <= 2 * l2)
    throw error(fmt::format("refused: {} bytes do not reach beyond an L2 of {}", footprint, l2));
  std::vector<std::uint64_t> operands(5);
  using device::ring_operand;
  operands[ring_operand::links] = footprint / stride;
  operands[ring_operand::stride] = stride;
  // Of a ring of pages it is the lines, and not the pages, that have to fit.
  const std::uint64_t touched = footprint / stride * std::min<std::uint64_t>(stride, 128);
  operands[ring_operand::warm] =
      links_to_warm(footprint / stride, touched <= l.device_sizes().l2_bytes);
  operands[ring_operand::order] = device::ring_written;
  std::optional<cuda::texture> bound;
  std::unique_ptr<cuda::texture_object> array;
  const kernels::texture& through = v.measure.texture;
  if (r.where == ring::memory::global) {
    // The last link of a ring of pages lies up to a page behind the footprint.
    operands[ring_operand::base] = l.memory(footprint + offset + stride) + offset;
    operands[ring_operand::order] =
        (r.how == ring::order::random ? 1U : 0U) | (r.what == ring::link::index ? 2U : 0U);
  } else if (r.where == ring::memory::texture && through.from == kernels::texture::source::array) {
    const machine::texture_description d = array_of_places(through, footprint);
    array = place_texels(l, r, d, ring_texels(d, r.how));
  } else {
    // The kernel is told where the ring begins; of a texture all is ring.
    operands[ring_operand::base] = offset;
    bound = place_words(l, r, ring_words(r, footprint, stride), offset);
  }
  cuda::geometry g;
  g.block_threads = r.where == ring::memory::global ? 1024 : 32;
  return {chain_row(l, protocol_of(kernels::protocol::chase), v.measure, at, g, operands)};
}

/// Levels of a staircase: neighbouring footprints of one stride, three at least, whose latencies
/// lie within 5 % of the first one's.
void find_plateaus(std::vector<results::row>& rows) {
  std::vector<results::row> levels;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[i].value && rows[end].value &&
           rows[end].axes.at("stride_bytes") == rows[i].axes.at("stride_bytes") &&
           std::abs(rows[end].value->median / rows[i].value->median - 1) < 0.05)
      ++end;
    if (end - i >= 3) {
      std::vector<double> medians;
      for (std::size_t k = i; k < end; ++k) medians.push_back(rows[k].value->median);
      results::row level = rows[i];
      level.quantity = "plateau";
      level.axes = {{"stride_bytes", rows[i].axes.at("stride_bytes")},
                    {"from_bytes", rows[i].axes.at("footprint_bytes")},
                    {"to_bytes", rows[end - 1].axes.at("footprint_bytes")}};
      level.value = results::summarise(medians);
      level.raw.clear();
      level.by_timer_ns.reset();
      level.residual.reset();
      levels.push_back(std::move(level));
    }
    i = end;
  }
  std::move(levels.begin(), levels.end(), std::back_inserter(rows));
}

/// Single words in two groups, told apart at the widest gap between their latencies.
void find_near_and_far(std::vector<results::row>& rows) {
  std::vector<double> medians;
  for (const results::row& r : rows)
    if (r.value) medians.push_back(r.value->median);
  if (medians.size() < 4) return;
  std::sort(medians.begin(), medians.end());
  std::size_t cut = 1;
  for (std::size_t i = 1; i < medians.size(); ++i)
    if (medians[i] - medians[i - 1] > medians[cut] - medians[cut - 1]) cut = i;
  const auto at = medians.begin() + static_cast<std::ptrdiff_t>(cut);
  const results::row any = rows.front();
  for (const auto& [quantity, values] :
       {std::pair{"near latency", std::vector<double>(medians.begin(), at)},
        std::pair{"far latency", std::vector<double>(at, medians.end())}}) {
    results::row r = any;
    r.quantity = quantity;
    r.published = quantity[0] == 'n' ? "L2 near-partition hit" : "L2 far-partition hit";
    r.axes = {{"words", static_cast<double>(values.size())}};
    r.value = results::summarise(values);
    r.state = results::status::ok;
    r.reason.clear();
    r.raw.clear();
    r.by_timer_ns.reset();
    r.residual.reset();
    rows.push_back(std::move(r));
  }
}

void conclude(std::vector<results::row>& rows) {
  if (rows.empty()) return;
  if (rows.front().axes.contains("offset_bytes")) {
    find_near_and_far(rows);
  } else {
    find_plateaus(rows);
  }
}

const protocol_registration registered({.how = kernels::protocol::chase,
                                        .name = "chase",
                                        .says = "a ring of links, by footprint and stride",
                                        .contract = chain_contract,
                                        .points = points,
                                        .measure = measure,
                                        .conclude = conclude});

}  // namespace
}  // namespace ptxlab::bench
