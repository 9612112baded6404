// SPDX-License-Identifier: Apache-2.0
// The letters that stand for operands in the rows of the operation table, and comparisons of
// integers.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/math/selection.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/spelling.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

/// What the modifiers of a spelling choose, by a pattern.
choice chosen(std::string_view pattern, std::string_view spelling) {
  choice c;
  std::string_view left;
  const std::vector<group> groups = read_pattern(pattern);
  EXPECT_TRUE(match(groups, ptx::decode_opcode(spelling), c, left)) << spelling;
  return c;
}

TEST(machine_row, letters_stand_for_types) {
  const choice c = chosen("r:f32|u32 t:s16|s32 s:f32|s32", "slct.u32.s16.f32");
  EXPECT_EQ(operand_type('t', c), type::s16);
  EXPECT_EQ(operand_type('b', c), type::s16);
  EXPECT_EQ(operand_type('s', c), type::f32);
  EXPECT_EQ(operand_type('r', c), type::u32);
  EXPECT_EQ(operand_type('w', c), type::u32);
  EXPECT_EQ(operand_type('w', chosen("t:s16|s32", "mul.s32")), type::u64);
  EXPECT_EQ(operand_type('u', c), type::u32);
  EXPECT_EQ(operand_type('i', c), type::s32);
  EXPECT_EQ(operand_type('h', c), type::b16);
  EXPECT_EQ(operand_type('l', c), type::u64);
  for (const char letter : {'p', 'q', 'P'}) EXPECT_EQ(operand_type(letter, c), type::pred);
}

TEST(machine_row, other_letters_are_refused) {
  for (const char letter : {'x', 'T', '<', '\0'})
    EXPECT_THROW(operand_type(letter, choice{}), error) << letter;
}

TEST(machine_row, every_plain_row_has_letters_that_stand_for_types) {
  std::size_t plain = 0;
  for (const row& r : operation_table()) {
    if (r.select == nullptr) continue;
    ++plain;
    const std::string spelling = spellings(r.base, read_pattern(r.pattern)).at(0);
    const choice c = chosen(r.pattern, spelling);
    for (const char letter : r.operands) {
      if (letter == '<') continue;
      EXPECT_NO_THROW(operand_type(letter, c)) << spelling << ": " << letter;
    }
  }
  EXPECT_GT(plain, 100U);
}

template <class T>
void check_order() {
  using enum math::comparison;
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  EXPECT_TRUE((math::compare<lt>(low, high) && math::compare<le>(low, high)));
  EXPECT_TRUE((math::compare<gt>(high, low) && math::compare<ge>(high, low)));
  EXPECT_TRUE((math::compare<ne>(low, high) && math::compare<eq>(low, low)));
  EXPECT_TRUE((math::compare<le>(high, high) && math::compare<ge>(low, low)));
  EXPECT_FALSE((math::compare<lt>(high, low) || math::compare<gt>(low, high)));
  EXPECT_FALSE((math::compare<lt>(low, low) || math::compare<gt>(high, high)));
  EXPECT_FALSE((math::compare<ne>(high, high) || math::compare<eq>(high, low)));
}

TEST(machine_row, integers_compare_by_their_sign) {
  check_order<std::uint16_t>();
  check_order<std::int16_t>();
  check_order<std::uint32_t>();
  check_order<std::int32_t>();
  check_order<std::uint64_t>();
  check_order<std::int64_t>();
}

}  // namespace
}  // namespace ptxlab::machine
