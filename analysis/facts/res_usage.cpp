// SPDX-License-Identifier: Apache-2.0
// Reads `cuobjdump -res-usage`: a head per embedded image, then two lines per function.
#include "analysis/facts/res_usage.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "analysis/facts/line_pattern.hpp"

namespace ptxlab::facts {
namespace {

/// CONSTANT[n]:bytes into `banks`. False if the item is something else or the bank was there.
bool take_constant(std::map<int, std::int64_t>& banks, std::string_view item) {
  const auto m = match("CONSTANT[#]:#", item);
  if (!m) return false;
  const auto bank = number((*m)[0]);
  if (!bank || *bank > 255) return false;
  return banks.emplace(static_cast<int>(*bank), *number((*m)[1])).second;
}

class usage_reader {
 public:
  explicit usage_reader(std::string_view default_arch)
      : default_arch_(default_arch), arch_(default_arch) {}

  void take(std::string_view raw);
  res_usage finish();

 private:
  bool take_head(std::string_view text);
  bool take_numbers(std::string_view text);
  bool take_item(std::string_view item);

  std::string default_arch_, arch_, member_;
  res_usage result_;
  std::string failure_;
  enum class due { nothing, common, function } due_ = due::nothing;
  int line_ = 0;
  bool any_text_ = false;
};

void usage_reader::take(std::string_view raw) {
  ++line_;
  const std::string_view text = trim(raw);
  if (text.empty()) return;
  any_text_ = true;
  if (take_head(text) || take_numbers(text)) return;
  result_.not_understood.push_back({line_, std::string(text)});
}

bool usage_reader::take_head(std::string_view text) {
  if (text == "Resource usage:" || text.find_first_not_of('=') == std::string_view::npos) {
    due_ = due::nothing;
    return true;
  }
  if (text == "Fatbin elf code:" || text == "Fatbin ptx code:") {
    arch_ = default_arch_;
    due_ = due::nothing;
    return true;
  }
  if (text.starts_with("member ") && text.ends_with(':') && text.size() > 8) {
    member_ = std::string(text.substr(7, text.size() - 8));
    // An archive is printed with its folder; where it lies is no fact about the code.
    if (const auto slash = member_.rfind('/'); slash != std::string::npos) {
      member_.erase(0, slash + 1);
    }
    return true;
  }
  if (const auto m = match("arch = *", text)) {
    arch_ = std::string((*m)[0]);
    return true;
  }
  static constexpr std::array<std::string_view, 7> ignored = {
      "code version = ", "host = ",         "compile_size = ", "identifier = ",
      "compressed",      "ptxasOptions = ", "has debug info"};
  for (const std::string_view start : ignored) {
    if (text.starts_with(start)) return true;
  }
  if (text == "Common:") {
    result_.commons.push_back(
        {.arch = arch_, .member = member_, .global_bytes = {}, .constant_bytes = {}});
    due_ = due::common;
    return true;
  }
  if (text.starts_with("Function ") && text.ends_with(':') && text.size() > 10) {
    res_usage_function function;
    function.function = std::string(text.substr(9, text.size() - 10));
    function.arch = arch_;
    function.member = member_;
    result_.functions.push_back(std::move(function));
    due_ = due::function;
    return true;
  }
  if (text.starts_with("cuobjdump ") && failure_.empty()) failure_ = std::string(text);
  return false;
}

bool usage_reader::take_numbers(std::string_view text) {
  if (due_ == due::nothing) return false;
  bool understood = true;
  while (!text.empty()) {
    const auto blank = text.find(' ');
    understood = take_item(text.substr(0, blank)) && understood;
    text = blank == std::string_view::npos ? std::string_view{} : trim(text.substr(blank));
  }
  due_ = due::nothing;
  return understood;
}

bool usage_reader::take_item(std::string_view item) {
  if (due_ == due::common) {
    res_usage_common& common = result_.commons.back();
    if (const auto m = match("GLOBAL:#", item); m && !common.global_bytes) {
      common.global_bytes = number((*m)[0]);
      return true;
    }
    return take_constant(common.constant_bytes, item);
  }
  res_usage_function& f = result_.functions.back();
  if (item == "STACK:UNKNOWN") {
    f.unbounded_stack = true;
    return true;
  }
  const std::array<std::pair<std::string_view, count*>, 7> plain = {{
      {"REG:#", &f.registers},
      {"STACK:#", &f.stack_bytes},
      {"SHARED:#", &f.shared_bytes},
      {"LOCAL:#", &f.local_bytes},
      {"TEXTURE:#", &f.textures},
      {"SURFACE:#", &f.surfaces},
      {"SAMPLER:#", &f.samplers},
  }};
  for (const auto& [pattern, slot] : plain) {
    const auto m = match(pattern, item);
    if (!m) continue;
    if (*slot) return false;
    *slot = number((*m)[0]);
    return true;
  }
  if (take_constant(f.constant_bytes, item)) {
    f.entry = f.constant_bytes.contains(0);
    return true;
  }
  // Another version's key is kept; a known key with a value that is no number is not understood.
  const auto colon = item.find(':');
  if (colon == std::string_view::npos || colon == 0 || item.starts_with("CONSTANT[")) return false;
  for (const auto& [pattern, slot] : plain) {
    if (item.substr(0, colon) == pattern.substr(0, pattern.find(':'))) return false;
  }
  f.other.emplace(item.substr(0, colon), item.substr(colon + 1));
  return true;
}

res_usage usage_reader::finish() {
  if (!result_.functions.empty()) return std::move(result_);
  if (!any_text_) {
    result_.reason = "cuobjdump printed nothing";
  } else if (!failure_.empty()) {
    result_.reason = "cuobjdump failed: " + failure_;
  } else {
    result_.reason =
        fmt::format("no function in the output of cuobjdump ({} lines, {} not understood)", line_,
                    result_.not_understood.size());
  }
  return std::move(result_);
}

}  // namespace

std::optional<int> sm_number(std::string_view arch) {
  const auto underscore = arch.find('_');
  if (underscore == std::string_view::npos) return {};
  const std::string_view family = arch.substr(0, underscore);
  if (family != "sm" && family != "compute") return {};
  std::string_view digits = arch.substr(underscore + 1);
  if (digits.ends_with('a') || digits.ends_with('f')) digits.remove_suffix(1);
  const auto value = number(digits);
  if (!value || digits.size() < 2 || digits.size() > 3) return {};
  return static_cast<int>(*value);
}

std::vector<const res_usage_function*> res_usage::records_of(std::string_view function,
                                                             std::string_view arch) const {
  std::vector<const res_usage_function*> exact, unnamed;
  for (const res_usage_function& record : functions) {
    if (record.function != function) continue;
    if (record.arch == arch) {
      exact.push_back(&record);
    } else if (record.arch.empty()) {
      unnamed.push_back(&record);
    }
  }
  return exact.empty() ? unnamed : exact;
}

res_usage read_res_usage(std::string_view text, std::string_view default_arch) {
  usage_reader reader(default_arch);
  while (!text.empty()) {
    const auto end = text.find('\n');
    reader.take(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return reader.finish();
}

}  // namespace ptxlab::facts
