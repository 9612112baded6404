// SPDX-License-Identifier: Apache-2.0
// CUB's selections, sums and scans of whole devices: its own host code runs, launches on the
// machine, and what comes out is what the standard library makes of the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/machine/on_cub.hpp"

namespace ptxlab::machine {
namespace {

using names = std::vector<std::string>;
using ints = std::vector<int>;

class machine_cub_device : public on_cub {
 protected:
  void expect_multiples_of_three(int n, u32 seed) {
    const ints in = random_values<int>(n, seed);
    ints wanted;
    std::copy_if(in.begin(), in.end(), std::back_inserter(wanted),
                 [](int x) { return x % 3 == 0; });
    EXPECT_EQ(selected("select_if", in), wanted);
  }
  void expect_flagged(int n, u32 seed, u32 one_in) {
    const ints in = random_values<int>(n, seed);
    std::vector<char> flags(in.size());
    const std::vector<u32> drawn = random_values<u32>(n, seed + 1, one_in);
    ints wanted;
    for (std::size_t i = 0; i < in.size(); ++i) {
      flags[i] = drawn[i] == 0 ? 1 : 0;
      if (flags[i] != 0) wanted.push_back(in[i]);
    }
    int* const out = device->buffer(ints(in.size()), "out");
    int* const count = device->buffer(ints{-1}, "count");
    ASSERT_EQ(call("select_flagged", device->buffer(in, "in"), device->buffer(flags, "flags"), out,
                   count, n),
              0);
    ASSERT_EQ(device->read(count, 1)[0], static_cast<int>(wanted.size()));
    EXPECT_EQ(device->read(out, wanted.size()), wanted);
  }
  void expect_unique(int n, u32 seed) {
    const ints in = random_values<int>(n, seed, 3);
    ints wanted;
    std::unique_copy(in.begin(), in.end(), std::back_inserter(wanted));
    EXPECT_EQ(selected("select_unique", in), wanted);
  }
  void expect_sum(int n, u32 seed) {
    const ints in = random_values<int>(n, seed, 10007);
    int* const out = device->buffer(ints{-1}, "out");
    ASSERT_EQ(call("sum", device->buffer(in, "in"), out, n), 0);
    EXPECT_EQ(device->read(out, 1)[0], std::accumulate(in.begin(), in.end(), 0));
  }
  void expect_scanned(int n, u32 seed) {
    const ints in = random_values<int>(n, seed, 10007);
    ints wanted(in.size());
    std::exclusive_scan(in.begin(), in.end(), wanted.begin(), 0);
    int* const out = device->buffer(ints(in.size()), "out");
    ASSERT_EQ(call("exclusive_sum", device->buffer(in, "in"), out, n), 0);
    EXPECT_EQ(device->read(out, in.size()), wanted);
  }
  void expect_all(int n, u32 seed) {
    SCOPED_TRACE(fmt::format("{} elements, seed {}", n, seed));
    expect_multiples_of_three(n, seed);
    expect_flagged(n, seed, 2);
    expect_unique(n, seed);
    expect_sum(n, seed);
    expect_scanned(n, seed);
  }
};

TEST_F(machine_cub_device, selects_sums_and_scans) {
  u32 seed = 1;
  for (const int n : {0, 1, 2, 127, 128, 777, 4097, 9216, 33333, 100003}) expect_all(n, seed++);
  for (const u32 n : random_values<u32>(10, 2, 50000)) expect_all(static_cast<int>(n), seed++);
}

TEST_F(machine_cub_device, selects_none_and_all) {
  for (const int n : {1, 5001, 20011}) {
    SCOPED_TRACE(n);
    const auto size = static_cast<std::size_t>(n);
    EXPECT_EQ(selected("select_if", ints(size, 4)), ints{});
    EXPECT_EQ(selected("select_if", ints(size, 6)), ints(size, 6));
    EXPECT_EQ(selected("select_unique", ints(size, 4)), ints{4});
    expect_flagged(n, 30, 1);
    expect_flagged(n, 31, 1000);
  }
}

TEST_F(machine_cub_device, launches_what_the_number_of_elements_asks_for) {
  expect_multiples_of_three(0, 40);
  EXPECT_EQ(kernels_launched(), names{"DeviceCompactInitKernel"});  // which stores the count 0
  expect_multiples_of_three(20011, 40);
  EXPECT_EQ(kernels_launched(), (names{"DeviceCompactInitKernel", "DeviceSelectSweepKernel"}));
  expect_scanned(0, 40);
  EXPECT_EQ(kernels_launched(), names{});
  expect_scanned(1, 40);
  EXPECT_EQ(kernels_launched(), (names{"DeviceScanInitKernel", "DeviceScanKernel"}));
  expect_sum(0, 40);  // the sum of nothing is stored, too
  expect_sum(1, 40);
  EXPECT_EQ(kernels_launched(),
            (names{"DeviceReduceSingleTileKernel", "DeviceReduceSingleTileKernel"}));
  expect_sum(20011, 40);
  EXPECT_EQ(kernels_launched(), (names{"DeviceReduceKernel", "DeviceReduceSingleTileKernel"}));
}

// Who looks back waits for other blocks, never for a lane of its own warp: so `lockstep` ends, too.
TEST_F(machine_cub_device, whoever_runs_next) {
  for (const char* token : tokens) {
    SCOPED_TRACE(token);
    read_token(token, device->how);
    expect_all(20011, 50);
  }
}

TEST_F(machine_cub_device, whatever_has_room) {
  for (const auto& [multiprocessors, blocks] : {std::pair{1, 1}, {2, 1}, {7, 3}, {132, 4}}) {
    device->multiprocessors = multiprocessors;
    device->blocks_per_multiprocessor = blocks;
    device->how.threads = 2;  // where blocks do not communicate
    expect_all(40009, 60);
  }
}

TEST_F(machine_cub_device, has_no_races) {
  device->find_races = true;
  expect_all(20011, 70);
}

TEST_F(machine_cub_device, reads_nothing_that_nobody_wrote) {
  device->check_uninitialised();
  expect_all(20011, 80);
}

// --- what must not pass

TEST_F(machine_cub_device, an_array_that_is_too_short_is_an_error_of_the_launch) {
  int* const out = device->buffer(ints(4999), "out");
  int* const count = device->buffer(ints{-1}, "count");
  // All of them are selected.
  EXPECT_EQ(call("select_if", device->buffer(ints(5000, 3), "in"), out, count, 5000),
            cuda_runtime::launch_failure);
  ASSERT_EQ(device->failures.size(), 1U);
  EXPECT_NE(device->failures[0].find("byte 19996 of 'out', which has 19996"), std::string::npos)
      << device->failures[0];
  device->failures.clear();
}

TEST_F(machine_cub_device, weak_loads_of_what_other_blocks_tell_are_races) {
  start(ptx_with("ld.relaxed.gpu.v2.u32", "ld.v2.u32"));
  device->find_races = true;
  for (const char* const name : {"select_if", "select_unique"}) {
    int* const out = device->buffer(ints(20011), "out");
    int* const count = device->buffer(ints{-1}, "count");
    EXPECT_EQ(call(name, device->buffer(random_values<int>(20011, 90), "in"), out, count, 20011),
              cuda_runtime::launch_failure);
  }
  EXPECT_EQ(std::exchange(device->failures, {}),
            names(2, "DeviceSelectSweepKernel: between blocks"));
}

TEST_F(machine_cub_device, the_runtime_says_what_it_cannot_do) {
  int value = -1;
  EXPECT_EQ(device->attribute(&value, 1), cuda_runtime::not_supported);
  void* at = nullptr;
  EXPECT_EQ(device->allocate(&at, std::size_t{1} << 40), cuda_runtime::memory_allocation);
  ASSERT_EQ(device->allocate(&at, 4), 0);
  EXPECT_EQ(device->copy(&value, at, 8), cuda_runtime::invalid_value);
  EXPECT_EQ(device->fill(at, 0, 5), cuda_runtime::invalid_value);
  EXPECT_EQ(device->release(at), 0);
  EXPECT_EQ(device->release(at), cuda_runtime::invalid_value);
  runtime_launch of_nothing;
  of_nothing.kernel = "none";
  EXPECT_EQ(device->launch(of_nothing), cuda_runtime::launch_failure);
  EXPECT_EQ(device->failures.size(), 6U);
  device->failures.clear();
  EXPECT_THROW(call("none"), error);
  EXPECT_THROW(host_program("none.cu"), error);
}

}  // namespace
}  // namespace ptxlab::machine
