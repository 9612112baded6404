// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/exchange.hpp"

#include <algorithm>

namespace ptxlab::bench {

timing::contract exchange_contract(const kernels::measurement& m) {
  timing::contract c;
  c.how = timing::relation::exchange;
  c.opcodes.assign(m.sass.begin(), m.sass.end());
  c.per_copy = m.per_copy;
  c.expands = m.expands;
  c.rounds = true;
  c.regions = {{1, 1}};
  return c;
}

results::series slowest_of(const std::vector<sample>& taken, unsigned blocks, double length) {
  results::series out{length, {}};
  for (unsigned b = 0; b < blocks; ++b) {
    const auto first = taken.begin() + static_cast<std::ptrdiff_t>(b) * device::exchange_samples;
    const results::series one = cycles_of({first, first + device::exchange_samples}, 0, length);
    if (out.values.empty()) out.values = one.values;
    for (std::size_t i = 0; i < one.values.size(); ++i)
      out.values[i] = std::max(out.values[i], one.values[i]);
  }
  return out;
}

}  // namespace ptxlab::bench
