// SPDX-License-Identifier: Apache-2.0
// One queue, one mutex: jobs last milliseconds at least, so that contention does not matter.
#include "analysis/toolchain/jobs.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace ptxlab::toolchain {
namespace {

unsigned usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

job_pool::job_pool(unsigned threads) {
  const unsigned wanted = threads == 0 ? usable_cores() : threads;
  for (unsigned i = 0; i < std::max(1U, wanted); ++i) threads_.emplace_back([this] { work(); });
}

job_pool::~job_pool() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void job_pool::add(std::function<void()> job, bool urgent) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || failure_) return;
    if (urgent) {
      queue_.push_front(std::move(job));
    } else {
      queue_.push_back(std::move(job));
    }
  }
  wake_.notify_one();
}

void job_pool::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return queue_.empty() && running_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void job_pool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto job = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      job();
    } catch (...) {
      thrown = std::current_exception();
    }
    job = nullptr;  // what it captured dies outside the lock, before anybody is told it is done
    lock.lock();
    --running_;
    if (thrown && !failure_) failure_ = thrown;
    if (failure_) queue_.clear();
    if (queue_.empty() && running_ == 0) idle_.notify_all();
  }
}

}  // namespace ptxlab::toolchain
