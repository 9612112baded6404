// SPDX-License-Identifier: Apache-2.0
// peer: what passes between the measured GPU, another one of the same host, and the host: latencies
// by whose memory it is, hand-overs, fences with an observer, barriers of both GPUs. Where there is
// no second GPU that can be reached, every point is a row that says so.
#include "driver/bench/chain.hpp"
#include "driver/bench/exchange.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/meetings.hpp"

namespace ptxlab::bench {
namespace {

using kernels::meeting;

timing::contract contract(const kernels::measurement& m) {
  switch (m.meets) {
    case meeting::chain:
    case meeting::ring:
      return chain_contract(m);
    case meeting::idle:
    case meeting::order: {
      timing::contract c = chain_contract(m);
      c.how = timing::relation::serial;
      return c;
    }
    default:
      return exchange_contract(m);
  }
}

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  switch (m.meets) {
    case meeting::chain:
      for (const unsigned t : m.threads) out.push_back({{"threads", t}});
      break;
    case meeting::ring:
      for (const std::uint64_t bytes : m.ring.footprint_bytes)
        out.push_back({{"footprint_bytes", static_cast<double>(bytes)}});
      break;
    case meeting::barrier:
    case meeting::checked_barrier:
      for (const unsigned t : grid_threads(m, s))
        for (const unsigned b : grid_blocks(m, s)) out.push_back({{"threads", t}, {"blocks", b}});
      break;
    default:
      out.emplace_back();
  }
  if (quick && out.size() > 1) out = {out.back()};
  return out;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const std::optional<int> other = peer_of(l.gpu());
  if (!other) {
    results::row r = make_row(protocol_of(kernels::protocol::peer), at, "peer", "cycle");
    r.state = results::status::not_run;
    r.reason = no_peer_reason(l.gpu());
    r.raw_unit.clear();
    return {std::move(r)};
  }
  const double bytes = at.contains("footprint_bytes") ? at.at("footprint_bytes") : 0;
  two_devices both(l, *other, static_cast<std::uint64_t>(bytes));
  const meeting_point p{l, both, v, at};
  switch (v.measure.meets) {
    case meeting::hand_over:
      return round_trips(p);
    case meeting::message:
      return unseen_messages(p);
    case meeting::barrier:
    case meeting::checked_barrier:
      return barrier_of_both(p);
    default:
      return copies_by_place(p);
  }
}

const protocol_registration registered({.how = kernels::protocol::peer,
                                        .name = "peer",
                                        .says = "two GPUs of one host",
                                        .contract = contract,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
