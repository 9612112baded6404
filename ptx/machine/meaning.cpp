// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/meaning.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

namespace ptxlab::machine {
namespace {

/// The rows of each base opcode with their patterns read.
struct indexed_row {
  const row* what;
  std::vector<group> pattern;
};
const std::unordered_multimap<std::string_view, indexed_row>& index() {
  static const auto all = [] {
    std::unordered_multimap<std::string_view, indexed_row> out;
    // Within a base the last one inserted comes first: go backwards.
    const std::vector<row>& table = operation_table();
    for (auto r = table.rbegin(); r != table.rend(); ++r)
      out.emplace(r->base, indexed_row{&*r, read_pattern(r->pattern)});
    return out;
  }();
  return all;
}
}  // namespace

meaning look_up(const ptx::opcode& op) {
  meaning out;
  const auto [first, last] = index().equal_range(op.base);
  if (first == last) {
    out.why_not = fmt::format("the machine has no {}", op.base);
    return out;
  }
  std::string_view left;
  for (auto it = first; it != last; ++it) {
    std::string_view over;
    if (match(it->second.pattern, op, out.chosen, over)) {
      out.what = it->second.what;
      return out;
    }
    if (left.empty()) left = over;
  }
  out.why_not = left.empty() ? fmt::format("{} needs another modifier", op.text)
                             : fmt::format("the machine's {} has no .{} here", op.base, left);
  return out;
}

}  // namespace ptxlab::machine
