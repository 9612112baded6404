// SPDX-License-Identifier: Apache-2.0
// How many passes one access of a warp to shared memory takes: with the 16 banks of compute
// capability 1.x and with the 32 of today.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/machine/observers/coalescing.hpp"

namespace ptxlab::machine {

/// The warp's access is served as `requests` requests one after the other, each in one or more
/// passes ("wavefronts" in today's profilers). Passes above requests are lost to conflicts.
struct bank_passes {
  std::uint32_t requests = 0;
  std::uint32_t passes = 0;
  std::uint32_t degree = 0;  ///< the most passes of one request; 1: no conflict, 0: no lane active
  friend bool operator==(const bank_passes&, const bank_passes&) = default;
};

/// Both models know widths of 1, 2, 4, 8 and 16 bytes at addresses aligned to the width. Anything
/// else gives nothing: such an access does not exist or traps.
bool banks_can_tell(lane_mask mask, lane_addresses at, std::uint32_t bytes);

/// Compute capability 1.x: 16 banks of 4 bytes, a request for each half-warp with an active lane,
/// and for wider words a request for each 4 bytes of the word. A load serves in each pass all lanes
/// within one broadcast word and one lane for each other bank. The guide leaves both choices open;
/// here the lowest lane left has the broadcast word, and each other bank serves its lowest lane. A
/// store has no broadcast: lanes of one bank wait for each other unless they write the very same
/// address, which one of them does for all.
/// Source: CUDA C Programming Guide 4.2, appendix "Compute Capabilities", "Compute Capability 1.x",
/// "Shared Memory".
std::optional<bank_passes> passes_16_banks(lane_mask mask, lane_addresses at, std::uint32_t bytes,
                                           bool is_store);

/// Today: 32 banks of 4 bytes; a request takes as many passes as there are different words in its
/// worst bank; lanes within one word share it, loads and stores alike (CUDA C Programming Guide
/// 12, "Compute Capability 5.x", "Shared Memory", to which later ones refer). Up to 4 bytes a lane
/// the warp is one request.
/// For wider accesses NVIDIA documents no rule since compute capability 2.x, which split 8 bytes by
/// half-warps. Here, as observed by others with profilers on compute capability 7.0 and later: 8
/// bytes are two requests of half-warps, 16 bytes four of quarter-warps. Two neighbouring ones
/// merge (the halves of the warp; the quarters of one half) if in both of them every active lane i
/// finds lane i^1 idle or on its own address, or every active lane finds lane i^2 so.
std::optional<bank_passes> passes_32_banks(lane_mask mask, lane_addresses at, std::uint32_t bytes);

}  // namespace ptxlab::machine
