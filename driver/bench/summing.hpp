// SPDX-License-Identifier: Apache-2.0
// A reduction on the device: the loaded kernel with its numbers, launched until one is left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "driver/bench/lab.hpp"
#include "driver/bench/summation.hpp"

namespace ptxlab::bench {

template <typename T>
class summing {
 public:
  /// At a point with "elements", "threads" and, where it bounds the grid, "blocks_per_sm". Throws
  /// as launches_of does.
  summing(lab& l, const kernels::measurement& m, const axes& at)
      : lab_(l), what_(m.sum), n_(static_cast<std::uint64_t>(at.at("elements"))) {
    g_.block_threads = static_cast<unsigned>(at.at("threads"));
    g_.cluster_blocks = m.cluster_blocks;
    g_.cooperative = m.cooperative;
    const auto sms = static_cast<unsigned>(l.device_sizes().multiprocessors);
    const auto per_sm = at.contains("blocks_per_sm") ? at.at("blocks_per_sm") : 1;
    launches_ = launches_of(m, n_, static_cast<unsigned>(per_sm) * sms);
    additions_ = additions_of(m, launches_);
  }

  const std::vector<summation_launch>& launches() const { return launches_; }
  double additions() const { return additions_; }
  /// Bytes of the numbers, of two lots of partial sums, of the kernel's state, of a rival's sum.
  std::vector<std::uint64_t> bytes() const {
    const bool partial = what_.by == kernels::summation::leaves::partials && !launches_.empty();
    const std::uint64_t partials = (partial ? launches_.front().blocks : 1) * sizeof(T);
    return {std::max<std::uint64_t>(1, n_) * sizeof(T), partials, partials, state_bytes,
            sizeof(std::uint64_t)};
  }
  /// Memory of these sizes, zeroed.
  void use(const std::vector<CUdeviceptr>& memory) { memory_ = memory; }
  /// From now on it sums `x`, which has to outlive that.
  void put(const summands<T>& x) {
    now_ = &x;
    if (n_ > 0) cuda::upload_repeated(memory_[0], x.period, n_);
    lab_.arm(g_);
  }
  /// Makes the numbers what they were, where launches overwrite them.
  void restore() const {
    if (what_.by != kernels::summation::leaves::in_place || launches_.empty()) return;
    cuda::upload_repeated(memory_[0], now_->period, std::max<std::uint64_t>(1, n_ / what_.unroll));
    cuda::synchronise();
  }
  /// Puts all launches into the lab's stream.
  void queue() {
    CUdeviceptr from = memory_[0], to = memory_[1];
    for (const summation_launch& one : launches_) {
      const bool in_place = what_.by == kernels::summation::leaves::in_place;
      cuda::arguments a;
      if (!in_place) a.add(to);
      a.add(from).add(one.n);
      if (what_.by == kernels::summation::leaves::sum ||
          what_.by == kernels::summation::leaves::nothing)
        a.add(memory_[3]);
      g_.blocks = one.blocks;
      lab_.queue(g_, a);
      result_ = in_place ? from : to;
      if (what_.by != kernels::summation::leaves::partials) continue;
      from = to;
      to = from == memory_[1] ? memory_[2] : memory_[1];
    }
  }
  CUdeviceptr numbers() const { return memory_[0]; }
  /// Where the sum lies once the launches are done.
  CUdeviceptr result() const { return result_; }
  CUdeviceptr rivals_result() const { return memory_[4]; }

 private:
  static constexpr std::uint64_t state_bytes = 1 << 20;

  lab& lab_;
  const kernels::summation& what_;
  std::uint64_t n_;
  cuda::geometry g_;
  std::vector<summation_launch> launches_;
  double additions_ = 0;
  std::vector<CUdeviceptr> memory_;
  CUdeviceptr result_ = 0;
  const summands<T>* now_ = nullptr;
};

}  // namespace ptxlab::bench
