// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/spelled.hpp"

#include <algorithm>
#include <set>

#include "ptx/machine/row.hpp"

namespace ptxlab::golden {
void each_spelling(std::string_view base,
                   const std::function<void(const std::string&, const machine::choice&)>& f) {
  std::set<std::string> seen;
  for (const machine::row& r : machine::operation_table()) {
    if (r.base != base || r.build == nullptr) continue;
    const auto pattern = machine::read_pattern(r.pattern);
    for (const std::string& spelling : machine::spellings(r.base, pattern)) {
      const ptx::opcode op = ptx::decode_opcode(spelling);
      machine::choice what;
      std::string_view left;
      if (machine::match(pattern, op, what, left) && seen.insert(spelling).second)
        f(spelling, what);
    }
  }
}

bool is_spelled_out(std::string_view base) {
  static constexpr std::string_view all[] = {
      "tex", "tld4", "txq", "mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "cp", "mbarrier"};
  return std::find(std::begin(all), std::end(all), base) != std::end(all);
}

}  // namespace ptxlab::golden
