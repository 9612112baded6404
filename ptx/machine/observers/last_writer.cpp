// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/last_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {

last_writer::last_writer(std::vector<watched_place> places, const memory& device)
    : places_(std::move(places)), device_(device), writes_(places_.size()) {}

std::uint64_t last_writer::held(const watched_place& p) const {
  std::uint64_t v = 0;
  if (p.space != flow::space::global) return v;
  const allocation* const a = device_.find(p.at);
  if (a == nullptr || !a->live) return v;
  std::memcpy(&v, device_.host(p.at), std::min<std::uint64_t>({p.bytes, 8, a->end() - p.at}));
  return v;
}

void last_writer::begin(const launch_info& l, const place_names& /*names*/) {
  sites_ = l.sites;
  before_.clear();
  for (const watched_place& p : places_) before_.push_back(held(p));
  writes_.assign(places_.size(), std::nullopt);
}

void last_writer::accessed(const access& a) {
  if (a.what == flow::kind::load || a.at == nullptr) return;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const watched_place& p = places_[i];
    if (p.space != a.space || (p.space == flow::space::shared && p.block != a.holder())) continue;
    lane_mask touching = 0;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      if (((a.who.mask & ~a.failed) >> lane & 1) != 0 && a.at[lane] < p.at + p.bytes &&
          p.at < a.at[lane] + a.bytes)
        touching |= 1U << lane;
    if (touching != 0) look(i, a, touching);
  }
}

void last_writer::look(std::size_t i, const access& a, lane_mask touching) {
  if (a.site >= sites_.size()) throw error("an access of a site that the launch does not have");
  const watched_place& p = places_[i];
  const bool stores = a.what == flow::kind::store;
  if (stores || p.space != flow::space::global) {
    before_[i] = held(p);
  } else {
    const std::uint64_t now = held(p);
    if (std::exchange(before_[i], now) == now) return;
  }
  last_write w;
  w.where = site_name(sites_[a.site]);
  w.block = a.who.block;
  w.warp = a.who.warp;
  // Lanes write in their order: of a store the last one's value stays.
  const auto lane = static_cast<unsigned>(31 - __builtin_clz(touching));
  w.lanes = stores ? 1U << lane : touching;
  if (stores && a.data != nullptr && a.bytes <= 8) {
    w.value = 0;
    std::memcpy(&*w.value, a.data + std::size_t{lane} * a.bytes, a.bytes);
  }
  writes_[i] = std::move(w);
}

std::string last_writer::text(std::size_t i) const {
  const auto& w = writes_.at(i);
  if (!w) return "never written by this launch";
  const bool one = (w->lanes & (w->lanes - 1)) == 0;
  return fmt::format("last written by block {} warp {} {} at {} ({}{})", w->block, w->warp,
                     one ? fmt::format("lane {}", __builtin_ctz(w->lanes))
                         : fmt::format("lanes {:#010x}", w->lanes),
                     w->where.label(), w->where.opcode,
                     w->value ? fmt::format(", value {}", *w->value) : "");
}

}  // namespace ptxlab::machine
