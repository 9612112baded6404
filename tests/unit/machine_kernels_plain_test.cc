// SPDX-License-Identifier: Apache-2.0
// References of the kernels that are looked at and not measured: fences, local memory, loops and
// reductions. All results are the same to the bit; where nvcc contracts a product and a sum, so
// does the reference.
#include <cmath>
#include <numeric>
#include <random>

#include "tests/unit/machine/arrays.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;

constexpr u32 threads = 96;

// --- fences --------------------------------------------------------------------------------------

void check_fence(const subject& s) {
  const std::vector<u32> flags = random_values<u32>(threads, 5);
  const address data = s.on.buffer(std::vector<u32>(2 * threads), "data");
  ASSERT_EQ(s.run(1, threads, {data, s.on.buffer(flags, "flag")}).how, ending::finished);
  std::vector<u32> wanted(threads, 1);
  wanted.insert(wanted.end(), flags.begin(), flags.end());
  expect_same(s.on.read<u32>(data, 2 * threads), wanted);
}
const reference_registration fences[] = {
    {"fence/fences/around_fence_acq_rel_cluster", check_fence},
    {"fence/fences/around_fence_acq_rel_cta", check_fence},
    {"fence/fences/around_fence_acq_rel_gpu", check_fence},
    {"fence/fences/around_fence_acq_rel_sys", check_fence},
    {"fence/fences/around_fence_sc_cluster", check_fence},
    {"fence/fences/around_fence_sc_cta", check_fence},
    {"fence/fences/around_fence_sc_gpu", check_fence},
    {"fence/fences/around_fence_sc_sys", check_fence},
    {"fence/fences/around_membar_cta", check_fence},
    {"fence/fences/around_membar_gl", check_fence},
    {"fence/fences/around_membar_sys", check_fence},
    {"fence/fences/around_threadfence_block", check_fence},
    {"fence/fences/around_threadfence_device", check_fence},
    {"fence/fences/around_threadfence_system", check_fence},
    {"fence/fences/no_fence", check_fence},
};

// --- local memory --------------------------------------------------------------------------------

/// `out` after a run with random `a` and, where the kernel takes one, a number.
template <class T>
std::vector<T> run_with(const subject& s, const std::vector<T>& a, std::size_t n_out, u32 n_threads,
                        std::uint64_t number = 0) {
  const address out = s.on.buffer(std::vector<T>(n_out), "out");
  std::vector<std::uint64_t> words = {out, s.on.buffer(a, "a"), number};
  words.resize(s.what.params.size());
  EXPECT_EQ(s.run(1, n_threads, words).how, ending::finished);
  return s.on.read<T>(out, n_out);
}

void check_mix(const subject& s) {
  const std::vector<float> a = small_floats(48 * 1024);
  std::vector<float> wanted(48 * 1024);
  for (u32 t = 0; t < threads; ++t) {
    float values[48];
    for (u32 i = 0; i < 48; ++i) values[i] = a[i * 1024 + t];
    for (u32 k = 0; k < 3; ++k)
      for (u32 i = 0; i < 48; ++i)
        values[i] = std::fma(values[i], values[(i + k + 1) % 48], values[(i * 7 + k) % 48]);
    for (u32 i = 0; i < 48; ++i) wanted[i * 1024 + t] = values[i];
  }
  expect_same(run_with(s, a, wanted.size(), threads), wanted);
}
float descend(const float* a, int n) {
  float values[24], sum = 1;
  for (int i = 0; i < 24; ++i) values[i] = a[i * n];
  if (n > 0) sum = descend(a + 1, n - 1);
  for (int i = 0; i < 24; ++i) sum = std::fma(sum, values[i], values[(i * 5 + 3) % 24]);
  return sum;
}
void check_descend(const subject& s) {
  const std::vector<float> a = small_floats(1024);
  std::vector<float> wanted(32);
  for (u32 t = 0; t < 32; ++t) wanted[t] = descend(a.data() + t, 6);
  expect_same(run_with(s, a, 32, 32, 6), wanted);
}
void check_add_up(const subject& s) {
  const std::vector<float> a = small_floats(1024);
  std::vector<float> wanted(32);
  for (u32 t = 0; t < 32; ++t)
    for (u32 i = 0; i < 24; ++i) wanted[t] += a[t + i * 6];
  expect_same(run_with(s, a, 32, 32, 6), wanted);
}
const reference_registration local[] = {
    {"local/local_memory/array_constant_index",
     [](const subject& s) {
       const std::vector<u32> a = random_values<u32>(1024, 3);
       std::vector<u32> wanted(32);
       for (u32 t = 0; t < 32; ++t)
         for (u32 i = 0; i < 32; ++i) wanted[t] += a[i * 32 + t] * a[(31 - i) * 32 + t];
       expect_same(run_with(s, a, 32, 32), wanted);
     }},
    {"local/local_memory/array_indexed_read",
     [](const subject& s) {
       const std::vector<u32> a = random_values<u32>(1024, 3);
       for (const u32 n : {0U, 13U, 31U, 32U, 77U})
         expect_same(run_with(s, a, 32, 32, n),
                     {a.begin() + (n & 31) * 32, a.begin() + (n & 31) * 32 + 32});
     }},
    {"local/local_memory/array_indexed_write",
     [](const subject& s) {
       const std::vector<u32> a = random_values<u32>(64, 3);
       u32 sum = 0;
       for (u32 i = 0; i < 64; ++i) sum += i * (a[i] & 31);
       expect_same(run_with(s, a, 32, 32), std::vector<u32>(32, sum));
     }},
    {"local/local_memory/bounds_too_tight", check_mix},
    {"local/local_memory/bounds_with_room", check_mix},
    {"local/local_memory/calls_plain", check_add_up},
    {"local/local_memory/calls_recursive", check_descend},
    {"local/register_limit/limit_binding", check_mix},
    {"local/register_limit/limit_overruled", check_mix},
    {"local/register_limit/limit_unnoticed",
     [](const subject& s) {
       const std::vector<float> a = small_floats(threads + 32);
       std::vector<float> wanted(threads);
       for (u32 t = 0; t < threads; ++t) wanted[t] = a[t] + a[t + 32];
       expect_same(run_with(s, a, threads, threads), wanted);
     }},
};

// --- loops ---------------------------------------------------------------------------------------

reference column_sums(u32 rows, bool given = false) {
  return [=](const subject& s) {
    const std::vector<float> a = small_floats(64 * 32);
    for (const u32 n : given ? std::vector<u32>{0, 1, 7, 64} : std::vector<u32>{rows}) {
      std::vector<float> wanted(32);
      for (u32 t = 0; t < 32; ++t)
        for (u32 i = 0; i < n; ++i) wanted[t] += a[i * 32 + t];
      expect_same(run_with(s, a, 32, 32, n), wanted);
    }
  };
}
/// Kernels that only run a loop and then write 1.
void check_ones(const subject& s) {
  for (const std::uint64_t n : {0, 1, 100}) {
    const address out = s.on.buffer(std::vector<float>(32), "out");
    ASSERT_EQ(s.run(1, 32, {out, n}).how, ending::finished);
    expect_same(s.on.read<float>(out, 32), std::vector<float>(32, 1.0F));
  }
}
void check_nested(const subject& s) {
  const std::vector<float> a = small_floats(64);
  const address at = s.on.buffer(a, "a"), out = s.on.buffer(std::vector<float>(32), "out");
  ASSERT_EQ(s.run(1, 32, {out, at, 5, 7}).how, ending::finished);
  float sum = 0;
  for (u32 i = 0; i < 5; ++i, sum *= 2)
    for (u32 j = 0; j < 7; ++j) sum += a[i * 7 + j];
  expect_same(s.on.read<float>(out, 32), std::vector<float>(32, sum));
}
/// Cycles that passed are more than none; what was computed between is as in C++.
void check_chain(const subject& s) {
  const address cycles = s.on.buffer(std::vector<std::int64_t>(32), "cycles");
  const address out = s.on.buffer(std::vector<float>(32), "out");
  const float x = 0.75F;
  u32 bits = 0;
  std::memcpy(&bits, &x, 4);
  const bool stored = s.what.params.size() == 3;
  ASSERT_EQ(s.run(1, 32,
                  stored ? std::vector<std::uint64_t>{cycles, out, bits}
                         : std::vector<std::uint64_t>{cycles, bits})
                .how,
            ending::finished);
  for (const std::int64_t c : s.on.read<std::int64_t>(cycles, 32)) EXPECT_GT(c, 0);
  float y = x;
  for (int i = 0; i < 32; ++i) y = std::fma(y, 1.5F, x);
  expect_same(s.on.read<float>(out, 32), std::vector<float>(32, stored ? y : 0.0F));
}
void check_timed_load(const subject& s) {
  const address value = s.on.buffer(std::vector<std::uint64_t>{0x123456789}, "value");
  const address start = s.on.buffer(std::vector<std::uint64_t>{value}, "start");
  const address cycles = s.on.buffer(std::vector<std::int64_t>(32), "cycles");
  const address out = s.on.buffer(std::vector<std::uint64_t>(32), "out");
  ASSERT_EQ(s.run(1, 32, {cycles, out, start}).how, ending::finished);
  for (const std::int64_t c : s.on.read<std::int64_t>(cycles, 32)) EXPECT_GT(c, 0);
  expect_same(s.on.read<std::uint64_t>(out, 32), std::vector<std::uint64_t>(32, 0x123456789));
  // Its own guard: an address of 0 is a trap.
  const address none = s.on.buffer(std::vector<std::uint64_t>{0}, "none");
  s.run(1, 32, {cycles, out, none}, ending::fault);
}
const reference_registration loops[] = {
    {"loops/timed_regions/chain_stored", check_chain},
    {"loops/timed_regions/chain_unused", check_chain},
    {"loops/timed_regions/load_consumed", check_timed_load},
    {"loops/timed_regions/load_unconsumed", check_timed_load},
    {"loops/unrolling/clock_delay", check_ones},
    {"loops/unrolling/count_default", column_sums(64)},
    {"loops/unrolling/count_fully_unrolled", column_sums(16)},
    {"loops/unrolling/count_not_unrolled", column_sums(64)},
    {"loops/unrolling/count_unrolled_by_four", column_sums(64)},
    {"loops/unrolling/empty_asm_volatile", check_ones},
    {"loops/unrolling/empty_plain", check_ones},
    {"loops/unrolling/empty_volatile_counter", check_ones},
    {"loops/unrolling/nested", check_nested},
    {"loops/unrolling/runtime_default", column_sums(0, true)},
    {"loops/unrolling/runtime_not_unrolled", column_sums(0, true)},
    {"loops/unrolling/sleep_delay", check_ones},
};

// --- reductions ----------------------------------------------------------------------------------

/// In which order a block's values are added.
template <class T>
using block_sum = T (*)(std::vector<T>);

template <class T>
T neighbours_first(std::vector<T> v) {
  for (std::size_t k = 1; k < v.size(); k *= 2)
    for (std::size_t i = 0; i + k < v.size(); i += 2 * k) v[i] += v[i + k];
  return v[0];
}
template <class T>
T halves_first(std::vector<T> v) {
  for (std::size_t k = v.size() / 2; k > 0; k /= 2)
    for (std::size_t i = 0; i < k; ++i) v[i] += v[i + k];
  return v[0];
}
/// As nvcc compiles reduce5_as_in_2009: from 64 on each lane adds to its own sum what it read
/// before anyone wrote, so that only the first lane's six additions are left, each of a word that
/// is no sum.
float unsynchronised(std::vector<float> v) {
  for (std::size_t k = v.size() / 2; k > 32; k /= 2)
    for (std::size_t i = 0; i < k; ++i) v[i] += v[i + k];
  return ((((((v[0] + v[32]) + v[16]) + v[8]) + v[4]) + v[2]) + v[1]);
}

template <class T>
reference block_sums(block_sum<T> sum, u32 values_per_thread) {
  return [=](const subject& s) {
    constexpr u32 blocks = 3, block = 128;
    std::vector<T> in(blocks * block * values_per_thread);
    std::mt19937 next(9);
    for (T& x : in)
      x = static_cast<T>(next() % 100000) / static_cast<T>(std::is_integral_v<T> ? 1 : 7);
    std::vector<T> wanted(blocks);
    for (u32 b = 0; b < blocks; ++b) {
      std::vector<T> v(block);
      for (u32 t = 0; t < block; ++t)
        for (u32 k = 0; k < values_per_thread; ++k)
          v[t] += in[(b * values_per_thread + k) * block + t];
      wanted[b] = sum(v);
    }
    const address out = s.on.buffer(std::vector<T>(blocks), "out");
    s.on.how.dynamic_shared = block * sizeof(T);
    ASSERT_EQ(s.run(blocks, block, {out, s.on.buffer(in, "in")}).how, ending::finished);
    expect_same(s.on.read<T>(out, blocks), wanted);
  };
}
const reference_registration reductions[] = {
    {"reduce/reductions/reduce1_modulo", block_sums<float>(neighbours_first<float>, 1)},
    {"reduce/reductions/reduce2_interleaved", block_sums<float>(neighbours_first<float>, 1)},
    {"reduce/reductions/reduce3_sequential", block_sums<float>(halves_first<float>, 1)},
    {"reduce/reductions/reduce4_first_add", block_sums<float>(halves_first<float>, 2)},
    {"reduce/reductions/reduce5_as_in_2009", block_sums<float>(unsynchronised, 2)},
    {"reduce/reductions/reduce5_redux", block_sums<s32>(halves_first<s32>, 2)},
    {"reduce/reductions/reduce5_shuffle", block_sums<float>(halves_first<float>, 2)},
    {"reduce/reductions/reduce5_syncwarp", block_sums<float>(halves_first<float>, 2)},
    {"reduce/reductions/reduce5_volatile", block_sums<float>(halves_first<float>, 2)},
};

/// out[i]: the sum of elements i * n to i * n + n - 1.
template <class In, class Out>
reference row_sums(u32 n) {
  return [n](const subject& s) {
    std::vector<In> a;
    if constexpr (std::is_same_v<In, float>)
      a = small_floats(n * threads);
    else
      a = random_values<In>(n * threads, 4);
    std::vector<Out> wanted(threads);
    for (u32 t = 0; t < threads; ++t)
      for (u32 k = 0; k < n; ++k) wanted[t] = static_cast<Out>(wanted[t] + a[n * t + k]);
    const address out = s.on.buffer(std::vector<Out>(threads), "out");
    ASSERT_EQ(s.run(1, threads, {out, s.on.buffer(a, "a")}).how, ending::finished);
    expect_same(s.on.read<Out>(out, threads), wanted);
  };
}
const reference_registration widths[] = {
    {"reduce/access_width/bytes_scalar", row_sums<u8, u32>(16)},
    {"reduce/access_width/bytes_vector", row_sums<u8, u32>(16)},
    {"reduce/access_width/floats_scalar", row_sums<float, float>(4)},
    {"reduce/access_width/floats_vector", row_sums<float, float>(4)},
    {"reduce/access_width/triple_scalar", row_sums<float, float>(3)},
};

}  // namespace
}  // namespace ptxlab::machine
