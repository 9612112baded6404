// SPDX-License-Identifier: Apache-2.0
// Keeping the communication log, and the order in which mistakes are forgiven.
#include "ptx/machine/observers/race_cause.hpp"

#include <algorithm>
#include <array>

#include "ptx/machine/observers/race_search.hpp"

namespace ptxlab::machine {

namespace {

constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t v) {
  return (h ^ v) * 0x9e3779b97f4a7c15ULL + (h >> 29);
}

}  // namespace

void communication_log::reset() {
  events_.clear();
  last_write_.clear();
  seen_.clear();
  dropped_ = 0;
}

void communication_log::add(const communication& c) {
  if (events_.size() == kept) {
    const auto half = events_.begin() + static_cast<std::ptrdiff_t>(kept / 2);
    dropped_ = (half - 1)->when;
    events_.erase(events_.begin(), half);
    seen_.clear();  // what was seen may be among the dropped: tell it again
  }
  events_.push_back(c);
}

void communication_log::access(const strong_access& a, std::uint32_t site) {
  if (a.how.writes) {
    if (const auto read = last_write_.find(a.place); read != last_write_.end())
      read->second = a.when;
  } else {
    // A poll that observes the same write again orders nothing that the first did not.
    const std::uint64_t reader = mixed(
        mixed(mixed(a.place, a.who.block), (std::uint64_t{a.who.warp} << 32) | a.who.mask), site);
    const stamp written = last_write_[a.place];
    stamp& seen = seen_[reader];
    if (seen == written + 1) return;
    seen = written + 1;
  }
  add({.when = a.when, .site = site, .place = a.place, .who = a.who, .how = a.how});
}

void communication_log::fence(std::uint32_t site, const lanes& who, flow::order o, flow::scope s,
                              stamp when) {
  access_strength how;
  how.acquires = o != flow::order::release;
  how.releases = o != flow::order::acquire;
  how.wide = s == flow::scope::gpu || s == flow::scope::sys || s == flow::scope::none;
  add({.when = when, .site = site, .who = who, .what = communication::fence, .how = how});
}

void communication_log::barrier(std::uint32_t site, std::span<const lanes> arrived,
                                std::span<const lanes> arrived_only, stamp when) {
  for (const lanes& who : arrived)
    add({.when = when, .site = site, .who = who, .what = communication::barrier});
  for (const lanes& who : arrived_only)
    add({.when = when, .site = site, .who = who, .what = communication::barrier_arrive});
}

void communication_log::warp_sync(std::uint32_t site, const lanes& who, stamp when) {
  add({.when = when, .site = site, .who = who, .what = communication::warp_sync});
}

race_cause communication_log::explain(const race_thread& first, stamp when,
                                      const race_thread& second) const {
  struct attempt {
    forgiveness allowed;
    missing what;
  };
  constexpr std::array<attempt, 5> attempts = {
      {{{true, false, false}, missing::scope},
       {{false, true, false}, missing::release},
       {{false, false, true}, missing::acquire},
       {{false, true, true}, missing::release_and_acquire},
       {{true, true, true}, missing::release_and_acquire}}};
  const std::size_t count = std::min(events_.size(), searched);
  const std::span<const communication> events{events_.data() + (events_.size() - count), count};
  for (const attempt& a : attempts) {
    race_search search(events, a.allowed);
    if (!search.reaches(first, when, second)) continue;
    race_cause cause = search.shortfall(when);
    cause.what = a.what;
    return cause;
  }
  const bool cut = count < events_.size() ? events.front().when > when : dropped_ >= when;
  return {.what = cut ? missing::unknown : missing::communication};
}

}  // namespace ptxlab::machine
