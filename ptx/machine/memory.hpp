// SPDX-License-Identifier: Apache-2.0
// The device memory of the machine: named allocations in one range of addresses, with gaps between
// them, so that an access outside of all of them is seen and named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

struct allocation {
  std::string name;
  address begin = 0;
  std::uint64_t bytes = 0;
  bool live = true;
  bool constant = false;
  /// One bit per byte that was written, where that is tracked; else empty.
  std::vector<std::uint64_t> written;
  address end() const { return begin + bytes; }
};

class memory {
 public:
  /// `capacity` is what can be allocated in all, in bytes; host memory is taken as it is touched.
  explicit memory(std::uint64_t capacity = std::uint64_t{16} << 30);
  ~memory();
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  /// Zeroed bytes at an address that is a multiple of 256, never used before. Throws ptxlab::error
  /// when the capacity does not suffice. Of 0 bytes: an address of its own that nothing may access.
  address allocate(std::uint64_t bytes, std::string name, bool constant = false);
  /// Ends the life of what was allocated at `begin`. Throws for any other address.
  void release(address begin);

  /// The allocation, live or not, that holds `at`; null if none does.
  const allocation* find(address at) const;
  /// Where the bytes at `at` lie on the host; `at` must be inside of an allocation.
  std::byte* host(address at) const { return base_ + (at - first_); }
  /// Copies into and out of a live allocation. Throw ptxlab::error for a range outside of one.
  void write(address to, std::span<const std::byte> from);
  void read(std::span<std::byte> to, address from) const;
  void fill(address to, std::byte value, std::uint64_t bytes);

  /// From now on, allocations know which of their bytes were written.
  void track_writes(bool on) { tracking_ = on; }
  bool tracks_writes() const { return tracking_; }
  void mark_written(address at, std::uint64_t bytes);
  bool was_written(address at, std::uint64_t bytes) const;

  /// "4 bytes behind 'out' (1024 bytes)", "inside 'in', which was freed", ... for an access that
  /// `find` or the allocation's bounds refuse.
  std::string explain(address at, std::uint64_t bytes) const;
  named_place place(address at) const;
  std::uint64_t used() const { return next_ - first_; }
  std::uint64_t capacity() const { return capacity_; }

 private:
  allocation* writable(address at);
  const allocation& range(address at, std::uint64_t bytes) const;

  std::deque<allocation> all_;  ///< ascending; they stay where they are
  std::byte* base_ = nullptr;
  address first_ = 0, next_ = 0;
  std::uint64_t capacity_ = 0;
  bool tracking_ = false;
};

}  // namespace ptxlab::machine
