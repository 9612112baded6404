// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/rules.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace ptxlab::facts {
namespace {

std::vector<rule>& registered() {
  static std::vector<rule> all;
  return all;
}

}  // namespace

rule_registration::rule_registration(const rule& r) {
  auto& all = registered();
  const auto at = std::lower_bound(all.begin(), all.end(), r,
                                   [](const rule& a, const rule& b) { return a.id < b.id; });
  all.insert(at, r);
}

const std::vector<rule>& rules() {
  return registered();
}

const rule* find_rule(std::string_view id) {
  for (const rule& r : rules())
    if (r.id == id) return &r;
  return nullptr;
}

finding finding_at(const stage_function& f, std::uint32_t op, const site_table& sites,
                   std::string_view stage, std::string text) {
  finding out;
  out.stage = stage;
  out.text = std::move(text);
  const site s = f.origins[op].where;
  if (s != no_site) {
    out.file = std::filesystem::path(sites.file(s)).filename().string();
    out.line = static_cast<int>(sites[s].line);
  }
  return out;
}

std::vector<finding> look_for_findings(const subject& s) {
  std::vector<finding> out;
  for (const rule& r : rules()) {
    const std::size_t first = out.size();
    r.look(s, out);
    for (std::size_t i = first; i < out.size(); ++i) {
      out[i].id = r.id;
      if (out[i].severity.empty()) out[i].severity = r.severity;
    }
  }
  const auto key = [](const finding& f) { return std::tie(f.file, f.line, f.id, f.stage, f.text); };
  std::sort(out.begin(), out.end(),
            [&](const finding& a, const finding& b) { return key(a) < key(b); });
  out.erase(std::unique(out.begin(), out.end(),
                        [&](const finding& a, const finding& b) { return key(a) == key(b); }),
            out.end());
  return out;
}

}  // namespace ptxlab::facts
