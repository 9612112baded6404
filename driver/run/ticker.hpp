// SPDX-License-Identifier: Apache-2.0
// A line on a terminal that says what is running and for how long.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ptxlab::run {

/// From two seconds on, "WHAT: 12 s" on standard error, rewritten each second and wiped at the end;
/// nothing where standard error is no terminal.
class ticker {
 public:
  explicit ticker(std::string what);
  ~ticker();
  ticker(const ticker&) = delete;
  ticker& operator=(const ticker&) = delete;

 private:
  void tick();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace ptxlab::run
