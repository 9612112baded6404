// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/evidence.hpp"

#include <fmt/format.h>

#include "analysis/report/record.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {

bool evidence_row::kept() const {
  if (waits.empty() || waits == "-") return false;
  for (std::size_t at = 0; at <= waits.size();) {
    const std::size_t end = std::min(waits.find("; ", at), waits.size());
    const std::string one = waits.substr(at, end - at);
    const bool stays = one.starts_with("unrolled") && !one.ends_with("full");
    if (!one.starts_with("kept") && !stays) return false;
    at = end + 2;
  }
  return true;
}

evidence::evidence(const std::filesystem::path& path) : known_(true) {
  for (named_record& r :
       read_records(path, {"id", "waits", "ending", "wrong", "races", "sass", "cooperative"})) {
    auto& f = r.fields;
    const std::string& cooperative = f["cooperative"];
    if (cooperative != "yes" && cooperative != "no")
      throw error(fmt::format("{}:{}: cooperative '{}' is neither yes nor no", path.string(),
                              r.line, cooperative));
    if (find(f["id"]) != nullptr)
      throw error(fmt::format("{}:{}: '{}' is there twice", path.string(), r.line, f["id"]));
    rows_.push_back({f["id"], f["waits"], f["ending"], f["wrong"], f["races"], f["sass"],
                     cooperative == "yes"});
  }
}

const evidence_row* evidence::find(const std::string& id) const {
  for (const evidence_row& r : rows_)
    if (r.id == id) return &r;
  return nullptr;
}

}  // namespace ptxlab::report
