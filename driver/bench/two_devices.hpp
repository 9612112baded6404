// SPDX-License-Identifier: Apache-2.0
// Two GPUs of one host: the one that is measured, another one that it can reach, and memory of
// either and of the host that kernels of both address alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/bench/lab.hpp"

namespace ptxlab::bench {

/// Whose memory a word lies in, as the measured GPU sees it.
enum class place { own, peer, host };
const char* name(place p);

/// The first other device that `first` can reach and that can reach it, by its number.
std::optional<int> peer_of(const cuda::device& first);

/// Why nothing can be measured between two GPUs here: one line.
std::string no_peer_reason(const cuda::device& first);

class two_devices {
 public:
  /// Opens device `other` beside that of `first`, and gives each access to the other's memory;
  /// `bytes` of each, and 2 MiB of the host's. The context of `first` is current afterwards, and
  /// after every call. Throws ptxlab::error.
  two_devices(lab& first, int other, std::uint64_t bytes);
  ~two_devices();
  two_devices(const two_devices&) = delete;
  two_devices& operator=(const two_devices&) = delete;

  const cuda::device& other() const { return other_.on(); }

  /// Of the memory of each place the first 2 MiB, zeroed by `clear`.
  static constexpr std::uint64_t cleared_bytes = 1 << 21;
  CUdeviceptr at(place p, std::uint64_t offset = 0) const;
  /// The host's memory at a byte offset, for the host itself.
  std::uint32_t* host(std::uint64_t offset) const;
  void clear();

  /// Loads on the other device the cubin that `first` has, and gets `symbol` ready to be launched
  /// with these operands; to be called before anything spins, since it allocates.
  void arm_other(std::string_view symbol, const cuda::geometry& g,
                 const std::vector<std::uint64_t>& operands, std::size_t samples);
  void queue_other(const cuda::geometry& g);
  /// Throws bench::hang where it does not end within its deadline.
  void wait_other();
  std::vector<sample> collect_other();

 private:
  /// Runs `what` with the other device's context current.
  void there(const std::function<void()>& what);

  lab& first_;
  cuda::context here_, other_;
  std::unique_ptr<lab> second_;
  std::string loaded_;
  std::unique_ptr<cuda::buffer<unsigned char>> own_, peer_;
  struct words {
    std::uint32_t word[cleared_bytes / sizeof(std::uint32_t)];
  };
  std::unique_ptr<cuda::shared_with_host<words>> host_;
};

}  // namespace ptxlab::bench
