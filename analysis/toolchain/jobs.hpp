// SPDX-License-Identifier: Apache-2.0
// A pool of threads for jobs that mostly wait for an external program; a job may add further jobs.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ptxlab::toolchain {

class job_pool {
 public:
  /// `threads` 0: as many as this process may use cores.
  explicit job_pool(unsigned threads = 0);
  /// Drops the jobs that have not begun and waits for those that have.
  ~job_pool();
  job_pool(const job_pool&) = delete;
  job_pool& operator=(const job_pool&) = delete;

  /// Puts a job at the end of the queue, or, if it is to finish something begun, at the front.
  void add(std::function<void()> job, bool urgent = false);

  /// Returns when no job is left or running; rethrows the first exception that escaped from one
  /// (after which jobs not yet begun are dropped).
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<std::function<void()>> queue_;
  std::size_t running_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace ptxlab::toolchain
