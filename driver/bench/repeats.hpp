// SPDX-License-Identifier: Apache-2.0
// Work that is timed from outside, again and again, by two events around it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"

namespace ptxlab::bench {

class lab;

/// A stream that is held until this ends, also by an exception: it must not wait for ever.
class held {
 public:
  explicit held(lab& l);
  ~held();
  held(const held&) = delete;
  held& operator=(const held&) = delete;

 private:
  lab& lab_;
};

/// What is done for each repeat.
struct repeated {
  std::function<void()> before = {};  ///< not timed: uploads, a cleared L2; may be empty
  std::function<void()> queue;        ///< puts the timed work into the lab's stream
  std::function<void()> after = {};   ///< not timed, the work is done; may be empty
  double length = 1;                  ///< of the series: how much work one repeat is
  int repeats = 10;
  int cold = 2;  ///< so many before, which do not count
  /// Whether the device waits until all is queued, so that it is its time alone. Work that waits
  /// for the device itself, in between, must not be held.
  bool held = true;
};

/// Nanoseconds from before to after what is queued, one for each repeat. Throws as lab::wait does.
results::series timed(lab& l, const repeated& work);

/// Does `work`; what a ptxlab::error says that it throws, empty: none. Throws hang and what is lost
/// with the context.
std::string failure_of(const std::function<void()>& work);

/// Work of several kinds in turn, so that what drifts drifts for all of them: one repeat of each,
/// then the next. Each entry does its work once and gives back nanoseconds. One that fails,
/// as failure_of says, is not asked again.
struct contender {
  std::function<double()> once;
  double length = 1;  ///< of the series
  std::string failure = {};
  results::series taken = {};
};
void time_in_turn(std::vector<contender>& all, int repeats, int cold);

}  // namespace ptxlab::bench
