// SPDX-License-Identifier: Apache-2.0
// Finding lines of lanes, and their part of a row.
#include "ptx/machine/observers/race_line.hpp"

#include <algorithm>
#include <bit>

namespace ptxlab::machine {

namespace {

bool in_line(const access& a, lane_mask lanes) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const address begin = a.at[first] - address{first} * a.bytes;
  address differences = 0;
  if (lanes == ~lane_mask{0}) {  // without a branch in the loop, so that it becomes vector code
    if (a.at[1] != begin + a.bytes) return false;
    address next = begin;
    for (std::uint32_t i = 0; i < warp_lanes; ++i, next += a.bytes) differences |= a.at[i] ^ next;
    return differences == 0;
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(lanes));
    differences |= a.at[i] ^ (begin + address{i} * a.bytes);
  }
  return differences == 0;
}

}  // namespace

std::optional<lane_line> lane_line::of(const access& a) {
  const lane_mask lanes = a.who.mask;
  if (lanes == 0 || (a.bytes != 4 && a.bytes != 8 && a.bytes != 16)) return std::nullopt;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto last = static_cast<std::uint32_t>(std::bit_width(lanes)) - 1;
  if (a.at[first] % a.bytes != 0 || !in_line(a, lanes)) return std::nullopt;
  lane_line line;
  line.lanes_ = lanes;
  line.gaps_ = static_cast<std::uint32_t>(std::popcount(lanes)) != last - first + 1;
  line.log_words_ = static_cast<std::uint8_t>(std::countr_zero(a.bytes / 4));
  line.begin_ = a.at[first] / 4;
  line.end_ = (a.at[last] + a.bytes) / 4;
  return line;
}

lane_pattern lane_line::pattern(std::uint64_t row) const {
  // The lanes' first word, were they all there, as a number of lanes; of the row, the same.
  const std::uint64_t begin =
      (begin_ >> log_words_) - static_cast<unsigned>(std::countr_zero(lanes_));
  const std::uint64_t of_row = row * row_words >> log_words_;
  lane_pattern p;
  p.log_words = log_words_ & 3U;
  p.turn = (begin - of_row) & (warp_lanes - 1);
  return p;
}

lane_mask lane_line::words(std::uint64_t row, lane_mask part) const {
  const std::uint64_t begin = row * row_words;
  const auto from = static_cast<std::uint32_t>(std::max(begin_, begin) - begin);
  const auto upto = static_cast<std::uint32_t>(std::min(end_ - begin, std::uint64_t{row_words}));
  const lane_mask range = (~lane_mask{0} << from) & (~lane_mask{0} >> (row_words - upto));
  if (!gaps_ && (lanes_ & ~part) == 0) return range;
  const lane_pattern p = pattern(row);
  lane_mask result = 0;
  for (std::uint32_t i = from; i < upto; ++i)
    if (((lanes_ & part) >> p.lane_of(i) & 1) != 0) result |= lane_mask{1} << i;
  return result;
}

}  // namespace ptxlab::machine
