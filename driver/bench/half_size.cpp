// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/half_size.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ptxlab::bench {

std::optional<half_size> half_size_of(const std::map<double, double>& rate_by_bytes) {
  constexpr std::size_t enough = 3;
  if (rate_by_bytes.size() < enough) return {};
  half_size out;
  for (const auto& [bytes, rate] : rate_by_bytes) out.best = std::max(out.best, rate);
  const double half = out.best / 2;
  const auto reached = std::find_if(rate_by_bytes.begin(), rate_by_bytes.end(),
                                    [half](const auto& at) { return at.second >= half; });
  out.bytes = reached->first;
  out.smallest = reached == rate_by_bytes.begin();
  if (out.smallest) return out;
  const auto before = std::prev(reached);
  const double share = std::log(half / before->second) / std::log(reached->second / before->second);
  out.bytes = before->first * std::pow(reached->first / before->first, share);
  return out;
}

}  // namespace ptxlab::bench
