// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/host_party.hpp"

#include <fmt/format.h>

#include "driver/bench/lab.hpp"

namespace ptxlab::bench {
namespace {

std::uint32_t load(std::uint32_t& word) {
  return std::atomic_ref<std::uint32_t>(word).load(std::memory_order_acquire);
}

/// `work(round)` stands between what the other side wrote and the answer.
template <typename Work>
void play(const host_side& side, const Work& work) {
  const auto end = std::chrono::steady_clock::now() + side.deadline;
  constexpr unsigned polls_between_looks = 4096;  // at the clock
  for (unsigned round = 1; round <= side.rounds; ++round) {
    for (unsigned polls = 1; load(*side.theirs) != round; ++polls)
      if (polls % polls_between_looks == 0 && std::chrono::steady_clock::now() > end)
        throw hang(fmt::format("the host waited in vain for round {} of {}", round, side.rounds));
    work(round);
    std::atomic_ref<std::uint32_t>(*side.mine).store(round, std::memory_order_release);
  }
}

}  // namespace

void answer(const host_side& side) {
  play(side, [](unsigned) {});
}

std::uint64_t read_messages(const host_side& side, std::uint32_t* data, unsigned lanes) {
  constexpr std::size_t words_apart = 128 / sizeof(std::uint32_t);
  std::uint64_t stale = 0;
  play(side, [&](unsigned round) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      stale += load(data[lane * words_apart]) != round ? 1 : 0;
  });
  return stale;
}

host_poll::host_poll(std::uint32_t* word)
    : thread_([this, word] {
        while (!stop_.load(std::memory_order_relaxed)) load(*word);
      }) {}

host_poll::~host_poll() {
  stop_ = true;
  thread_.join();
}

}  // namespace ptxlab::bench
