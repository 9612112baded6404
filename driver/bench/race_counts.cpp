// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/race_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

/// Groups of `size` elements, the last of each block perhaps shorter.
void count_groups(const std::vector<char>& wrong, std::size_t block, std::size_t size,
                  std::uint64_t& any, std::uint64_t& in_part) {
  for (std::size_t first = 0; first < wrong.size(); first += block)
    for (std::size_t i = 0; i < block; i += size) {
      const auto begin = wrong.begin() + static_cast<std::ptrdiff_t>(first + i);
      const auto length = static_cast<std::ptrdiff_t>(std::min(size, block - i));
      const auto n = std::count(begin, begin + length, 1);
      if (n > 0) ++any;
      if (n > 0 && n < length) ++in_part;
    }
}

}  // namespace

race_counts count_races(const std::vector<float>& x, unsigned block_threads) {
  if (block_threads == 0 || x.empty() || x.size() % block_threads != 0)
    throw error(fmt::format("{} elements are no whole number of blocks of {} threads", x.size(),
                            block_threads));
  const double tolerance = 0.5 / static_cast<double>(x.size());
  std::vector<char> wrong(x.size());
  // Written so that NaN is wrong.
  for (std::size_t i = 0; i < x.size(); ++i)
    wrong[i] = std::abs(static_cast<double>(x[i]) - 1) <= tolerance ? 0 : 1;
  race_counts c;
  c.elements = static_cast<std::uint64_t>(std::count(wrong.begin(), wrong.end(), 1));
  constexpr std::size_t warp = 32;
  count_groups(wrong, block_threads, warp, c.warps, c.warps_in_part);
  count_groups(wrong, block_threads, block_threads, c.blocks, c.blocks_in_part);
  return c;
}

}  // namespace ptxlab::bench
