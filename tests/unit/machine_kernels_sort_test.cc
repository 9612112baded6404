// SPDX-License-Identifier: Apache-2.0
// References of the sorting kernels: std::stable_sort, and the number of inversions for those that
// count exchanges. Sizes with no key, one, odd ones, and more than one block's or warp's; keys with
// NaN and infinities among floats, and with ties.
#include <initializer_list>

#include "tests/unit/machine/reference.hpp"
#include "tests/unit/machine/sorting.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using bench::disorder;

void check(const subject& s, disorder d, u32 n) {
  const kernels::sort& how = s.what.measure.sort;
  SCOPED_TRACE(std::to_string(n) + " elements, " + name(d));
  const bench::sort_words in = bench::sort_input(how, d, n);
  const sorted_words seen = sort_on(
      s.on, s.what.measure, in, n,
      [&](u32 grid, u32 block, const std::vector<std::uint64_t>& w) { s.run(grid, block, w); });
  EXPECT_EQ(bench::sort_difference(seen.words, bench::sort_expected(how, in, n)), "");
  if (how.counts) {
    EXPECT_EQ(seen.counts.exchanges, bench::inversions(how, in, n));
  }
  if (how.three_keys) {
    EXPECT_EQ(seen.counts.zero_orders, bench::zero_orders(in, n));
  }
}

reference sorts(std::initializer_list<u32> sizes, u32 largest) {
  const std::vector<u32> all = sizes;
  return [=](const subject& s) {
    for (const u32 n : all) check(s, disorder::random, n);
    for (const disorder d :
         {disorder::sorted, disorder::nearly, disorder::reversed, disorder::equal, disorder::few})
      check(s, d, largest);
  };
}

const reference in_block = sorts({0, 1, 2, 3, 31, 64, 65, 150}, 97);
/// Several warps.
const reference in_registers = sorts({0, 1, 2, 3, 259, 261, 777}, 301);
/// Several blocks, and two of them exactly.
const reference in_tiles = sorts({0, 1, 2, 3, 1241}, 700);

const reference_registration all[] = {
    {"sort/block/edges", in_block},
    {"sort/block/registers", in_registers},
    {"sort/block/registers_f32", in_registers},
    {"sort/block/registers_until_unchanged", in_registers},
    {"sort/block/shared", in_block},
    {"sort/block/shared_counted", in_block},
    {"sort/block/shared_split", in_block},
    // Whatever it makes of others, this one it leaves alone: every second pair is in order.
    {"sort/block/shared_until_one_unchanged",
     [](const subject& s) {
       const bench::sort_words in = {0, 2, 1, 3};
       const sorted_words seen =
           sort_on(s.on, s.what.measure, in, 4,
                   [&](u32 grid, u32 block, const std::vector<std::uint64_t>& w) {
                     s.run(grid, block, w);
                   });
       EXPECT_EQ(seen.words, in);
       EXPECT_EQ(seen.counts.passes, 1U);
     }},
    {"sort/block/shared_until_unchanged", in_block},
    {"sort/block/shared_unrolled", in_block},
    {"sort/block/three_keys", in_block},
    {"sort/grid/pass", in_block},
    {"sort/grid/three_keys", in_block},
    {"sort/grid/tile_a_barrier", in_tiles},
    {"sort/grid/tile_until_unchanged", in_tiles},
    {"sort/launches/pass", in_block},
    {"sort/launches/pass_counted", in_block},
    {"sort/launches/pass_in_graph", in_block},
    {"sort/launches/three_keys", in_block},
    {"sort/launches/tile", in_tiles},
};

}  // namespace
}  // namespace ptxlab::machine
