// SPDX-License-Identifier: Apache-2.0
// The device side of a measurement: one GPU, one loaded kernel at a time, its operands and its
// samples. Lives in the worker process.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"
#include "driver/cuda/context.hpp"
#include "driver/cuda/launch.hpp"
#include "driver/cuda/memory.hpp"
#include "driver/cuda/nvml.hpp"
#include "ptx/device/sample.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {

using device::sample;

/// A launch that did not end. The context is of no more use: nothing stops a kernel but the end of
/// its process.
class hang : public error {
 public:
  using error::error;
};

/// What the host saw of a kernel that did not end: "blocks 3, 7 and 9 have not started; ...".
std::string progress_of(const device::watch& seen, unsigned blocks);

class lab {
 public:
  /// `deadline` is that of one launch.
  explicit lab(int ordinal, std::chrono::milliseconds deadline = std::chrono::seconds(10),
               bool run_refused = false);

  const cuda::device& gpu() const { return context_.on(); }
  const cuda::nvml& management() const { return nvml_; }
  sizes device_sizes() const;

  /// Loads the cubin of the next experiment; all launches are of its kernel `symbol`.
  void load(const std::string& cubin, const std::string& label, const std::string& symbol);
  /// Launches the loaded kernel with the operands of a measurement and gives back its samples:
  /// for each block and each warp that keeps them, in order. Throws bench::hang where it does not
  /// end within the deadline.
  std::vector<sample> launch(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
                             std::size_t samples);
  /// Queues the loaded kernel with its operands uploaded once by `arm`; `first_sample` is where its
  /// samples start. For protocols that time from outside.
  void arm(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
           std::size_t samples);
  void queue(const cuda::geometry& g, std::size_t first_sample = 0);
  /// For a kernel with parameters of its own: gets it ready, behind all uploads so far; `queue`
  /// then takes its arguments.
  void arm(const cuda::geometry& g);
  void queue(const cuda::geometry& g, cuda::arguments& a);
  /// The same for another kernel of the file that was loaded, where one computation takes several.
  void queue(const std::string& symbol, const cuda::geometry& g, cuda::arguments& a);
  /// Arms, queues and waits.
  void launch(const cuda::geometry& g, cuda::arguments& a);
  /// Zeroed global memory, a piece for each size in bytes, each on pages of 4 KiB of its own, and
  /// good until the next call of this or of `memory`. Throws as `memory` does.
  std::vector<CUdeviceptr> buffers(const std::vector<std::uint64_t>& bytes);
  /// Gets ready to copy `words` words from `at` while a kernel runs, which `peek` then does: for
  /// what a launch that does not end has written. Empty where that does not work either.
  void keep_in_sight(CUdeviceptr at, std::size_t words);
  std::vector<std::uint32_t> peek();
  /// Holds back what is queued from now on, until `release`.
  void hold();
  void release() { *go_ = 1; }
  /// Waits for what is queued. Throws bench::hang at the deadline, with the blocks that had not
  /// come as far as the others; ptxlab::error where a guarded wait gave up.
  void wait();
  /// The samples since `arm`.
  std::vector<sample> collect() const;
  const cuda::stream& queue_of() const { return stream_; }
  /// How the loaded kernel was launched last; empty where it was not.
  const std::optional<cuda::geometry>& launched() const { return launched_; }
  /// How many blocks of the loaded kernel can be resident at once.
  cuda::residency resident(const cuda::geometry& g);
  /// Whether what would be refused shall be launched all the same, under the watchdog.
  bool runs_refused() const { return run_refused_; }
  /// Runs the loaded kernel, which `once` launches and waits for, until the SM clock no longer
  /// rises, half a second at most; once a lab.
  void warm_up(const std::function<void()>& once);
  void warm_up(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
               std::size_t samples);

  /// Global memory of at least `bytes`, kept until more is asked for. Throws ptxlab::error where it
  /// is more than half of the device's.
  CUdeviceptr memory(std::uint64_t bytes);
  cuda::module& loaded();
  /// The bytes of the cubin that was loaded.
  const std::string& image() const { return image_; }

 private:
  /// How far the blocks are, also while they run; nothing where that cannot be copied.
  std::optional<device::watch> watched();

  std::chrono::milliseconds deadline_;
  bool run_refused_;
  cuda::context context_;
  cuda::nvml nvml_;
  cuda::stream stream_;
  std::unique_ptr<cuda::module> module_;
  std::string symbol_, image_;
  std::unique_ptr<cuda::buffer<std::uint64_t>> operands_;
  std::unique_ptr<cuda::buffer<sample>> samples_;
  std::unique_ptr<cuda::buffer<unsigned char>> scratch_, memory_;
  std::unique_ptr<cuda::host_copy<std::uint32_t>> sight_;
  CUdeviceptr seen_from_ = 0;
  cuda::stream beside_;  ///< for copies while a kernel runs
  // In memory of the device: with it in the host's, rounds of a barrier were longer and spread
  // wider.
  std::unique_ptr<cuda::buffer<device::watch>> watch_;
  cuda::host_copy<device::watch> watched_{1};
  cuda::shared_with_host<unsigned> go_;
  std::optional<cuda::geometry> launched_;
  std::optional<cuda::kernel> function_;
  std::size_t armed_ = 0;
  bool warm_ = false;
};

/// Passes of each launch that are dropped: they fetch the code.
inline constexpr unsigned cold_passes = 2;

/// The clock64 difference of every pass of region `region` but the cold ones. Throws ptxlab::error
/// for samples that are not there or not in order.
results::series cycles_of(const std::vector<sample>& samples, unsigned region, double length);

/// MHz of the SM clock over a launch: clock64 against globaltimer, from the first sample to the
/// last of the same SM; 0 where the time is too short to tell.
double clock_of(const std::vector<sample>& samples);

}  // namespace ptxlab::bench
