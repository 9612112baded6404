// SPDX-License-Identifier: Apache-2.0
// litmus: blocks hand words to each other across a barrier, round after round, and log what they
// read; the host counts what a barrier forbids. Nothing is timed. A count of zero among N readings
// leaves room for a rate of up to about 3 / N (95 %), so N is counted too.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/litmus_log.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned launches = 4;
constexpr double readings_at_least = 1e6;
/// What time allows where few blocks make few readings a round.
constexpr unsigned rounds_at_most = 131072;
constexpr std::uint64_t state_bytes = 64 << 10;
constexpr unsigned slot_words = 32;  ///< of each block in each slot: a line of its own

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const unsigned t : grid_threads(m, s))
    for (const unsigned b : grid_blocks(m, s)) {
      if (b < 2) continue;  // nobody to read from
      for (const unsigned named : m.distances.empty() ? std::vector<unsigned>{1} : m.distances) {
        const unsigned d = named == 0 ? b / 2 : named;
        if (d >= b) continue;
        for (const unsigned w : m.stress.empty() ? std::vector<unsigned>{0} : m.stress) {
          axes at = {{"threads", t}, {"blocks", b}, {"distance", d}, {"stress", w}};
          if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(std::move(at));
        }
      }
    }
  return quick ? few_of(out) : out;
}

struct litmus_launch {
  cuda::geometry g;
  unsigned rounds = 0, distance = 0, stress = 0;
  std::size_t log_words() const { return std::size_t{rounds} * g.blocks * 2; }
};

/// One launch from zeroed state and data.
litmus_counts count_once(lab& l, const litmus_launch& x) {
  const std::uint64_t data_words = std::uint64_t{2} * x.g.blocks * slot_words +
                                   std::uint64_t{x.g.blocks} * x.g.block_threads * x.stress;
  const auto at = l.buffers({state_bytes, data_words * 4, x.log_words() * 4});
  cuda::fill(at[2], 0xff, x.log_words() * 4);  // bench::unwritten
  cuda::arguments a;
  a.add(at[0]).add(at[1]).add(at[2]).add(x.rounds).add(x.distance).add(x.stress);
  l.keep_in_sight(at[2], x.log_words());
  try {
    l.launch(x.g, a);
  } catch (const hang& e) {
    const std::vector<std::uint32_t> log = l.peek();
    if (log.empty()) throw;
    throw hang(fmt::format("{}; {}", e.what(), litmus_progress(log, x.rounds, x.g.blocks)));
  }
  return count_litmus(cuda::download<std::uint32_t>(at[2], x.log_words()), x.rounds, x.g.blocks,
                      x.distance);
}

results::row count_row(const axes& at, const char* quantity, const char* unit,
                       const std::vector<litmus_counts>& all, std::uint64_t litmus_counts::*which) {
  results::row r = make_row(protocol_of(kernels::protocol::litmus), at, quantity, unit);
  r.raw_unit = unit;
  results::series s{static_cast<double>(all.size()), {}};
  for (const litmus_counts& c : all) s.values.push_back(static_cast<double>(c.*which));
  r.value = results::summarise(s.values);
  r.raw.push_back(std::move(s));
  return r;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  litmus_launch x;
  x.g.block_threads = static_cast<unsigned>(at.at("threads"));
  x.g.blocks = static_cast<unsigned>(at.at("blocks"));
  x.g.cluster_blocks = v.measure.cluster_blocks;
  x.g.cooperative = v.measure.cooperative;
  x.g.spins = true;
  x.g.unchecked = l.runs_refused();
  x.distance = static_cast<unsigned>(at.at("distance"));
  x.stress = static_cast<unsigned>(at.at("stress"));
  x.rounds = std::min(rounds_at_most,
                      static_cast<unsigned>(readings_at_least / launches / x.g.blocks) + 1);
  std::vector<litmus_counts> all;
  litmus_counts sum;
  for (unsigned i = 0; i < launches; ++i) {
    all.push_back(count_once(l, x));
    sum += all.back();
  }
  std::vector<results::row> rows = {
      count_row(at, "observed", "read", all, &litmus_counts::observed),
      count_row(at, "stale", "read", all, &litmus_counts::stale),
      count_row(at, "stale next", "read", all, &litmus_counts::stale_next),
      count_row(at, "early", "read", all, &litmus_counts::early)};
  if (sum.pairs > 0) {
    rows.push_back(count_row(at, "observed pairs", "pair", all, &litmus_counts::pairs));
    rows.push_back(count_row(at, "stale both", "pair", all, &litmus_counts::stale_both));
  }
  const std::string verdict = verdict_of(sum);
  for (results::row& r : rows) {
    if (verdict.empty() || v.measure.mutant) continue;
    r.state = results::status::invalid;
    r.reason = verdict;
    r.value.reset();
  }
  return rows;
}

const protocol_registration registered(
    {.how = kernels::protocol::litmus,
     .name = "litmus",
     .says = "what one block sees of another's writes across a barrier",
     .contract = nullptr,
     .points = points,
     .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
