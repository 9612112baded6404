// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/coalescing.hpp"

#include <algorithm>
#include <bit>

#include "ptx/machine/observers/distinct.hpp"

namespace ptxlab::machine {
namespace {

constexpr unsigned half_lanes = warp_lanes / 2;

constexpr std::uint64_t ones(std::uint32_t n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

/// What a warp asks for of one line.
struct line_use {
  std::array<std::uint64_t, 2> bytes;   ///< bit i of word w: byte 64 w + i, by either half-warp
  std::array<std::uint8_t, 2> sectors;  ///< bit i: sector i; by each half-warp
};

/// The lines that a warp touches: at most two for each lane.
class touched_lines {
 public:
  void add(unsigned half, address at, std::uint32_t bytes) {
    auto offset = static_cast<std::uint32_t>(at % line_bytes);
    for (address line = at / line_bytes; bytes != 0; ++line) {
      const std::uint32_t here = std::min(bytes, line_bytes - offset);
      mark(line, half, offset, here);
      bytes -= here;
      offset = 0;
    }
  }

  std::span<const line_use> lines() const { return {uses_.data(), lines_.size()}; }
  std::uint32_t distinct_bytes() const { return distinct_bytes_; }

 private:
  line_use& use_of(address line) {
    if (lines_.size() != 0 && line == last_line_) return uses_[last_];
    const std::uint32_t before = lines_.size();
    last_line_ = line;
    last_ = lines_(line);
    if (last_ == before) uses_[last_] = {};
    return uses_[last_];
  }

  void mark(address line, unsigned half, std::uint32_t from, std::uint32_t bytes) {
    line_use& u = use_of(line);
    const std::uint32_t first = from / sector_bytes, last = (from + bytes - 1) / sector_bytes;
    u.sectors[half] = static_cast<std::uint8_t>(u.sectors[half] | ((2u << last) - (1u << first)));
    const std::uint32_t bit = from % 64;
    if (bit + bytes <= 64) {
      mark_bytes(u.bytes[from / 64], ones(bytes) << bit, bytes);
    } else {  // from the first word on into the second
      mark_bytes(u.bytes[0], ~std::uint64_t{0} << bit, 64 - bit);
      mark_bytes(u.bytes[1], ones(bytes - (64 - bit)), bytes - (64 - bit));
    }
  }

  void mark_bytes(std::uint64_t& word, std::uint64_t wanted, std::uint32_t count) {
    const std::uint64_t fresh = wanted & ~word;
    word |= wanted;
    if (fresh == wanted)
      distinct_bytes_ += count;
    else if (fresh != 0)
      distinct_bytes_ += static_cast<std::uint32_t>(std::popcount(fresh));
  }

  distinct<2 * warp_lanes> lines_;
  std::array<line_use, 2 * warp_lanes> uses_;  // only the first lines_.size() are set
  address last_line_ = 0;
  std::uint32_t last_ = 0, distinct_bytes_ = 0;
};

/// What one half-warp takes by the rule of 1.2 of a line of which it uses the sectors `used`.
constexpr transfers segments(std::uint32_t used, std::uint32_t bytes) {
  const auto sectors = static_cast<std::uint32_t>(std::popcount(used));
  const std::uint32_t halves = ((used & 3) != 0) + ((used & 12) != 0);
  if (bytes == 1) return {sectors, 32 * sectors};
  if (bytes == 2 || halves < 2) return {halves, 32 * sectors};
  return {1, 128};
}

/// The same for all sets of sectors; from a table, as no branch could be predicted where addresses
/// are scattered.
using segment_table = std::array<transfers, 16>;
constexpr segment_table segments_for(std::uint32_t bytes) {
  segment_table t;
  for (std::uint32_t used = 0; used < t.size(); ++used) t[used] = segments(used, bytes);
  return t;
}
constexpr segment_table by_1 = segments_for(1), by_2 = segments_for(2), by_4 = segments_for(4);

/// All lanes of a half-warp follow each other without a gap.
bool is_run(const address* at, std::uint32_t bytes) {
  address gaps = 0;  // without a branch in the loop, so that it becomes vector code
  for (unsigned k = 0; k < half_lanes; ++k) gaps |= at[k] - at[0] - k * bytes;
  return gaps == 0;
}

transfers half_cc10(lane_mask mask, const address* at, std::uint32_t bytes) {
  if (mask == 0) return {};
  bool coalesced = bytes == 4 || bytes == 8 || bytes == 16;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const address base = at[first] - first * bytes;
  if (base % (bytes == 4 ? 64 : 128) != 0) coalesced = false;
  for (lane_mask left = mask; coalesced && left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    coalesced = at[k] == base + k * bytes;
  }
  if (!coalesced) {
    const auto active = static_cast<std::uint32_t>(std::popcount(mask));
    return {active, active * 32};
  }
  if (bytes == 4) return {1, 64};
  if (bytes == 8) return {1, 128};
  const std::uint32_t eights = ((mask & 0xff) != 0) + ((mask & 0xff00) != 0);
  return {eights, eights * 128};
}

}  // namespace

std::optional<half_warps> transactions_cc10(lane_mask mask, lane_addresses at,
                                            std::uint32_t bytes) {
  if (bytes == 0 || bytes > line_bytes) return std::nullopt;
  return half_warps{{half_cc10(mask & 0xffff, at.data(), bytes),
                     half_cc10(mask >> half_lanes, at.data() + half_lanes, bytes)}};
}

std::optional<warp_transactions> transactions(lane_mask mask, lane_addresses at,
                                              std::uint32_t bytes) {
  const std::optional<half_warps> cc10 = transactions_cc10(mask, at, bytes);
  if (!cc10) return std::nullopt;
  warp_transactions r;
  r.cc10 = *cc10;
  touched_lines touched;
  for (unsigned h = 0; h < 2; ++h) {
    const address* const own = at.data() + h * half_lanes;
    lane_mask left = mask >> (h * half_lanes) & 0xffff;
    if (left == 0xffff && is_run(own, bytes)) {
      touched.add(h, own[0], half_lanes * bytes);
      continue;
    }
    for (; left != 0; left &= left - 1)
      touched.add(h, own[static_cast<unsigned>(std::countr_zero(left))], bytes);
  }
  const segment_table& segments_of = bytes == 1 ? by_1 : bytes == 2 ? by_2 : by_4;
  for (const line_use& u : touched.lines()) {
    for (unsigned h = 0; h < 2; ++h) {
      r.cc12.half[h].transactions += segments_of[u.sectors[h]].transactions;
      r.cc12.half[h].bytes += segments_of[u.sectors[h]].bytes;
    }
    r.sectors += by_1[u.sectors[0] | u.sectors[1]].transactions;
  }
  r.lines = static_cast<std::uint32_t>(touched.lines().size());
  r.distinct_bytes = touched.distinct_bytes();
  r.ideal_sectors = (r.distinct_bytes + sector_bytes - 1) / sector_bytes;
  return r;
}

address_sharing sharing(lane_mask mask, lane_addresses at) {
  distinct<warp_lanes> addresses;
  std::array<std::uint32_t, warp_lanes> lanes_on{};
  address_sharing r;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint32_t which = addresses(at[static_cast<unsigned>(std::countr_zero(mask))]);
    r.degree = std::max(r.degree, ++lanes_on[which]);
  }
  r.distinct = addresses.size();
  return r;
}

}  // namespace ptxlab::machine
