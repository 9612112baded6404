// SPDX-License-Identifier: Apache-2.0
// Sobol's sequences on the host: the table of Joe and Kuo against cuRAND's vectors, points against
// cuRAND's host interface, and what the definition promises of them.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "driver/bench/curand_library.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/sobol.hpp"
#include "driver/bench/xorwow.hpp"
#include "ptx/text/error.hpp"
#include "tests/unit/machine/compiled.hpp"

namespace ptxlab::bench {
namespace {

using u32 = std::uint32_t;
using kernels::generator;
using output = generator::output;

std::filesystem::path file() {
  return machine::compiler::root() / "docs/data/joe_kuo_6.csv";
}
const sobol_table& table() {
  static const sobol_table all(file());
  return all;
}
std::string message_of(const std::string& text) {
  try {
    const sobol_table read(text, "table");
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(random_sobol, begins_as_joe_and_kuo_print_it) {
  // The first lines of the table in the paper: polynomial and m of dimensions 2 to 7.
  const std::vector<sobol_dimension> wanted = {{3, {1}},           {7, {1, 3}},
                                               {11, {1, 3, 1}},    {13, {1, 1, 1}},
                                               {19, {1, 1, 3, 3}}, {25, {1, 3, 5, 13}}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(table()[i + 1].polynomial, wanted[i].polynomial) << i;
    EXPECT_EQ(table()[i + 1].first, wanted[i].first) << i;
  }
  EXPECT_EQ(table().dimensions(), 20000U);
}

TEST(random_sobol, polynomials_are_the_primitive_ones_in_order) {
  // Their numbers by degree are phi(2^s - 1) / s.
  const unsigned counts[] = {1,  1,   2,   2,   6,   6,    18,   16,  48,
                             60, 176, 144, 630, 756, 1800, 2048, 7710};
  std::vector<unsigned> found(18);
  u32 before = 1;
  for (std::size_t d = 1; d < table().dimensions(); ++d) {
    const u32 p = table()[d].polynomial;
    EXPECT_GT(p, before) << d;
    before = p;
    ASSERT_EQ(table()[d].degree() + 1, static_cast<unsigned>(std::bit_width(p))) << d;
    if (d % 16 == 0) {
      ASSERT_TRUE(is_primitive(p)) << d;
    }
    ++found[table()[d].degree() - 1];
  }
  for (unsigned s = 0; s < 17; ++s) EXPECT_EQ(found[s], counts[s]) << "degree " << s + 1;
  EXPECT_FALSE(is_primitive(0b111111)) << "x has order 6";
  EXPECT_FALSE(is_primitive(0b11111)) << "irreducible, x has order 5";
  EXPECT_FALSE(is_primitive(0b110)) << "divisible by x";
  EXPECT_FALSE(is_primitive(1));
}

TEST(random_sobol, initial_numbers_are_odd_and_small) {
  for (std::size_t d = 1; d < table().dimensions(); ++d)
    for (unsigned j = 0; j < table()[d].degree(); ++j) {
      const u32 m = table()[d].first[j];
      ASSERT_TRUE(m % 2 == 1 && m < 2U << j) << d << ", " << j;
    }
}

TEST(random_sobol, a_table_that_is_none_is_refused) {
  EXPECT_EQ(message_of(""), "no error") << "the first dimension alone";
  EXPECT_EQ(message_of("# head\n3\n7,1\nb,1,0\n"), "no error");
  const std::string reason = ": no polynomial of some degree s with s - 1 numbers behind it";
  EXPECT_EQ(message_of("# head\n3\n7\n"), "table:3" + reason) << "cut";
  EXPECT_EQ(message_of("3,1\n"), "table:1" + reason) << "too many";
  EXPECT_EQ(message_of("3\n7,2\n"), "table:2" + reason) << "m_2 is below 4";
  for (const char* odd : {"x-y\n", "\n", "3,\n", "1\n", "0\n", ",\n", "zzzzzzzz\n", "3 \n", "-3\n"})
    EXPECT_EQ(message_of(odd), "table:1" + reason) << odd;
  EXPECT_THROW(sobol_table(std::filesystem::path("/nowhere/table")), error);
}

TEST(random_sobol, any_2_to_the_k_points_lie_in_intervals_of_their_own) {
  for (const std::size_t d : {0, 1, 2, 77, 1000, 19999}) {
    const sobol_vectors v = table()[d].vectors(), w = scrambled(v, d);
    for (const u32 first : {0U, 256U, 0xffffff00U}) {
      std::set<u32> plain, mixed;
      for (u32 i = 0; i < 256; ++i) {
        plain.insert(sobol_point(v.data(), first + i) >> 24);
        mixed.insert((sobol_point(w.data(), first + i) ^ 0x12345678) >> 24);
      }
      EXPECT_EQ(plain.size(), 256U) << d;
      EXPECT_EQ(mixed.size(), 256U) << d;
    }
    EXPECT_NE(v, w);
  }
}

TEST(random_sobol, points_follow_each_other_by_one_vector) {
  const sobol_vectors v = table()[100].vectors();
  u32 x = 0;
  for (u32 i = 0; i < 1000; ++i) {
    ASSERT_EQ(sobol_point(v.data(), i), x) << i;
    x ^= v[static_cast<std::size_t>(std::countr_one(i))];
  }
}

// --- cuRAND --------------------------------------------------------------------------------------

class random_sobol_curand : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& why = curand_library::get().missing(); !why.empty()) GTEST_SKIP() << why;
  }
  template <class T>
  static std::vector<double> drawn(generator::law by, output as, unsigned dimensions,
                                   std::uint64_t offset, u32 points) {
    curand_generator g(curand_library::get(), by, curand_generator::place::host);
    g.dimensions(dimensions);
    g.offset(offset);
    std::vector<T> out(std::size_t{dimensions} * points);
    g.generate(as, out.data(), out.size());
    return {out.begin(), out.end()};
  }
};

TEST_F(random_sobol_curand, has_our_vectors_in_all_dimensions) {
  EXPECT_TRUE(curand_vectors(curand_library::get(), false) == table().vectors(20000));
}

TEST_F(random_sobol_curand, has_our_points) {
  const std::vector<u32> vectors = table().vectors(20000);
  const auto check = [&](output as, const std::vector<double>& found, u32 points) {
    EXPECT_EQ(wrong_numbers(found, sobol_numbers(as, vectors, {}, points, 0, found.size()),
                            as == output::normal ? 1e-5 : 0, 0),
              "");
  };
  using enum generator::law;
  check(output::bits, drawn<u32>(sobol32, output::bits, 1, 0, 3000), 3000);
  check(output::bits, drawn<u32>(sobol32, output::bits, 20000, 0, 3), 3);
  check(output::uniform, drawn<float>(sobol32, output::uniform, 7, 0, 500), 500);
  check(output::normal, drawn<float>(sobol32, output::normal, 7, 0, 500), 500);
  check(output::uniform_double, drawn<double>(sobol32, output::uniform_double, 7, 0, 500), 500);
}

/// Vector j scrambled, by rows of a matrix: bit 31 - r of it is the parity of row r and the vector.
std::vector<u32> rows_between(const u32* plain, const u32* mixed) {
  std::vector<u32> rows(32);
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned j = 0; j < 32; ++j)  // vector j is the first one with bit 31 - j
      if ((std::popcount(plain[j] & rows[r]) & 1U) != (mixed[j] >> (31 - r) & 1U))
        rows[r] |= 1U << (31 - j);
  return rows;
}

TEST_F(random_sobol_curand, scrambles_by_lower_triangular_matrices) {
  const std::vector<u32> plain = table().vectors(20000),
                         mixed = curand_vectors(curand_library::get(), true);
  ASSERT_EQ(mixed.size(), plain.size());
  for (std::size_t d = 0; d < 20000; d += 7) {
    const std::vector<u32> rows = rows_between(&plain[32 * d], &mixed[32 * d]);
    for (unsigned r = 0; r < 32; ++r) {
      ASSERT_NE(rows[r] >> (31 - r) & 1, 0U) << "dimension " << d << ", row " << r;
      ASSERT_EQ(r == 31 ? 0 : rows[r] << (r + 1), 0U) << "dimension " << d << ", row " << r;
    }
  }
  // Ours are of the same kind.
  const sobol_vectors ours = scrambled(table()[5].vectors(), 1);
  const std::vector<u32> rows = rows_between(&plain[32 * 5], ours.data());
  for (unsigned r = 0; r < 32; ++r) EXPECT_NE(rows[r] >> (31 - r) & 1, 0U) << r;
}

TEST_F(random_sobol_curand, scrambled_points_are_those_of_its_vectors_and_constants) {
  const auto vectors = curand_vectors(curand_library::get(), true);
  const auto constants = curand_constants(curand_library::get());
  EXPECT_EQ(wrong_numbers(drawn<u32>(generator::law::scrambled_sobol32, output::bits, 100, 0, 50),
                          sobol_numbers(output::bits, vectors, constants, 50, 0, 5000), 0, 0),
            "");
}

}  // namespace
}  // namespace ptxlab::bench
