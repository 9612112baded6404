// SPDX-License-Identifier: Apache-2.0
// What a release sequence released, and how much of it a thread observed.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ptx/machine/observers/race_clock.hpp"

namespace ptxlab::machine {

/// Knowledge released through one place by a write and the atomics that continue its sequence. It
/// only grows, so that an observation is a length: thousands of threads that poll one counter each
/// hold two words instead of a clock.
class release_sequence {
 public:
  void add(const race_clock& released);
  std::size_t length() const { return log_.size(); }
  /// Adds to `known` what was released until the length was `upto`; what was until `from` is known.
  void teach(race_clock& known, std::size_t from, std::size_t upto) const;

 private:
  race_clock first_, all_;
  std::vector<race_clock::entry> log_;  // what came after the first
};

/// How far a thread has learned from the sequence that it learned from last.
struct learned_part {
  std::shared_ptr<const release_sequence> of;
  std::size_t upto = 0;

  void learn(race_clock& known, const std::shared_ptr<const release_sequence>& from,
             std::size_t length);
};

/// Observed parts of sequences.
class observed_parts {
 public:
  bool empty() const { return parts_.empty() && rest_.empty(); }
  bool shares(const observed_parts& o) const;
  void add(const std::shared_ptr<const release_sequence>& of, std::size_t upto);
  void add(const observed_parts& o);
  void teach(race_clock& known, learned_part& last) const;

 private:
  static constexpr std::size_t most = 16;

  struct part {
    std::shared_ptr<const release_sequence> of;
    std::size_t upto = 0;
  };
  std::vector<part> parts_;
  race_clock rest_;  // of more than so many sequences
};

}  // namespace ptxlab::machine
