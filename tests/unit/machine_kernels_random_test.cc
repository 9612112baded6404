// SPDX-License-Identifier: Apache-2.0
// References of the kernels that draw random numbers: the host's sequences, which
// random_generators_test.cc holds against their authors' values and against cuRAND's host
// interface. Set-up runs on the machine as well.
#include <algorithm>
#include <bit>
#include <filesystem>

#include "driver/bench/random_reference.hpp"
#include "driver/bench/sobol.hpp"
#include "driver/bench/xorwow.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using output = kernels::generator::output;
using bench::random_output;
using bench::xorwow;

constexpr u64 seed = 0x123456789abcdef0;
constexpr u32 block = 32;

const std::vector<u32>& powers() {
  static const std::vector<u32> all = bench::xorwow_powers();
  return all;
}

/// What is drawn: units `first` to `first + units - 1`.
struct request {
  u64 first = 0;
  u32 units = 0, subsequences = 64, segments = 1;
};

template <class T>
std::vector<double> doubles_at(const subject& s, address from, u64 count) {
  const std::vector<T> all = s.on.read<T>(from, count);
  return {all.begin(), all.end()};
}
std::vector<double> numbers_at(const subject& s, output as, address from, u64 count) {
  if (as == output::bits) return doubles_at<u32>(s, from, count);
  if (bench::output_of(as).bytes == 8) return doubles_at<double>(s, from, count);
  return doubles_at<float>(s, from, count);
}

/// Sets up and draws on the machine. `state_bytes` is one state's; behind the numbers nothing may
/// be written.
void check_drawing(const subject& s, output as, unsigned adjacent, const request& q,
                   u32 state_bytes = 20, bool at_once = false) {
  SCOPED_TRACE(testing::Message() << q.units << " units from " << q.first << ", " << q.subsequences
                                  << " subsequences, " << q.segments << " segments");
  const random_output o = bench::output_of(as);
  const u64 numbers = u64{q.units} * o.numbers;
  const u32 rows = q.units / q.subsequences, rest = q.units % q.subsequences;
  const u32 start = static_cast<u32>(q.first % q.subsequences);
  const u64 row = q.first / q.subsequences;
  const u32 segment = q.segments == 1 ? ~0U : rows / q.segments + 1;
  const std::vector<u32> guarded(numbers * o.bytes / 4 + 8, 0xdeadbeef);
  const address state = s.on.buffer(
      std::vector<unsigned char>(u64{state_bytes} * q.subsequences * q.segments), "state");
  const address matrices = s.on.buffer(powers(), "powers");
  const address out = s.on.buffer(guarded, "out");
  const u64 steps = row * o.words;
  const u32 threads = q.subsequences * q.segments;
  std::vector<u64> words = {state};
  if (at_once) {
    words.insert(words.end(), {matrices, seed, steps, q.segments});
  } else {
    const run_report r = s.on.run(
        "set_up", (threads + block - 1) / block, block,
        {state, matrices, seed, steps, o.words, start, q.subsequences, segment, q.segments},
        {8, 8, 8, 8, 4, 4, 4, 4, 4});
    ASSERT_EQ(r.how, ending::finished) << r.reason;
  }
  const u32 counter =
      xorwow::of_seed(seed).counter + xorwow::weyl * o.words * static_cast<u32>(row);
  words.insert(words.end(), {out, rows, rest, start, counter, q.subsequences, segment});
  s.run((threads / adjacent + block - 1) / block, block, words);
  EXPECT_EQ(bench::wrong_numbers(numbers_at(s, as, out, numbers),
                                 bench::xorwow_numbers(as, seed, q.subsequences, q.first, q.units),
                                 o.tolerance, 0),
            "");
  const auto behind = s.on.read<u32>(out + numbers * o.bytes, 8);
  EXPECT_EQ(behind, std::vector<u32>(8, 0xdeadbeef)) << "written beyond the end";
  if (at_once || q.segments != 1) return;
  // The states go on where they are.
  if ((q.first + q.units) % adjacent != 0) return;
  request next = q;
  next.first += q.units;
  const u32 next_start = static_cast<u32>(next.first % q.subsequences);
  words = {state,
           out,
           rows,
           rest,
           next_start,
           xorwow::of_seed(seed).counter +
               xorwow::weyl * o.words * static_cast<u32>(next.first / q.subsequences),
           q.subsequences,
           segment};
  s.run((threads / adjacent + block - 1) / block, block, words);
  EXPECT_EQ(
      bench::wrong_numbers(numbers_at(s, as, out, numbers),
                           bench::xorwow_numbers(as, seed, q.subsequences, next.first, next.units),
                           o.tolerance, 0),
      "")
      << "the second draw";
}

reference drawn(output as, unsigned adjacent, bool segments = true, u32 state_bytes = 20) {
  return [=](const subject& s) {
    for (const request& q :
         {request{0, 0}, {0, 1}, {0, 64}, {0, 1000}, {20, 129}, {u64{64} << 30, 200}})
      check_drawing(s, as, adjacent, q, state_bytes);
    if (segments) {
      check_drawing(s, as, adjacent, {0, 64 * 13 + 7, 64, 3}, state_bytes);
      check_drawing(s, as, adjacent, {0, 3, 64, 2}, state_bytes);
    }
    // A place that only a thread of its own can begin at.
    if (adjacent == 1) check_drawing(s, as, adjacent, {5, 77}, state_bytes);
  };
}

const reference_registration bits("random/xorwow/bits", drawn(output::bits, 4));
const reference_registration uniform("random/xorwow/uniform", drawn(output::uniform, 4));
const reference_registration by_one("random/xorwow/uniform_by_one", drawn(output::uniform, 1));
const reference_registration normal("random/xorwow/normal", drawn(output::normal, 2));
const reference_registration uniform_double("random/xorwow/uniform_double",
                                            drawn(output::uniform_double, 2));
const reference_registration normal_double("random/xorwow/normal_double",
                                           drawn(output::normal_double, 1));

/// One thread a state, segments of rows too.
void check_at_once(const subject& s, bool segments, u32 state_bytes) {
  for (const request& q : {request{0, 0}, {0, 1}, {0, 200}, {20, 129}, {u64{64} << 30, 70}})
    check_drawing(s, output::uniform, 1, q, state_bytes, true);
  if (segments) check_drawing(s, output::uniform, 1, {0, 64 * 13 + 7, 64, 3}, state_bytes, true);
}
const reference_registration at_once("random/xorwow/uniform_at_once",
                                     [](const subject& s) { check_at_once(s, true, 20); });

/// Word j of subsequence s of part p is state[(p * 5 + j) * subsequences + s].
const reference_registration set_up("random/xorwow/set_up", [](const subject& s) {
  constexpr u32 subsequences = 40, segments = 3, segment = 1000, start = 7, each = 2;
  constexpr u64 steps = (u64{1} << 63) + 12345;
  const address state = s.on.buffer(std::vector<u32>(5 * subsequences * segments), "state");
  s.run(4, block,
        {state, s.on.buffer(powers(), "powers"), seed, steps, each, start, subsequences, segment,
         segments});
  const auto found = s.on.read<u32>(state, std::size_t{5} * subsequences * segments);
  for (u32 p = 0; p < segments; ++p)
    for (u32 i = 0; i < subsequences; ++i) {
      xorwow wanted = xorwow::of_seed(seed);
      wanted.skip_subsequences(i);
      wanted.skip(steps + each * (p * segment + (i < start ? 1 : 0)));
      for (u32 j = 0; j < 5; ++j)
        ASSERT_EQ(found[(p * 5 + j) * subsequences + i], wanted.v[j]) << p << ", " << i;
    }
});

const reference_registration xorshift("random/xorwow/xorshift128", [](const subject& s) {
  constexpr u32 threads = 64, rows = 9;
  std::vector<bench::xorshift128> all(threads);
  for (u32 t = 0; t < threads; ++t)
    for (u32 i = 0; i < t; ++i) all[t].next();
  const address state = s.on.buffer(all, "state");
  const address out = s.on.buffer(std::vector<u32>(threads * rows), "out");
  s.run(2, threads / 2, {state, out, rows});
  const auto found = s.on.read<u32>(out, std::size_t{threads} * rows);
  EXPECT_EQ(found[0], 3701687786U) << "the first one of the published state";
  EXPECT_EQ(found[threads], 458299110U);
  for (u32 r = 0; r < rows; ++r)
    for (u32 t = 0; t < threads; ++t)
      ASSERT_EQ(found[r * threads + t], all[t].next()) << r << ", " << t;
  const auto after = s.on.read<bench::xorshift128>(state, threads);
  for (u32 t = 0; t < threads; ++t) ASSERT_EQ(after[t].w, all[t].w);
});

// --- cuRAND's device interface: the toolkit's own code against the same numbers ------------------

const reference_registration theirs("random/curand_device/uniform",
                                    drawn(output::uniform, 1, false, 48));
const reference_registration their_normal("random/curand_device/normal",
                                          drawn(output::normal, 1, false, 48));
const reference_registration their_set_up("random/curand_device/set_up", [](const subject& s) {
  constexpr u32 subsequences = 40, start = 7, each = 2, words = 12;
  const address state = s.on.buffer(std::vector<u32>(words * subsequences), "state");
  s.run(2, block, {state, 0, seed, 1001, each, start, subsequences, 0, 1});
  const auto found = s.on.read<u32>(state, std::size_t{words} * subsequences);
  for (u32 i = 0; i < subsequences; ++i) {
    xorwow wanted = xorwow::of_seed(seed);
    wanted.skip_subsequences(i);
    wanted.skip(1001 + (i < start ? each : 0));
    ASSERT_EQ(found[words * i], wanted.counter) << i;
    for (u32 j = 0; j < 5; ++j) ASSERT_EQ(found[words * i + 1 + j], wanted.v[j]) << i;
  }
});
const reference_registration theirs_at_once("random/curand_device/uniform_at_once",
                                            [](const subject& s) { check_at_once(s, false, 48); });

// --- Sobol's sequences ---------------------------------------------------------------------------

const bench::sobol_table& table() {
  static const bench::sobol_table all(compiler::root() / "docs/data/joe_kuo_6.csv");
  return all;
}

/// `dimensions` of them from point `first` on, each by several blocks.
void check_points(const subject& s, output as, double tolerance, u32 first, u32 points,
                  u32 dimensions, u32 share, bool constants) {
  SCOPED_TRACE(testing::Message() << points << " points from " << first << ", " << dimensions
                                  << " dimensions, " << share << " a block");
  const random_output o = bench::output_of(as);
  const std::vector<u32> vectors = table().vectors(dimensions);
  std::vector<u32> added;
  if (constants)
    for (u32 d = 0; d < dimensions; ++d) added.push_back(0x9e3779b9U * (d + 1));
  const u64 numbers = u64{points} * dimensions;
  const address out = s.on.buffer(std::vector<u32>(numbers * o.bytes / 4 + 8, 0xdeadbeef), "out");
  s.run(std::max(1U, (points + share - 1) / share) * dimensions, block,
        {s.on.buffer(vectors, "vectors"), constants ? s.on.buffer(added, "constants") : 0, out,
         first, points, dimensions, share});
  std::vector<double> wanted;
  for (u32 d = 0; d < dimensions && points > 0; ++d) {
    const std::vector<u32> one(vectors.begin() + 32 * d, vectors.begin() + 32 * (d + 1));
    const auto all =
        bench::sobol_numbers(as, one, constants ? std::vector<u32>{added[d]} : std::vector<u32>{},
                             u64{1} << 32, first, points);
    wanted.insert(wanted.end(), all.begin(), all.end());
  }
  EXPECT_EQ(bench::wrong_numbers(numbers_at(s, as, out, numbers), wanted, tolerance, 0), "");
  EXPECT_EQ(s.on.read<u32>(out + numbers * o.bytes, 8), std::vector<u32>(8, 0xdeadbeef))
      << "written beyond the end";
}

reference points(output as, double tolerance = 0, bool constants = false) {
  return [=](const subject& s) {
    check_points(s, as, tolerance, 0, 0, 1, 128, constants);
    check_points(s, as, tolerance, 0, 1, 3, 128, constants);
    check_points(s, as, tolerance, 0, 1024, 5, 256, constants);
    check_points(s, as, tolerance, 4, 1000, 2, 128, constants);
    check_points(s, as, tolerance, 3, 333, 2, 128, constants);
    check_points(s, as, tolerance, 0xffffff00, 256, 2, 128, constants);
  };
}

const reference_registration points_bits("random/sobol/bits", points(output::bits));
const reference_registration points_uniform("random/sobol/uniform", points(output::uniform));
const reference_registration points_scrambled("random/sobol/scrambled",
                                              points(output::uniform, 0, true));
const reference_registration points_double("random/sobol/uniform_double",
                                           points(output::uniform_double));
// erfcinvf is documented to four units in the last place (CUDA C++ Programming Guide).
const reference_registration points_normal("random/sobol/normal", points(output::normal, 1e-5));

const reference_registration their_points("random/curand_device/sobol", [](const subject& s) {
  constexpr u32 dimensions = 3, each = 5;
  const std::vector<u32> vectors = table().vectors(dimensions);
  const address out = s.on.buffer(std::vector<u32>(dimensions * block * each), "out");
  s.run(dimensions, block, {s.on.buffer(vectors, "vectors"), out, each});
  const auto found = s.on.read<u32>(out, std::size_t{dimensions} * block * each);
  for (u32 d = 0; d < dimensions; ++d)
    for (u32 i = 0; i < block * each; ++i)
      ASSERT_EQ(found[d * block * each + i], bench::sobol_point(&vectors[32 * d], i))
          << d << ", " << i;
});

const reference_registration expanded("random/sobol/set_up", [](const subject& s) {
  // All degrees, the last dimension among them.
  std::vector<std::size_t> which = {0, 1, 2, 3, 4, 5, 100, 1000, 5000, 13424, 13425, 19999};
  std::vector<u32> polynomials, first(18 * which.size()), wanted;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const bench::sobol_dimension& d = table()[which[i]];
    polynomials.push_back(d.polynomial);
    std::copy(d.first.begin(), d.first.end(), first.begin() + static_cast<std::ptrdiff_t>(18 * i));
    const bench::sobol_vectors v = d.vectors();
    wanted.insert(wanted.end(), v.begin(), v.end());
  }
  const address to = s.on.buffer(std::vector<u32>(wanted.size()), "vectors");
  s.run(1, block,
        {to, s.on.buffer(polynomials, "polynomials"), s.on.buffer(first, "first"), which.size()});
  EXPECT_EQ(s.on.read<u32>(to, wanted.size()), wanted);
});

}  // namespace
}  // namespace ptxlab::machine
