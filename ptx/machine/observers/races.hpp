// SPDX-License-Identifier: Apache-2.0
// The race detector: an observer that finds accesses of global and shared memory which nothing
// orders, between blocks, between warps and between the lanes of a warp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptx/machine/observers/race_report.hpp"

namespace ptxlab::machine {

/// Finds data races by happens-before (PTX ISA, "Memory Consistency Model: Data-race"): conflicting
/// accesses of two threads that are neither ordered by causality nor morally strong. It sees the
/// order in which the machine ran the launch; another schedule may show other races. Memory: up
/// to 16 bytes per byte of global and shared memory that is touched, one where warps access whole
/// rows only; more where many threads read a word.
///
/// An asynchronous copy (cp.async) reads and writes at some time between its issue and its lane's
/// wait for it, or until a wait on an mbarrier at which it arrives (PTX ISA, "Data Movement and
/// Conversion Instructions: Asynchronous copy"). A compare-and-swap that did not match is a read.
///
/// A barrier of a cluster orders what lies before an arrival that releases before what follows a
/// wait (PTX ISA, "barrier.cluster"). Scope cluster lies between cta and gpu; but a fence of that
/// scope counts as one of scope gpu, and what it releases reaches whoever observes the write.
///
/// Not modelled: proxies, an acquire on the same place that completes an earlier relaxed read. An
/// 8- and a 4-byte strong access of one place count as overlapping completely; a wait on an
/// mbarrier also learns of arrivals of the next phase that came before it; copies of a block that
/// ended count as what its threads never waited for. Exact up to the first race of a word, but for:
/// strong accesses whose narrow scope alone makes the race (some are missed), an acquire that
/// passes on what lies before another thread's fence.sc (a race too many is possible), and more
/// than 14 unordered accesses (counted as uncertain).
class race_detector : public observer {
 public:
  /// Entries of vector clocks (16 bytes each) at which the detector gives up on a launch.
  static constexpr std::size_t most_entries = std::size_t{1} << 26;

  /// A smaller limit, for tests.
  explicit race_detector(std::size_t entries = most_entries) : entries_(entries) {}

  /// Throws error for a block of no thread or of more than 1024.
  void begin(const launch_info& launch, const place_names& names) override;
  void accessed(const access& a) override;
  void fenced(std::uint32_t site, const lanes& who, flow::order o, flow::scope s) override;
  void barrier_completed(std::uint32_t site, std::span<const lanes> arrived,
                         std::span<const lanes> arrived_only) override;
  void cluster_arrived(const cluster_step& s) override;
  void cluster_passed(const cluster_step& s) override;
  void warp_synced(std::uint32_t site, const lanes& who) override;
  void block_ends(std::uint32_t block) override;
  void copies_committed(std::uint32_t site, const lanes& who) override;
  void copies_awaited(std::uint32_t site, const lanes& who, std::uint32_t left) override;
  void end() override;

  /// Of the launch that ended last.
  const race_report& report() const { return report_; }

 private:
  /// The part of an access to one word, or row, and the knowledge it is checked against.
  struct lane_access {
    const access* a = nullptr;
    const lane_group* group = nullptr;
    std::uint32_t lane = 0;  // the lowest
    std::uint64_t word = 0;
    access_record as;    // its lanes: one; or several that read the word; or of a row, the words
    stamp observes = 0;  // the last strong write, if unordered, that a strong read observes
  };
  /// The warp last asked for in the clock last asked.
  struct asked_warp {
    const race_clock* of = nullptr;
    crew by = 0;
    std::uint32_t warp = 0;
    race_clock::warp_view view;
  };

  /// False: this launch is not watched any more.
  bool next_event();
  void forget();
  shadow_memory& memory_of(const access& a);
  void look(const access& a);
  void check(const access& a, const access_strength& how);
  /// Some lanes of a line, which are of one group.
  void check_line(lane_access& x, shadow_memory& memory, const lane_line& line, lane_mask lanes);
  /// False, and nothing is lost, where words have to be told apart: a race, or little room.
  bool check_row(const lane_access& x, shadow_row& row);
  lane_mask unordered_words(const lane_access& x, const access_record& earlier);
  /// Lanes that access one place together; they are of one group.
  void check_place(lane_access& x, shadow_memory& memory, lane_mask lanes);
  void check_word(lane_access& x, shadow_word& w);
  /// Several lanes read a word, and a write is unordered with some.
  bool race_together(const lane_access& x, const shadow_word& w);
  /// True if nothing more can be learned from an earlier access than from this one: the two are
  /// ordered, or their race is counted.
  bool check_pair(lane_access& x, const access_record& earlier, const shadow_word& w);
  /// Takes from a settled earlier access what this one stands for.
  static void replace(const lane_access& x, access_record& earlier);
  void check_forgotten(const lane_access& x, shadow_word& w);
  stamp known_of_all(const lane_access& x) const;
  /// Lanes of an earlier access that nothing puts before this one.
  lane_mask unordered_lanes(const lane_access& x, const access_record& earlier);
  /// ... no barrier, fence or strong access, that is; program order is left aside.
  lane_mask unsynchronised_lanes(const lane_access& x, const access_record& earlier);
  /// Lanes whose copy, an earlier access, may still be under way: `own` waited for theirs if the
  /// group of the access did.
  lane_mask copying_lanes(const lane_access& x, const access_record& earlier, lane_mask own);
  race_clock::warp_view view_of(const race_clock& known, const access_record& earlier);
  /// Some strong read that observed the write comes before this access.
  bool observed(const lane_access& x, const access_record& write, const shadow_word& w) const;
  void found(const lane_access& x, const access_record& earlier, lane_mask lanes_of_earlier);
  race_cause cause_of(const lane_access& x, const access_record& earlier, race_kind kind,
                      const race_tally::pair& p) const;
  race_cause cause_of_copy(const lane_access& x, const access_record& earlier,
                           const race_tally::pair& p) const;
  static bool same_bytes(const lane_access& x, std::uint32_t other_lane, std::uint32_t bytes);
  void synchronise(const access& a, const access_strength& how);

  std::size_t entries_ = most_entries;
  bool complete_ = true;
  launch_info launch_;
  const place_names* names_ = nullptr;
  stamp now_ = 0;
  shadow_memory global_;
  std::unordered_map<std::uint32_t, std::unique_ptr<shadow_memory>> shared_;  // by block
  std::uint32_t last_block_ = 0;  // the block whose shared memory was asked for last
  shadow_memory* last_shared_ = nullptr;
  thread_order order_;
  communication_log log_;
  std::vector<strong_access> strong_;  // of the access at hand, to be logged
  race_tally tally_;
  asked_warp asked_;
  std::uint64_t uncertain_ = 0;
  race_report report_;
};

}  // namespace ptxlab::machine
