// SPDX-License-Identifier: Apache-2.0
// What a step sees when it runs: its registers, the lanes that take part, and the warp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ptx/machine/observer.hpp"
#include "ptx/machine/program.hpp"

namespace ptxlab::machine {

class warp;

inline constexpr lane_mask all_lanes = 0xffffffff;

/// What a step asks of the warp when it is over.
enum class request : std::uint8_t {
  none,
  back,     ///< jumped back: a loop goes round
  diverge,  ///< lanes `taken` go to step `target`, the others to `pc`; they meet at `meet`
  leave,    ///< the lanes return from the activation
  finish,   ///< the lanes end
  call,     ///< lanes `taken` into routine `target`, through call_site `meet`; active others stay
  wait_block,  ///< at the block barrier `barrier`
  wait_lanes,  ///< for the lanes of `members` to come to this step; then it runs again
  yield        ///< let others run first
};

/// An arrival at a block barrier.
struct arrival {
  std::uint32_t barrier = 0;
  std::uint32_t threads = 0;  ///< that have to arrive; 0: all of the block
  bool waits = true;          ///< bar.arrive does not
  enum class reduction : std::uint8_t { none, popc, and_, or_ } reduce = reduction::none;
  lane_mask vote = 0;  ///< of a reduction: lanes whose predicate holds
  slot result = no_slot;
};

struct context {
  std::byte* banks[3] = {};
  lane_mask mask = 0;                 ///< lanes that execute this step
  lane_mask whole = 0;                ///< lanes of the fragment
  const std::uint32_t* on = nullptr;  ///< the same as words, all ones or 0; not set for all_lanes
  lane_mask carry = 0;                ///< CC.CF of each lane
  std::uint32_t pc = 0;               ///< of the next step
  request asks = request::none;
  lane_mask taken = 0;
  std::uint32_t target = 0, meet = 0;
  lane_mask members = 0;
  bool met = false;  ///< the lanes waited for are here: `mask` holds them all
  machine::arrival arrival;
  machine::warp* in = nullptr;

  template <class T>
  T* at(slot s) const {
    return reinterpret_cast<T*>(banks[s >> 30] + std::size_t{s & 0x3fffffff} * slot_bytes);
  }
  lane_mask& predicate(slot s) const { return *at<lane_mask>(s); }
};

}  // namespace ptxlab::machine
