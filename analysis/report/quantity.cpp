// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/quantity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace ptxlab::report {
namespace {

constexpr std::string_view bytes_suffix = "_bytes";

/// Where the family of an id ends.
std::size_t family_end(const std::string& id) {
  const auto first = id.find('/');
  if (first == std::string::npos) return first;
  const auto second = id.find('/', first + 1);
  return second == std::string::npos ? first : second;
}

}  // namespace

int decimals_for(double largest) {
  const double size = std::abs(largest);
  return size < 1000 ? 2 : size < 100000 ? 1 : 0;
}

std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, decimals);
}

std::string exact(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (unit < 4 && std::abs(bytes) >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  // Four digits, so that 1023.5 is not shown as 1.02e+03.
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

std::string axis_title(const std::string& axis) {
  if (!axis.ends_with(bytes_suffix)) return axis;
  return axis.substr(0, axis.size() - bytes_suffix.size());
}

std::string axis_text(const std::string& axis, double value) {
  return axis.ends_with(bytes_suffix) ? bytes_text(value) : exact(value);
}

std::string axes_text(const std::map<std::string, double>& axes) {
  std::string out;
  for (const auto& [axis, value] : axes)
    out +=
        fmt::format("{}{} {}", out.empty() ? "" : ", ", axis_title(axis), axis_text(axis, value));
  return out;
}

std::string axes_record(const std::map<std::string, double>& axes) {
  std::string out;
  for (const auto& [axis, value] : axes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ";", axis, exact(value));
  return out;
}

std::string family_of(const std::string& id) {
  return id.substr(0, family_end(id));
}

std::string operation_of(const std::string& id) {
  const auto end = family_end(id);
  return end == std::string::npos ? id : id.substr(end + 1);
}

}  // namespace ptxlab::report
