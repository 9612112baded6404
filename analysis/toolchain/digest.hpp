// SPDX-License-Identifier: Apache-2.0
// The 128-bit hash (XXH3) by which builds, their inputs and the tools themselves are told apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ptxlab::toolchain {

struct digest {
  std::uint64_t high = 0, low = 0;

  /// 32 hexadecimal digits.
  std::string hex() const;
  bool operator==(const digest&) const = default;
};

/// Hash of one string.
digest digest_of(std::string_view content);

/// Hash of a sequence of strings; ("ab", "c") and ("a", "bc") differ.
class hasher {
 public:
  hasher();
  ~hasher();
  hasher(const hasher&) = delete;
  hasher& operator=(const hasher&) = delete;

  hasher& add(std::string_view part);
  digest finish() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// "PATH SIZE MTIME_NS" of a file, or "PATH absent": changes when the file is replaced, without
/// reading it.
std::string file_stamp(const std::filesystem::path& path);

}  // namespace ptxlab::toolchain
