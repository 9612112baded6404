// SPDX-License-Identifier: Apache-2.0
// What is measured between two GPUs and the host, one function for each kernels::meeting: rows of
// protocol peer, all of one point. And what these functions share.
#pragma once

#include "driver/bench/protocol.hpp"
#include "driver/bench/two_devices.hpp"

namespace ptxlab::bench {

/// A kernel at a point, on two devices.
struct meeting_point {
  lab& first;
  two_devices& both;
  const kernels::variant& what;
  const axes& at;

  results::row row(std::string quantity, const char* unit) const;
  /// The kernel's operands, with these by their numbers.
  std::vector<std::uint64_t> operands(
      const std::vector<std::pair<unsigned, std::uint64_t>>& values) const;
  /// Says on a row that atomic operations on the memory of `where` are not the hardware's own, if
  /// the kernel has any and they are not.
  void flag_atomics(place where, results::row& r) const;
};

/// Cycles a copy, against the memory of each place: chain, ring, idle, order.
std::vector<results::row> copies_by_place(const meeting_point& p);
/// Round trips, by where the two words lie and who answers.
std::vector<results::row> round_trips(const meeting_point& p);
/// Words that the reader of a flag did not see, by where data and flag lie and who reads.
std::vector<results::row> unseen_messages(const meeting_point& p);
/// A barrier of both GPUs: its cost, or what its check did not see.
std::vector<results::row> barrier_of_both(const meeting_point& p);

/// Runs `f` for a row; a failure that leaves the GPUs usable becomes the row's own.
void add_row(std::vector<results::row>& rows, results::row r,
             const std::function<void(results::row&)>& f);

/// What a kernel counted in one launch.
struct seen_words {
  double stale = 0, read = 0;
};

/// A row of such counts, one for each launch, of words that are `reads` in each. Any that are stale
/// in a kernel that is no mutant are no result but an error of the kernel or the machine: state
/// invalid, with the numbers. Throws ptxlab::error where a launch has read another number of words.
void put_counts(results::row& r, const std::vector<seen_words>& counts, double reads, bool mutant);

}  // namespace ptxlab::bench
