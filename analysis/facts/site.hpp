// SPDX-License-Identifier: Apache-2.0
// Places of the source, with the chain of calls they were inlined (or called) through, numbered so
// that the same place in two builds has the same number.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ptxlab::facts {

using site = std::uint32_t;
inline constexpr site no_site = std::numeric_limits<site>::max();

class site_table {
 public:
  struct place {
    site parent;  ///< the call it was reached through, or no_site
    std::uint32_t file, line, column;
  };

  site number(site parent, std::string_view file, std::uint32_t line, std::uint32_t column);
  /// The same place seen from another call, if it has a number; else no_site.
  site find(site parent, site same_place_as) const;
  const place& operator[](site s) const { return places_[s]; }
  const std::string& file(site s) const { return files_[places_[s].file]; }

 private:
  std::uint32_t file_number(std::string_view file);

  std::vector<place> places_;
  std::vector<std::string> files_;
  std::map<std::string, std::uint32_t, std::less<>> file_numbers_;
  std::map<std::tuple<site, std::uint32_t, std::uint32_t, std::uint32_t>, site> numbers_;
};

}  // namespace ptxlab::facts
