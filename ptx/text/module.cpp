// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/module.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace ptxlab::ptx {

std::string_view module::file(std::uint32_t number) const {
  for (const source_file& f : files)
    if (f.number == number) return f.path;
  return {};
}

const function* module::find(std::string_view function_name) const {
  const function* declared = nullptr;
  for (const function& f : functions) {
    if (f.name != function_name) continue;
    if (f.has_body) return &f;
    declared = &f;
  }
  return declared;
}

std::string_view function::register_type(std::uint32_t number) const {
  const auto after =
      std::upper_bound(registers.begin(), registers.end(), number,
                       [](std::uint32_t n, const register_range& r) { return n < r.first; });
  if (after == registers.begin()) return {};
  const register_range& r = *(after - 1);
  return number - r.first < r.count ? r.type : std::string_view();
}

std::string module::debug_string(std::string_view wanted) const {
  for (const std::string_view t : texts) {
    if (t.substr(0, 8) != ".section" || t.find(".debug_str") == std::string_view::npos) continue;
    const std::string key = std::string(wanted) + ":";
    auto at = t.find(key);
    if (at == std::string_view::npos) return {};
    at += key.size();
    std::string out;
    while (at < t.size()) {
      const char c = t[at];
      if (c == '$' || c == '}') break;
      if (t.substr(at, 3) == ".b8") {
        at += 3;
      } else if (c >= '0' && c <= '9') {
        unsigned value = 0;
        const auto [end, ec] = std::from_chars(t.data() + at, t.data() + t.size(), value);
        if (value == 0) break;
        out += static_cast<char>(value);
        at = static_cast<std::size_t>(end - t.data());
      } else {
        ++at;
      }
    }
    return out;
  }
  return {};
}

std::optional<std::int64_t> integer_value(std::string_view text, bool minus) {
  while (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (ec != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  const auto as_signed = static_cast<std::int64_t>(minus ? 0 - value : value);
  return as_signed;
}

std::optional<floating_literal> floating_value(std::string_view text, bool minus) {
  const char* const end = text.data() + text.size();
  floating_literal out;
  const bool coded = text.size() > 2 && text[0] == '0' &&
                     std::string_view("fFdD").find(text[1]) != std::string_view::npos;
  if (coded) {
    out.single = text[1] == 'f' || text[1] == 'F';
    if (text.size() != (out.single ? 10U : 18U)) return std::nullopt;
    const auto [rest, ec] = std::from_chars(text.data() + 2, end, out.bits, 16);
    if (ec != std::errc() || rest != end) return std::nullopt;
  } else {
    double value = 0;
    const auto [rest, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc() || rest != end) return std::nullopt;
    out.bits = std::bit_cast<std::uint64_t>(value);
  }
  if (minus) out.bits ^= std::uint64_t{1} << (out.single ? 31 : 63);
  return out;
}

}  // namespace ptxlab::ptx
