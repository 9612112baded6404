// SPDX-License-Identifier: Apache-2.0
// Collects the declarations of all kernel files that are linked into the program.
#include <algorithm>

#include "kernels/kernel.hpp"

namespace ptxlab::kernels {

// Local to the function, so that it exists whichever kernel file registers first.
std::vector<entry>& catalogue() {
  static std::vector<entry> entries;
  return entries;
}

registration::registration(std::string_view id, std::string_view path, declaration what) {
  std::vector<entry>& entries = catalogue();
  const auto place = std::lower_bound(entries.begin(), entries.end(), id,
                                      [](const entry& e, std::string_view i) { return e.id < i; });
  entries.insert(place, entry{.id = id, .path = path, .what = std::move(what)});
}

}  // namespace ptxlab::kernels
