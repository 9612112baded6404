// SPDX-License-Identifier: Apache-2.0
// What a warp is made of while it runs: lanes that run together, the activations of routines they
// are in, and the joins where those that parted meet again.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/machine/context.hpp"

namespace ptxlab::machine {

inline constexpr std::uint32_t no_index = 0xffffffff;

/// Whether a fragment that goes round in a loop repeats itself: its registers are compared with
/// those of an earlier round, while no memory changes.
struct repetition {
  std::uint64_t rounds = 0, look_at = 64;  ///< jumps back; the next ones to look at
  std::uint64_t hash = 0, version = 0;     ///< of the registers, of memory, when last looked
  unsigned looks_left = 0;

  /// Counts a jump back; whether it is one to look at.
  bool next() { return ++rounds >= look_at || looks_left != 0; }
};

/// Lanes that run together.
struct fragment {
  enum class state : std::uint8_t {
    ready,
    parked,      ///< at its join
    at_barrier,  ///< of the block
    at_lanes,    ///< waits for lanes of its warp
    spinning     ///< proven to repeat itself until some memory changes
  };
  lane_mask mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t join = no_index;
  std::uint32_t frame = 0;
  state is = state::ready;
  lane_mask members = 0;           ///< at_lanes: whom it waits for
  machine::arrival arrival;        ///< at_barrier
  std::uint64_t seen_version = 0;  ///< spinning: of memory
  repetition repeats;
};

/// What a fragment that repeats itself does in one round.
struct round_trip {
  std::string
      condition;  ///< the last comparison of loaded values, with the values of its first lane
};

/// An activation of a routine.
struct frame {
  std::uint32_t parent = no_index;
  std::uint32_t return_pc = 0;
  std::uint32_t routine = 0;
  std::uint32_t call = no_index;  ///< in program::calls
  std::uint32_t window = 0;       ///< first slot
  std::uint32_t local = 0;        ///< first byte of its local variables
  lane_mask lanes = 0;            ///< that have not returned
  std::uint32_t depth = 0;        ///< calls above it
};

struct join {
  std::uint32_t pc = 0;  ///< program::at_return: where the activation returns
  std::uint32_t frame = 0;
  std::uint32_t parent = no_index;
  lane_mask expected = 0, arrived = 0;
  std::uint64_t since = 0;  ///< steps of the warp when the last one arrived
  bool used = false;
};

}  // namespace ptxlab::machine
