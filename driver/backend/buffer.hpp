// SPDX-License-Identifier: Apache-2.0
// Memory of a backend as elements of one type, given back when it goes out of scope.
#pragma once

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/backend/backend.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::harness {

/// `count` elements of T, undefined until they are written. The backend must outlive it.
template <typename T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer(backend& on, std::size_t count, std::string name)
      : on_(&on), count_(count), name_(std::move(name)), at_(on.allocate(bytes(), name_)) {}
  buffer(backend& on, const std::vector<T>& values, std::string name)
      : buffer(on, values.size(), std::move(name)) {
    upload(values);
  }
  buffer(buffer&& other) noexcept
      : on_(std::exchange(other.on_, nullptr)),
        count_(other.count_),
        name_(std::move(other.name_)),
        at_(other.at_) {}
  buffer& operator=(buffer&&) = delete;
  ~buffer() {
    if (on_ == nullptr) return;
    try {
      on_->release(at_);
    } catch (const error&) {  // after a fault of a GPU nothing can be given back
    }
  }

  std::size_t size() const { return count_; }
  std::uint64_t bytes() const { return std::uint64_t{count_} * sizeof(T); }
  device_address address() const { return at_; }

  /// Copies `from` to its start. Throws ptxlab::error if it does not fit.
  void upload(const std::vector<T>& from) {
    if (from.size() > count_)
      throw error(fmt::format("{} elements do not fit the {} of '{}'", from.size(), count_, name_));
    on_->copy_to(at_, std::as_bytes(std::span(from)));
  }
  std::vector<T> download() const {
    std::vector<T> out(count_);
    on_->copy_from(std::as_writable_bytes(std::span(out)), at_);
    return out;
  }

 private:
  backend* on_;
  std::size_t count_;
  std::string name_;
  device_address at_;
};

}  // namespace ptxlab::harness
