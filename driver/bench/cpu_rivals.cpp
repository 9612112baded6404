// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/cpu_rivals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

namespace ptxlab::bench {
namespace {

template <typename T>
[[gnu::always_inline]] inline T sum_of(const T* x, std::size_t n) {
  constexpr std::size_t lanes = 64 / sizeof(T);
  // 64 bytes: one register of AVX-512, two of AVX2.
  typedef T vector [[gnu::vector_size(64)]];
  vector sums[sum_vectors] = {};
  std::size_t i = 0;
  for (; i + sum_vectors * lanes <= n; i += sum_vectors * lanes)
#pragma GCC unroll 8  // so that the sums stay in registers
    for (std::size_t v = 0; v < sum_vectors; ++v) {
      vector next;
      std::memcpy(&next, x + i + v * lanes, sizeof next);
      sums[v] += next;
    }
  for (std::size_t v = 1; v < sum_vectors; ++v) sums[0] += sums[v];
  T out{};
  for (std::size_t lane = 0; lane < lanes; ++lane) out += sums[0][lane];
  for (; i < n; ++i) out += x[i];
  return out;
}

template <typename T>
T sum_in_pieces(team& t, const T* x, std::size_t n) {
  struct alignas(64) place {  // a line of the cache each
    T sum;
  };
  std::vector<place> sums(t.size());
  const std::size_t each = (n + t.size() - 1) / t.size();
  t.run([&](unsigned which) {
    const std::size_t begin = std::min(n, which * each), end = std::min(n, begin + each);
    sums[which].sum = sum_on_one_core(x + begin, end - begin);
  });
  T out{};
  for (const place& p : sums) out += p.sum;
  return out;
}

/// Cores that this process may use: those that there are, or the share of them that its control
/// group gets (Linux, Control Group v2, cpu.max).
unsigned usable_cores() {
  const unsigned all = std::max(1U, std::thread::hardware_concurrency());
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return all;
  return std::clamp(static_cast<unsigned>(std::ceil(quota / period)), 1U, all);
}

/// Looks for some 100 us before it sleeps: being woken takes as long as a sum of many numbers.
void wait_while(const std::atomic<unsigned>& word, unsigned value) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  while (std::chrono::steady_clock::now() < end)
    if (word != value) return;
  word.wait(value);
}

template <typename T>
void sort(T* x, std::size_t n) {
  std::sort(x, x + n);
}

}  // namespace

// For any processor of the family, by the widest vectors that it has.
#define PTXLAB_WIDEST [[gnu::target_clones("avx512f", "avx2", "default")]]
PTXLAB_WIDEST float sum_on_one_core(const float* x, std::size_t n) {
  return sum_of(x, n);
}
PTXLAB_WIDEST double sum_on_one_core(const double* x, std::size_t n) {
  return sum_of(x, n);
}
PTXLAB_WIDEST std::uint32_t sum_on_one_core(const std::uint32_t* x, std::size_t n) {
  return sum_of(x, n);
}
PTXLAB_WIDEST std::uint64_t sum_on_one_core(const std::uint64_t* x, std::size_t n) {
  return sum_of(x, n);
}
#undef PTXLAB_WIDEST

team::team(unsigned threads) {
  if (threads == 0) threads = usable_cores();
  for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
}

team::~team() {
  over_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void team::run(const std::function<void(unsigned)>& part) {
  part_ = &part;
  left_ = static_cast<unsigned>(threads_.size());
  ++round_;
  round_.notify_all();
  part(0);
  for (unsigned left = left_; left != 0; left = left_) wait_while(left_, left);
}

void team::serve(unsigned which) {
  for (unsigned round = 0;;) {
    wait_while(round_, round);
    round = round_;
    if (over_) return;
    (*part_)(which);
    if (--left_ == 0) left_.notify_one();
  }
}

float sum_on_all_cores(team& t, const float* x, std::size_t n) {
  return sum_in_pieces(t, x, n);
}
double sum_on_all_cores(team& t, const double* x, std::size_t n) {
  return sum_in_pieces(t, x, n);
}
std::uint32_t sum_on_all_cores(team& t, const std::uint32_t* x, std::size_t n) {
  return sum_in_pieces(t, x, n);
}
std::uint64_t sum_on_all_cores(team& t, const std::uint64_t* x, std::size_t n) {
  return sum_in_pieces(t, x, n);
}

void sort_on_one_core(std::uint32_t* x, std::size_t n) {
  sort(x, n);
}
void sort_on_one_core(float* x, std::size_t n) {
  sort(x, n);
}
void sort_on_one_core(std::uint64_t* x, std::size_t n) {
  sort(x, n);
}

double host_ns(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace ptxlab::bench
