// SPDX-License-Identifier: Apache-2.0
// The host as a rival: sums and sorts on one core and on all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace ptxlab::bench {

/// Vectors of 64 bytes that a sum on the host adds to in turn, so that additions need not wait for
/// each other.
inline constexpr unsigned sum_vectors = 8;

/// The sum of `n` numbers on the calling thread, by 8 vectors of 64 bytes; integers modulo 2^32 or
/// 2^64.
float sum_on_one_core(const float* x, std::size_t n);
double sum_on_one_core(const double* x, std::size_t n);
std::uint32_t sum_on_one_core(const std::uint32_t* x, std::size_t n);
std::uint64_t sum_on_one_core(const std::uint64_t* x, std::size_t n);

/// Threads that wait for work, so that starting them is not part of it. The calling thread is one
/// of them.
class team {
 public:
  /// 0: one for each core that the process may use.
  explicit team(unsigned threads = 0);
  ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;
  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// Runs part(0) ... part(size() - 1), one on each, and waits for them.
  void run(const std::function<void(unsigned)>& part);

 private:
  void serve(unsigned which);

  std::vector<std::thread> threads_;
  const std::function<void(unsigned)>* part_ = nullptr;
  std::atomic<unsigned> round_ = 0, left_ = 0;
  std::atomic<bool> over_ = false;
};

/// The same on all of a team, a piece each.
float sum_on_all_cores(team& t, const float* x, std::size_t n);
double sum_on_all_cores(team& t, const double* x, std::size_t n);
std::uint32_t sum_on_all_cores(team& t, const std::uint32_t* x, std::size_t n);
std::uint64_t sum_on_all_cores(team& t, const std::uint64_t* x, std::size_t n);

/// std::sort, ascending, on the calling thread. No NaN among floats.
void sort_on_one_core(std::uint32_t* x, std::size_t n);
void sort_on_one_core(float* x, std::size_t n);
void sort_on_one_core(std::uint64_t* x, std::size_t n);

/// Nanoseconds that `work` takes on the host.
double host_ns(const std::function<void()>& work);

}  // namespace ptxlab::bench
