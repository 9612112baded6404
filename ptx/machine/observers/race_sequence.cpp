// SPDX-License-Identifier: Apache-2.0
// Growing and observing release sequences.
#include "ptx/machine/observers/race_sequence.hpp"

#include <algorithm>

namespace ptxlab::machine {

void release_sequence::add(const race_clock& released) {
  if (released.empty()) return;
  if (first_.empty()) {
    first_ = all_ = released;
  } else {
    all_.join(released, &log_);
  }
}

void release_sequence::teach(race_clock& known, std::size_t from, std::size_t upto) const {
  constexpr std::size_t few = 64;
  // Whole clocks share their entries: cheaper than many single ones.
  if (upto == log_.size() && (from == 0 || upto - from > few)) {
    known.join(all_);
    return;
  }
  if (from == 0) known.join(first_);
  for (std::size_t i = from; i < upto; ++i) known.raise(log_[i].who, log_[i].upto);
}

void learned_part::learn(race_clock& known, const std::shared_ptr<const release_sequence>& from,
                         std::size_t length) {
  if (of == from) {
    if (length > upto) from->teach(known, upto, length);
    upto = std::max(upto, length);
  } else {
    from->teach(known, 0, length);
    of = from;
    upto = length;
  }
}

bool observed_parts::shares(const observed_parts& o) const {
  return rest_.shares(o.rest_) &&
         std::equal(parts_.begin(), parts_.end(), o.parts_.begin(), o.parts_.end(),
                    [](const part& x, const part& y) { return x.of == y.of && x.upto == y.upto; });
}

void observed_parts::add(const std::shared_ptr<const release_sequence>& of, std::size_t upto) {
  const auto same =
      std::find_if(parts_.begin(), parts_.end(), [&](const part& p) { return p.of == of; });
  if (same != parts_.end()) {
    same->upto = std::max(same->upto, upto);
    return;
  }
  if (parts_.size() == most) {
    for (const part& p : parts_) p.of->teach(rest_, 0, p.upto);
    parts_.clear();
  }
  parts_.push_back({of, upto});
}

void observed_parts::add(const observed_parts& o) {
  rest_.join(o.rest_);
  for (const part& p : o.parts_) add(p.of, p.upto);
}

void observed_parts::teach(race_clock& known, learned_part& last) const {
  known.join(rest_);
  for (const part& p : parts_) last.learn(known, p.of, p.upto);
}

}  // namespace ptxlab::machine
