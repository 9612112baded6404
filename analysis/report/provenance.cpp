// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ptxlab::report {
namespace {

/// "multiprocessors 132, name NVIDIA H200", of all files: a key with two values shows both.
std::string merged(const std::vector<const results::file*>& files,
                   std::map<std::string, std::string> results::provenance::*which) {
  std::map<std::string, std::set<std::string>> all;
  for (const results::file* f : files)
    for (const auto& [key, value] : f->of.*which) all[key].insert(value);
  std::string out;
  for (const auto& [key, values] : all) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", key);
    const char* between = " ";
    for (const std::string& value : values) {
      out += between + value;
      between = " or ";
    }
  }
  return out;
}

struct totals {
  double slowest_mhz = 0, fastest_mhz = 0;
  int ok = 0, not_ok = 0, flagged = 0;
  std::map<std::string, int> flags;

  void add(const measurement& m) {
    for (const results::row* r : m.runs) {
      (m.ok() ? ok : not_ok) += 1;
      flagged += r->flags.empty() ? 0 : 1;
      for (const std::string& flag : r->flags) ++flags[flag];
      if (r->sm_clock_mhz <= 0) continue;
      slowest_mhz = slowest_mhz == 0 ? r->sm_clock_mhz : std::min(slowest_mhz, r->sm_clock_mhz);
      fastest_mhz = std::max(fastest_mhz, r->sm_clock_mhz);
    }
  }

  std::string clock() const {
    if (fastest_mhz == 0) return "not seen";
    const std::string slow = fmt::format("{:.0f}", slowest_mhz);
    const std::string fast = fmt::format("{:.0f}", fastest_mhz);
    return slow == fast ? slow + " MHz" : fmt::format("{} to {} MHz", slow, fast);
  }
};

}  // namespace

item_list provenance_of(const section& s) {
  totals t;
  for (const measurement& m : s.measurements) t.add(m);
  std::string started;
  for (const results::file* f : s.files) started += (started.empty() ? "" : ", ") + f->of.started;
  item_list out{"Provenance", {}};
  const auto put = [&out](const char* what, const std::string& text) {
    if (!text.empty()) out.items.push_back(fmt::format("{}: {}", what, text));
  };
  put("device", merged(s.files, &results::provenance::device));
  put("driver", s.of.driver);
  put("toolkit", merged(s.files, &results::provenance::toolkit));
  put("commit",
      s.of.commit + (s.of.commit.ends_with('+') ? " (a tree with changes of its own)" : ""));
  put("started", started);
  put("SM clock", t.clock());
  put("notes", merged(s.files, &results::provenance::notes));
  put("rows", fmt::format("{} ok, {} not, {} flagged", t.ok, t.not_ok, t.flagged));
  for (const auto& [flag, rows] : t.flags) put("flag", fmt::format("{} ({} rows)", flag, rows));
  return out;
}

}  // namespace ptxlab::report
