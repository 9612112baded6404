// SPDX-License-Identifier: Apache-2.0
// Textbook kernels, right and wrong ones, on the machine: results as in C++, the race detector's
// verdict, and how what cannot end does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using words = std::vector<u32>;
using numbers = std::vector<int>;

constexpr const char* tokens[] = {"its", "lockstep", "random:3", "adversarial:3"};

class machine_textbook : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const compiler c;
    if (c.problem().empty())
      text_ = c.texts({compiler::root() / "tests/unit/machine/textbook.cu"}).front();
  }
  void SetUp() override {
    if (text_.empty()) GTEST_SKIP() << compiler().problem();
    on.emplace(ptx::parse(text_, "textbook.cu"));
    on->how.observers = {&races};
  }
  /// A kernel with pointers first and then numbers of 4 bytes.
  run_report run(const char* kernel, u32 grid, u32 block, std::vector<std::uint64_t> pointers,
                 const numbers& values = {}) {
    std::vector<unsigned> bytes(pointers.size(), 8);
    for (const int v : values) {
      pointers.push_back(static_cast<u32>(v));
      bytes.push_back(4);
    }
    return on->run(kernel, grid, block, pointers, bytes);
  }
  std::string verdict() const { return verdict_of(races.report()); }

  static numbers random_numbers(std::size_t n, u32 seed) {
    std::mt19937 next(seed);
    numbers out(n);
    for (int& x : out) x = static_cast<int>(next() % 2001) - 1000;
    return out;
  }

  std::optional<workbench> on;
  race_detector races;

 private:
  inline static std::string text_;
};

TEST_F(machine_textbook, sums_of_a_block) {
  for (const char* kernel : {"sum_shared", "sum_shuffled"})
    for (const int n : {0, 1, 2, 31, 33, 127, 128, 1001}) {
      const numbers in = random_numbers(static_cast<std::size_t>(n), 1);
      const address out = on->buffer(numbers{-1}, "out");
      on->how.dynamic_shared = 512;
      const run_report r = run(kernel, 1, 128, {out, on->buffer(in, "in")}, {n});
      ASSERT_EQ(r.how, ending::finished) << r.reason;
      EXPECT_EQ(on->read<int>(out, 1)[0], std::accumulate(in.begin(), in.end(), 0)) << kernel << n;
      EXPECT_EQ(verdict(), "no race") << kernel << n;
    }
}

TEST_F(machine_textbook, a_sum_without_barriers_is_seen_to_race) {
  const address out = on->buffer(numbers{0}, "out");
  on->how.dynamic_shared = 512;
  run("sum_shared_wrong", 1, 128, {out, on->buffer(random_numbers(128, 1), "in")}, {128});
  EXPECT_NE(verdict().find("between warps"), std::string::npos) << verdict();
  EXPECT_NE(missing_of(races.report()).find("barrier"), std::string::npos);
}

TEST_F(machine_textbook, an_empty_launch_is_refused) {
  const address out = on->buffer(numbers{5}, "out"), in = on->buffer(numbers{1}, "in");
  EXPECT_EQ(run("sum_shared", 0, 128, {out, in}, {1}).how, ending::refused);
  EXPECT_EQ(run("sum_shared", 1, 0, {out, in}, {1}).how, ending::refused);
  EXPECT_EQ(run("sum_shared", 1, 1025, {out, in}, {1}).how, ending::refused);
  EXPECT_EQ(run("sum_shared", 1, 128, {out, in}).how, ending::refused);
  EXPECT_EQ(on->read<int>(out, 1)[0], 5);
}

TEST_F(machine_textbook, scans_of_a_block) {
  for (const int n : {0, 1, 2, 63, 64, 100, 127, 128}) {
    const auto size = static_cast<std::size_t>(n);
    const numbers in = random_numbers(size, 2);
    numbers inclusive(size), exclusive(size);
    std::inclusive_scan(in.begin(), in.end(), inclusive.begin());
    std::exclusive_scan(in.begin(), in.end(), exclusive.begin(), 0);
    const address out = on->buffer(numbers(size), "out"), from = on->buffer(in, "in");
    ASSERT_EQ(run("scan_hillis_steele", 1, 128, {out, from}, {n}).how, ending::finished);
    EXPECT_EQ(on->read<int>(out, size), inclusive) << n;
    EXPECT_EQ(verdict(), "no race");
    ASSERT_EQ(run("scan_blelloch", 1, 64, {out, from}, {n}).how, ending::finished);
    EXPECT_EQ(on->read<int>(out, size), exclusive) << n;
    EXPECT_EQ(verdict(), "no race");
  }
}

TEST_F(machine_textbook, transposes_and_products_of_matrices) {
  std::mt19937 next(4);
  const auto matrix = [&](int rows, int columns) {
    std::vector<float> out(static_cast<std::size_t>(rows * columns));
    for (float& x : out) x = static_cast<float>(next() % 1000) / 16;
    return out;
  };
  on->how.block[1] = 16;
  for (const auto& [rows, columns] : {std::pair{1, 1}, {16, 16}, {17, 33}, {40, 5}}) {
    const std::vector<float> a = matrix(rows, columns);
    std::vector<float> wanted(a.size());
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        wanted[static_cast<std::size_t>(c * rows + r)] =
            a[static_cast<std::size_t>(r * columns + c)];
    on->how.grid[1] = static_cast<u32>(rows + 15) / 16;
    for (const char* kernel : {"transpose_naive", "transpose_tile", "transpose_padded"}) {
      const address out = on->buffer(std::vector<float>(a.size()), "out");
      const run_report r = run(kernel, static_cast<u32>(columns + 15) / 16, 16,
                               {out, on->buffer(a, "in")}, {rows, columns});
      ASSERT_EQ(r.how, ending::finished) << r.reason;
      EXPECT_EQ(on->read<float>(out, a.size()), wanted) << kernel << rows;
      EXPECT_EQ(verdict(), "no race") << kernel;
    }
    // nvcc contracts the product and the sum; the padding with zeros changes no sum.
    constexpr int n = 19;
    const std::vector<float> b = matrix(columns, n);
    std::vector<float> c(static_cast<std::size_t>(rows * n));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < columns; ++k)
          c[static_cast<std::size_t>(i * n + j)] = std::fma(
              a[static_cast<std::size_t>(i * columns + k)], b[static_cast<std::size_t>(k * n + j)],
              c[static_cast<std::size_t>(i * n + j)]);
    const address out = on->buffer(std::vector<float>(c.size()), "c");
    ASSERT_EQ(
        run("product", 2, 16, {out, on->buffer(a, "a"), on->buffer(b, "b")}, {rows, n, columns})
            .how,
        ending::finished);
    EXPECT_EQ(on->read<float>(out, c.size()), c);
    EXPECT_EQ(verdict(), "no race");
  }
}

TEST_F(machine_textbook, histograms_with_and_without_atomics) {
  for (const int n : {0, 1, 77, 1000}) {
    std::mt19937 next(5);
    std::vector<std::uint8_t> in(static_cast<std::size_t>(n));
    words wanted(64);
    for (std::uint8_t& x : in) ++wanted[(x = static_cast<std::uint8_t>(next())) % 64];
    const address out = on->buffer(words(64), "out"), from = on->buffer(in, "in");
    ASSERT_EQ(run("histogram", 3, 96, {out, from}, {n}).how, ending::finished);
    EXPECT_EQ(on->read<u32>(out, 64), wanted);
    EXPECT_EQ(verdict(), "no race") << n;
    const address wrong = on->buffer(words(64), "wrong");
    ASSERT_EQ(run("histogram_wrong", 11, 96, {wrong, from}, {n}).how, ending::finished);
    if (n < 100) continue;
    EXPECT_NE(on->read<u32>(wrong, 64), wanted);
    EXPECT_NE(verdict().find("between blocks"), std::string::npos) << verdict();
  }
}

TEST_F(machine_textbook, odd_even_transposition_sort) {
  for (const char* token : tokens)
    for (const int n : {0, 1, 2, 63, 64, 101}) {
      read_token(token, on->how);
      numbers x = random_numbers(static_cast<std::size_t>(n), 6);
      const address at = on->buffer(x, "x");
      ASSERT_EQ(run("odd_even_sort", 1, 64, {at}, {n}).how, ending::finished);
      std::sort(x.begin(), x.end());
      EXPECT_EQ(on->read<int>(at, x.size()), x) << token << n;
      EXPECT_EQ(verdict(), "no race") << token << n;
    }
}

TEST_F(machine_textbook, locks_right_and_wrong) {
  const auto locked = [&](const char* kernel, const char* token, u32 wanted) {
    read_token(token, on->how);
    const address word = on->buffer(words{0}, "lock"), sum = on->buffer(words{0}, "sum");
    const run_report r = run(kernel, 3, 64, {word, sum});
    if (r.how == ending::finished) {
      EXPECT_EQ(on->read<u32>(sum, 1)[0], wanted) << kernel << token;
      EXPECT_EQ(on->read<u32>(word, 1)[0], 0U) << kernel << token;
    }
    return r.how;
  };
  for (const char* token : tokens) {
    EXPECT_EQ(locked("lock_by_block", token, 3), ending::finished) << token;
    EXPECT_EQ(verdict(), "no race") << token;
    EXPECT_EQ(locked("lock_without_fences", token, 3), ending::finished) << token;
    EXPECT_EQ(verdict(), "between blocks") << token;
    EXPECT_EQ(locked("lock_by_thread", token, 192), ending::finished) << token;
    EXPECT_EQ(verdict(), "no race") << token;
    EXPECT_EQ(locked("lock_by_lane", token, 192),
              token == std::string("lockstep") ? ending::simt_deadlock : ending::finished)
        << token;
  }
}

TEST_F(machine_textbook, messages_between_blocks) {
  const std::pair<const char*, const char*> cases[] = {{"message_fences", ""},
                                                       {"message_no_release", "release"},
                                                       {"message_no_acquire", "acquire"},
                                                       {"message_narrow", "scope"},
                                                       {"message_nothing", "release_and_acquire"}};
  for (const auto& [kernel, missing] : cases)
    for (const char* token : tokens) {
      read_token(token, on->how);
      const address data = on->buffer(words{0}, "data"), flag = on->buffer(words{0}, "flag");
      const address out = on->buffer(words{0}, "out");
      ASSERT_EQ(run(kernel, 2, 1, {data, flag, out}).how, ending::finished);
      EXPECT_EQ(on->read<u32>(out, 1)[0], 42U);
      EXPECT_EQ(verdict(), *missing == 0 ? "no race" : "between blocks") << kernel << token;
      EXPECT_EQ(missing_of(races.report()), missing) << kernel << token;
    }
}

TEST_F(machine_textbook, store_buffering_and_coherence) {
  for (const char* token : tokens) {
    read_token(token, on->how);
    const address x = on->buffer(words(2), "x"), out = on->buffer(words(4), "out");
    ASSERT_EQ(run("store_buffering", 2, 1, {x, out}).how, ending::finished);
    EXPECT_NE(on->read<u32>(out, 2), (words{0, 0})) << token;
    EXPECT_EQ(verdict(), "no race") << token;
    ASSERT_EQ(run("store_buffering_plain", 2, 1, {x, out}).how, ending::finished);
    EXPECT_EQ(verdict(), "between blocks") << token;

    const address y = on->buffer(words(1), "y"), seen = on->buffer(words(4), "seen");
    ASSERT_EQ(run("coherence", 4, 1, {y, seen}).how, ending::finished);
    EXPECT_EQ(verdict(), "no race") << token;
    const words v = on->read<u32>(seen, 4);
    EXPECT_FALSE(v[0] == 1 && v[1] == 2 && v[2] == 2 && v[3] == 1) << token;
    EXPECT_FALSE(v[0] == 2 && v[1] == 1 && v[2] == 1 && v[3] == 2) << token;
    ASSERT_EQ(run("coherence_plain", 4, 1, {y, seen}).how, ending::finished);
    EXPECT_EQ(verdict(), "between blocks") << token;
  }
}

TEST_F(machine_textbook, barriers_of_the_grid_at_residency_and_one_block_above) {
  constexpr u32 resident = 5;
  on->how.resident = {resident, 132, "a test"};
  const auto at_grid = [&](const char* kernel, u32 grid, const char* token) {
    read_token(token, on->how);
    on->how.cooperative = kernel == std::string("grid_cooperative");
    const address of_block = on->buffer(words(grid), "of_block");
    const address out = on->buffer(words(grid), "out"), count = on->buffer(words(1), "count");
    const run_report r = run(kernel, grid, 64, {of_block, out, count});
    const bool right = on->read<u32>(out, grid) == words(grid, grid * (grid + 1) / 2);
    return std::pair{r.how, right};
  };
  const auto finished = std::pair{ending::finished, true};
  for (const char* token : tokens) {
    for (const u32 grid : {1U, resident}) {
      EXPECT_EQ(at_grid("grid_counter", grid, token), finished) << token;
      EXPECT_EQ(verdict(), "no race") << token;
      EXPECT_EQ(at_grid("grid_cooperative", grid, token), finished) << token;
      EXPECT_EQ(verdict(), "no race") << token;
      EXPECT_EQ(at_grid("grid_counter_volatile", grid, token), finished) << token;
      EXPECT_EQ(verdict(), grid == 1 ? "no race" : "between blocks") << token;
    }
    EXPECT_EQ(at_grid("grid_counter", resident + 1, token).first, ending::residency_deadlock);
    EXPECT_EQ(at_grid("grid_counter_volatile", resident + 1, token).first,
              ending::residency_deadlock);
    EXPECT_EQ(at_grid("grid_cooperative", resident + 1, token).first, ending::refused);
    EXPECT_EQ(at_grid("grid_nothing", resident + 1, token).first, ending::finished);
    EXPECT_NE(verdict().find("between blocks"), std::string::npos) << token;
  }
}

}  // namespace
}  // namespace ptxlab::machine
