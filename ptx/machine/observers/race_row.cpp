// SPDX-License-Identifier: Apache-2.0
// The check of accesses that go along rows of words: of a whole row at once, as long as its words
// need not be told apart.
#include <algorithm>
#include <bit>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {

void race_detector::check_line(lane_access& x, shadow_memory& memory, const lane_line& line,
                               lane_mask lanes) {
  x.as.bytes = 0xf;
  for (std::uint64_t number = line.first_row(); number <= line.last_row(); ++number) {
    const lane_mask words = line.words(number, lanes);
    if (words == 0) continue;
    x.as.pattern = line.pattern(number);
    x.as.lanes = words;
    shadow_row& row = memory.row(number);
    if (!row.each && check_row(x, row)) continue;
    std::array<shadow_word, row_words>& each = row.split();
    for (lane_mask rest = words; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
      x.lane = x.as.pattern.lane_of(i);
      x.word = number * row_words + i;
      x.as.lanes = lane_mask{1} << x.lane;
      check_word(x, each[i]);
    }
  }
}

bool race_detector::check_row(const lane_access& x, shadow_row& row) {
  shadow_word& w = row.together;
  const bool writes = x.as.how.writes;
  const bool forgotten = w.history && w.history->forgotten.latest != 0;
  if (forgotten && writes && x.as.lanes != ~lane_mask{0}) return false;
  // As check_pair and replace do for a word; settling the same once more changes nothing.
  const auto settle = [&](access_record& earlier) {
    const lane_mask both = earlier.lanes & x.as.lanes;
    if (both == 0) return true;
    const lane_mask unordered = unordered_words(x, earlier);
    if (unordered != 0 && (writes || earlier.how.writes)) return false;
    if (writes || !earlier.how.writes) earlier.lanes &= ~(both & ~unordered);
    return true;
  };
  if (!settle(w.write) || !settle(w.read)) return false;
  if (w.history) {
    std::vector<access_record>& more = w.history->more;
    if (!std::all_of(more.begin(), more.end(), settle)) return false;
    std::erase_if(more, [](const access_record& r) { return r.lanes == 0; });
  }
  if (!row.has_room(x.as)) return false;
  if (forgotten) check_forgotten(x, w);
  shadow_memory::add(w, x.as);
  return true;
}

lane_mask race_detector::unordered_words(const lane_access& x, const access_record& earlier) {
  const bool same_warp = earlier.block == x.as.block && earlier.warp == x.as.warp;
  // Program order comes after a copy once it is waited for.
  const bool own = same_warp && (!earlier.how.by_copy || x.group->copies_over >= earlier.when);
  if (own && earlier.pattern == x.as.pattern) return 0;
  const lane_mask words = earlier.lanes & x.as.lanes;
  const race_clock& known = x.group->known;
  const race_clock::warp_view view = view_of(known, earlier);
  if (view.all >= earlier.when) return 0;
  if (!view.lanes && !own) return words;
  lane_mask result = 0;
  for (lane_mask rest = words; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t lane = earlier.pattern.lane_of(i);
    if (own && lane == x.as.pattern.lane_of(i)) continue;
    if (view.lanes && known.of_lane(earlier.by(), earlier.warp, lane) >= earlier.when) continue;
    result |= lane_mask{1} << i;
  }
  return result;
}

}  // namespace ptxlab::machine
