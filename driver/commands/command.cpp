// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/command.hpp"

#include <algorithm>
#include <string_view>

namespace ptxlab::driver {
namespace {

std::vector<command>& registered() {
  static std::vector<command> all;
  return all;
}

}  // namespace

const std::vector<command>& commands() {
  return registered();
}

command_registration::command_registration(const command& c) {
  auto& all = registered();
  const auto at = std::lower_bound(
      all.begin(), all.end(), c,
      [](const command& a, const command& b) { return std::string_view(a.name) < b.name; });
  all.insert(at, c);
}

}  // namespace ptxlab::driver
