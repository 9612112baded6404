// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/swept.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {

std::vector<axes> swept_points(const kernels::swept& s, const std::vector<axes>& at, bool quick) {
  if (s.axis.empty()) return at;
  if (s.values.empty()) throw error(fmt::format("axis {} has no values", s.axis));
  std::vector<std::uint64_t> values = s.values;
  if (quick && values.size() > 3)
    values = {values.front(), values[values.size() / 2], values.back()};
  std::vector<axes> out;
  for (const axes& a : at) {
    if (a.contains(std::string(s.axis)))
      throw error(fmt::format("axis {} is swept, and a point has it already", s.axis));
    for (const std::uint64_t v : values) {
      out.push_back(a);
      out.back()[std::string(s.axis)] = static_cast<double>(v);
    }
  }
  return out;
}

std::vector<std::uint64_t> swept_operands(const kernels::swept& s, const axes& at,
                                          std::vector<std::uint64_t> operands) {
  if (s.axis.empty()) return operands;
  if (operands.size() <= s.operand) operands.resize(s.operand + 1);
  operands[s.operand] = static_cast<std::uint64_t>(at.at(std::string(s.axis)));
  return operands;
}

}  // namespace ptxlab::bench
