// SPDX-License-Identifier: Apache-2.0
// References of the reductions that are measured: what one launch leaves, or launch after launch,
// against sums of the host. Small integers add exactly in any order; other floats are held to a
// bound, NaN and infinities come through.
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/unit/machine/arrays.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using leaves = kernels::summation::leaves;

constexpr u64 sizes[] = {0, 1, 2, 31, 32, 33, 1000, 4097};
constexpr u64 large = 100003;

template <class T>
std::vector<T> small_numbers(u64 n) {
  std::mt19937 next(static_cast<u32>(n) + 5);
  std::vector<T> out(n);
  for (T& x : out) x = static_cast<T>(next() % 64);
  return out;
}
/// Modulo 2^32 for integers; exact for small floats.
template <class T>
T sum_of(const std::vector<T>& v) {
  return std::accumulate(v.begin(), v.end(), T(0));
}

/// One kernel, and the sums it comes to in as many launches as it takes.
template <class T>
class summing {
 public:
  explicit summing(const subject& s)
      : s_(s),
        state_(s.on.buffer(std::vector<u32>(1 << 18), "state")),
        out_(s.on.buffer(std::vector<T>(1), "out")) {
    s.on.how.cooperative = s.what.measure.cooperative;
    s.on.how.resident = {64, 132, "a test"};
  }
  /// In a grid of `blocks`; 0: what the protocol takes.
  T sum(const std::vector<T>& in, u32 blocks = 0) {
    const address at = s_.on.buffer(in, "in");
    if (by() == leaves::partials) return of_partials(at, in.size());
    if (by() == leaves::in_place) return in_place(at, in.size());
    const u64 tile = s_.what.measure.sum.tile;
    u64 grid = blocks != 0 ? blocks : std::clamp<u64>((in.size() + tile - 1) / tile, 1, 32);
    const u32 of_cluster = std::max(s_.what.measure.cluster_blocks, 1U);
    grid = (grid + of_cluster - 1) / of_cluster * of_cluster;
    s_.on.on.device().write(out_, std::as_bytes(std::span(&unwritten, 1)));
    s_.run(static_cast<u32>(grid), threads(), {out_, at, in.size(), state_});
    return s_.on.read<T>(out_, 1)[0];
  }
  static constexpr T unwritten = T(77);

 private:
  leaves by() const { return s_.what.measure.sum.by; }
  u32 threads() const { return s_.what.measure.threads.at(0); }

  T of_partials(address from, u64 n) {
    for (;;) {
      const u64 tile = s_.what.measure.sum.tile;
      const u64 grid = std::max<u64>(1, (n + tile - 1) / tile);
      const address to = s_.on.buffer(std::vector<T>(grid), "partials");
      s_.run(static_cast<u32>(grid), threads(), {to, from, n});
      if (grid == 1) return s_.on.read<T>(to, 1)[0];
      from = to;
      n = grid;
    }
  }
  T in_place(address a, u64 n) {
    if (n == 0) return T(0);
    for (; n > 1; n = std::max<u64>(1, n / s_.what.measure.sum.unroll)) {
      const u64 sums = std::max<u64>(1, n / s_.what.measure.sum.unroll);
      s_.run(static_cast<u32>((sums + threads() - 1) / threads()), threads(), {a, n});
    }
    return s_.on.read<T>(a, 1)[0];
  }

  const subject& s_;
  address state_, out_;
};

/// The values that no order of additions changes.
void check_what_is_no_number(summing<float>& with) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> v = small_numbers<float>(5000);
  v[4321] = infinity;
  EXPECT_EQ(with.sum(v), infinity);
  v[7] = -infinity;
  EXPECT_TRUE(std::isnan(with.sum(v)));
  v[7] = 0;
  v[4321] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(with.sum(v)));
}
/// Of either sign and of many magnitudes: the error of any order of n additions.
void check_error(summing<float>& with) {
  std::mt19937 next(3);
  std::vector<float> v(3001);
  double exact = 0, all = 0;
  for (float& x : v) {
    x = std::ldexp(static_cast<float>(next() % 2000) - 1000.0F, static_cast<int>(next() % 20));
    exact += x;
    all += std::abs(x);
  }
  EXPECT_NEAR(with.sum(v), exact, static_cast<double>(v.size()) * std::ldexp(all, -24));
}

template <class T>
void check_sums(const subject& s) {
  summing<T> with(s);
  for (const u64 n : sizes) {
    const std::vector<T> v = small_numbers<T>(n);
    EXPECT_EQ(with.sum(v), sum_of(v)) << n;
  }
  const std::vector<T> v = small_numbers<T>(large);
  EXPECT_EQ(with.sum(v), sum_of(v));
  if constexpr (std::is_same_v<T, float>) {
    check_what_is_no_number(with);
    check_error(with);
  } else {
    const std::vector<T> big = random_values<T>(4097, 8);  // the sum passes 2^32
    EXPECT_EQ(with.sum(big), sum_of(big));
  }
}

/// The same with grids that do not fit the numbers, under schedulers that favour another block
/// each, in memory that every launch has to leave ready for the next.
template <class T>
void check_one_launch(const subject& s) {
  check_sums<T>(s);
  summing<T> with(s);
  const bool ordered = !s.what.measure.sum.any_order;
  std::vector<T> v = small_numbers<T>(2500);
  for (const char* token : {"its", "lockstep", "random:5", "adversarial:5"}) {
    read_token(token, s.on.how);
    for (const u32 blocks : {1U, 2U, 3U, 17U})
      EXPECT_EQ(with.sum(v, blocks), sum_of(v)) << token << blocks;
  }
  if constexpr (std::is_same_v<T, float>) {
    for (float& x : v) x = x / 7 + 1e-3F;
    std::set<float> sums;
    for (const char* token : {"its", "random:1", "random:2", "random:3", "adversarial:4"}) {
      read_token(token, s.on.how);
      sums.insert(with.sum(v, 24));
    }
    if (ordered) {
      EXPECT_EQ(sums.size(), 1U) << "the order of additions depends on who comes first";
    }
  }
  s.on.how.by = policy::its;
}

/// What is broken is the order, not the sum, on a machine that is sequentially consistent; the race
/// detector has to say so of every grid of more than one block.
void check_mutant(const subject& s) {
  summing<float> with(s);
  const std::vector<float> v = small_numbers<float>(2500);
  for (const char* token : {"its", "lockstep", "random:5", "adversarial:5"}) {
    read_token(token, s.on.how);
    for (const u32 blocks : {2U, 3U, 17U}) EXPECT_EQ(with.sum(v, blocks), sum_of(v)) << token;
  }
}

/// Leaves nothing, but reads all: a word that is missing would be no access.
void check_read(const subject& s) {
  summing<float> with(s);
  for (const u64 n : sizes) EXPECT_EQ(with.sum(small_numbers<float>(n)), with.unwritten) << n;
  std::vector<float> v(4097);
  const u32 looked_for = 0x12345678;
  std::memcpy(&v[4096], &looked_for, 4);
  EXPECT_EQ(with.sum(v), v[4096]) << "it has not read the last word";
}

/// As nvcc compiles reduce5_as_in_2009, the first lane adds words that are no sums yet.
void check_as_in_2009(const subject& s) {
  summing<float> with(s);
  const std::vector<float> ones(512, 1.0F);
  // After the loop each of the first 64 words holds 8; the first lane adds seven of them.
  EXPECT_EQ(with.sum(ones), 56.0F);
  EXPECT_EQ(with.sum({3.0F}), 3.0F);
}

const reference_registration first_five[] = {
    {"reduce/first_five/reduce1_modulo", check_sums<float>},
    {"reduce/first_five/reduce2_interleaved", check_sums<float>},
    {"reduce/first_five/reduce3_sequential", check_sums<float>},
    {"reduce/first_five/reduce4_first_add", check_sums<float>},
    {"reduce/first_five/reduce5_as_in_2009", check_as_in_2009},
    {"reduce/first_five/reduce5_redux", check_sums<u32>},
    {"reduce/first_five/reduce5_shuffle", check_sums<float>},
    {"reduce/first_five/reduce5_syncwarp", check_sums<float>},
    {"reduce/first_five/reduce5_volatile", check_sums<float>},
};
const reference_registration unroll_factor[] = {
    {"reduce/unroll_factor/by_10", check_sums<float>},
    {"reduce/unroll_factor/by_100", check_sums<float>},
    {"reduce/unroll_factor/by_100_alone", check_sums<float>},
    {"reduce/unroll_factor/by_2", check_sums<float>},
    {"reduce/unroll_factor/by_25", check_sums<float>},
    {"reduce/unroll_factor/by_25_alone", check_sums<float>},
    {"reduce/unroll_factor/by_3", check_sums<float>},
    {"reduce/unroll_factor/by_4", check_sums<float>},
    {"reduce/unroll_factor/by_5", check_sums<float>},
    {"reduce/unroll_factor/by_50", check_sums<float>},
    {"reduce/unroll_factor/by_50_alone", check_sums<float>},
    {"reduce/unroll_factor/by_6", check_sums<float>},
    {"reduce/unroll_factor/by_7", check_sums<float>},
    {"reduce/unroll_factor/by_8", check_sums<float>},
    {"reduce/unroll_factor/by_9", check_sums<float>},
};
const reference_registration one_launch[] = {
    {"reduce/one_launch/float_addition", check_one_launch<float>},
    {"reduce/one_launch/float_cluster", check_one_launch<float>},
    {"reduce/one_launch/float_counter", check_one_launch<float>},
    {"reduce/one_launch/float_grid", check_one_launch<float>},
    {"reduce/one_launch/float_ticket", check_one_launch<float>},
    {"reduce/one_launch/float_ticket_no_acquire", check_mutant},
    {"reduce/one_launch/float_ticket_no_release", check_mutant},
    {"reduce/one_launch/float_wide", check_one_launch<float>},
    {"reduce/one_launch/float_words", check_one_launch<float>},
    {"reduce/one_launch/integer_packed", check_one_launch<u32>},
    {"reduce/one_launch/integer_ticket", check_one_launch<u32>},
    {"reduce/one_launch/integer_words", check_one_launch<u32>},
};
const reference_registration loads_in_flight[] = {
    {"reduce/loads_in_flight/narrow_16_of_128", check_sums<float>},
    {"reduce/loads_in_flight/narrow_1_of_128", check_sums<float>},
    {"reduce/loads_in_flight/narrow_2_of_128", check_sums<float>},
    {"reduce/loads_in_flight/narrow_4_of_128", check_sums<float>},
    {"reduce/loads_in_flight/narrow_8_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_16_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_16_of_512", check_sums<float>},
    {"reduce/loads_in_flight/wide_16_of_512_kept_small", check_sums<float>},
    {"reduce/loads_in_flight/wide_1_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_1_of_512", check_sums<float>},
    {"reduce/loads_in_flight/wide_2_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_2_of_512", check_sums<float>},
    {"reduce/loads_in_flight/wide_4_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_4_of_512", check_sums<float>},
    {"reduce/loads_in_flight/wide_8_of_128", check_sums<float>},
    {"reduce/loads_in_flight/wide_8_of_512", check_sums<float>},
    {"reduce/plain_read/every_word", check_read},
};

}  // namespace
}  // namespace ptxlab::machine
