// SPDX-License-Identifier: Apache-2.0
// CUB's radix sorts of whole devices: its own host code runs, launches on the machine, and what
// comes out is what the standard library makes of the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/machine/on_cub.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u16 = std::uint16_t;
using names = std::vector<std::string>;

class machine_cub_sort : public on_cub {
 protected:
  /// Places of the keys when they are sorted by these bits alone.
  template <class T>
  static std::vector<u32> order_of(const std::vector<T>& keys, int begin_bit, int end_bit) {
    const auto part = [&](u32 at) {
      return static_cast<std::uint64_t>(keys[at]) % (1ULL << end_bit) >> begin_bit;
    };
    std::vector<u32> order(keys.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return part(a) < part(b); });
    return order;
  }
  template <class T>
  static std::vector<T> in_order(const std::vector<T>& keys, const std::vector<u32>& order) {
    std::vector<T> out;
    for (const u32 at : order) out.push_back(keys[at]);
    return out;
  }
  template <class T>
  void expect_sorted(const char* name, const std::vector<T>& keys, int begin_bit, int end_bit) {
    T* const out = device->buffer(std::vector<T>(keys.size()), "out");
    T* const in = device->buffer(keys, "in");
    ASSERT_EQ(call(name, in, out, static_cast<int>(keys.size()), begin_bit, end_bit), 0);
    EXPECT_EQ(device->read(out, keys.size()), in_order(keys, order_of(keys, begin_bit, end_bit)));
    EXPECT_EQ(device->read(in, keys.size()), keys);
  }
  void expect_keys_sorted(int n, u32 seed, int begin_bit = 0, int end_bit = 32) {
    expect_sorted("sort_keys", random_values<u32>(n, seed), begin_bit, end_bit);
  }
  void expect_short_keys_sorted(int n, u32 seed, int begin_bit = 0, int end_bit = 16) {
    expect_sorted("sort_short_keys", random_values<u16>(n, seed), begin_bit, end_bit);
  }
  void expect_pairs_sorted(int n, u32 seed, int begin_bit = 0, int end_bit = 32) {
    const auto size = static_cast<std::size_t>(n);
    const std::vector<u32> keys = random_values<u32>(n, seed);
    const std::vector<u32> order = order_of(keys, begin_bit, end_bit);
    u32* const keys_out = device->buffer(std::vector<u32>(size), "keys out");
    u32* const values_out = device->buffer(std::vector<u32>(size), "values out");
    ASSERT_EQ(call("sort_pairs", device->buffer(keys, "keys"), keys_out,
                   device->buffer(places(size), "values"), values_out, n, begin_bit, end_bit),
              0);
    EXPECT_EQ(device->read(keys_out, size), in_order(keys, order));
    EXPECT_EQ(device->read(values_out, size), order);
  }
  static std::vector<u32> places(std::size_t n) {
    std::vector<u32> out(n);
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
};

TEST_F(machine_cub_sort, keys) {
  u32 seed = 1;
  for (const int n : {0, 1, 2, 31, 777, 9729, 33333, 100003}) {
    SCOPED_TRACE(n);
    expect_keys_sorted(n, seed++);
    expect_keys_sorted(n, seed++);
  }
  for (const u32 n : random_values<u32>(6, 2, 50000)) {
    SCOPED_TRACE(n);
    expect_keys_sorted(static_cast<int>(n), seed++);
  }
}

TEST_F(machine_cub_sort, keys_by_some_bits_and_a_copy_for_none) {
  for (const auto& [begin_bit, end_bit] :
       {std::pair{0, 1}, {5, 12}, {8, 24}, {31, 32}, {3, 20}, {9, 9}}) {
    SCOPED_TRACE(fmt::format("{} to {}", begin_bit, end_bit));
    const std::size_t copies_before = device->copies;
    expect_keys_sorted(20001, 20, begin_bit, end_bit);
    EXPECT_EQ(device->copies - copies_before, begin_bit == end_bit ? 1U : 0U);
    EXPECT_EQ(kernels_launched().empty(), begin_bit == end_bit);
  }
}

TEST_F(machine_cub_sort, keys_that_are_equal_or_in_order) {
  for (const u32 below : {1U, 2U, 256U})
    expect_sorted("sort_keys", random_values<u32>(30011, 30, below), 0, 32);
  std::vector<u32> rising = places(30011);
  expect_sorted("sort_keys", rising, 0, 32);
  std::reverse(rising.begin(), rising.end());
  expect_sorted("sort_keys", rising, 0, 32);
}

TEST_F(machine_cub_sort, pairs) {
  u32 seed = 40;
  for (const int n : {0, 1, 33, 5001, 60013}) {
    SCOPED_TRACE(n);
    expect_pairs_sorted(n, seed++);
    expect_pairs_sorted(n, seed++, 24, 29);
  }
}

TEST_F(machine_cub_sort, pairs_in_two_buffers) {
  for (const auto& [n, bits] : {std::pair{0, 32}, {1, 32}, {900, 32}, {20011, 32}, {20011, 8}}) {
    SCOPED_TRACE(fmt::format("{} of {} bits", n, bits));
    const auto size = static_cast<std::size_t>(n);
    const std::vector<u32> keys = random_values<u32>(n, 50), order = order_of(keys, 0, bits);
    u32* k[2] = {device->buffer(keys, "keys"), device->buffer(std::vector<u32>(size), "keys 2")};
    u32* v[2] = {device->buffer(places(size), "values"),
                 device->buffer(std::vector<u32>(size), "values 2")};
    int at = -2;
    ASSERT_EQ(call("sort_pairs_in_place", &k[0], &v[0], n, 0, bits, &at), 0);
    ASSERT_TRUE(at == 0 || at == 1);
    EXPECT_EQ(device->read(k[at], size), in_order(keys, order));
    EXPECT_EQ(device->read(v[at], size), order);
  }
}

TEST_F(machine_cub_sort, short_keys_in_passes) {
  u32 seed = 60;
  for (const int n : {0, 1, 12289, 50021, 100003})
    for (const auto& [begin_bit, end_bit] : {std::pair{0, 16}, {4, 15}}) {
      SCOPED_TRACE(fmt::format("{}, bits {} to {}", n, begin_bit, end_bit));
      expect_short_keys_sorted(n, seed++, begin_bit, end_bit);
    }
}

TEST_F(machine_cub_sort, launches_what_the_number_of_keys_asks_for) {
  expect_keys_sorted(0, 70);
  expect_pairs_sorted(0, 70);
  expect_short_keys_sorted(0, 70);
  EXPECT_EQ(kernels_launched(), names{});
  for (const int n : {1, 2, 31}) {
    expect_keys_sorted(n, 70);
    EXPECT_EQ(kernels_launched(), names{"DeviceRadixSortSingleTileKernel"}) << n;
  }
  device->multiprocessors = 5;
  expect_keys_sorted(100003, 70);
  ASSERT_FALSE(device->launches.empty());
  EXPECT_EQ(device->launches.front().grid, 10U);           // of the histogram: two blocks on each
  EXPECT_GT(device->launches.back().grid, 10U);            // more tiles than there is room for
  const names sweeps(4, "DeviceRadixSortOnesweepKernel");  // of 8 bits
  names wanted = {"DeviceRadixSortHistogramKernel", "DeviceRadixSortExclusiveSumKernel"};
  wanted.insert(wanted.end(), sweeps.begin(), sweeps.end());
  EXPECT_EQ(kernels_launched(), wanted);

  expect_short_keys_sorted(50021, 71);
  wanted.clear();
  for (int pass = 0; pass < 3; ++pass)  // of 6, 5 and 5 bits
    wanted.insert(wanted.end(), {"DeviceRadixSortUpsweepKernel", "RadixSortScanBinsKernel",
                                 "DeviceRadixSortDownsweepKernel"});
  EXPECT_EQ(kernels_launched(), wanted);
}

// Who looks back waits for other blocks, never for a lane of its own warp: so `lockstep` ends, too.
TEST_F(machine_cub_sort, whoever_runs_next) {
  for (const char* token : tokens) {
    SCOPED_TRACE(token);
    read_token(token, device->how);
    expect_keys_sorted(40009, 90, 8, 24);
    expect_pairs_sorted(20011, 91, 0, 8);
    expect_short_keys_sorted(20011, 92, 0, 10);
  }
}

TEST_F(machine_cub_sort, whatever_has_room) {
  for (const auto& [multiprocessors, blocks] : {std::pair{1, 1}, {2, 1}, {7, 3}, {132, 4}}) {
    SCOPED_TRACE(fmt::format("{} times {}", multiprocessors, blocks));
    device->multiprocessors = multiprocessors;
    device->blocks_per_multiprocessor = blocks;
    device->how.threads = 2;  // where blocks do not communicate
    expect_keys_sorted(40009, 100, 0, 16);
    expect_short_keys_sorted(40009, 101, 2, 13);
  }
}

TEST_F(machine_cub_sort, has_no_races) {
  device->find_races = true;
  expect_keys_sorted(20011, 110, 0, 16);
  expect_pairs_sorted(10007, 111, 0, 8);
  expect_short_keys_sorted(10007, 112, 0, 12);
}

TEST_F(machine_cub_sort, weak_loads_of_what_other_blocks_tell_are_races) {
  start(ptx_with("ld.volatile.global", "ld.global"));
  device->find_races = true;
  u32* const out = device->buffer(std::vector<u32>(20011), "out");
  u32* const in = device->buffer(random_values<u32>(20011, 113), "in");
  EXPECT_EQ(call("sort_keys", in, out, 20011, 0, 8), cuda_runtime::launch_failure);
  EXPECT_EQ(std::exchange(device->failures, {}),
            names{"DeviceRadixSortOnesweepKernel: between blocks"});
}

TEST_F(machine_cub_sort, reads_nothing_that_nobody_wrote) {
  device->check_uninitialised();
  expect_keys_sorted(500, 120);
  expect_keys_sorted(20011, 121, 0, 16);
  expect_pairs_sorted(10007, 122, 0, 8);
  expect_short_keys_sorted(10007, 123, 0, 12);
}

}  // namespace
}  // namespace ptxlab::machine
