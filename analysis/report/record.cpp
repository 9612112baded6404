// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

class record_parser {
 public:
  record_parser(std::string_view text, const std::string& where) : text_(text), where_(where) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark, as spreadsheets write
  }

  std::vector<record> all() {
    std::vector<record> out;
    while (at_ < text_.size()) {
      record r{line_, {}};
      do r.fields.push_back(field());
      while (take(','));
      take('\r');
      if (at_ < text_.size() && !take('\n'))
        fail("a carriage return inside a field without quotes");
      ++line_;
      if (r.fields.size() > 1 || !r.fields.front().empty()) out.push_back(std::move(r));
    }
    return out;
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(const char* why) const {
    throw error(fmt::format("{}:{}: {}", where_, line_, why));
  }

  std::string field() {
    if (take('"')) return quoted();
    const auto end = std::min(text_.find_first_of(",\r\n\"", at_), text_.size());
    std::string out(text_.substr(at_, end - at_));
    at_ = end;
    if (at_ < text_.size() && text_[at_] == '"') fail("a quote inside a field without quotes");
    return out;
  }

  std::string quoted() {
    std::string out;
    const int first = line_;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '"') {
          out += '"';
          continue;
        }
        if (at_ < text_.size() && std::string_view(",\r\n").find(text_[at_]) == std::string::npos)
          fail("text behind a closing quote");
        return out;
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      out += text_[at_];
    }
    line_ = first;
    fail("a quote that is not closed");
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<record> parse_records(std::string_view text, const std::string& where) {
  return record_parser(text, where).all();
}

std::string record_text(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      out += fields[i];
      continue;
    }
    out += '"';
    for (const char c : fields[i]) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\r\n";
}

std::vector<named_record> read_records(const std::filesystem::path& path,
                                       const std::vector<std::string>& columns) {
  const std::vector<record> all = parse_records(toolchain::read_file(path), path.string());
  if (all.empty()) throw error(fmt::format("{}: the file is empty", path.string()));
  const std::vector<std::string>& names = all.front().fields;
  for (const std::string& c : columns)
    if (std::find(names.begin(), names.end(), c) == names.end())
      throw error(fmt::format("{}: no column '{}'", path.string(), c));
  std::vector<named_record> out;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const record& r = all[i];
    if (r.fields.size() != names.size())
      throw error(fmt::format("{}:{}: {} fields for {} columns", path.string(), r.line,
                              r.fields.size(), names.size()));
    named_record n{r.line, {}};
    for (std::size_t c = 0; c < names.size(); ++c) n.fields[names[c]] = r.fields[c];
    out.push_back(std::move(n));
  }
  return out;
}

}  // namespace ptxlab::report
