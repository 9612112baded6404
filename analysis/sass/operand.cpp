// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/operand.hpp"

#include <charconv>

namespace ptxlab::sass {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads a register name at the front of `text` and removes it.
bool take_register(std::string_view& text, register_use& out) {
  std::string_view t = text;
  const bool uniform = t.size() > 1 && t[0] == 'U' && (t[1] == 'R' || t[1] == 'P');
  if (uniform) t.remove_prefix(1);
  if (t.size() < 2) return false;
  switch (t[0]) {
    case 'R':
      out.file = uniform ? register_file::uniform : register_file::gpr;
      break;
    case 'P':
      out.file = uniform ? register_file::uniform_predicate : register_file::predicate;
      break;
    case 'B':
      out.file = register_file::barrier;
      break;
    default:
      return false;
  }
  t.remove_prefix(1);
  const char mark = out.is_predicate() ? 'T' : 'Z';
  if (t[0] == mark && out.file != register_file::barrier) {
    out.zero = true;
    t.remove_prefix(1);
  } else {
    if (!digit(t[0])) return false;
    unsigned index = 0;
    const auto [end, problem] = std::from_chars(t.data(), t.data() + t.size(), index);
    const unsigned limit = out.is_predicate() ? 7 : out.file == register_file::barrier ? 16 : 255;
    if (problem != std::errc() || index >= limit) return false;
    out.index = static_cast<std::uint16_t>(index);
    t.remove_prefix(static_cast<std::size_t>(end - t.data()));
  }
  if (!t.empty() && t[0] != '.' && t[0] != '|' && t[0] != '+' && t[0] != '-') return false;
  text = t;
  return true;
}

void read_suffixes(std::string_view suffixes, register_use& r) {
  if (suffixes.find(".64") != std::string_view::npos) r.wide = true;
  for (const std::string_view s : {".U32", ".S32", ".X4", ".X8", ".X16"})
    if (suffixes.find(s) != std::string_view::npos) r.narrow = true;
}

// A whole token that is a register with signs and suffixes.
bool read_register(std::string_view text, register_use& out) {
  while (!text.empty() && (text[0] == '-' || text[0] == '!' || text[0] == '~' || text[0] == '|')) {
    out.altered = true;
    text.remove_prefix(1);
  }
  if (!take_register(text, out)) return false;
  read_suffixes(text, out);
  return true;
}

bool read_hex(std::string_view text, std::int64_t& out) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (!text.starts_with("0x") || text.size() < 3) return false;
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (problem != std::errc() || end != text.data() + text.size()) return false;
  out = static_cast<std::int64_t>(negative ? 0 - value : value);
  return true;
}

// The inside of a bracket: registers and one offset joined by '+'.
void read_address(std::string_view inside, operand& o) {
  while (!inside.empty()) {
    const std::size_t plus = inside.find('+');
    const std::string_view part = inside.substr(0, plus);
    inside = plus == std::string_view::npos ? std::string_view() : inside.substr(plus + 1);
    register_use r;
    std::int64_t value = 0;
    if (read_hex(part, value)) {
      o.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(o.value) +
                                          static_cast<std::uint64_t>(value));
    } else if (o.parts < o.address.size() && read_register(part, r)) {
      o.address[o.parts++] = r;
    }
  }
}

// "[R2+0x4]", "desc[UR4][R2.64]", "c[0x0][0x160]", "cx[UR4][0x8]", "gdesc[UR8]".
void read_brackets(std::string_view text, operand& o) {
  o.kind = operand_kind::memory;
  const std::size_t open = text.find('[');
  std::string_view prefix = text.substr(0, open);
  while (!prefix.empty() && (prefix[0] == '-' || prefix[0] == '|' || prefix[0] == '~'))
    prefix.remove_prefix(1);
  std::string_view groups[2];
  int count = 0;
  for (std::size_t at = open; at != std::string_view::npos && count < 2;) {
    const std::size_t close = text.find(']', at);
    if (close == std::string_view::npos) break;
    groups[count++] = text.substr(at + 1, close - at - 1);
    at = close + 1 < text.size() && text[close + 1] == '[' ? close + 1 : std::string_view::npos;
  }
  if (prefix == "c" || prefix == "cx") {
    o.kind = operand_kind::constant;
    std::int64_t bank = 0;
    if (count == 1) {  // "c[R0+(symbol+-0x8000)]" of a relocatable cubin
      read_address(groups[0], o);
    } else if (read_hex(groups[0], bank)) {
      o.bank = static_cast<std::uint8_t>(bank);
    } else {
      o.has_descriptor = read_register(groups[0], o.descriptor);
    }
    if (count == 2) read_address(groups[1], o);
  } else if (count == 2 || (!prefix.empty() && prefix != "tmem")) {
    o.has_descriptor = read_register(groups[0], o.descriptor);
    read_address(groups[1], o);
  } else {
    read_address(groups[0], o);
  }
}

void read_operand(std::string_view text, operand& o) {
  o = operand{};
  o.text = text;
  if (text.empty()) return;
  if (text.find('[') != std::string_view::npos) {
    read_brackets(text, o);
  } else if (read_register(text, o.reg)) {
    o.kind = operand_kind::reg;
  } else if (read_hex(text, o.value)) {
    o.kind = operand_kind::integer;
  } else if (text.starts_with("SR")) {
    o.kind = operand_kind::special;
  } else {
    const char c = text[0] == '-' || text[0] == '+' ? (text.size() > 1 ? text[1] : '0') : text[0];
    o.kind = digit(c) || text.ends_with("INF") || text.ends_with("NAN") ? operand_kind::number
                                                                        : operand_kind::other;
  }
}

}  // namespace

std::span<const operand> parse_operands(std::string_view text, operand_list& out) {
  std::size_t count = 0;
  while (!text.empty() && count < out.size()) {
    std::size_t end = 0;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end) {
      if (text[end] == '[' || text[end] == '(') ++depth;
      if (text[end] == ']' || text[end] == ')') --depth;
    }
    read_operand(text.substr(0, end), out[count++]);
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
  return {out.data(), count};
}

}  // namespace ptxlab::sass
