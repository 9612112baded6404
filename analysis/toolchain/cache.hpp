// SPDX-License-Identifier: Apache-2.0
// Build results kept by content. An entry answers only for the very command, tool and inputs it was
// made from; whatever is doubtful about it makes it a miss.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/toolchain/digest.hpp"

namespace ptxlab::toolchain {

/// What a step produced: output name -> bytes.
using record = std::map<std::string, std::string>;

/// Safe for several threads and several processes on one folder. The same limit as with any cache
/// that trusts recorded dependencies: a new header that hides an old one in an earlier include
/// folder is not noticed.
class cache {
 public:
  /// A cache that holds nothing (`--no-cache`).
  cache() = default;

  /// Uses `folder`, makes it if need be. Throws error naming it if nothing can be written there.
  explicit cache(std::filesystem::path folder);

  bool enabled() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  /// A result that depends on nothing but its key.
  std::optional<record> find(const digest& key) const;
  void store(const digest& key, const record& value) const;

  /// A result that depends also on files: found only if every file recorded with it is unchanged,
  /// by size and content; files below a folder of `trusted` (a toolkit, the system's headers:
  /// thousands of files which a package manager replaces) by size and modification time.
  std::optional<record> find_with_files(const digest& key) const;

  /// Nothing is stored if one of `files` changed after the compilation had `begun`.
  void store_with_files(const digest& key, const std::vector<std::string>& files,
                        const std::vector<std::string>& trusted,
                        std::chrono::system_clock::time_point begun, const record& value) const;

  /// Where the cache is, if nobody says otherwise: $PTXLAB_CACHE; for a program in a build folder,
  /// `cache` beside it; else $XDG_CACHE_HOME/ptxlab or ~/.cache/ptxlab. Empty if there is no such
  /// place.
  static std::filesystem::path default_folder(const std::filesystem::path& executable);

 private:
  std::filesystem::path entry_path(const digest& key) const;

  std::filesystem::path folder_;
};

/// Paths of a make rule as `nvcc -MD` writes it: the prerequisites, unescaped. Empty if it is no
/// rule.
std::vector<std::string> parse_dependency_rule(std::string_view rule);

}  // namespace ptxlab::toolchain
