// SPDX-License-Identifier: Apache-2.0
// Profilers and other tenants are seen in what the process and NVML tell.
#include "driver/bench/tenants.hpp"

#include <gtest/gtest.h>

namespace ptxlab::bench {
namespace {

TEST(tenants, an_injected_library_is_named) {
  const char* maps =
      "55d0c0000000-55d0c0021000 rw-p 00000000 00:00 0 [heap]\n"
      "7f0000000000-7f0000001000 r-xp 00000000 08:01 11 /usr/lib/libcuda.so.580\n"
      "7f0000002000-7f0000003000 r-xp 00000000 08:01 12 /opt/ncu/target/libcuda-injection.so\n";
  EXPECT_EQ(injected_library(maps), "libcuda-injection.so");
}

TEST(tenants, a_folder_of_that_name_is_none) {
  EXPECT_EQ(injected_library("7f-7f r-xp 0 0 1 /opt/libcuda-injection/libother.so\n"), "");
  EXPECT_EQ(injected_library("7f-7f r-xp 0 0 1 /usr/lib/libcuda.so.580"), "");
  EXPECT_EQ(injected_library(""), "");
}

TEST(tenants, doubts_name_every_tenant) {
  EXPECT_EQ(doubts_of({{"mps", "not seen"}, {"mig", "off"}, {"processes", "1"}}), "");
  EXPECT_EQ(
      doubts_of({{"mps", "seen"}, {"processes", "3"}, {"injected", "libcupti.so.13"}}),
      "a profiler is attached (libcupti.so.13); the GPU is shared by MPS; 3 processes use the "
      "GPU");
  EXPECT_EQ(doubts_of({{"mig", "on"}}), "the GPU is a part of one (MIG)");
}

}  // namespace
}  // namespace ptxlab::bench
