// SPDX-License-Identifier: Apache-2.0
// What is remembered of the accesses to each 4-byte word of a memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ptx/machine/observers/race_clock.hpp"
#include "ptx/machine/observers/race_line.hpp"

namespace ptxlab::machine {

/// How an access counts in the memory model (PTX ISA, "Memory Consistency Model: Operation Types").
struct access_strength {
  bool writes : 1 = false;
  bool atomic : 1 = false;  ///< reads and writes in one
  bool strong : 1 = false;  ///< relaxed, acquire, release, volatile, atomic; else weak
  bool wide : 1 =
      false;  ///< strong with scope gpu or sys; else its scope is the block (or cluster)
  bool cluster : 1 = false;   ///< strong with scope cluster, where there are clusters
  bool acquires : 1 = false;  ///< is an acquire operation by itself
  bool releases : 1 = false;  ///< is a release operation by itself
  bool by_copy : 1 = false;   ///< a read or write that an asynchronous copy does, not its lanes

  /// Whether its scope includes another block, which is of the same cluster or not.
  bool reaches(bool same_cluster) const { return wide || (cluster && same_cluster); }
};

/// Accesses to one word by lanes of one warp in one instruction; or to a row of words by one lane
/// each, see shadow_row.
struct access_record {
  std::uint32_t block = 0;
  lane_mask lanes = 0;  ///< none: empty record
  stamp when = 0;
  std::uint32_t site = 0;
  std::uint8_t warp = 0;
  std::uint8_t bytes = 0;  ///< bit i: byte i of the word
  access_strength how;
  lane_pattern pattern;  ///< of a row

  /// Who did it.
  crew by() const { return how.by_copy ? copies_of(block) : block; }
};

/// Says how strong an access is. Volatile is relaxed.sys; an atomic without qualifiers relaxed.gpu
/// (PTX ISA, "ld", "atom"); scope cluster is the block's where a cluster has one.
access_strength strength_of(const access& a, bool clusters = false);
/// Two overlapping accesses order themselves: both strong, each scope includes the other's thread,
/// and they overlap completely (PTX ISA, "Memory Consistency Model: Morally strong operations").
bool morally_strong(const access_record& a, const access_record& b, bool same_cluster = false);

/// Accesses beyond those that a word remembers.
struct forgotten_accesses {
  stamp latest = 0;  ///< 0: none are forgotten
  std::uint32_t block = 0;
  bool several_blocks = false;
  bool any_write = false;
  bool any_weak = false;
  bool any_narrow = false;  ///< strong, but not for the whole grid
  bool any_copy = false;

  void add(const access_record& r);
};

/// A strong read observed a write, and through atomics those before it back to the last store.
struct write_observation {
  stamp read = 0, store = 0, write = 0;
  std::uint32_t block = 0;
  std::uint8_t warp = 0, lane = 0;
  access_strength how;
};

struct word_history {
  std::vector<access_record> more;
  std::vector<write_observation> observations;
  forgotten_accesses forgotten;
  std::uint32_t turn = 0;
};

/// One word: the last write, the last read, and where those live that no later access replaced.
struct shadow_word {
  access_record write, read;
  std::unique_ptr<word_history> history;
  stamp stored = 0;               ///< the last write that was no atomic
  bool strongly_written = false;  ///< a release may be recorded for it
};

/// Words in line. While warps only come with weak accesses in a lane_pattern, and their order makes
/// no difference between words but that some have been accessed and others not, one shadow_word
/// stands for all: in its records bit i of `lanes` is word i, accessed by the lane that the pattern
/// tells. It has no observations.
struct shadow_row {
  shadow_word together;
  std::unique_ptr<std::array<shadow_word, row_words>> each;  ///< else null

  std::array<shadow_word, row_words>& split();
  /// Of a row that is not split: whether a record can be added without one word forgetting another
  /// access than the next, or its last write.
  bool has_room(const access_record& r) const;
};

/// Words of one address space, on demand.
class shadow_memory {
 public:
  /// Unordered accesses that a word remembers beside the last read and write.
  static constexpr std::size_t remembered = 14;

  /// `number`: address / 128. The reference lives until clear().
  shadow_row& row(std::uint64_t number);
  void clear();

  static void add(shadow_word& w, const access_record& r);
  /// Of a thread that polls the first read of each write is kept; the oldest go first.
  static void add(shadow_word& w, const write_observation& o);

 private:
  static constexpr std::uint64_t page_rows = 8;
  using page = std::array<shadow_row, page_rows>;

  std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;
  std::uint64_t last_ = ~std::uint64_t{0};
  page* last_page_ = nullptr;
};

}  // namespace ptxlab::machine
