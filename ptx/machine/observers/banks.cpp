// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/banks.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "ptx/machine/observers/distinct.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr lane_mask half_mask = 0xffff;

unsigned lowest(lane_mask m) {
  return static_cast<unsigned>(std::countr_zero(m));
}

/// Passes of a load of one word by one half-warp of compute capability 1.x.
std::uint32_t load_passes_16(lane_mask left, const std::array<address, warp_lanes>& word) {
  std::uint32_t passes = 0;
  for (; left != 0; ++passes) {
    const address broadcast = word[lowest(left)];
    std::uint32_t busy = 1u << (broadcast % 16);
    for (lane_mask m = left; m != 0; m &= m - 1) {
      const unsigned i = lowest(m);
      const std::uint32_t bank = 1u << (word[i] % 16);
      const bool served = (word[i] == broadcast) | ((busy & bank) == 0);
      left &= ~(lane_mask{served} << i);
      busy |= bank;
    }
  }
  return passes;
}

/// The most different keys in one bank, of `banks` (a power of two); an address has the key
/// address >> `key_shift`, a key lies in the bank key >> `bank_shift`. Shifts, as divisions by
/// numbers that the compiler does not know would be most of the time.
std::uint32_t worst_bank(lane_mask mask, lane_addresses at, int key_shift, int bank_shift,
                         std::uint32_t banks) {
  distinct<warp_lanes> keys;
  std::array<std::uint32_t, 32> in_bank{};
  std::uint32_t most = 0;
  for (; mask != 0; mask &= mask - 1) {
    const address key = at[lowest(mask)] >> key_shift;
    const std::uint32_t before = keys.size();
    std::uint32_t& n = in_bank[(key >> bank_shift) & (banks - 1)];
    n += keys(key) == before;
    most = std::max(most, n);
  }
  return most;
}

void add(bank_passes& to, std::uint32_t passes) {
  if (passes == 0) return;
  ++to.requests;
  to.passes += passes;
  to.degree = std::max(to.degree, passes);
}

/// Passes of one request today. A word of 8 or 16 bytes fills two or four neighbouring banks, and
/// no other aligned one has some of them only: they are one bank of that width.
std::uint32_t passes_of_group(lane_mask mask, lane_addresses at, std::uint32_t bytes) {
  const std::uint32_t unit = std::max(bytes, word_bytes);
  const int shift = std::countr_zero(unit);
  return worst_bank(mask, at, shift, 0, (32 * word_bytes) >> shift);
}

/// Every active lane finds the lane `distance` away, by exclusive or, idle or on its own address.
bool shared_at(unsigned distance, lane_mask mask, lane_addresses at) {
  for (lane_mask m = mask; m != 0; m &= m - 1) {
    const unsigned i = lowest(m), other = i ^ distance;
    if ((mask >> other & 1) != 0 && at[i] != at[other]) return false;
  }
  return true;
}

/// Adds two requests, of the lanes in `low` and in `high`, or one where they merge.
void add_pair(bank_passes& to, lane_mask low, lane_mask high, lane_mask mask, lane_addresses at,
              std::uint32_t bytes) {
  const lane_mask active = mask & (low | high);
  if (shared_at(1, active, at) || shared_at(2, active, at)) {
    add(to, passes_of_group(active, at, bytes));
    return;
  }
  add(to, passes_of_group(active & low, at, bytes));
  add(to, passes_of_group(active & high, at, bytes));
}

}  // namespace

bool banks_can_tell(lane_mask mask, lane_addresses at, std::uint32_t bytes) {
  if (bytes == 0 || bytes > 16 || !std::has_single_bit(bytes)) return false;
  address low_bits = 0;
  for (; mask != 0; mask &= mask - 1) low_bits |= at[lowest(mask)];
  return (low_bits & (bytes - 1)) == 0;
}

std::optional<bank_passes> passes_16_banks(lane_mask mask, lane_addresses at, std::uint32_t bytes,
                                           bool is_store) {
  if (!banks_can_tell(mask, at, bytes)) return std::nullopt;
  std::array<address, warp_lanes> word{};
  for (lane_mask m = mask; m != 0; m &= m - 1) word[lowest(m)] = at[lowest(m)] / word_bytes;
  bank_passes r;
  for (const lane_mask half : {half_mask, ~half_mask})
    add(r, is_store ? worst_bank(mask & half, at, 0, 2, 16) : load_passes_16(mask & half, word));
  // The requests for the further words of a wide access only turn the banks round: as the first.
  const std::uint32_t words = std::max(bytes / word_bytes, 1u);
  r.requests *= words;
  r.passes *= words;
  return r;
}

std::optional<bank_passes> passes_32_banks(lane_mask mask, lane_addresses at, std::uint32_t bytes) {
  if (!banks_can_tell(mask, at, bytes)) return std::nullopt;
  bank_passes r;
  if (bytes <= 4) {
    add(r, passes_of_group(mask, at, bytes));
  } else if (bytes == 8) {
    add_pair(r, half_mask, ~half_mask, mask, at, bytes);
  } else {
    add_pair(r, 0xff, 0xff00, mask, at, bytes);
    add_pair(r, 0xff0000, 0xff000000, mask, at, bytes);
  }
  return r;
}

}  // namespace ptxlab::machine
