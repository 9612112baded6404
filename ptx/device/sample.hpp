// SPDX-License-Identifier: Apache-2.0
// What a timed kernel hands to the host: shared by both, so it is plain C++.
#pragma once

namespace ptxlab::device {

/// One pass of one warp through one timed region.
struct alignas(16) sample {
  unsigned long long begin, end;  ///< %clock64 before and after: cycles of this SM's own counter
  unsigned long long time_ns;     ///< %globaltimer just before `begin`
  unsigned sm;                    ///< %smid
  unsigned region;                ///< which of the kernel's regions, from 0
};

inline constexpr unsigned samples_per_launch = 32;  ///< passes of a latency kernel
inline constexpr unsigned throughput_samples = 6;   ///< passes of a throughput kernel

inline constexpr unsigned exchange_samples = 12;      ///< passes of a hand-over or a grid barrier
inline constexpr unsigned resolution_samples = 2048;  ///< readings of a counter
inline constexpr unsigned throughput_regions = 4;     ///< one for each number of streams

/// Dynamic shared memory of a throughput kernel: its regions for each pass of each warp.
constexpr unsigned throughput_bytes(unsigned warps) {
  return warps * throughput_samples * throughput_regions * static_cast<unsigned>(sizeof(sample));
}

/// The operand that holds the address of the scratch memory.
inline constexpr unsigned scratch_operand = 14;
/// The operand that holds the number of rounds of a throughput kernel.
inline constexpr unsigned rounds_operand = 13;

/// The operand that holds the address of the watch, which the host can copy while the kernel runs.
inline constexpr unsigned watch_operand = 12;

/// How far a kernel whose blocks wait for each other has come.
struct watch {
  static constexpr unsigned blocks = 4096;
  /// Passes that each block has begun, from 1; 0 has not started.
  unsigned begun[blocks];
  unsigned abandoned;     ///< not 0: a guarded wait was given up, and all others should be
  unsigned abandoned_by;  ///< its block
  unsigned abandoned_in;  ///< its round
};

/// Operands of a kernel that walks a ring (time_ring).
struct ring_operand {
  /// Address of the first link; number of links; bytes between them; order: 0 sequential, 1 random,
  /// plus 2 for links that count words, or ring_written; links walked before timing starts.
  static constexpr unsigned base = 0, links = 1, stride = 2, order = 3, warm = 4;
};
inline constexpr unsigned ring_written = 8;  ///< the host wrote the ring

/// Operands of a kernel that meets another GPU or the host: addresses of words, and its part.
struct peer_operand {
  /// The word that this side writes (of a barrier: the other GPU's), the one that it waits for, and
  /// 1 for the side that begins.
  static constexpr unsigned mine = 3, theirs = 4, leads = 5;
  /// Of a message and a barrier: data; where to put two counts, of what was not seen and of all
  /// that was read.
  static constexpr unsigned data = 6, log = 7;
  /// Of a barrier: the counter of this GPU's own blocks, and the other's data.
  static constexpr unsigned count = 8, other_data = 9;
};
/// Behind a barrier's data that its own GPU writes: what the other GPU writes there.
inline constexpr unsigned peer_pushed_bytes = 1 << 17;

}  // namespace ptxlab::device
