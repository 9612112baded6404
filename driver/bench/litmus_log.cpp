// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/litmus_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

/// A block stores to a slot the rounds of one parity, from 1; 0 was there before.
bool can_stand(std::uint32_t word, unsigned round, unsigned rounds) {
  return word == 0 || (word <= rounds && word % 2 == round % 2);
}

[[noreturn]] void refuse(std::uint32_t word, unsigned round, unsigned block, const char* where) {
  if (word == unwritten)
    throw error(
        fmt::format("block {} logged nothing {} the barrier of round {}", block, where, round));
  throw error(fmt::format("block {} read {} {} the barrier of round {}: nobody stores that there",
                          block, word, where, round));
}

}  // namespace

litmus_counts& litmus_counts::operator+=(const litmus_counts& more) {
  observed += more.observed;
  stale += more.stale;
  stale_next += more.stale_next;
  early += more.early;
  pairs += more.pairs;
  stale_both += more.stale_both;
  return *this;
}

litmus_counts count_litmus(std::span<const std::uint32_t> log, unsigned rounds, unsigned blocks,
                           unsigned distance) {
  const std::size_t words = std::size_t{rounds} * blocks * 2;
  if (rounds == 0 || blocks < 2 || distance % blocks == 0 || log.size() != words)
    throw error(fmt::format("a log of {} words is none of {} rounds, {} blocks, distance {}",
                            log.size(), rounds, blocks, distance));
  const unsigned off = distance % blocks;
  const bool mutual = 2 * off == blocks;
  litmus_counts c;
  for (unsigned r = 1; r <= rounds; ++r) {
    const auto of_round = log.subspan(std::size_t{r - 1} * blocks * 2, std::size_t{blocks} * 2);
    for (unsigned b = 0; b < blocks; ++b) {
      const std::uint32_t behind = of_round[std::size_t{b} * 2];
      const std::uint32_t before = of_round[std::size_t{b} * 2 + 1];
      if (!can_stand(behind, r, rounds)) refuse(behind, r, b, "behind");
      if (!can_stand(before, r - 1, rounds)) refuse(before, r, b, "before");
      ++c.observed;
      if (behind < r) ++c.stale;
      if (behind > r) ++c.early;
      if (before > r - 1) ++c.early;
      if (before < r - 1) ++c.stale_next;
      if (!mutual || b >= off) continue;
      ++c.pairs;
      if (behind < r && of_round[std::size_t{b + off} * 2] < r) ++c.stale_both;
    }
  }
  return c;
}

std::string verdict_of(const litmus_counts& c) {
  if (c.forbidden() == 0) return "";
  std::string seen;
  const auto add = [&seen](const char* name, std::uint64_t n) {
    if (n > 0) seen += fmt::format("{}{} {}", seen.empty() ? "" : ", ", name, n);
  };
  add("stale", c.stale);
  add("stale next", c.stale_next);
  add("early", c.early);
  return fmt::format("{} of {}: not a barrier", seen, c.observed);
}

std::string litmus_progress(std::span<const std::uint32_t> log, unsigned rounds, unsigned blocks) {
  std::vector<unsigned> done(blocks, 0);
  unsigned furthest = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    while (done[b] < rounds && log[(std::size_t{done[b]} * blocks + b) * 2] != unwritten) ++done[b];
    furthest = std::max(furthest, done[b]);
  }
  std::string behind;
  unsigned n = 0;
  constexpr unsigned shown = 12;
  for (unsigned b = 0; b < blocks; ++b) {
    if (done[b] == furthest) continue;
    if (n++ < shown)
      behind += fmt::format("{}{} (round {})", behind.empty() ? "" : ", ", b, done[b]);
  }
  if (n == 0) return fmt::format("all {} blocks have passed round {}", blocks, furthest);
  return fmt::format("{} of {} blocks have not passed round {}: {}{}", n, blocks, furthest, behind,
                     n > shown ? ", ..." : "");
}

}  // namespace ptxlab::bench
