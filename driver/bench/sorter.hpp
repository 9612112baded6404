// SPDX-License-Identifier: Apache-2.0
// A sorting kernel with its memory: one launch, one launch for each pass, or one whose blocks wait
// for each other, with the work counted.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/bench/lab.hpp"
#include "driver/bench/sort_reference.hpp"
#include "ptx/device/sort_counts.hpp"

namespace ptxlab::bench {

struct sort_shape {
  unsigned blocks = 1, threads = 32;
};
/// Of one block: as many warps as look after n keys. Of many: the fewest of the threads that the
/// measurement names with which there is a block on no more than each of `multiprocessors`; where
/// none does, the most. A grid whose blocks wait for each other each pass is no larger: its threads
/// take several pairs.
sort_shape shape_of(const kernels::measurement& m, unsigned n, int multiprocessors);

/// Launches of a sort that never stops early: as many as n passes take.
unsigned launches_of(const kernels::sort& s, unsigned n);

/// Why n elements are not sorted; empty where they are.
std::string sort_refusal(const kernels::measurement& m, double n, const sizes& s);

class sorter {
 public:
  /// For up to `most` elements; `looks` as kernels::sort has it, 0 for none.
  sorter(lab& l, const kernels::variant& v, unsigned most, unsigned looks);

  /// Gets ready to sort `in`; nothing is queued yet.
  void start(const sort_words& in, unsigned n);
  /// Queues all of it. Waits in between where the host looks, or where there are more launches than
  /// a stream takes that is held back.
  void queue();
  bool waits() const;
  /// What is done with `in`, from start to end.
  void sort(const sort_words& in, unsigned n);

  sort_words result() const;
  device::sort_counts counts() const;
  std::uint64_t launches() const { return launched_; }
  std::uint64_t passes() const;
  /// Memory for the words, twice: where they are put by start(), and another.
  CUdeviceptr words(unsigned which) const { return memory_[which]; }

 private:
  void queue_launch(CUdeviceptr from, CUdeviceptr to, unsigned number);
  /// Waits for what is queued, without sleep; whether the last two launches changed nothing.
  bool unchanged();
  bool moves() const { return how_.in == kernels::sort::place::block || how_.passes > 1; }

  lab& lab_;
  const kernels::measurement& measured_;
  const kernels::sort& how_;
  cuda::geometry g_;
  unsigned looks_, n_ = 0;
  std::uint64_t launched_ = 0;
  std::vector<CUdeviceptr> memory_;
  cuda::host_copy<device::sort_counts> looked_{1};
};

}  // namespace ptxlab::bench
