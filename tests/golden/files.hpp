// SPDX-License-Identifier: Apache-2.0
// The files of the recorder: whole texts, cubins, and the dump with all results of all cases.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tests/golden/archive.hpp"

namespace ptxlab::golden {

/// Throw ptxlab::error, with the path.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view text);

/// All results, to see in which tuples a case differs. Of each case: its name, a blank, the number
/// of words, a line feed, and the words as the host has them.
class dump_writer {
 public:
  explicit dump_writer(const std::filesystem::path& path);
  void add(const golden_case& c, std::span<const std::uint64_t> words);

 private:
  std::ofstream out_;
};
std::map<std::string, result_words, std::less<>> read_dump(const std::filesystem::path& path);

}  // namespace ptxlab::golden
