// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/meetings.hpp"

#include <fmt/format.h>

#include "analysis/results/statistics.hpp"
#include "driver/bench/exchange.hpp"
#include "driver/bench/host_party.hpp"

namespace ptxlab::bench {
namespace {

using device::peer_operand;
using kernels::meeting;

/// Where things lie in the memory of each place: pages of their own.
constexpr std::uint64_t first_word = 0, second_word = 4096, log_word = 8192, data_lines = 12288,
                        counter = 20480, barrier_data = 1 << 18;
constexpr unsigned lanes = 32;
constexpr std::chrono::seconds host_deadline{5};

/// Launches the kernel on the first GPU and, where `other` has operands, on the other one as well;
/// `meanwhile` is what the host does. Whatever goes wrong once somebody waits is a hang.
std::vector<sample> run_both(
    const meeting_point& p, const cuda::geometry& g, const std::vector<std::uint64_t>& own,
    const std::vector<std::uint64_t>& other, const std::function<void()>& meanwhile = [] {}) {
  const std::size_t samples = std::size_t{g.blocks} * device::exchange_samples;
  p.both.clear();
  p.first.arm(g, own, samples);
  p.first.resident(g);  // loads the kernel before anything spins
  if (!other.empty()) p.both.arm_other(p.what.symbol, g, other, samples);
  try {
    if (!other.empty()) p.both.queue_other(g);
    p.first.queue(g);
    meanwhile();
    p.first.wait();
    if (!other.empty()) p.both.wait_other();
  } catch (const error& e) {
    throw hang(e.what());
  }
  return p.first.collect();
}

struct route {
  const char* says;
  place first_writes, other_writes;
  bool host = false;
};
constexpr route routes[] = {
    {"round trip, words in own memory", place::own, place::own},
    {"round trip, words in peer memory", place::peer, place::peer},
    {"round trip, each polls its own", place::peer, place::own},
    {"round trip, each polls the other's", place::own, place::peer},
    {"round trip, words in host memory", place::host, place::host},
    {"round trip with the host", place::host, place::host, true},
};

void measure_route(const meeting_point& p, const route& way, results::row& r) {
  constexpr unsigned rounds = 64;
  const std::uint64_t ours = p.both.at(way.first_writes, first_word),
                      theirs = p.both.at(way.other_writes, second_word);
  cuda::geometry g;
  g.block_threads = lanes;
  for (const unsigned times : {0U, 1U, 2U}) {
    const unsigned n = std::max(1U, times) * rounds;
    const auto side = [&](std::uint64_t mine, std::uint64_t other, std::uint64_t lead) {
      return p.operands({{peer_operand::mine, mine},
                         {peer_operand::theirs, other},
                         {peer_operand::leads, lead},
                         {device::rounds_operand, n}});
    };
    const host_side host{p.both.host(second_word), p.both.host(first_word),
                         n * device::exchange_samples, host_deadline};
    const std::vector<sample> taken =
        way.host ? run_both(p, g, side(ours, theirs, 1), {}, [&] { answer(host); })
                 : run_both(p, g, side(ours, theirs, 1), side(theirs, ours, 0));
    if (times == 0) continue;  // the clocks rise
    r.raw.push_back(cycles_of(taken, 0, n));
    r.sm_clock_mhz = clock_of(taken);
  }
  r.value = results::slopes_of(r.raw).value;
  p.flag_atomics(way.first_writes, r);
}

/// Words that were not seen, of one launch.
seen_words unseen_once(const meeting_point& p, place data, place flag, bool by_host,
                       unsigned rounds) {
  // The receipt comes back where the writer polls it best.
  const place receipt = by_host ? place::host : place::own;
  const std::uint64_t flag_at = p.both.at(flag, first_word),
                      receipt_at = p.both.at(receipt, second_word);
  const auto side = [&](std::uint64_t mine, std::uint64_t theirs, std::uint64_t lead) {
    return p.operands({{peer_operand::mine, mine},
                       {peer_operand::theirs, theirs},
                       {peer_operand::leads, lead},
                       {peer_operand::data, p.both.at(data, data_lines)},
                       {peer_operand::log, p.both.at(place::host, log_word)},
                       {device::rounds_operand, rounds}});
  };
  cuda::geometry g;
  g.block_threads = lanes;
  if (!by_host) {
    run_both(p, g, side(flag_at, receipt_at, 1), side(receipt_at, flag_at, 0));
    return {double(*p.both.host(log_word)), double(*p.both.host(log_word + 4))};
  }
  std::uint64_t stale = 0;
  const host_side host{p.both.host(second_word), p.both.host(first_word),
                       rounds * device::exchange_samples, host_deadline};
  run_both(p, g, side(flag_at, receipt_at, 1), {},
           [&] { stale = read_messages(host, p.both.host(data_lines), lanes); });
  return {static_cast<double>(stale), double{lanes} * rounds * device::exchange_samples};
}

/// Both sides' operands of a barrier.
std::vector<std::uint64_t> barrier_side(const meeting_point& p, place self, place other,
                                        unsigned rounds) {
  return p.operands({{peer_operand::mine, p.both.at(other, first_word)},
                     {peer_operand::theirs, p.both.at(self, first_word)},
                     {peer_operand::data, p.both.at(self, barrier_data)},
                     {peer_operand::other_data, p.both.at(other, barrier_data)},
                     {peer_operand::count, p.both.at(self, counter)},
                     {peer_operand::log, p.both.at(place::own, log_word)},
                     {device::rounds_operand, rounds}});
}

}  // namespace

std::vector<results::row> round_trips(const meeting_point& p) {
  std::vector<results::row> rows;
  for (const route& way : routes)
    add_row(rows, p.row(way.says, "cycle"), [&](results::row& r) { measure_route(p, way, r); });
  return rows;
}

std::vector<results::row> unseen_messages(const meeting_point& p) {
  constexpr unsigned rounds = 128, launches = 6;
  constexpr place places[] = {place::own, place::peer, place::host};
  std::vector<results::row> rows;
  const auto add = [&](place data, place flag, bool by_host) {
    const std::string says = fmt::format("stale, data in {} memory, flag in {}{}", name(data),
                                         name(flag), by_host ? ", read by the host" : "");
    add_row(rows, p.row(says, "read"), [&](results::row& r) {
      std::vector<seen_words> counts;
      for (unsigned i = 0; i < launches; ++i)
        counts.push_back(unseen_once(p, data, flag, by_host, rounds));
      put_counts(r, counts, double{rounds} * device::exchange_samples * lanes,
                 p.what.measure.mutant);
    });
  };
  for (const place data : places)
    for (const place flag : places) add(data, flag, false);
  add(place::host, place::host, true);
  return rows;
}

std::vector<results::row> barrier_of_both(const meeting_point& p) {
  constexpr unsigned rounds = 32, launches = 6;
  cuda::geometry g;
  g.block_threads = static_cast<unsigned>(p.at.at("threads"));
  g.blocks = static_cast<unsigned>(p.at.at("blocks"));
  g.spins = true;
  const auto run = [&](unsigned n) {
    return run_both(p, g, barrier_side(p, place::own, place::peer, n),
                    barrier_side(p, place::peer, place::own, n));
  };
  std::vector<results::row> rows;
  if (p.what.measure.meets == meeting::checked_barrier) {
    add_row(rows, p.row("stale", "read"), [&](results::row& r) {
      std::vector<seen_words> counts;
      for (unsigned i = 0; i < launches; ++i) {
        run(rounds);
        const auto log = cuda::download<std::uint32_t>(p.both.at(place::own, log_word), 2);
        counts.push_back({double(log[0]), double(log[1])});
      }
      // Two words, on each of two GPUs.
      put_counts(r, counts, 4.0 * rounds * device::exchange_samples * g.blocks,
                 p.what.measure.mutant);
    });
    return rows;
  }
  add_row(rows, p.row("latency", "cycle"), [&](results::row& r) {
    run(rounds);  // the clocks rise
    for (const unsigned times : {1U, 2U}) {
      const std::vector<sample> taken = run(times * rounds);
      r.raw.push_back(slowest_of(taken, g.blocks, times * rounds));
      r.sm_clock_mhz = clock_of({taken.begin(), taken.begin() + device::exchange_samples});
    }
    r.value = results::slopes_of(r.raw).value;
  });
  return rows;
}

}  // namespace ptxlab::bench
