// SPDX-License-Identifier: Apache-2.0
// Memory on the device, typed.
#pragma once

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "driver/cuda/check.hpp"
#include "driver/cuda/handle.hpp"
#include "driver/cuda/library.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::cuda {

struct free_memory {
  void operator()(CUdeviceptr p) const { library::get().cuMemFree(p); }
};

/// `count` elements of T in device memory, zeroed.
template <typename T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit buffer(std::size_t count) : count_(count) {
    CUdeviceptr p{};
    check(library::get().cuMemAlloc(&p, bytes()), "cuMemAlloc", identify());
    memory_ = unique_handle<CUdeviceptr, free_memory>(p);
    clear();
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  CUdeviceptr address() const { return memory_.get(); }

  void clear() {
    check(library::get().cuMemsetD8(address(), 0, bytes()), "cuMemsetD8", identify());
  }
  /// Copies `from` to the start of the buffer; throws ptxlab::error if it does not fit.
  void upload(const std::vector<T>& from) {
    if (from.size() > count_)
      throw error(fmt::format("{} elements do not fit {}", from.size(), identify()));
    check(library::get().cuMemcpyHtoD(address(), from.data(), from.size() * sizeof(T)),
          "cuMemcpyHtoD", identify());
  }
  std::vector<T> download() const {
    std::vector<T> out(count_);
    check(library::get().cuMemcpyDtoH(out.data(), address(), bytes()), "cuMemcpyDtoH", identify());
    return out;
  }

 private:
  std::string identify() const { return fmt::format("a buffer of {} bytes", bytes()); }

  std::size_t count_;
  unique_handle<CUdeviceptr, free_memory> memory_;
};

/// Sets `bytes` bytes at `at` to `value`.
inline void fill(CUdeviceptr at, unsigned char value, std::size_t bytes) {
  check(library::get().cuMemsetD8(at, value, bytes), "cuMemsetD8", fmt::format("{} bytes", bytes));
}

template <typename T>
void upload(CUdeviceptr to, const std::vector<T>& from) {
  static_assert(std::is_trivially_copyable_v<T>);
  check(library::get().cuMemcpyHtoD(to, from.data(), from.size() * sizeof(T)), "cuMemcpyHtoD",
        fmt::format("{} elements", from.size()));
}

template <typename T>
std::vector<T> download(CUdeviceptr from, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> out(count);
  check(library::get().cuMemcpyDtoH(out.data(), from, count * sizeof(T)), "cuMemcpyDtoH",
        fmt::format("{} elements", count));
  return out;
}

/// Queues a copy on the device, where all others but those of a stream of their own queue too.
inline void copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  check(library::get().cuMemcpyDtoDAsync(to, from, bytes, nullptr), "cuMemcpyDtoDAsync",
        fmt::format("{} bytes", bytes));
}

/// Fills `count` elements at `to` with `period`, which is not empty, again and again.
template <typename T>
void upload_repeated(CUdeviceptr to, const std::vector<T>& period, std::size_t count) {
  const std::size_t first = std::min(period.size(), count);
  upload(to, std::vector<T>(period.begin(), period.begin() + static_cast<std::ptrdiff_t>(first)));
  for (std::size_t have = first; have < count; have *= 2)
    copy(to + have * sizeof(T), to, std::min(have, count - have) * sizeof(T));
}

/// Queues a copy of `from`, which has to outlive it, on `s`.
template <typename T>
void upload(CUdeviceptr to, const std::vector<T>& from, const stream& s) {
  static_assert(std::is_trivially_copyable_v<T>);
  check(library::get().cuMemcpyHtoDAsync(to, from.data(), from.size() * sizeof(T), s.handle()),
        "cuMemcpyHtoDAsync", fmt::format("{} elements", from.size()));
}

struct free_host_memory {
  void operator()(void* p) const { library::get().cuMemFreeHost(p); }
};

/// `count` elements of T in host memory that the device copies to while the host goes on.
template <typename T>
class host_copy {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit host_copy(std::size_t count) : count_(count) {
    void* p = nullptr;
    check(library::get().cuMemHostAlloc(&p, count * sizeof(T), 0), "cuMemHostAlloc",
          fmt::format("{} elements", count));
    memory_ = unique_handle<void*, free_host_memory>(p);
  }
  std::size_t size() const { return count_; }
  /// Queues the copy on `s`.
  void take(CUdeviceptr from, const stream& s) {
    check(library::get().cuMemcpyDtoHAsync(memory_.get(), from, count_ * sizeof(T), s.handle()),
          "cuMemcpyDtoHAsync");
  }
  /// What was copied.
  std::vector<T> elements() const {
    const auto* first = static_cast<const T*>(memory_.get());
    return {first, first + count_};
  }

 private:
  std::size_t count_;
  unique_handle<void*, free_host_memory> memory_;
};

/// One T in host memory that kernels can read and write while they run.
template <typename T>
class shared_with_host {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  shared_with_host() {
    void* p = nullptr;
    check(library::get().cuMemHostAlloc(&p, sizeof(T), CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc");
    memory_ = unique_handle<void*, free_host_memory>(p);
    check(library::get().cuMemHostGetDevicePointer(&address_, p, 0), "cuMemHostGetDevicePointer");
    **this = {};
  }
  T& operator*() const { return *static_cast<T*>(memory_.get()); }
  T* operator->() const { return &**this; }
  /// Its address for kernels.
  CUdeviceptr address() const { return address_; }

 private:
  unique_handle<void*, free_host_memory> memory_;
  CUdeviceptr address_{};
};

}  // namespace ptxlab::cuda
