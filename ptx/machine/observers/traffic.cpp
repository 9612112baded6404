// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

void add(bank_totals& to, const bank_passes& p) {
  to.requests += p.requests;
  to.passes += p.passes;
  to.degree = std::max(to.degree, p.degree);
}

}  // namespace

bool traffic::tally::repeats(const access& a) const {
  if (a.who.mask != mask || a.bytes != bytes || mask == 0) return false;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const address shift = a.at[first] - at[first];
  if (shift % line_bytes != 0) return false;
  if (mask == ~lane_mask{0}) {
    address differences = 0;  // without a branch in the loop, so that it becomes vector code
    for (unsigned i = 0; i < warp_lanes; ++i) differences |= (a.at[i] - at[i]) ^ shift;
    return differences == 0;
  }
  for (lane_mask left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if (a.at[i] - at[i] != shift) return false;
  }
  return true;
}

void traffic::tally::remember(const access& a) {
  mask = a.who.mask;
  bytes = a.bytes;
  for (lane_mask left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    at[i] = a.at[i];
  }
  last = {};
  const lane_addresses addresses(at);
  if (space == flow::space::global) {
    const std::optional<warp_transactions> t = transactions(mask, addresses, bytes);
    last.told = t.has_value();
    if (t) last.global = *t;
  } else if (space == flow::space::shared) {
    const bool is_store = what == flow::kind::store;
    const std::optional<bank_passes> then = passes_16_banks(mask, addresses, bytes, is_store);
    const std::optional<bank_passes> now = passes_32_banks(mask, addresses, bytes);
    last.told = then && now;
    if (last.told) last.banks16 = *then, last.banks32 = *now;
  }
  if (is_atomic() || space == flow::space::constant) last.shared_by = sharing(mask, addresses);
}

void traffic::tally::add() {
  const auto active = static_cast<std::uint64_t>(std::popcount(mask));
  ++counts.requests;
  counts.lanes += active;
  counts.bytes += active * bytes;
  counts.addresses += last.shared_by.distinct;
  counts.same_address = std::max(counts.same_address, last.shared_by.degree);
  if (!last.told) {
    ++counts.not_modelled;
  } else if (space == flow::space::global) {
    const warp_transactions& t = last.global;
    if (!is_atomic()) {
      const transfers then = t.cc10.sum(), later = t.cc12.sum();
      counts.cc10 += then.transactions;
      counts.cc10_bytes += then.bytes;
      counts.cc12 += later.transactions;
      counts.cc12_bytes += later.bytes;
    }
    counts.sectors += t.sectors;
    counts.lines += t.lines;
    counts.ideal_sectors += t.ideal_sectors;
  } else if (space == flow::space::shared) {
    machine::add(counts.banks16, last.banks16);
    machine::add(counts.banks32, last.banks32);
  }
}

traffic::tally& traffic::tally_of(const access& a) {
  if (a.site >= sites_.size())
    throw error(fmt::format("an access names instruction {} of {}", a.site, sites_.size()));
  std::uint32_t& index = where_[a.site * spaces + static_cast<std::size_t>(a.space)];
  if (index == flow::nowhere) {
    index = static_cast<std::uint32_t>(tallies_.size());
    tally& t = tallies_.emplace_back();
    t.site = a.site;
    t.space = a.space;
    t.what = a.what;
  }
  return tallies_[index];
}

void traffic::begin(const launch_info& l, const place_names&) {
  launch_ = launch_name(l);
  sites_ = l.sites;
  where_.assign(l.sites.size() * spaces, flow::nowhere);
  tallies_.clear();
}

void traffic::accessed(const access& a) {
  tally& t = tally_of(a);
  if (!t.repeats(a)) t.remember(a);
  t.add();
}

void traffic::end() {
  report_ = {launch_, {}};
  for (const tally& t : tallies_)
    report_.rows.push_back({site_name(sites_[t.site]), t.space, t.what, t.counts});
  std::stable_sort(report_.rows.begin(), report_.rows.end(),
                   [](const traffic_row& a, const traffic_row& b) {
                     return std::tie(a.where, a.space) < std::tie(b.where, b.space);
                   });
  sites_ = {};
  where_.clear();
  tallies_.clear();
}

}  // namespace ptxlab::machine
