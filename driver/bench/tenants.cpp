// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/tenants.hpp"

#include <fmt/format.h>

#include <array>

namespace ptxlab::bench {

std::string injected_library(std::string_view maps) {
  constexpr std::array names = {"libcuda-injection", "libsanitizer-collection",
                                "TreeLauncherTargetInjection", "libcupti", "libToolsInjection"};
  while (!maps.empty()) {
    const std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(maps.size(), line.size() + 1));
    const auto slash = line.rfind('/');
    if (slash == std::string_view::npos) continue;
    const std::string_view file = line.substr(slash + 1);
    for (const std::string_view name : names)
      if (file.find(name) != std::string_view::npos) return std::string(file);
  }
  return "";
}

std::string doubts_of(const std::map<std::string, std::string>& device) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  const auto of = [&device](const char* key) {
    const auto at = device.find(key);
    return at == device.end() ? std::string() : at->second;
  };
  if (const std::string library = of("injected"); !library.empty())
    add(fmt::format("a profiler is attached ({})", library));
  if (of("mps") == "seen") add("the GPU is shared by MPS");
  if (of("mig") == "on") add("the GPU is a part of one (MIG)");
  if (const std::string n = of("processes"); !n.empty() && n != "0" && n != "1")
    add(fmt::format("{} processes use the GPU", n));
  return out;
}

}  // namespace ptxlab::bench
