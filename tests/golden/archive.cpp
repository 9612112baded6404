// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/archive.hpp"

#include <fmt/format.h>

#include <charconv>

#include "ptx/text/error.hpp"

namespace ptxlab::golden {
namespace {

std::uint64_t hexadecimal(std::string_view word, std::string_view name, std::size_t line) {
  std::uint64_t x = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), x, 16);
  if (word.empty() || failed != std::errc{} || end != word.data() + word.size())
    throw error(fmt::format("{}:{}: '{}' is no hexadecimal number of 64 bits", name, line, word));
  return x;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (!line.empty()) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    if (blank != 0) out.push_back(line.substr(0, blank));
    line.remove_prefix(std::min(blank + 1, line.size()));
  }
  return out;
}

golden_value read_value(std::span<const std::string_view> words, std::string_view name,
                        std::size_t line) {
  golden_value v;
  if (words[0] == "=") {
    for (const std::string_view w : words.subspan(1)) v.words.push_back(hexadecimal(w, name, line));
    if (v.words.empty() || v.words.size() % tuples != 0)
      throw error(fmt::format("{}:{}: {} results are not those of {} tuples", name, line,
                              v.words.size(), tuples));
    v.digest = digests(v.words);
    return v;
  }
  if (words.size() != quarters)
    throw error(fmt::format("{}:{}: {} digests, where {} are expected", name, line, words.size(),
                            quarters));
  for (std::size_t i = 0; i < quarters; ++i) v.digest[i] = hexadecimal(words[i], name, line);
  return v;
}

}  // namespace

std::string archive_name(part p) {
  return p == part::instructions ? "golden.txt" : fmt::format("golden-{}.txt", name(p));
}

std::array<std::uint64_t, quarters> digests(std::span<const std::uint64_t> words) {
  std::array<std::uint64_t, quarters> out{};
  for (unsigned q = 0; q < quarters; ++q) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (std::size_t first = 0; first < words.size(); first += tuples)
      for (unsigned i = 0; i < tuples / quarters; ++i) {
        h = (h ^ words[first + q * (tuples / quarters) + i]) * 0x9e3779b97f4a7c15;
        h ^= h >> 29;
      }
    out[q] = h;
  }
  return out;
}

golden_value value_of(const golden_case& c, std::span<const std::uint64_t> words) {
  golden_value v;
  v.digest = digests(words);
  if (c.approximate) v.words.assign(words.begin(), words.end());
  return v;
}

std::string to_text(const archive& a) {
  std::string out =
      "# Golden values of PTX instructions: tests/golden/archive.hpp says how to read them.\n";
  for (const auto& [key, value] : a.provenance) out += fmt::format("# {}: {}\n", key, value);
  for (const auto& [name, v] : a.values) {
    out += name;
    if (v.words.empty())
      for (const std::uint64_t d : v.digest) out += fmt::format(" {:016x}", d);
    else
      out += " =";
    for (const std::uint64_t w : v.words) out += fmt::format(" {:x}", w);
    out += '\n';
  }
  return out;
}

archive read_archive(std::string_view text, std::string_view name) {
  archive out;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (whole.starts_with('#')) {
      const std::size_t colon = whole.find(": ");
      if (line > 1 && colon != whole.npos)
        out.provenance.emplace_back(whole.substr(2, colon - 2), whole.substr(colon + 2));
      continue;
    }
    const std::vector<std::string_view> words = words_of(whole);
    if (words.size() < 2) throw error(fmt::format("{}:{}: no case and its values", name, line));
    if (!out.values
             .emplace(std::string(words[0]), read_value(std::span(words).subspan(1), name, line))
             .second)
      throw error(fmt::format("{}:{}: '{}' a second time", name, line, words[0]));
  }
  if (out.values.empty()) throw error(fmt::format("{}: no golden values", name));
  return out;
}

}  // namespace ptxlab::golden
