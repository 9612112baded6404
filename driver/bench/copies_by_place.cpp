// SPDX-License-Identifier: Apache-2.0
// Copies of one instruction on the measured GPU, against its own memory, the other GPU's and the
// host's, alone or while somebody polls there.
#include <fmt/format.h>

#include "driver/bench/chain.hpp"
#include "driver/bench/host_party.hpp"
#include "driver/bench/meetings.hpp"

namespace ptxlab::bench {
namespace {

using device::peer_operand;
using kernels::meeting;

/// Where the host tells the other GPU to stop, in the host's memory.
constexpr std::uint64_t stop_word = 4096;

enum class observer { none, gpu, host };
struct watched {
  place where;
  observer by;
};

std::string watched_text(const watched& w) {
  return fmt::format("latency, {} memory{}", name(w.where),
                     w.by == observer::gpu    ? ", the other GPU polls"
                     : w.by == observer::host ? ", the host polls"
                                              : "");
}

void measure_copies(const meeting_point& p, const watched& w, results::row& r) {
  const auto& m = p.what.measure;
  std::vector<std::pair<unsigned, std::uint64_t>> values = {
      {peer_operand::mine, p.both.at(w.where)}};
  cuda::geometry g;
  g.block_threads = p.at.contains("threads") ? static_cast<unsigned>(p.at.at("threads")) : 32;
  if (m.meets == meeting::ring) {
    const auto footprint = static_cast<std::uint64_t>(p.at.at("footprint_bytes"));
    const std::uint64_t stride = m.ring.stride_bytes.front(), links = footprint / stride;
    constexpr std::uint64_t most_warm = 1 << 13;
    using device::ring_operand;
    values = {{ring_operand::base, p.both.at(w.where)},
              {ring_operand::links, links},
              {ring_operand::stride, stride},
              {ring_operand::order, 1},
              {ring_operand::warm, std::min(2 * links, most_warm)}};
    g.block_threads = 1024;
  }
  p.both.clear();
  std::optional<host_poll> host;
  if (w.by == observer::host) host.emplace(p.both.host(0));
  cuda::geometry one;
  one.block_threads = 32;
  const auto operands = p.operands(values);
  if (w.by == observer::gpu) {
    // What is allocated and loaded late shall be so before somebody spins.
    p.first.launch(g, operands, std::size_t{3} * device::samples_per_launch);
    p.both.arm_other("poll_until_stopped", one,
                     {0, 0, 0, p.both.at(place::host, stop_word), p.both.at(w.where)}, 1);
    p.both.queue_other(one);
  }
  results::row measured =
      chain_row(p.first, protocol_of(kernels::protocol::peer), m, p.at, g, operands);
  if (w.by == observer::gpu) {
    *p.both.host(stop_word) = 1;
    p.both.wait_other();
  }
  measured.quantity = r.quantity;
  r = std::move(measured);
  p.flag_atomics(w.where, r);
}

}  // namespace

std::vector<results::row> copies_by_place(const meeting_point& p) {
  std::vector<results::row> rows;
  const auto& m = p.what.measure;
  std::vector<watched> all;
  for (const place where : {place::own, place::peer, place::host})
    all.push_back({where, observer::none});
  if (m.meets == meeting::idle) all.resize(1);
  if (m.meets == meeting::order)
    all.insert(all.end(), {{place::own, observer::gpu},
                           {place::peer, observer::gpu},
                           {place::host, observer::gpu},
                           {place::host, observer::host}});
  for (const watched& w : all) {
    if (m.meets == meeting::ring && w.where == place::host &&
        p.at.at("footprint_bytes") > static_cast<double>(two_devices::cleared_bytes))
      continue;
    const std::string quantity = m.meets == meeting::idle ? "latency" : watched_text(w);
    add_row(rows, p.row(quantity, "cycle"), [&](results::row& r) { measure_copies(p, w, r); });
  }
  return rows;
}

}  // namespace ptxlab::bench
