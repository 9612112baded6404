// SPDX-License-Identifier: Apache-2.0
// What CUB's blocks and warps and Thrust's threads do on the machine is what the standard library
// does; and none of them races.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/machine/on_a_workbench.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

class machine_cub : public on_a_workbench {
 protected:
  machine_cub() : on_a_workbench("cub_thrust.cu") {}
  static constexpr u32 threads = 128;
  static constexpr int sizes[] = {0, 1, 2, 31, 127, 129, 333, 511, 512};
};

TEST_F(machine_cub, sums_scans_and_selects_in_a_block) {
  for (const int n : sizes) {
    const auto size = static_cast<std::size_t>(n);
    const std::vector<int> in = random_values<int>(n, 1);
    const address from = on->buffer(in, "in");
    const address out = on->buffer(std::vector<int>(2), "out");
    run("block_reduce", 1, threads, {out, from}, {n});
    const int largest = std::accumulate(in.begin(), in.end(), n < 512 ? 0 : in[0],
                                        [](int a, int b) { return std::max(a, b); });
    EXPECT_EQ(on->read<int>(out, 2),
              (std::vector<int>{std::accumulate(in.begin(), in.end(), 0), largest}))
        << n;

    std::vector<int> sums(size);
    std::exclusive_scan(in.begin(), in.end(), sums.begin(), 0);
    const address scanned = on->buffer(std::vector<int>(size), "scanned");
    run("block_scan", 1, threads, {scanned, from}, {n});
    EXPECT_EQ(on->read<int>(scanned, size), sums) << n;

    std::vector<int> odd;
    std::copy_if(in.begin(), in.end(), std::back_inserter(odd), [](int x) { return x % 2 != 0; });
    const address kept = on->buffer(std::vector<int>(size + 1), "kept");
    run("block_select", 1, threads, {kept, from}, {n});
    const auto count = static_cast<std::size_t>(on->read<int>(kept + 4 * size, 1)[0]);
    ASSERT_EQ(count, odd.size()) << n;
    EXPECT_EQ(on->read<int>(kept, count), odd) << n;
  }
}

TEST_F(machine_cub, sorts_and_histograms_in_a_block) {
  for (const int n : sizes) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<u32> keys = random_values<u32>(n, 2), values(size), order(size);
    for (u32& k : keys) k %= 97;  // equal keys show whether it is stable
    std::iota(values.begin(), values.end(), 0U);
    const address sorted = on->buffer(std::vector<u32>(size), "sorted");
    const address moved = on->buffer(std::vector<u32>(size), "moved");
    run("block_sort", 1, threads,
        {sorted, moved, on->buffer(keys, "keys"), on->buffer(values, "values")}, {n});
    std::stable_sort(values.begin(), values.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
    EXPECT_EQ(on->read<u32>(moved, size), values) << n;
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(on->read<u32>(sorted, size), keys) << n;

    std::vector<float> floats = random_values<float>(n, 3);
    const address out = on->buffer(std::vector<float>(size), "out");
    run("block_sort_floats", 1, threads, {out, on->buffer(floats, "floats")}, {n});
    std::sort(floats.begin(), floats.end(), std::greater<>());
    EXPECT_EQ(on->read<float>(out, size), floats) << n;

    const std::vector<std::uint8_t> bytes = random_values<std::uint8_t>(n, 4);
    std::vector<u32> wanted(256);
    for (const std::uint8_t b : bytes) ++wanted[b];
    wanted[255] += 512 - static_cast<u32>(n);
    const address counts = on->buffer(std::vector<u32>(256), "counts");
    run("block_histogram", 1, threads, {counts, on->buffer(bytes, "bytes")}, {n});
    EXPECT_EQ(on->read<u32>(counts, 256), wanted) << n;
  }
}

TEST_F(machine_cub, warps_on_their_own) {
  for (const int n : {0, 1, 31, 33, 128}) {
    std::vector<int> in = random_values<int>(n, 5);
    const address from = on->buffer(in, "in");
    in.resize(threads);
    const address sums = on->buffer(std::vector<int>(4), "sums");
    const address scanned = on->buffer(std::vector<int>(threads), "scanned");
    const address sorted = on->buffer(std::vector<int>(threads), "sorted");
    run("warps", 1, threads, {sums, scanned, sorted, from}, {n});
    std::vector<int> wanted_sums, wanted_scans(threads), wanted_sorted = in;
    for (std::size_t w = 0; w < threads; w += 32) {
      const auto first = in.begin() + static_cast<std::ptrdiff_t>(w), last = first + 32;
      wanted_sums.push_back(std::accumulate(first, last, 0));
      std::exclusive_scan(first, last, wanted_scans.begin() + static_cast<std::ptrdiff_t>(w), 0);
      std::sort(wanted_sorted.begin() + static_cast<std::ptrdiff_t>(w),
                wanted_sorted.begin() + static_cast<std::ptrdiff_t>(w) + 32);
    }
    EXPECT_EQ(on->read<int>(sums, 4), wanted_sums) << n;
    EXPECT_EQ(on->read<int>(scanned, threads), wanted_scans) << n;
    EXPECT_EQ(on->read<int>(sorted, threads), wanted_sorted) << n;
  }
}

TEST_F(machine_cub, thrust_in_one_thread) {
  for (const auto& [n, m] : {std::pair{0, 0}, {1, 0}, {0, 5}, {57, 31}, {100, 101}}) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> x = random_values<int>(n, 6), other = random_values<int>(m, 7);
    for (int& v : x) v %= 50;
    for (int& v : other) v %= 50;
    std::sort(other.begin(), other.end());
    const address at = on->buffer(x, "x"), scanned = on->buffer(std::vector<int>(size), "scanned");
    const address different = on->buffer(std::vector<int>(size), "different");
    const address both = on->buffer(std::vector<int>(size + other.size()), "both");
    const address results = on->buffer(std::vector<int>(3), "results");
    run("thrust_in_a_thread", 1, 1,
        {at, scanned, different, both, results, on->buffer(other, "other")}, {n, m});
    std::vector<int> sums(size), unique_values, joined;
    std::inclusive_scan(x.begin(), x.end(), sums.begin());
    std::sort(x.begin(), x.end());
    std::unique_copy(x.begin(), x.end(), std::back_inserter(unique_values));
    std::set_union(x.begin(), x.end(), other.begin(), other.end(), std::back_inserter(joined));
    EXPECT_EQ(on->read<int>(scanned, size), sums);
    EXPECT_EQ(on->read<int>(at, size), x);
    const std::vector<int> counts = on->read<int>(results, 3);
    EXPECT_EQ(counts, (std::vector<int>{std::accumulate(x.begin(), x.end(), 0),
                                        static_cast<int>(unique_values.size()),
                                        static_cast<int>(joined.size())}));
    EXPECT_EQ(on->read<int>(different, unique_values.size()), unique_values);
    EXPECT_EQ(on->read<int>(both, joined.size()), joined);
  }
}

// --- names of parameters
// ---------------------------------------------------------------------------

/// Two call sequences, as nvcc writes them: both call their result "got", of 8 bytes and of 4.
TEST(machine_calls, give_back_results_of_one_name_and_two_sizes) {
  machine_fixture m(R"(
.func (.param .b64 r) wide(.param .b64 n) {
  .reg .b64 %rd<3>; ld.param.u64 %rd1, [n]; shl.b64 %rd2, %rd1, 32; st.param.b64 [r], %rd2; ret; }
.func (.param .b32 r) narrow(.param .b32 n) {
  .reg .b32 %r<3>; ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.visible .entry both(.param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, 5;
  mov.u32 %r1, 6;
  { .param .b64 p; st.param.b64 [p], %rd2; .param .b64 got;
    call.uni (got), wide, (p);
    ld.param.b64 %rd3, [got]; }
  { .param .b32 p; st.param.b32 [p], %r1; .param .b32 got;
    call.uni (got), narrow, (p);
    ld.param.b32 %r2, [got]; }
  st.global.u64 [%rd1], %rd3;
  st.global.u32 [%rd1+8], %r2;
  ret;
})");
  const address out = m.buffer(std::vector<u64>(2));
  ASSERT_EQ(m.run("both", 1, 1, {out}).how, ending::finished);
  EXPECT_EQ(m.read<u64>(out, 2), (std::vector<u64>{5ULL << 32, 7}));
}

}  // namespace
}  // namespace ptxlab::machine
