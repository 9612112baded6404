// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries as rivals: the shared object build/lib/ptxlab_rivals.so, which need not be
// there, and one call of it, made ready to be timed.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "driver/cuda/memory.hpp"
#include "driver/cuda/stream.hpp"
#include "driver/rivals/rivals.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

class rival_library {
 public:
  /// Opens `file`; one that cannot be opened leaves `missing` with the reason.
  explicit rival_library(const std::filesystem::path& file);
  /// The one beside the program, opened once.
  static const rival_library& get();
  /// Why it cannot be used, in one line; empty where it can.
  const std::string& missing() const { return missing_; }
  /// Names and versions. Throws ptxlab::error where it is missing.
  std::string about() const;
  /// Throws ptxlab::error: missing, no such call, or what CUDA said.
  void run(ptxlab_rival_call& call) const;

 private:
  std::string missing_;
  decltype(&ptxlab_rival_run) run_ = nullptr;
  decltype(&ptxlab_rival_message) message_ = nullptr;
  decltype(&ptxlab_rivals_about) about_ = nullptr;
};

/// What a rival works on: see driver/rivals/rivals.hpp.
struct rival_data {
  CUdeviceptr keys = 0, keys_out = 0, values = 0, values_out = 0;
  std::uint64_t n = 0;
};

/// One call with its temporary memory, to be queued again and again.
class rival {
 public:
  /// `who` and `what` as driver/rivals/rivals.hpp has them. Throws as rival_library::run does, and
  /// cuda_error where its temporary memory is not to be had.
  rival(const rival_library& from, std::string who, std::string what, const rival_data& on);
  rival(const rival&) = delete;
  rival& operator=(const rival&) = delete;
  /// Puts it into the stream.
  void queue(const cuda::stream& s);
  /// Whether queue() waits for the device in between: a stream that is held must not see it.
  bool waits() const { return who_ == "thrust"; }
  std::size_t temp_bytes() const { return call_.temp_bytes; }
  /// Of a sum that was queued and is done.
  template <typename T>
  T sum() const {
    if (!waits()) return cuda::download<T>(on_.keys_out, 1).front();
    T out{};
    std::memcpy(&out, &call_.on_host, sizeof out);
    return out;
  }

 private:
  const rival_library& from_;
  std::string who_, what_;
  rival_data on_;
  ptxlab_rival_call call_{};
  std::unique_ptr<cuda::buffer<unsigned char>> temp_;
};

/// "u32", as it stands in what a rival is asked for.
std::string_view name_of(kernels::number n);

}  // namespace ptxlab::bench
