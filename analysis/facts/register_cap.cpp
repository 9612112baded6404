// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/register_cap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ptxlab::facts {
namespace {

std::optional<int> leading_number(std::string_view text) {
  int n = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (problem != std::errc() || n <= 0) return std::nullopt;
  return n;
}

/// The number behind a directive of a PTX function header.
std::optional<int> directive(std::string_view header, std::string_view name) {
  const std::size_t at = header.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(at + name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return leading_number(rest);
}

}  // namespace

std::optional<register_cap> cap_of_flags(const subject& s) {
  constexpr std::string_view name = "maxrregcount";
  std::optional<register_cap> out;
  for (std::size_t i = 0; i < s.nvcc_flags.size(); ++i) {
    const std::string_view flag = s.nvcc_flags[i];
    const std::size_t at = flag.find(name);
    if (at == std::string_view::npos) continue;
    std::string_view rest = flag.substr(at + name.size());
    if (rest.empty() && i + 1 < s.nvcc_flags.size()) rest = s.nvcc_flags[i + 1];
    if (rest.starts_with('=')) rest.remove_prefix(1);
    if (const auto n = leading_number(rest)) out = {*n, fmt::format("-maxrregcount={}", *n)};
  }
  return out;
}

std::optional<register_cap> cap_of_bounds(const subject& s) {
  if (s.ptx_entry == nullptr) return std::nullopt;
  const std::string_view header = s.ptx_entry->header;
  if (const auto n = directive(header, ".maxnreg"))
    return register_cap{*n, fmt::format("__maxnreg__({})", *n)};
  if (!s.facts.max_threads || *s.facts.max_threads <= 0) return std::nullopt;
  const int threads = *s.facts.max_threads;
  const auto blocks = directive(header, ".minnctapersm");
  const int rounded = (threads + 31) / 32 * 32;
  const int each = std::min(65536 / (rounded * blocks.value_or(1)) / 8 * 8, 255);
  if (each <= 0) return std::nullopt;
  return register_cap{each, blocks ? fmt::format("__launch_bounds__({}, {})", threads, *blocks)
                                   : fmt::format("__launch_bounds__({})", threads)};
}

}  // namespace ptxlab::facts
