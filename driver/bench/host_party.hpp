// SPDX-License-Identifier: Apache-2.0
// The host as the other party of a kernel that waits: it answers, reads messages, or only polls, in
// memory that kernels see.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace ptxlab::bench {

/// What the host plays with: the word it writes, the word it waits for (rounds 1, 2, ...), and by
/// when all has to be over.
struct host_side {
  std::uint32_t *mine, *theirs;
  unsigned rounds;
  std::chrono::milliseconds deadline;
};

/// Hands the word back in every round. Throws bench::hang at the deadline.
void answer(const host_side& side);

/// The same, and before each answer reads `lanes` words, 128 bytes apart from `data` on: how many
/// of them were not of the round. Throws as `answer` does.
std::uint64_t read_messages(const host_side& side, std::uint32_t* data, unsigned lanes);

/// A thread that polls a word until the end of its life.
class host_poll {
 public:
  explicit host_poll(std::uint32_t* word);
  ~host_poll();
  host_poll(const host_poll&) = delete;
  host_poll& operator=(const host_poll&) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace ptxlab::bench
