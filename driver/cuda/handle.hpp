// SPDX-License-Identifier: Apache-2.0
// The one owner of a driver object: unique, movable, destroyed in scope.
#pragma once

#include <utility>

namespace ptxlab::cuda {

/// Owns a `T` that `Destroy{}(T)` gives back. A default-constructed T is "nothing". Destroy must
/// not throw: after a sticky error nothing can be given back, and the process ends soon anyway.
template <typename T, typename Destroy>
class unique_handle {
 public:
  unique_handle() = default;
  explicit unique_handle(T value) : value_(value) {}
  unique_handle(unique_handle&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  unique_handle& operator=(unique_handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~unique_handle() {
    if (value_ != T{}) Destroy{}(value_);
  }
  T get() const { return value_; }
  explicit operator bool() const { return value_ != T{}; }

 private:
  T value_{};
};

}  // namespace ptxlab::cuda
