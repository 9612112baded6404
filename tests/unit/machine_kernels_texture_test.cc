// SPDX-License-Identifier: Apache-2.0
// References of the kernels that read textures of every kind: each fetch against the reference from
// the programming guide, whole walks against the host's, and rings and streams through arrays.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "driver/bench/array_words.hpp"
#include "driver/bench/texel_check.hpp"
#include "driver/bench/texel_walk.hpp"
#include "tests/unit/machine/reference.hpp"
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u64 create(const subject& s, texture_description d, const std::vector<std::byte>& texels) {
  d.at = s.on.buffer(texels, "texels");
  return s.on.on.create_texture(d);
}

// --- fetches at places ---------------------------------------------------------------------------

constexpr u32 places = 256, threads = 64;

std::vector<bench::texel_words> fetched(const subject& s, const texture_description& d,
                                        const std::vector<std::byte>& texels,
                                        const std::vector<bench::texel_place>& where) {
  const u64 object = create(s, d, texels);
  const address at = s.on.buffer(where, "at");
  const address out = s.on.buffer(std::vector<bench::texel_words>(where.size()), "out");
  s.run((places + threads - 1) / threads, threads, {object, at, out, where.size()});
  return s.on.read<bench::texel_words>(out, where.size());
}

/// At every point of its protocol; what the machine gives is what its own functions give.
void check_places(const subject& s) {
  constexpr bench::sizes h200{132, 1024, 60 << 20, u64{141} << 30};
  const auto points =
      bench::protocol_of(kernels::protocol::texels).points(s.what.measure, h200, false);
  ASSERT_FALSE(points.empty());
  for (const bench::axes& at : points) {
    const texture_description d = bench::described(s.what.measure.texture, at, false);
    const std::vector<std::byte> texels = bench::random_texels(d);
    // One place less than there are threads: the last one has nothing to do.
    const auto where = bench::places_of(d, places - 1);
    const bench::texel_errors e = bench::errors_of(d, texels, where, fetched(s, d, texels, where));
    EXPECT_EQ(e.wrong, 0U) << s.id << ", format " << static_cast<int>(d.channel) << ": " << e.first;
    EXPECT_EQ(e.unlike, 0U) << s.id;
  }
}

/// PTX ISA, tld4: the four texels counter-clockwise from the lower left, y going down.
void check_gather(const subject& s) {
  texture_description d;
  d.storage = texel_storage::array;
  d.shape = texture_shape::d2;
  d.width = d.height = 8;
  std::vector<float> numbers(64);
  for (std::size_t i = 0; i < 64; ++i) numbers[i] = static_cast<float>(i);
  const auto bytes = std::as_bytes(std::span(numbers));
  std::vector<bench::texel_place> where;
  for (int i = 0; i < 200; ++i)
    where.push_back({std::bit_cast<u32>(static_cast<float>(i % 20) * 0.5F - 0.7F),
                     std::bit_cast<u32>(static_cast<float>(i / 20) + 0.3F), 0, 0});
  const auto got = fetched(s, d, {bytes.begin(), bytes.end()}, where);
  const auto texel = [](float x, int more) {
    return std::clamp(static_cast<int>(std::floor(x - 0.5F)) + more, 0, 7);
  };
  for (std::size_t i = 0; i < where.size(); ++i) {
    const auto x = std::bit_cast<float>(where[i][0]), y = std::bit_cast<float>(where[i][1]);
    constexpr int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (unsigned k = 0; k < 4; ++k)
      EXPECT_EQ(std::bit_cast<float>(got[i][k]),
                static_cast<float>(8 * texel(y, order[k][1]) + texel(x, order[k][0])))
          << x << " " << y;
  }
}

/// Two objects of the same kind; each lane names its own.
void check_chosen(const subject& s) {
  texture_description d;
  d.storage = texel_storage::array;
  d.shape = texture_shape::d2;
  const std::array<float, 2> values = {3, 5};
  std::vector<u64> objects;
  for (const float& v : values) {
    const auto bytes = std::as_bytes(std::span(&v, 1));
    objects.push_back(create(s, d, {bytes.begin(), bytes.end()}));
  }
  std::vector<bench::texel_place> where(70);
  for (u32 i = 0; i < where.size(); ++i) where[i][3] = i * i / 3 % 2;
  const address list = s.on.buffer(objects, "objects"), at = s.on.buffer(where, "at");
  const address out = s.on.buffer(std::vector<bench::texel_words>(where.size()), "out");
  s.run(2, threads, {list, at, out, where.size()});
  const auto got = s.on.read<bench::texel_words>(out, where.size());
  for (std::size_t i = 0; i < where.size(); ++i)
    EXPECT_EQ(std::bit_cast<float>(got[i][0]), values[where[i][3]]) << i;
}

const reference_registration fetches[] = {
    {"texture/fetch/chosen_2d_f32", check_chosen},  {"texture/fetch/array_1d_f32", check_places},
    {"texture/fetch/array_2d_f32", check_places},   {"texture/fetch/array_2d_s32", check_places},
    {"texture/fetch/array_2d_u32", check_places},   {"texture/fetch/array_3d_f32", check_places},
    {"texture/fetch/gather_2d_f32", check_gather},  {"texture/fetch/layered_1d_f32", check_places},
    {"texture/fetch/layered_2d_f32", check_places}, {"texture/fetch/linear_f32", check_places},
    {"texture/fetch/linear_s32", check_places},     {"texture/fetch/linear_u32", check_places},
    {"texture/fetch/pitch_2d_f32", check_places},
};

// --- walks ---------------------------------------------------------------------------------------

void check_walk(const subject& s) {
  const kernels::texture& t = s.what.measure.texture;
  for (const bool filtered : t.filtered)
    for (const bool columns : {false, true}) {
      const double width = t.dimensions == 3 ? 32 : 64;
      texture_description object = bench::described(
          t, {{"format", 7}, {"edge", 1}, {"width", width}, {"filtered", filtered ? 1 : 0}}, true);
      bench::texel_walk w = {object, 2, 64, 2, columns};
      if (t.from == kernels::texture::source::linear) {
        w.plane.storage = texel_storage::array;
        w.plane.shape = texture_shape::d2;
        w.plane.height = object.width;
        object.width *= object.width;
      }
      w.check();
      const std::vector<std::byte> texels = bench::exact_texels(object);
      object.at = s.on.buffer(texels, "texels");
      const u64 handle = s.on.on.create_texture(object);
      const address out = s.on.buffer(std::vector<u32>(128), "out");
      s.run(2, 64,
            {handle, object.at, out, w.plane.width, w.plane.height, w.plane.depth,
             columns ? 1U : 0U, w.rounds, std::bit_cast<u32>(w.offset())});
      const std::vector<u32> got = s.on.read<u32>(out, 128);
      for (u32 i = 0; i < 128; i += 7)
        ASSERT_EQ(got[i], w.folded(texels, i / 64, i % 64)) << s.id << " thread " << i;
    }
}

const reference_registration walks[] = {
    {"texture/walk/array_2d", check_walk},      {"texture/walk/array_2d_x4", check_walk},
    {"texture/walk/load_x4", check_walk},       {"texture/walk/array_3d", check_walk},
    {"texture/walk/linear", check_walk},        {"texture/walk/load", check_walk},
    {"texture/walk/load_filtered", check_walk}, {"texture/walk/pitch_2d", check_walk},
};

// --- rings and streams through arrays ------------------------------------------------------------

texture_description bind_array(const subject& s, u64 bytes, bool ring,
                               std::vector<std::byte>& texels) {
  const texture_description d = bench::array_of_places(s.what.measure.texture, bytes);
  texels = ring ? bench::ring_texels(d, kernels::ring::order::random) : bench::own_texels(d);
  const u64 object = create(s, d, texels);
  const auto [at, room] = s.on.module.variable(s.what.measure.ring.symbol);
  EXPECT_EQ(room, sizeof object);
  s.on.on.device().write(at, std::as_bytes(std::span(&object, 1)));
  return d;
}

u64 pair_of(float x, float y) {
  return u64{std::bit_cast<u32>(y)} << 32 | std::bit_cast<u32>(x);
}

void check_ring(const subject& s) {
  constexpr u32 bytes = 4096, links = bytes / 128, warm = 3;
  std::vector<std::byte> texels;
  const texture_description d = bind_array(s, bytes, true, texels);
  for (unsigned i = 0; i < 5; ++i) s.on.operand(i, 0);
  s.on.operand(device::ring_operand::order, device::ring_written);
  s.on.operand(device::ring_operand::warm, warm);
  constexpr std::size_t samples = std::size_t{3} * device::samples_per_launch;
  const run_report run = s.on.run_timed(s.what.symbol, 1, 32, samples);
  ASSERT_EQ(run.how, ending::finished) << run.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
  const auto next = [&](u64 place) {
    const auto x = static_cast<u32>(std::bit_cast<float>(static_cast<u32>(place)));
    const auto y = static_cast<u32>(std::bit_cast<float>(static_cast<u32>(place >> 32)));
    u64 to = 0;
    std::memcpy(&to, texels.data() + (y * d.width + x) * sizeof to, sizeof to);
    return to;
  };
  const u64 start = pair_of(0.5F, 0.5F);
  u64 x = start;
  std::set<u64> seen;
  for (u32 i = 0; i < links; ++i, x = next(x)) ASSERT_TRUE(seen.insert(x).second) << i;
  ASSERT_EQ(x, start) << "the ring is open";
  for (u32 i = 0; i < warm; ++i) x = next(x);
  const std::vector<region_results>& results = s.on.sinks.of(0, 0);
  ASSERT_EQ(results.size(), samples);
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (u32 k = 0; k < s.what.measure.copies << i % 3; ++k) x = next(x);
    ASSERT_EQ(results[i].back()[0], x) << "region " << i;
  }
}

/// Each lane's texel of each stream names itself.
void check_streams_2d(const subject& s) {
  std::vector<std::byte> texels;
  bind_array(s, s.what.measure.ring.footprint_bytes.front(), false, texels);
  constexpr unsigned regions = device::throughput_regions, passes = device::throughput_samples;
  s.on.operand(0, 0);
  s.on.operand(device::rounds_operand, 2);
  s.on.how.dynamic_shared = device::throughput_bytes(1);
  const run_report r = s.on.run_timed(s.what.symbol, 1, warp_lanes, std::size_t{regions} * passes);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const std::vector<region_results>& results = s.on.sinks.of(0, 0);
  ASSERT_EQ(results.size(), std::size_t{regions} * passes);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::size_t n = std::size_t{1} << i % regions;
    ASSERT_GE(results[i].size(), n);
    for (std::size_t k = 0; k < n; ++k)
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        ASSERT_EQ(results[i][results[i].size() - n + k][lane],
                  pair_of(static_cast<float>(lane % 8 + k % 4 * 8) + 0.5F,
                          static_cast<float>(lane / 8 + k / 4 * 4) + 0.5F))
            << "region " << i << " stream " << k << " lane " << lane;
  }
}

const reference_registration arrays[] = {
    {"memory/texture/array_2d", check_ring},
    {"memory/texture/array_2d_filtered", check_ring},
    {"throughput/texture/array_2d", check_streams_2d},
    {"throughput/texture/array_2d_filtered", check_streams_2d},
};

}  // namespace
}  // namespace ptxlab::machine
