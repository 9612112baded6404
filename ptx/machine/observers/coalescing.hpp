// SPDX-License-Identifier: Apache-2.0
// How many memory transactions one global access of a warp takes, under the rules of compute
// capability 1.0, of 1.2 and of today.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

/// The address of each lane; those of lanes outside of the mask are not read.
using lane_addresses = std::span<const address, warp_lanes>;

inline constexpr std::uint32_t sector_bytes = 32, line_bytes = 128;

struct transfers {
  std::uint32_t transactions = 0;
  std::uint32_t bytes = 0;  ///< moved by the transactions
  friend bool operator==(const transfers&, const transfers&) = default;
};

/// What each half of a warp takes: lanes 0 to 15, lanes 16 to 31.
struct half_warps {
  std::array<transfers, 2> half;
  transfers sum() const {
    return {half[0].transactions + half[1].transactions, half[0].bytes + half[1].bytes};
  }
  friend bool operator==(const half_warps&, const half_warps&) = default;
};

/// One access of a warp under the three rules.
struct warp_transactions {
  half_warps cc10;                   ///< compute capability 1.0 and 1.1
  half_warps cc12;                   ///< 1.2 and 1.3
  std::uint32_t sectors = 0;         ///< today: different sectors of 32 bytes touched
  std::uint32_t lines = 0;           ///< today: different lines of 128 bytes touched
  std::uint32_t ideal_sectors = 0;   ///< the fewest that hold the distinct bytes
  std::uint32_t distinct_bytes = 0;  ///< asked for by any lane
  friend bool operator==(const warp_transactions&, const warp_transactions&) = default;
};

/// Compute capability 1.0 and 1.1. A half-warp coalesces if every active lane k accesses the k-th
/// word after a common base, words of 4, 8 or 16 bytes, the base aligned to 64, 128 or 128 bytes:
/// one transaction of 64 or 128 bytes, and for 16-byte words one of 128 bytes for each eight lanes
/// of which one is active. Otherwise each active lane takes a transaction of 32 bytes. Words of
/// other sizes never coalesce. Nothing if `bytes` is 0 or above line_bytes.
/// Source: CUDA C Programming Guide 4.2, appendix "Compute Capabilities", "Compute Capability 1.x",
/// "Global Memory". It speaks of 16 transactions where active lanes are counted here: an idle lane
/// asks for nothing.
std::optional<half_warps> transactions_cc10(lane_mask mask, lane_addresses at, std::uint32_t bytes);

/// All three rules at once, in one pass over the lanes. The one of 1.2: each half-warp takes a
/// transaction for every segment it touches, of 32 bytes for 1-byte words, 64 for 2-byte words, 128
/// for all others; one of 128 bytes shrinks to 64 if only one half is used, then, as one of 64, to
/// 32. (The guide serves the lowest active lane first; as segments do not overlap, the order does
/// not change the count.) Today's: compute capability 2 and later, the whole warp.
/// Addresses need not be aligned to the width: an access that straddles touches both sides.
/// Nothing if `bytes` is 0 or above line_bytes.
/// Sources: the same appendix, "Devices of Compute Capability 1.2 and 1.3" and "Compute Capability
/// 2.x", "Global Memory"; for sectors of 32 bytes CUDA C++ Best Practices Guide 12, "Coalesced
/// Access to Global Memory".
std::optional<warp_transactions> transactions(lane_mask mask, lane_addresses at,
                                              std::uint32_t bytes);

/// How lanes share addresses; what an atomic operation is serialised by.
struct address_sharing {
  std::uint32_t distinct = 0;  ///< different addresses
  std::uint32_t degree = 0;    ///< lanes on the address that most lanes share; 0: no lane
  friend bool operator==(const address_sharing&, const address_sharing&) = default;
};
address_sharing sharing(lane_mask mask, lane_addresses at);

}  // namespace ptxlab::machine
