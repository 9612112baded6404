// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/site.hpp"

namespace ptxlab::facts {

std::uint32_t site_table::file_number(std::string_view file) {
  const auto it = file_numbers_.find(file);
  if (it != file_numbers_.end()) return it->second;
  const auto n = static_cast<std::uint32_t>(files_.size());
  files_.emplace_back(file);
  file_numbers_.emplace(file, n);
  return n;
}

site site_table::number(site parent, std::string_view file, std::uint32_t line,
                        std::uint32_t column) {
  const std::uint32_t f = file_number(file);
  const auto [it, inserted] =
      numbers_.try_emplace({parent, f, line, column}, static_cast<site>(places_.size()));
  if (inserted) places_.push_back({parent, f, line, column});
  return it->second;
}

site site_table::find(site parent, site same_place_as) const {
  const place& p = places_[same_place_as];
  const auto it = numbers_.find({parent, p.file, p.line, p.column});
  return it == numbers_.end() ? no_site : it->second;
}

}  // namespace ptxlab::facts
