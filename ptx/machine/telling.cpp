// SPDX-License-Identifier: Apache-2.0
// What observers are told of an access: once for each space, and each block's shared memory, that
// its lanes fall into.
#include "ptx/machine/accesses.hpp"
#include "ptx/machine/grid.hpp"

namespace ptxlab::machine {

using flow::space;

namespace {

/// Shared memory by addresses of which some name their block: told for each block.
[[gnu::noinline]] void tell_of_cluster(grid& g, const block& own, access a) {
  lane_mask left = a.who.mask;
  const address* const at = a.at;
  address offset[warp_lanes];
  const auto rank_of = [&](unsigned i) {
    const std::int32_t rank = rank_at(at[i]);
    return rank < 0 ? own.rank() : static_cast<std::uint32_t>(rank);
  };
  a.at = offset;
  for (; left != 0; left &= ~a.who.mask) {
    const std::uint32_t rank = rank_of(static_cast<unsigned>(__builtin_ctz(left)));
    a.who.mask = 0;
    for (lane_mask m = left; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(m));
      if (rank_of(i) != rank) continue;
      a.who.mask |= 1U << i;
      offset[i] = at[i] % cluster_stride;
    }
    a.owner = g.info().block_at(own.together().number() * own.together().blocks() + rank);
    g.tell(a);
  }
}

void tell_shared(grid& g, const block& own, const access& a) {
  address all = 0;
  if (a.who.mask == all_lanes)
    for (unsigned i = 0; i < warp_lanes; ++i) all |= a.at[i];
  else
    for (lane_mask m = a.who.mask; m != 0; m &= m - 1)
      all |= a.at[static_cast<unsigned>(__builtin_ctz(m))];
  all >= cluster_stride ? tell_of_cluster(g, own, a) : g.tell(a);
}

}  // namespace

void tell(const step& s, const context& c, const resolved& r, const std::byte* data,
          access_remarks also) {
  const block& own = c.in->in();
  grid& g = c.in->in().in();
  if (!g.watched()) return;
  access a;
  a.site = s.site;
  a.what = r.form->what;
  a.ordering = r.form->ordering;
  a.reach = r.form->reach;
  a.bytes = r.form->bytes * r.form->elements;
  a.who = {own.index(), c.in->number(), c.mask};
  a.at = r.at;
  a.data = data;
  a.failed = also.failed;
  a.by_copy = also.by_copy;
  a.space = r.form->space;
  if (a.space == space::shared) return tell_shared(g, own, a);
  if (a.space != space::generic) return g.tell(a);
  // By generic address: told for each space that its lanes fall into.
  for (const space in : {space::global, space::shared, space::local}) {
    address offset[warp_lanes];
    a.who.mask = 0;
    each_active(c, [&](unsigned i) {
      const window_access w = window_of(r.at[i]);
      if (w.in != in) return;
      a.who.mask |= 1U << i;
      offset[i] = w.offset;
    });
    a.space = in;
    a.at = offset;
    if (a.who.mask == 0) continue;
    in == space::shared ? tell_shared(g, own, a) : g.tell(a);
  }
}

}  // namespace ptxlab::machine
