// SPDX-License-Identifier: Apache-2.0
#include "driver/run/ticker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace ptxlab::run {

ticker::ticker(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { tick(); });
}

ticker::~ticker() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ticker::tick() {
  std::unique_lock lock(mutex_);
  bool drawn = false;
  for (int seconds = 1; !ended_.wait_for(lock, std::chrono::seconds(1), [&] { return over_; });
       ++seconds) {
    if (seconds < 2) continue;
    std::fputs(fmt::format("\r\033[K{}: {} s", what_, seconds).c_str(), stderr);
    std::fflush(stderr);
    drawn = true;
  }
  if (drawn) std::fputs("\r\033[K", stderr);
}

}  // namespace ptxlab::run
