// SPDX-License-Identifier: Apache-2.0
// Tells directives, misspelt directives and everything else apart, line by line.
#include "analysis/verdict/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::verdict {

namespace {

constexpr std::string_view directive = "EXPECT";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_word(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::size_t skip_blanks(std::string_view s, std::size_t at) {
  while (at < s.size() && is_blank(s[at])) ++at;
  return at;
}

/// Position after the bracket that closes the one at `at`, or npos.
std::size_t after_closing(std::string_view s, std::size_t at, char open, char close) {
  for (int depth = 0; at < s.size(); ++at) {
    if (s[at] == open) ++depth;
    if (s[at] == close && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// What follows a word: `full` is [..](..): with blanks allowed anywhere, `code` a macro call or
/// another use in a program, `broken` brackets followed by something else or never closed.
enum class tail { nothing, full, code, broken };

tail classify(std::string_view s) {
  std::size_t at = skip_blanks(s, 0);
  if (at == s.size() || (s[at] != '(' && s[at] != '[')) return tail::nothing;
  if (s[at] == '[') {
    at = after_closing(s, at, '[', ']');
    if (at == std::string_view::npos) return tail::broken;
    at = skip_blanks(s, at);
    if (at == s.size() || s[at] != '(') return tail::broken;
  }
  at = after_closing(s, at, '(', ')');
  if (at == std::string_view::npos) return tail::broken;
  at = skip_blanks(s, at);
  if (at == s.size()) return tail::code;
  if (s[at] == ':') return tail::full;
  return std::string_view(";,).&|{}=?").find(s[at]) != std::string_view::npos ? tail::code
                                                                              : tail::broken;
}

/// A place on the line where a directive may stand.
struct start {
  std::size_t at = 0;
  bool commented = false;
};

std::vector<start> starts(std::string_view line) {
  constexpr std::string_view marks = "/#;*%!-<>";
  std::vector<start> out;
  const std::size_t begin = skip_blanks(line, 0);
  std::size_t at = begin;
  while (at < line.size() && marks.find(line[at]) != std::string_view::npos) ++at;
  const bool commented = at > begin;
  out.push_back({skip_blanks(line, at), commented});
  for (std::size_t i = at + 1; i + 1 < line.size(); ++i) {
    const bool slashes = line[i] == '/' && (line[i + 1] == '/' || line[i + 1] == '*');
    const bool hash = line[i] == '#' && is_blank(line[i - 1]);
    if (!slashes && !hash) continue;
    while (i < line.size() && marks.find(line[i]) != std::string_view::npos) ++i;
    out.push_back({skip_blanks(line, i), true});
  }
  return out;
}

class line_scanner {
 public:
  line_scanner(std::string_view line, const std::string& file, int number)
      : line_(line), file_(file), number_(number) {}

  std::optional<expectation> scan() const {
    const std::vector<start> all = starts(line_);
    for (const start& s : all) {
      if (is_directive(s)) return parse_line(without_comment_end(s.at), here(s.at));
    }
    for (const start& s : all) {
      if (s.commented) reject_hidden(s.at);
    }
    return std::nullopt;
  }

 private:
  place here(std::size_t at) const { return {file_, number_, static_cast<int>(at) + 1}; }

  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    throw error(fmt::format("{}: {}", describe(here(at)), message));
  }

  std::string_view without_comment_end(std::size_t at) const {
    std::string_view text = line_.substr(at);
    for (bool again = true; again;) {
      while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
      again = false;
      for (const std::string_view end : {std::string_view("*/"), std::string_view("-->")}) {
        if (!text.ends_with(end)) continue;
        text.remove_suffix(end.size());
        again = true;
      }
    }
    return text;
  }

  /// False for anything that is no directive; throws for a misspelt one.
  bool is_directive(const start& s) const {
    std::size_t end = s.at;
    while (end < line_.size() && is_word(line_[end])) ++end;
    const std::string_view word = line_.substr(s.at, end - s.at);
    const std::string_view rest = line_.substr(end);
    const tail after = classify(rest);
    if (word == directive) {
      if (rest.starts_with(':')) return true;
      if (after == tail::nothing) return false;
      return s.commented || after == tail::full || (after == tail::broken && !is_blank(rest[0]));
    }
    if (looks_misspelt(word, after, !rest.empty() && is_blank(rest[0]))) {
      fail(s.at, fmt::format("misspelt directive '{}': write EXPECT(kernel): clauses", word));
    }
    return false;
  }

  /// "Expected (in most cases): ..." is prose; `EXPCT(k): ...`, `EXPECT-NOT(k): ...` are not.
  static bool looks_misspelt(std::string_view word, tail after, bool blank) {
    constexpr std::size_t longest = 32;
    if (word.empty() || word.size() > longest) return false;
    if (after == tail::nothing || after == tail::code) return false;
    std::string upper(word);
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const bool close = edit_distance(upper, directive) <= 2;
    if (upper == word) return close || (after == tail::full && word.starts_with(directive));
    return close && after == tail::full && !blank;
  }

  /// A directive behind other words of a comment would be skipped without a word.
  void reject_hidden(std::size_t from) const {
    for (std::size_t at = line_.find(directive, from); at != std::string_view::npos;
         at = line_.find(directive, at + 1)) {
      const std::string_view rest = line_.substr(at + directive.size());
      const bool open = rest.starts_with('(') || rest.starts_with('[');
      if (at > from && is_blank(line_[at - 1]) && open && classify(rest) == tail::full) {
        fail(at, "EXPECT has to be the first word of its comment (quote it if it is prose)");
      }
    }
  }

  std::string_view line_;
  const std::string& file_;
  int number_;
};

}  // namespace

std::vector<expectation> scan_text(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.find('\0') != std::string_view::npos) {
    throw error(fmt::format("{}: not a text file, so no EXPECT lines can be read from it", file));
  }
  std::vector<expectation> out;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (auto e = line_scanner(line, file, number).scan()) out.push_back(std::move(*e));
  }
  return out;
}

std::vector<expectation> scan_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw error(fmt::format("{}: is a directory", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw error(fmt::format("{}: cannot be opened", path));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw error(fmt::format("{}: cannot be read", path));
  return scan_text(text, path);
}

}  // namespace ptxlab::verdict
