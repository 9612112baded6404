// SPDX-License-Identifier: Apache-2.0
// Thrust's sort on a device: its own host code runs, launches CUB's kernels on the machine, and
// what comes out is what the standard library makes of the same numbers.
#include <gtest/gtest.h>

#include "tests/unit/machine/on_the_runtime.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using names = std::vector<std::string>;

class machine_thrust_device : public on_the_runtime {
 protected:
  machine_thrust_device() : on_the_runtime(program()) {}
  static const host_program& program() {
    static const host_program one("thrust_device.cu");
    return one;
  }
  static bool by_last_digits(u32 a, u32 b) { return a % 100 < b % 100; }

  void expect_numbers_sorted(int n, u32 seed) {
    std::vector<u32> x = random_values<u32>(n, seed);
    u32* const at = device->buffer(x, "x");
    ASSERT_TRUE(call<bool>("sort_numbers", at, n));
    std::sort(x.begin(), x.end());
    EXPECT_EQ(device->read(at, x.size()), x);
  }
  void expect_sorted_by(int n, u32 seed) {
    std::vector<u32> x = random_values<u32>(n, seed);
    u32* const at = device->buffer(x, "x");
    ASSERT_TRUE(call<bool>("stable_sort_by", at, n));
    std::stable_sort(x.begin(), x.end(), by_last_digits);
    EXPECT_EQ(device->read(at, x.size()), x);
  }
  void expect_pairs_sorted(int n, u32 seed) {
    const std::vector<u32> keys = random_values<u32>(n, seed);
    std::vector<u32> order(keys.size()), sorted = keys;
    std::iota(order.begin(), order.end(), 0U);
    u32* const at = device->buffer(keys, "keys");
    u32* const values = device->buffer(order, "values");
    ASSERT_TRUE(call<bool>("sort_by_key", at, values, n));
    std::stable_sort(sorted.begin(), sorted.end(), by_last_digits);
    std::stable_sort(order.begin(), order.end(),
                     [&](u32 a, u32 b) { return by_last_digits(keys[a], keys[b]); });
    EXPECT_EQ(device->read(at, keys.size()), sorted);
    EXPECT_EQ(device->read(values, keys.size()), order);
  }
};

TEST_F(machine_thrust_device, sorts_numbers_in_their_own_order) {
  u32 seed = 1;
  for (const int n : {0, 1, 2, 31, 5003, 33333, 100003}) {
    SCOPED_TRACE(n);
    expect_numbers_sorted(n, seed++);
  }
}

TEST_F(machine_thrust_device, sorts_in_another_order) {
  u32 seed = 20;
  for (const int n : {0, 1, 2, 31, 2817, 5003, 33333, 100003}) {
    SCOPED_TRACE(n);
    expect_sorted_by(n, seed++);
  }
}

TEST_F(machine_thrust_device, sorts_values_by_keys) {
  u32 seed = 40;
  for (const int n : {0, 1, 33, 2561, 50021}) {
    SCOPED_TRACE(n);
    expect_pairs_sorted(n, seed++);
  }
}

TEST_F(machine_thrust_device, launches_what_the_number_of_elements_asks_for) {
  expect_sorted_by(0, 50);
  expect_numbers_sorted(0, 50);
  EXPECT_EQ(kernels_launched(), names{});
  expect_sorted_by(1, 50);
  expect_numbers_sorted(1, 50);
  EXPECT_EQ(kernels_launched(),
            (names{"DeviceMergeSortBlockSortKernel", "DeviceRadixSortSingleTileKernel"}));
  expect_sorted_by(20011, 50);
  ASSERT_FALSE(device->launches.empty());
  names wanted = {"DeviceMergeSortBlockSortKernel"};
  // Each doubles the length of what is sorted: of one tile, at first.
  for (u32 sorted = 1; sorted < device->launches[0].grid; sorted *= 2)
    wanted.insert(wanted.end(), {"DeviceMergeSortPartitionKernel", "DeviceMergeSortMergeKernel"});
  EXPECT_GE(wanted.size(), 5U);
  EXPECT_EQ(kernels_launched(), wanted);
  expect_numbers_sorted(20011, 50);
  wanted = {"DeviceRadixSortHistogramKernel", "DeviceRadixSortExclusiveSumKernel"};
  wanted.insert(wanted.end(), 4, "DeviceRadixSortOnesweepKernel");
  EXPECT_EQ(kernels_launched(), wanted);
}

TEST_F(machine_thrust_device, whoever_runs_next) {
  for (const char* token : {"its", "lockstep", "random:3", "random:4", "adversarial:5"}) {
    SCOPED_TRACE(token);
    read_token(token, device->how);
    expect_numbers_sorted(30011, 60);
    expect_sorted_by(20011, 61);
    expect_pairs_sorted(9001, 62);
  }
}

TEST_F(machine_thrust_device, has_no_races) {
  device->find_races = true;
  expect_numbers_sorted(10007, 70);
  expect_sorted_by(10007, 71);
  expect_pairs_sorted(5003, 72);
}

// A tile in shared memory has room for one key more, which CUB's merge reads where a run has ended,
// and does not use.
TEST_F(machine_thrust_device, reads_what_nobody_wrote_in_merge_sort_only) {
  device->check_uninitialised();
  expect_numbers_sorted(10007, 80);
  EXPECT_EQ(device->failures, names{});
  EXPECT_FALSE(
      call<bool>("stable_sort_by", device->buffer(random_values<u32>(10007, 81), "x"), 10007));
  ASSERT_EQ(device->failures.size(), 1U);
  EXPECT_TRUE(device->failures[0].starts_with("DeviceMergeSortBlockSortKernel"))
      << device->failures[0];
  EXPECT_TRUE(device->failures[0].ends_with("of shared memory, which nobody wrote"))
      << device->failures[0];
  device->failures.clear();
}

TEST_F(machine_thrust_device, throws_for_an_array_that_is_too_short) {
  u32* const at = device->buffer(std::vector<u32>(4999), "x");
  EXPECT_FALSE(call<bool>("stable_sort_by", at, 5000));
  ASSERT_EQ(device->failures.size(), 1U);
  EXPECT_NE(device->failures[0].find("of 'x', which has 19996"), std::string::npos)
      << device->failures[0];
  device->failures.clear();
}

}  // namespace
}  // namespace ptxlab::machine
