// SPDX-License-Identifier: Apache-2.0
// Files as the toolchain handles them: read whole, written so that nobody sees half of one, and
// folders that vanish with their owner.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ptxlab::toolchain {

/// The whole content. Throws error ("PATH: reason") for a missing or unreadable file or a folder.
std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary beside `path` and renames it, so that a reader sees the old content or the
/// new one. Throws error naming `path`; then the old content is still there.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A new folder below $TMPDIR (else /tmp), removed with all it holds. Not copyable.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ptxlab::toolchain
