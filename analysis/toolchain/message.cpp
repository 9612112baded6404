// SPDX-License-Identifier: Apache-2.0
// Forms of messages seen with CUDA 13.0.88 and g++ 12; an unknown form is shown as it is.
#include "analysis/toolchain/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

namespace ptxlab::toolchain {
namespace {

constexpr std::size_t max_lines = 6;
constexpr std::size_t max_line_bytes = 400;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string renamed(std::string line, const renames& names) {
  for (const auto& [seen, known] : names) {
    if (seen.empty()) continue;
    for (std::size_t at = 0; (at = line.find(seen, at)) != std::string::npos; at += known.size()) {
      line.replace(at, seen.size(), known);
    }
  }
  return line;
}

// Message text goes to a terminal: control characters and endless lines do not.
std::string presentable(std::string line) {
  for (char& letter : line) {
    if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = ' ';
  }
  if (line.size() > max_line_bytes) line = line.substr(0, max_line_bytes) + "...";
  return line;
}

// The rest of `line` behind its first `prefix`, or nothing if it holds none.
std::optional<std::string_view> after(std::string_view line, std::string_view prefix) {
  const auto at = line.find(prefix);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + prefix.size());
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text;
}

// "WORD :", "WORD #20-D:", "WORD error:"; hand-written, since std::regex recurses on long lines.
bool has_with_colon(std::string_view line, std::string_view word) {
  for (auto rest = after(line, word); rest; rest = after(*rest, word)) {
    std::string_view tail = without_blanks(*rest);
    if (tail.starts_with("error")) tail = without_blanks(tail.substr(5));
    if (tail.starts_with('#')) tail = tail.substr(std::min(tail.find_first_of(": "), tail.size()));
    if (without_blanks(tail).starts_with(':')) return true;
  }
  return false;
}

bool states_error(std::string_view line) {
  // "Ptx assembly aborted" and "compilation terminated" follow the error proper.
  if (line.find("aborted due to errors") != std::string_view::npos) return false;
  return has_with_colon(line, "error") || has_with_colon(line, "fatal") ||
         line.ends_with(": No such file or directory");
}

std::string joined(const std::vector<std::string>& lines, std::size_t total) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + presentable(line);
  if (total > lines.size()) text += fmt::format("\n... and {} more", total - lines.size());
  return text;
}

std::string operand_of(std::string_view ptx, std::string_view directive) {
  bool in_comment = false;
  for (const std::string& line :
       lines_of(ptx.substr(0, std::min<std::size_t>(ptx.size(), 65536)))) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const std::string_view rest = std::string_view(line).substr(first);
    if (rest.starts_with("/*")) in_comment = true;
    if (in_comment) {
      in_comment = rest.find("*/") == std::string_view::npos;
      continue;
    }
    if (!rest.starts_with(directive)) continue;
    std::string_view operand = rest.substr(directive.size());
    operand.remove_prefix(std::min(operand.find_first_not_of(" \t"), operand.size()));
    return std::string(operand.substr(0, operand.find_first_of(", \t\r;/")));
  }
  return {};
}

// Takes a number off the front of `text`; empty if there is none.
std::string take_number(std::string_view& text) {
  text = without_blanks(text);
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string number(text.substr(0, end));
  text.remove_prefix(end);
  return number;
}

// "FILE:LINE" of the `.loc` that stands nearest before PTX line `number`; empty if there is none.
std::string source_of(std::string_view ptx, int number, const std::string& file) {
  std::map<std::string, std::string> files;
  std::pair<std::string, std::string> last;
  int at = 0;
  for (const std::string& line : lines_of(ptx)) {
    std::string_view text = without_blanks(line);
    if (++at <= number && text.starts_with(".loc")) {
      text.remove_prefix(4);
      last.first = take_number(text);
      last.second = take_number(text);
    } else if (text.starts_with(".file")) {
      text.remove_prefix(5);
      const std::string id = take_number(text);
      const auto name = after(text, "\"").value_or("");
      files.emplace(id, name.substr(0, name.find('"')));
    }
  }
  const auto name = files.find(last.first);
  if (name == files.end() || last.second.empty()) return "";
  // nvcc writes absolute paths; the user knows the file by the name given.
  const bool same = std::filesystem::absolute(file).lexically_normal() == name->second;
  return fmt::format("{}:{}", same ? file : name->second, last.second);
}

// One error line of ptxas: "ptxas a.ptx, line 9; error   : text", or without a place.
std::string ptxas_line(const std::string& line, std::string_view ptx, const std::string& file,
                       bool generated) {
  if (!line.starts_with("ptxas ")) return line;
  const auto colon = line.find(": ");
  const std::string message = colon == std::string::npos ? line : line.substr(colon + 2);
  auto place = after(line, ", line ");
  const std::string number = place ? take_number(*place) : "";
  if (number.empty() || number.size() > 9) return fmt::format("{}: ptxas: {}", file, message);
  const std::string text(without_blanks(after(*place, ":").value_or(message)));
  const std::string source = generated ? source_of(ptx, std::atoi(number.c_str()), file) : "";
  if (source.empty()) return fmt::format("{}:{}: ptxas: {}", file, number, text);
  return fmt::format("{}: ptxas: {} (line {} of the PTX)", source, text, number);
}

int architecture_number(const std::string& arch) {
  const auto digit = arch.find_first_of("0123456789");
  return digit == std::string::npos ? 0 : std::atoi(arch.c_str() + digit);
}

}  // namespace

std::string ptx_target(std::string_view ptx) {
  return operand_of(ptx, ".target");
}

std::string ptx_version(std::string_view ptx) {
  return operand_of(ptx, ".version");
}

std::string compiler_cause(std::string_view printed, const renames& names) {
  std::vector<std::string> errors, any;
  std::size_t total = 0;
  for (const std::string& line : lines_of(printed)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (any.size() < max_lines) any.push_back(renamed(line, names));
    if (!states_error(line)) continue;
    ++total;
    if (errors.size() < max_lines) errors.push_back(renamed(line, names));
  }
  return errors.empty() ? joined(any, any.size()) : joined(errors, total);
}

std::string ptxas_cause(std::string_view printed, std::string_view ptx, const std::string& file,
                        bool generated) {
  std::vector<std::string> errors;
  std::size_t total = 0;
  for (const std::string& line : lines_of(printed)) {
    if (!states_error(line)) continue;
    ++total;
    if (errors.size() >= max_lines) continue;
    errors.push_back(ptxas_line(line, ptx, file, generated));
  }
  return errors.empty() ? compiler_cause(printed, {}) : joined(errors, total);
}

std::string ptxas_explanation(std::string_view printed, std::string_view ptx,
                              const std::string& arch, const std::string& ptxas_version) {
  const std::string target = ptx_target(ptx);
  if (const auto version = after(printed, "Unsupported .version ")) {
    const auto known = after(*version, "current version is '").value_or("?");
    return fmt::format(
        "PTX version {} is newer than ptxas {} reads ({} at most); take a newer toolkit",
        version->substr(0, version->find(';')), ptxas_version, known.substr(0, known.find('\'')));
  }
  if (target.empty()) return {};
  const bool older = after(printed, "SM version specified by .target is higher").has_value();
  const bool other = after(printed, "cannot be compiled to future architecture") ||
                     after(printed, "cannot be compiled for architecture") ||
                     after(printed, "cannot be compiled to different SM-family");
  if (older || (other && architecture_number(arch) < architecture_number(target))) {
    return fmt::format("PTX for {} cannot be assembled for the older {}", target, arch);
  }
  const bool specific = target.ends_with('a'), family = target.ends_with('f');
  if (!other || (!specific && !family)) return {};
  return fmt::format("PTX for {} is {}: it can be assembled for {}, not for {}", target,
                     specific ? "architecture-specific" : "family-specific",
                     specific ? target + " only" : "its family of architectures only", arch);
}

}  // namespace ptxlab::toolchain
