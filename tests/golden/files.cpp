// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/files.hpp"

#include <fmt/format.h>

#include <iterator>

#include "ptx/text/error.hpp"

namespace ptxlab::golden {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error(fmt::format("{} cannot be read", path.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw error(fmt::format("{} cannot be written", path.string()));
}

dump_writer::dump_writer(const std::filesystem::path& path) : out_(path, std::ios::binary) {
  if (!out_) throw error(fmt::format("{} cannot be written", path.string()));
}

void dump_writer::add(const golden_case& c, std::span<const std::uint64_t> words) {
  out_ << fmt::format("{} {}\n", c.name, words.size());
  out_.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size_bytes()));
}

std::map<std::string, result_words, std::less<>> read_dump(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error(fmt::format("{} cannot be read", path.string()));
  std::map<std::string, result_words, std::less<>> out;
  std::string name;
  std::size_t count = 0;
  while (in >> name >> count) {
    in.ignore(1);
    result_words words(std::min(count, std::size_t{1} << 20));
    in.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
    if (!in || words.size() != count)
      throw error(fmt::format("{}: ends within '{}'", path.string(), name));
    out.emplace(std::move(name), std::move(words));
  }
  return out;
}

}  // namespace ptxlab::golden
