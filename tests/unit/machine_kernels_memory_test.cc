// SPDX-License-Identifier: Apache-2.0
// References of the timed kernels of one block that read memory: streams of loads, rings of
// addresses, textures, constants.
#include <numeric>
#include <random>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::size_t chain_samples = std::size_t{3} * device::samples_per_launch;

// --- streams that touch memory -------------------------------------------------------------------

/// The words of a throughput kernel that name themselves: x stays what it was at the start.
timed_model naming_itself(std::function<u64(const workbench&, unsigned lane, unsigned stream)> f) {
  timed_model m = each<u64>([](u64 x, u64, u64) { return x; });
  // Lanes above 31 stand for the other streams: lane + 32 * stream.
  m.first = [f](const workbench& on, unsigned i) { return f(on, i % warp_lanes, i / warp_lanes); };
  m.by_lane = 0;
  return m;
}

const reference_registration streams[] = {
    {"throughput/memory/ld_global_u64",
     [](const subject& s) {
       check_streams(s, naming_itself([](const workbench& on, unsigned lane, unsigned k) {
                       return on.scratch + 8 * lane + 256 * k;
                     }),
                     2);
     }},
};

/// All lanes' words stay what the first region handed over, and differ as they should.
void check_fixed_streams(const subject& s, unsigned by_lane, unsigned by_stream) {
  constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
  s.on.operand(0, 0);
  s.on.operand(device::rounds_operand, 2);
  s.on.how.dynamic_shared = device::throughput_bytes(1);
  const run_report r = s.on.run_timed(s.what.symbol, 1, warp_lanes, std::size_t{regions} * passes);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  expect_samples(s.on.samples.data(), passes, regions, 0);
  const std::vector<region_results>& results = s.on.sinks.of(0, 0);
  ASSERT_EQ(results.size(), std::size_t{regions} * passes);
  const u64 base = results[0].back()[0];
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::size_t n = std::size_t{1} << i % regions;
    ASSERT_GE(results[i].size(), n);
    for (std::size_t k = 0; k < n; ++k)
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        ASSERT_EQ(results[i][results[i].size() - n + k][lane],
                  base + u64{by_lane} * lane + by_stream * k)
            << "region " << i << " stream " << k << " lane " << lane;
  }
}

const reference_registration fixed_streams[] = {
    {"throughput/memory/ld_shared_u32", [](const subject& s) { check_fixed_streams(s, 4, 128); }},
    {"throughput/local/ld_u32", [](const subject& s) { check_fixed_streams(s, 0, 4); }},
};

void write_words(const subject& s, const std::vector<u32>& words) {
  const auto [at, bytes] = s.on.module.variable(s.what.measure.ring.symbol);
  ASSERT_GE(bytes, words.size() * 4);
  s.on.on.device().write(at, std::as_bytes(std::span(words)));
}

void check_constant_streams(const subject& s, unsigned by_lane) {
  std::vector<u32> words(1024);
  for (u32 i = 0; i < words.size(); ++i) words[i] = 4 * i;
  write_words(s, words);
  check_fixed_streams(s, by_lane, 128 * 1);
}
const reference_registration constants[] = {
    {"throughput/constant/by_lane", [](const subject& s) { check_constant_streams(s, 4); }},
    {"throughput/constant/one_word", [](const subject& s) { check_constant_streams(s, 0); }},
    {"throughput/constant/words_of_a_warp",
     [](const subject& s) {
       s.on.operand(1, 32);
       check_constant_streams(s, 4);
       s.on.operand(1, 1);
       check_constant_streams(s, 0);
     }},
};

// --- rings ---------------------------------------------------------------------------------------

/// `next(x)` is the link at x; the walk goes through all `links` before it comes back.
void check_walk(const subject& s, u64 start, unsigned links, unsigned warm,
                const std::function<u64(u64)>& next, unsigned lane = 0) {
  const std::vector<region_results>& results = s.on.sinks.of(0, 0);
  ASSERT_EQ(results.size(), chain_samples);
  std::map<u64, unsigned> seen;
  u64 x = start;
  for (unsigned i = 0; i < links; ++i, x = next(x))
    ASSERT_TRUE(seen.emplace(x, i).second) << "link " << i << " leads back";
  ASSERT_EQ(x, start) << "the ring is open";
  for (unsigned i = 0; i < warm % links; ++i) x = next(x);
  for (unsigned i = 0; i < results.size(); ++i) {
    for (unsigned k = 0; k < s.what.measure.copies << i % 3; ++k) x = next(x);
    ASSERT_EQ(results[i].back()[lane], x) << "region " << i << " lane " << lane;
  }
}

/// A ring of 37 places, which the kernel writes.
void check_global_ring(const subject& s) {
  using device::ring_operand;
  const kernels::ring& r = s.what.measure.ring;
  constexpr unsigned links = 37, warm = 5;
  const u64 stride = r.stride_bytes.front(), offset = r.offset_bytes.empty() ? 0 : 256;
  // Of pages only the first bytes are touched; the machine's memory is taken as it is.
  const bool words = r.what == kernels::ring::link::index;
  const address base = s.on.on.device().allocate((links + 1) * stride + offset, "ring") + offset;
  s.on.operand(ring_operand::base, base);
  s.on.operand(ring_operand::links, links);
  s.on.operand(ring_operand::stride, stride);
  s.on.operand(ring_operand::order,
               (r.how == kernels::ring::order::random ? 1U : 0U) | (words ? 2U : 0U));
  s.on.operand(ring_operand::warm, warm);
  const run_report run = s.on.run_timed(s.what.symbol, 1, 64, chain_samples);
  ASSERT_EQ(run.how, ending::finished) << run.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
  if (words)
    check_walk(s, 0, links, warm, [&](u64 x) { return s.on.read<u32>(base + 4 * x, 1)[0]; });
  else
    check_walk(s, base, links, warm, [&](u64 x) { return s.on.read<u64>(x, 1)[0]; });
  if (r.how == kernels::ring::order::sequential) {
    EXPECT_EQ(s.on.read<u64>(base, 1)[0], base + stride);
  }
}

/// A shuffled ring of word indices, which the host writes.
std::vector<u32> shuffled_ring(unsigned links, unsigned step) {
  std::vector<u32> order(links), words(std::size_t{links} * step);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(3));
  for (unsigned i = 0; i < links; ++i) words[order[i] * step] = order[(i + 1) % links] * step;
  return words;
}
void run_written_ring(const subject& s, unsigned warm, unsigned offset = 0) {
  for (unsigned i = 0; i < 5; ++i) s.on.operand(i, 0);
  s.on.operand(device::ring_operand::base, offset);
  s.on.operand(device::ring_operand::order, device::ring_written);
  s.on.operand(device::ring_operand::warm, warm);
  const run_report run = s.on.run_timed(s.what.symbol, 1, 32, chain_samples);
  ASSERT_EQ(run.how, ending::finished) << run.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
}
void check_constant_ring(const subject& s, bool by_lane, unsigned offset = 0) {
  const std::vector<u32> words = shuffled_ring(64, 16);
  std::vector<u32> all(offset / 4, 99);  // what is not the ring's leads out of the array
  all.insert(all.end(), words.begin(), words.end());
  write_words(s, all);
  run_written_ring(s, 3, offset);
  for (const unsigned lane : {0U, 1U, 31U})
    check_walk(
        s, by_lane ? 16 * lane : 0, 64, 3, [&](u64 x) { return words.at(x); }, lane);
}

/// A texture of so many words, whose object goes where the kernel looks for it.
void bind_texture(const subject& s, const std::vector<u32>& words) {
  texture_description d;
  d.at = s.on.buffer(words, "texels");
  d.channel = channel_type::u32;
  d.width = static_cast<u32>(words.size());
  const u64 object = s.on.on.create_texture(d);
  const auto [at, bytes] = s.on.module.variable(s.what.measure.ring.symbol);
  ASSERT_EQ(bytes, sizeof object);
  s.on.on.device().write(at, std::as_bytes(std::span(&object, 1)));
}
void check_texture_ring(const subject& s) {
  const std::vector<u32> words = shuffled_ring(64, 32);
  bind_texture(s, words);
  run_written_ring(s, 3);
  check_walk(s, 0, 64, 3, [&](u64 x) { return words.at(x); });
}
const reference_registration texels("throughput/texture/fetch_u32", [](const subject& s) {
  std::vector<u32> words(256);
  std::iota(words.begin(), words.end(), 0U);
  bind_texture(s, words);
  check_fixed_streams(s, 1, 32);
});

const reference_registration rings[] = {
    {"memory/texture/index", check_texture_ring},
    {"memory/texture/load", check_global_ring},
    {"memory/dram/random_ring", check_global_ring},
    {"memory/dram/sequential_128", check_global_ring},
    {"memory/dram/sequential_256", check_global_ring},
    {"memory/dram/sequential_32", check_global_ring},
    {"memory/dram/sequential_64", check_global_ring},
    {"memory/l1/index", check_global_ring},
    {"memory/l1/pointer", check_global_ring},
    {"memory/l2/pointer", check_global_ring},
    {"memory/l2/single_word", check_global_ring},
    {"memory/staircase/pointer", check_global_ring},
    {"memory/tlb/page_walk", check_global_ring},
    {"memory/constant/index", [](const subject& s) { check_constant_ring(s, false); }},
    {"memory/constant/index_at_offset",
     [](const subject& s) { check_constant_ring(s, false, 16640); }},
    {"memory/constant/index_by_lane", [](const subject& s) { check_constant_ring(s, true); }},
};

/// Zeros are added to the place of one of `words` words, which each lane keeps.
const reference_registration words_of_a_warp(
    "memory/constant/words_of_a_warp", [](const subject& s) {
      for (const u64 words : s.what.measure.swept.values) {
        s.on.operand(1, words);
        const std::vector<u32> zeros(32);  // others wrote there
        s.on.on.device().write(s.on.module.variable("ring_words").first,
                               std::as_bytes(std::span(zeros)));
        const run_report r = s.on.run_timed(s.what.symbol, 1, 32, chain_samples);
        ASSERT_EQ(r.how, ending::finished) << r.reason;
        for (const region_results& region : s.on.sinks.of(0, 0))
          for (unsigned lane = 0; lane < warp_lanes; ++lane)
            ASSERT_EQ(region.back()[lane], 4 * (lane % words)) << words << " words, lane " << lane;
      }
    });

}  // namespace
}  // namespace ptxlab::machine
