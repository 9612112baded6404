// SPDX-License-Identifier: Apache-2.0
// Reads ptxas and nvlink logs line by line; every form handled here was printed by CUDA 13.0.88,
// except the `a+b bytes` and bare-`lmem` forms, which are those of toolkits before CUDA 5.
#include "analysis/facts/ptxas_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "analysis/facts/line_pattern.hpp"

namespace ptxlab::facts {
namespace {

/// Sets `slot` once: a second value for the same thing is not believed.
bool set_once(count& slot, count value) {
  if (!value || slot) return false;
  slot = value;
  return true;
}

/// One item of a "Used ..." line. False if it is not known or stated twice.
bool take_item(ptxas_block& block, std::string_view item) {
  if (const auto m = match("#+# bytes smem", item)) {
    return set_once(block.shared_bytes, number((*m)[0])) &&
           set_once(block.system_shared_bytes, number((*m)[1]));
  }
  if (const auto m = match("#+# bytes lmem", item)) {
    return set_once(block.local_bytes, number((*m)[0])) &&
           set_once(block.system_local_bytes, number((*m)[1]));
  }
  if (const auto m = match("# bytes cmem[#]", item)) {
    const auto bank = number((*m)[1]);
    if (*bank > 255) return false;
    return block.constant_bytes.emplace(static_cast<int>(*bank), *number((*m)[0])).second;
  }
  const std::array<std::pair<std::string_view, count*>, 11> plain = {{
      {"Used # registers", &block.registers},
      {"used # registers", &block.registers},
      {"used # barriers", &block.barriers},
      {"# barriers", &block.barriers},
      {"# bytes cumulative stack size", &block.cumulative_stack_bytes},
      {"# stack", &block.cumulative_stack_bytes},  // nvlink
      {"# bytes smem", &block.shared_bytes},
      {"# bytes lmem", &block.local_bytes},
      {"# textures", &block.textures},
      {"# surfaces", &block.surfaces},
      {"# samplers", &block.samplers},
  }};
  for (const auto& [pattern, slot] : plain) {
    if (const auto m = match(pattern, item)) return set_once(*slot, number((*m)[0]));
  }
  return false;
}

class log_reader {
 public:
  explicit log_reader(std::string_view default_arch) : default_arch_(default_arch) {}

  void take(std::string_view raw);
  ptxas_log finish();

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool take_body(const tool_line& line);
  bool take_block_start(const tool_line& line);
  bool take_frame(std::string_view text);
  bool take_used(std::string_view body);
  bool take_compile_time(std::string_view body);
  bool take_message(const tool_line& line);
  void open(std::string function, std::string arch, bool entry, std::string_view tool);
  void start_section_after_blocks();
  void resolve_architectures();
  log_line here() const { return {line_, std::string(text_)}; }

  std::string default_arch_;
  ptxas_log log_;
  std::map<int, std::set<std::string>> section_arches_;
  std::set<std::string> unbounded_;
  std::string_view text_;
  int line_ = 0, section_ = 1;
  bool section_has_blocks_ = false, frame_due_ = false, any_text_ = false;
  std::size_t entry_ = none;    ///< the entry being compiled
  std::size_t current_ = none;  ///< the function that the last heading named
};

void log_reader::take(std::string_view raw) {
  ++line_;
  text_ = trim(raw);
  if (text_.empty()) return;
  any_text_ = true;
  const bool due = std::exchange(frame_due_, false);
  if (const auto line = split_tool_line(text_)) {
    if (!take_body(*line)) log_.not_understood.push_back(here());
    return;
  }
  const std::string_view bare = without_build_prefix(text_);
  if (bare.find("bytes stack frame") != std::string_view::npos || due) {
    if (!take_frame(bare)) log_.not_understood.push_back(here());
  } else {
    ++log_.foreign_lines;
  }
}

bool log_reader::take_body(const tool_line& line) {
  if (match("# bytes gmem", line.body) || match("# bytes gmem, *", line.body)) {
    start_section_after_blocks();
    return true;
  }
  if (take_block_start(line)) return true;
  if (line.body.starts_with("Used ") || line.body.starts_with("used ")) {
    return take_used(line.body);
  }
  if (line.body.starts_with("Compile time ")) return take_compile_time(line.body);
  if (const auto m =
          match("Stack size for entry function '*' cannot be statically determined", line.body)) {
    unbounded_.insert(std::string((*m)[0]));
    return true;
  }
  return take_message(line);
}

bool log_reader::take_message(const tool_line& line) {
  if (auto limit = read_register_limit(line.body)) {
    start_section_after_blocks();  // ptxas says this first of all
    if (!limit->arch.empty()) section_arches_[section_].insert(limit->arch);
    limit->line = here();
    log_.limits.push_back(std::move(*limit));
  } else if (auto warning = read_spill_warning(line.body)) {
    warning->line = here();
    log_.spill_warnings.push_back(std::move(*warning));
  } else if (auto message = read_message(line)) {
    message->line = here();
    log_.messages.push_back(std::move(*message));
  } else {
    return false;
  }
  return true;
}

bool log_reader::take_block_start(const tool_line& line) {
  if (const auto m = match("Compiling entry function '*' for '*'", line.body)) {
    open(std::string((*m)[0]), std::string((*m)[1]), true, line.tool);
    entry_ = current_;
    section_arches_[section_].insert(log_.blocks.back().arch);
    frame_due_ = false;
    return true;
  }
  if (const auto m = match("Function properties for '*':", line.body)) {  // nvlink
    open(std::string((*m)[0]), "", true, line.tool);
    entry_ = current_;
    return true;
  }
  const auto m = match("Function properties for *", line.body);
  if (!m) return false;
  std::string_view name = (*m)[0];
  if (name.size() > 2 && name.front() == '\'' && name.back() == '\'') {
    name = name.substr(1, name.size() - 2);
  }
  frame_due_ = true;
  if (entry_ != none && log_.blocks[entry_].function == name && !log_.blocks[entry_].stack_bytes) {
    current_ = entry_;
    return true;
  }
  open(std::string(name), "", false, line.tool);
  if (entry_ != none) log_.blocks.back().after_entry = log_.blocks[entry_].function;
  return true;
}

void log_reader::open(std::string function, std::string arch, bool entry, std::string_view tool) {
  if (!log_.blocks.empty() && section_has_blocks_ && log_.blocks.back().tool != tool) {
    start_section_after_blocks();
  }
  ptxas_block block;
  block.function = std::move(function);
  block.arch = std::move(arch);
  block.tool = std::string(tool);
  block.entry = entry;
  block.section = section_;
  block.line = line_;
  log_.blocks.push_back(std::move(block));
  current_ = log_.blocks.size() - 1;
  section_has_blocks_ = true;
}

void log_reader::start_section_after_blocks() {
  if (!section_has_blocks_) return;
  ++section_;
  section_has_blocks_ = false;
  entry_ = current_ = none;
}

bool log_reader::take_frame(std::string_view text) {
  const auto m = match("# bytes stack frame, # bytes spill stores, # bytes spill loads", text);
  if (!m || current_ == none || log_.blocks[current_].stack_bytes) return false;
  ptxas_block& block = log_.blocks[current_];
  block.stack_bytes = number((*m)[0]);
  block.spill_store_bytes = number((*m)[1]);
  block.spill_load_bytes = number((*m)[2]);
  return true;
}

bool log_reader::take_used(std::string_view body) {
  // Callees can stand between an entry's heading and its "Used" line (toolkits before CUDA 12), so
  // an entry that still waits for its line goes first.
  const bool entry_waits = entry_ != none && !log_.blocks[entry_].registers;
  const std::size_t index = entry_waits ? entry_ : current_;
  if (index == none || log_.blocks[index].registers) return false;
  ptxas_block& block = log_.blocks[index];
  bool understood = true;
  while (!body.empty()) {
    const auto comma = body.find(',');
    understood = take_item(block, trim(body.substr(0, comma))) && understood;
    body = comma == std::string_view::npos ? std::string_view{} : trim(body.substr(comma + 1));
  }
  return understood && block.registers;
}

bool log_reader::take_compile_time(std::string_view body) {
  const auto m = match("Compile time = #.# ms", body);
  if (!m || current_ == none || log_.blocks[current_].compile_ms) return false;
  double value = 0;
  const char* first = (*m)[0].data();
  const char* last = (*m)[1].data() + (*m)[1].size();
  if (std::from_chars(first, last, value).ec != std::errc{}) return false;
  log_.blocks[current_].compile_ms = value;
  return true;
}

void log_reader::resolve_architectures() {
  for (ptxas_block& block : log_.blocks) {
    if (unbounded_.contains(block.function)) block.unbounded_stack = true;
    if (!block.arch.empty()) continue;
    const auto& arches = section_arches_[block.section];
    if (block.tool == "ptxas" && arches.size() == 1) {
      block.arch = *arches.begin();
    } else if (arches.empty()) {
      block.arch = default_arch_;
    }
  }
}

ptxas_log log_reader::finish() {
  resolve_architectures();
  if (!log_.blocks.empty()) return std::move(log_);
  const auto failure = std::find_if(log_.messages.begin(), log_.messages.end(), [](const auto& m) {
    return m.severity == "error" || m.severity == "fatal";
  });
  if (!any_text_) {
    log_.reason = "the log is empty";
  } else if (failure != log_.messages.end()) {
    log_.reason = "the compiler failed: " + failure->line.text;
  } else {
    log_.reason = fmt::format(
        "no function is reported in the log ({} lines, {} not understood): was -Xptxas -v given?",
        line_, log_.not_understood.size());
  }
  return std::move(log_);
}

}  // namespace

std::vector<const ptxas_block*> ptxas_log::blocks_of(std::string_view function,
                                                     std::string_view arch) const {
  std::vector<const ptxas_block*> exact, unnamed;
  for (const ptxas_block& block : blocks) {
    if (block.function != function) continue;
    if (block.arch == arch) {
      exact.push_back(&block);
    } else if (block.arch.empty()) {
      unnamed.push_back(&block);
    }
  }
  return exact.empty() ? unnamed : exact;
}

ptxas_log read_ptxas_log(std::string_view text, std::string_view default_arch) {
  log_reader reader(default_arch);
  while (!text.empty()) {
    const auto end = text.find('\n');
    reader.take(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return reader.finish();
}

}  // namespace ptxlab::facts
