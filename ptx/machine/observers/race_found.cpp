// SPDX-License-Identifier: Apache-2.0
// A race that was found: how it is counted, and why it is one.
#include <bit>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {

bool race_detector::same_bytes(const lane_access& x, std::uint32_t other_lane,
                               std::uint32_t bytes) {
  if (x.a->data == nullptr) return false;
  const auto value = [&](std::uint32_t lane, address at) {
    return x.a->data[lane * std::size_t{x.a->bytes} + (at - x.a->at[lane])];
  };
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) == 0) continue;
    if (value(x.lane, x.word * 4 + i) != value(other_lane, x.word * 4 + i)) return false;
  }
  return true;
}

void race_detector::found(const lane_access& x, const access_record& earlier,
                          lane_mask lanes_of_earlier) {
  race_tally::pair p;
  const bool same_block = earlier.block == x.as.block;
  const bool same_warp = same_block && earlier.warp == x.as.warp;
  p.kind = earlier.when == x.as.when ? race_kind::one_instruction
           : same_warp               ? race_kind::within_warp
           : same_block              ? race_kind::between_warps
                                     : race_kind::between_blocks;
  p.a = earlier.site;
  p.b = x.as.site;
  p.thread_a = {earlier.block, earlier.warp,
                static_cast<std::uint32_t>(std::countr_zero(lanes_of_earlier))};
  p.thread_b = {x.as.block, x.as.warp, x.lane};
  p.space = x.a->space;
  if (launch_.cluster_blocks() > 1) p.owner = x.a->holder();
  p.word = x.word * 4;
  p.count = static_cast<std::uint64_t>(std::popcount(lanes_of_earlier));
  if (p.kind == race_kind::one_instruction)
    p.same_value = same_bytes(x, p.thread_a.lane, earlier.bytes & x.as.bytes);
  if (tally_.add(p)) tally_.explain(p, cause_of(x, earlier, p.kind, p));
}

race_cause race_detector::cause_of(const lane_access& x, const access_record& earlier,
                                   race_kind kind, const race_tally::pair& p) const {
  race_cause c;
  if (kind == race_kind::one_instruction) {
    c.what = missing::nothing;
    return c;
  }
  if (earlier.how.by_copy) return cause_of_copy(x, earlier, p);
  if (earlier.how.strong && x.as.how.strong && earlier.bytes == x.as.bytes) {
    c.what = missing::scope;
    c.narrow = earlier.how.wide ? x.as.site : earlier.site;
    return c;
  }
  c = log_.explain(p.thread_a, earlier.when, p.thread_b);
  if (c.what != missing::communication) return c;
  if (earlier.how.strong != x.as.how.strong) {
    c.what = missing::strength;
    c.narrow = earlier.how.strong ? x.as.site : earlier.site;
  } else if (kind == race_kind::within_warp) {
    c.what = missing::warp_sync;
  } else if (kind == race_kind::between_warps) {
    c.what = missing::barrier;
  }
  return c;
}

// Nobody waited for the copy; or its lane did, and nothing orders that wait before the access.
race_cause race_detector::cause_of_copy(const lane_access& x, const access_record& earlier,
                                        const race_tally::pair& p) const {
  const race_thread& by = p.thread_a;
  const lane_group* const g = order_.find(by.block, by.warp, by.lane);
  const bool waited = g != nullptr && g->copies_over >= earlier.when;
  const bool told =
      g != nullptr && g->known.of_lane(earlier.by(), by.warp, by.lane) >= earlier.when;
  race_cause c;
  c.what = missing::copy_wait;
  if (g != nullptr && !waited && !told) return c;
  c = log_.explain(by, waited ? g->waited : earlier.when, p.thread_b);
  c.after_wait = g != nullptr;
  if (c.what != missing::communication || by.block != x.as.block) return c;
  c.what = by.warp == x.as.warp ? missing::warp_sync : missing::barrier;
  return c;
}

}  // namespace ptxlab::machine
