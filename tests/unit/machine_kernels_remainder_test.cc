// SPDX-License-Identifier: Apache-2.0
// References of loops/lost_remainder: how many elements its loops store on the machine.
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;

/// How many of 16 elements are i + 1; the others must be untouched.
u32 stored(const subject& s, u32 n, u32 most) {
  const address out = s.on.buffer(std::vector<u32>(16), "out");
  s.run(1, 1, {out, n, most});
  const auto found = s.on.read<u32>(out, 16);
  u32 count = 0;
  while (count < 16 && found[count] == count + 1) ++count;
  for (u32 i = count; i < 16; ++i) EXPECT_EQ(found[i], 0U) << i;
  return count;
}

void check_right(const subject& s) {
  EXPECT_EQ(stored(s, 0, 9), 0U);
  EXPECT_EQ(stored(s, 7, 9), 7U);
  EXPECT_EQ(stored(s, 12, 11), 11U);
  EXPECT_EQ(stored(s, 10, 10), 10U);
}
/// Whole fives, by the nvcc that has the fault; another one may be right.
void check_by_5(const subject& s) {
  EXPECT_EQ(stored(s, 0, 9), 0U);
  const u32 of_7 = stored(s, 7, 9), of_11 = stored(s, 12, 11);
  EXPECT_TRUE((of_7 == 10 && of_11 == 15) || (of_7 == 7 && of_11 == 11)) << of_7 << ", " << of_11;
}

const reference_registration by_4("loops/lost_remainder/by_4", check_right);
const reference_registration by_5("loops/lost_remainder/by_5", check_by_5);
const reference_registration hidden("loops/lost_remainder/by_5_hidden", check_right);

}  // namespace
}  // namespace ptxlab::machine
