// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ptx/text/error.hpp"

namespace ptxlab::sass {
namespace {

constexpr std::uint32_t bytes_per_instruction = 16;  // sm_70 and later

bool is_name_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '.';
}

// "R0", "URZ", "PT.reuse": a register, in front of "[" therefore an operand of its own and not the
// prefix of a bracket such as "desc[" or "c[".
bool ends_in_register(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && is_name_character(text[at - 1])) --at;
  std::string_view word = text.substr(at);
  if (!word.empty() && word[0] == 'U') word.remove_prefix(1);
  if (word.size() < 2 || (word[0] != 'R' && word[0] != 'P')) return false;
  const char second = word[1];
  return (second >= '0' && second <= '9') || second == 'Z' || second == 'T';
}

// Whether the bracket that closes at the end of `text` stands alone: "[R14]", not "desc[UR4]".
bool ends_in_lone_bracket(std::string_view text) {
  if (!text.ends_with(']')) return false;
  const std::size_t open = text.rfind('[');
  return open != std::string_view::npos && (open == 0 || text[open - 1] == ',');
}

// The last operand where it is a plain hexadecimal number.
std::optional<std::uint32_t> last_address(std::string_view operands) {
  std::string_view last = operands.substr(operands.rfind(',') + 1);
  if (!last.starts_with("0x")) return std::nullopt;
  last.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(last.data(), last.data() + last.size(), value, 16);
  if (problem != std::errc() || end != last.data() + last.size()) return std::nullopt;
  return value;
}

bool names_a_target(const opcode& o) {
  return o.base == "BRA" || o.base == "JMP" || o.base == "BSSY" ||
         (o.base == "WARPSYNC" && o.has("COLLECTIVE"));
}

}  // namespace

std::uint32_t module::find(std::string_view name) const {
  const auto it = function_ids_.find(std::string(name));
  return it == function_ids_.end() ? none : it->second;
}

std::uint32_t module::unknown_instructions(const function& f) const {
  return static_cast<std::uint32_t>(
      std::count_if(f.instructions.begin(), f.instructions.end(),
                    [&](const instruction& i) { return !code_of(i).how.known; }));
}

std::uint32_t module::intern_opcode(std::string_view text) {
  const auto it = opcode_ids_.find(text);
  if (it != opcode_ids_.end()) return it->second;
  const auto id = static_cast<std::uint32_t>(opcodes.size());
  opcodes.emplace_back(text);
  opcode_ids_.emplace(opcodes.back().text, id);
  return id;
}

std::uint32_t module::intern_file(std::string_view name) {
  const auto [it, added] =
      file_ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(files.size()));
  if (added) files.emplace_back(name);
  return it->second;
}

std::uint32_t module::intern_position(const position& p) {
  auto& same_line = position_ids_[(std::uint64_t{p.file} << 32) | p.line];
  for (const std::uint32_t id : same_line)
    if (positions[id] == p) return id;
  const auto id = static_cast<std::uint32_t>(positions.size());
  positions.push_back(p);
  same_line.push_back(id);
  return id;
}

void module::set_operands(instruction& i, std::string_view raw) {
  if (text_.size() + 2 * raw.size() >= none) throw error("SASS dump of more than 4 GB");
  i.operands_at = static_cast<std::uint32_t>(text_.size());
  bool gap = false;
  for (const char c : raw) {
    if (c == ' ') {
      gap = true;
      continue;
    }
    const std::string_view sofar = std::string_view(text_).substr(i.operands_at);
    // The JSON format leaves out the comma in "R0[UR4]" and "[R14][R8.64]".
    const bool glued = c == '[' && (ends_in_register(sofar) || ends_in_lone_bracket(sofar));
    // The text format leaves out the comma in "BRX R2 -0xc0" and "CALL.REL.NOINC R2 `(f)".
    const bool spaced = gap && c != ',' && c != '[' && ends_in_register(sofar) && c != '|';
    if (glued || spaced) text_ += ',';
    gap = false;
    text_ += c;
  }
  i.operands_size = static_cast<std::uint32_t>(text_.size()) - i.operands_at;
}

void module::finish() {
  std::uint32_t owner = none;
  std::uint32_t expected = 0;  // offset at which the section goes on
  for (std::uint32_t n = 0; n < functions.size(); ++n) {
    function& f = functions[n];
    function_ids_.try_emplace(f.name, n);
    if (f.start == 0) {
      owner = n;
    } else if (owner == none || f.start != expected) {
      if (doubt.empty())
        doubt = fmt::format("function {} starts at {:#x}, but the code before it ends at {:#x}",
                            f.name, f.start, expected);
    }
    f.section = owner == none ? n : owner;
    if (f.instructions.empty() && doubt.empty())
      doubt = fmt::format("function {} has no instructions", f.name);
    const auto count = static_cast<std::uint32_t>(f.instructions.size());
    expected = f.start + count * bytes_per_instruction;
    for (instruction& i : f.instructions) {
      if (!names_a_target(code_of(i))) continue;
      const auto address = last_address(operands(i));
      if (!address || *address < f.start) continue;
      const std::uint32_t index = (*address - f.start) / bytes_per_instruction;
      if (index < count && f.instructions[index].address == *address) i.target = index;
    }
  }
  if (functions.empty() && doubt.empty()) doubt = "the dump shows no function";
}

}  // namespace ptxlab::sass
