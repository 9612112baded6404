// SPDX-License-Identifier: Apache-2.0
// References of the timed kernels of one block that use memory and barriers: atomics, fences, rings
// of addresses, textures, constants.
#include <numeric>
#include <random>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::size_t chain_samples = std::size_t{3} * device::samples_per_launch;

// --- chains that touch memory --------------------------------------------------------------------

/// The same in the scratch memory: a word of 8 bytes for each lane.
timed_model in_scratch(timed_model m, unsigned bytes) {
  m.own_bytes = bytes;
  m.own_stride = 8;
  return m;
}

/// Subnormal numbers are zeros to atom.add.f32 in global memory, and numbers in shared memory (PTX
/// ISA 9.0, "atom").
float flushed(float x) {
  return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}

template <class T>
timed_model adding() {
  return with_own<T>([](T& word, T x, T) {
    const T old = word;
    word = static_cast<T>(word + x);
    return old;
  });
}
timed_model adding_flushed() {
  return with_own<float>([](float& word, float x, float) {
    const float old = word;
    word = flushed(flushed(word) + flushed(x));
    return old;
  });
}
timed_model swapping_if_equal() {
  return with_own<u32>([](u32& word, u32 x, u32 a) {
    const u32 old = word;
    if (word == x) word = a;
    return old;
  });
}
timed_model swapping() {
  return with_own<u32>([](u32& word, u32 x, u32) { return std::exchange(word, x); });
}
timed_model keeping_the_largest() {
  return with_own<u32>(
      [](u32& word, u32 x, u32) { return std::exchange(word, std::max(word, x)); });
}
timed_model adding_without_result() {
  return with_own<u32>([](u32& word, u32 x, u32) {
    word += x;
    return x;
  });
}

reference chain(const timed_model& m, unsigned warps = 1) {
  return [m, warps](const subject& s) { check_chain(s, m, warps); };
}
timed_model uniform(timed_model m) {
  m.by_lane = 0;
  return m;
}
/// Every step counts the threads of the block whose x is not 0.
timed_model counting(u32 threads) {
  return uniform(each<u32>([threads](u32, u32, u32) { return threads; }));
}
/// A word that holds its own number: x stays.
timed_model own_number() {
  return uniform(unchanged());
}
/// A word that holds its own address, wherever in shared memory that is.
timed_model own_address() {
  timed_model m = unchanged();
  m.first = [](const workbench& on, unsigned) {
    const u64 first = on.sinks.of(0, 0).front().back()[0];
    EXPECT_EQ(first % 4, 0U);
    EXPECT_GT(first, 0U);  // behind the samples
    return first;
  };
  return m;
}

const reference_registration chains[] = {
    {"atomic/global/add_acq_rel_gpu_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_cta_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_gpu_f32", chain(in_scratch(adding_flushed(), 4))},
    {"atomic/global/add_gpu_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_gpu_u64", chain(in_scratch(adding<u64>(), 8))},
    {"atomic/global/add_sys_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/cas_gpu_b32", chain(in_scratch(swapping_if_equal(), 4))},
    {"atomic/global/exch_gpu_b32", chain(in_scratch(swapping(), 4))},
    {"atomic/global/max_gpu_u32", chain(in_scratch(keeping_the_largest(), 4))},
    {"atomic/reduction/red_cta_fence_cta", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/reduction/red_gpu_fence_gpu", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/reduction/red_shared_fence_cta", chain(adding_without_result())},
    {"atomic/reduction/red_sys_fence_sys", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/shared/add_f32", chain(adding<float>())},
    {"atomic/shared/add_u32", chain(adding<u32>())},
    {"atomic/shared/add_u64", chain(adding<u64>())},
    {"atomic/shared/cas_b32", chain(swapping_if_equal())},
    {"atomic/shared/exch_b32", chain(swapping())},
    {"atomic/shared/max_u32", chain(keeping_the_largest())},
    {"barrier/block_cost/bar_red_popc", chain(counting(96), 3)},
    {"barrier/block_cost/bar_sync", chain(unchanged(), 3)},
    {"barrier/block_cost/bar_warp_sync", chain(unchanged())},
    {"memory/local/index", chain(own_number())},
    {"memory/shared/index", chain(own_number())},
    {"memory/shared/pointer", chain(own_address())},
};

/// A cluster is one block on the machine; what a copy does is the same.

struct fence_registrations {
  fence_registrations() {
    for (const std::string what : {"fence_acq_rel", "fence_sc"})
      for (const std::string scope : {"cluster", "cta", "gpu", "sys"}) add(what + "_" + scope);
    for (const std::string scope : {"cta", "gl", "sys"}) add("membar_" + scope);
  }
  /// After each store of x, the line holds x: all lanes write it, so all have the same.
  static void add(const std::string& name) {
    reference_registration("fence/cost/" + name + "_idle", chain(unchanged()));
    reference_registration("fence/cost/" + name + "_after_store", [](const subject& s) {
      kernels::variant with_x = s.what;
      with_x.measure.operands = {77};
      check_chain({s.on, with_x, s.id, s.verdicts}, uniform(unchanged()));
      EXPECT_EQ(s.on.read<u32>(s.on.scratch, 2), (std::vector<u32>{77, 0}));
    });
  }
};
const fence_registrations fences;

// --- streams that touch memory -------------------------------------------------------------------

/// The words of a throughput kernel that name themselves: x stays what it was at the start.
timed_model naming_itself(std::function<u64(const workbench&, unsigned lane, unsigned stream)> f) {
  timed_model m = each<u64>([](u64 x, u64, u64) { return x; });
  // Lanes above 31 stand for the other streams: lane + 32 * stream.
  m.first = [f](const workbench& on, unsigned i) { return f(on, i % warp_lanes, i / warp_lanes); };
  m.by_lane = 0;
  return m;
}
timed_model shared_word(unsigned stride) {
  timed_model m = adding<u32>();
  m.first = [](const workbench&, unsigned i) { return u64{i / warp_lanes}; };
  m.own_stride = stride;
  m.own_bytes = 4;
  return m;
}

const reference_registration streams[] = {
    {"throughput/atomic/global_add_u32",
     [](const subject& s) { check_streams(s, shared_word(4)); }},
    {"throughput/atomic/shared_add_u32",
     [](const subject& s) { check_streams(s, shared_word(0)); }},
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
void run_written_ring(const subject& s, unsigned warm) {
  for (unsigned i = 0; i < 5; ++i) s.on.operand(i, 0);
  s.on.operand(device::ring_operand::order, device::ring_written);
  s.on.operand(device::ring_operand::warm, warm);
  const run_report run = s.on.run_timed(s.what.symbol, 1, 32, chain_samples);
  ASSERT_EQ(run.how, ending::finished) << run.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
}
void check_constant_ring(const subject& s, bool by_lane) {
  const std::vector<u32> words = shuffled_ring(64, 16);
  write_words(s, words);
  run_written_ring(s, 3);
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
    {"memory/constant/index_by_lane", [](const subject& s) { check_constant_ring(s, true); }},
};

}  // namespace
}  // namespace ptxlab::machine
