// SPDX-License-Identifier: Apache-2.0
// event and bandwidth: a kernel that runs its rounds with all SMs is launched for R and for 2R of
// them, between two events; the slope is the time of a round, or with the bytes of a round the
// rate.
#include "driver/cuda/event.hpp"

#include <fmt/format.h>

#include "analysis/results/statistics.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {
namespace {

constexpr int repeats = 12;
/// Rounds of the shorter launch: enough for this much traffic, well above the steps of an event.
constexpr double bytes_at_least = 4e9;

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<std::uint64_t> bytes = m.bytes;
  for (const unsigned times : m.bytes_l2) bytes.push_back(times * s.l2_bytes);
  if (bytes.empty()) return {{}};
  std::vector<axes> out;
  for (const std::uint64_t b : bytes)
    if (!quick || out.empty()) out.push_back({{"footprint_bytes", static_cast<double>(b)}});
  return out;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const bool counts_bytes = v.measure.how == kernels::protocol::bandwidth;
  const double bytes = at.contains("footprint_bytes") ? at.at("footprint_bytes") : 0;
  cuda::geometry g;
  g.block_threads = v.measure.threads.empty() ? 1024 : v.measure.threads.front();
  g.blocks = static_cast<unsigned>(l.gpu().multiprocessors()) * (2048 / g.block_threads);
  std::vector<std::uint64_t> operands = v.measure.operands;
  operands.resize(device::rounds_operand + 1);
  if (bytes > 0) {
    operands[0] = l.memory(static_cast<std::uint64_t>(bytes) * v.measure.traffic);
    operands[1] = static_cast<std::uint64_t>(bytes);
  }
  const auto rounds =
      static_cast<std::uint64_t>(bytes > 0 ? std::max(2.0, bytes_at_least / bytes) : 1000);
  results::row r = counts_bytes ? make_row(protocol_of(v.measure.how), at, "bandwidth", "GB/s")
                                : make_row(protocol_of(v.measure.how), at, "time", "ns");
  r.raw_unit = "ns";
  cuda::event begin, end;
  for (const std::uint64_t times : {1U, 2U}) {
    operands[device::rounds_operand] = times * rounds;
    l.arm(g, operands, 1);
    results::series s{static_cast<double>(times * rounds), {}};
    for (int i = -1; i < repeats; ++i) {  // the first one warms up
      begin.record(l.queue_of());
      l.queue(g);
      end.record(l.queue_of());
      l.wait();
      if (i >= 0) s.values.push_back(end.ns_since(begin));
    }
    r.raw.push_back(std::move(s));
  }
  std::vector<double> values;
  for (int i = 0; i < repeats; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double ns = (r.raw[1].values[n] - r.raw[0].values[n]) / static_cast<double>(rounds);
    if (ns <= 0) throw error("twice the rounds took no longer");
    values.push_back(counts_bytes ? bytes * v.measure.traffic / ns : ns);
  }
  r.value = results::summarise(values);
  return {std::move(r)};
}

const protocol_registration bandwidth({.how = kernels::protocol::bandwidth,
                                       .name = "bandwidth",
                                       .says = "bytes moved by the whole device",
                                       .contract = nullptr,
                                       .points = points,
                                       .measure = measure});
const protocol_registration event({.how = kernels::protocol::event,
                                   .name = "event",
                                   .says = "rounds of a whole kernel, timed from outside",
                                   .contract = nullptr,
                                   .points = points,
                                   .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
