// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {

std::string_view choice::get(std::string_view group) const {
  for (const auto& [name, value] : chosen)
    if (name == group) return value;
  return {};
}

type choice::type(std::string_view group) const {
  const std::optional<machine::type> t = type_named(get(group));
  if (!t) throw error(fmt::format("'{}' is no type", get(group)));
  return *t;
}

std::vector<group> read_pattern(std::string_view pattern) {
  std::vector<group> out;
  while (!pattern.empty()) {
    const std::size_t blank = std::min(pattern.find(' '), pattern.size());
    std::string_view word = pattern.substr(0, blank);
    pattern.remove_prefix(std::min(blank + 1, pattern.size()));
    if (word.empty()) continue;
    group g;
    if (word.back() == '?') {
      g.optional = true;
      word.remove_suffix(1);
    }
    // A modifier may have two colons in it (shared::cta); a name is followed by one.
    std::size_t colon = word.find(':');
    if (colon != std::string_view::npos && word.substr(colon).starts_with("::")) colon = word.npos;
    g.name = word.substr(0, std::min(colon, word.size()));
    std::string_view rest = colon == word.npos ? word : word.substr(colon + 1);
    while (!rest.empty()) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      g.alternatives.push_back(rest.substr(0, bar));
      rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    if (g.name.empty() || g.alternatives.empty())
      throw error(fmt::format("'{}' is no group of a pattern", word));
    out.push_back(std::move(g));
  }
  return out;
}

bool match(const std::vector<group>& pattern, const ptx::opcode& op, choice& c,
           std::string_view& left) {
  c.chosen.clear();
  left = {};
  std::vector<bool> taken(op.modifiers.size());
  bool complete = true;
  std::size_t behind_type = 0;  // types stand in order: that of the result is first
  for (const group& g : pattern) {
    bool found = false;
    const bool is_type = g.name.size() == 1;
    for (std::size_t i = is_type ? behind_type : 0; i < op.modifiers.size() && !found; ++i) {
      if (taken[i]) continue;
      const auto at = std::find(g.alternatives.begin(), g.alternatives.end(), op.modifiers[i]);
      if (at == g.alternatives.end()) continue;
      c.chosen.emplace_back(g.name, *at);
      taken[i] = found = true;
      if (is_type) behind_type = i + 1;
    }
    complete = complete && (found || g.optional);
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) {
      left = op.modifiers[i];
      return false;
    }
  return complete;
}

std::vector<std::string> spellings(std::string_view base, const std::vector<group>& pattern) {
  std::vector<std::string> out = {std::string(base)};
  for (const group& g : pattern) {
    std::vector<std::string> longer;
    for (const std::string& s : out) {
      if (g.optional) longer.push_back(s);
      for (const std::string_view a : g.alternatives) longer.push_back(fmt::format("{}.{}", s, a));
    }
    out = std::move(longer);
  }
  return out;
}

}  // namespace ptxlab::machine
