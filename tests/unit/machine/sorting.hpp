// SPDX-License-Identifier: Apache-2.0
// Sorting kernels on a workbench: launched as driver/bench/sorter does on a GPU, their words and
// counts read back.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "driver/bench/sorter.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {

struct sorted_words {
  bench::sort_words words;
  device::sort_counts counts;
  std::uint32_t launches = 0;
};

/// Runs a kernel with 8-byte arguments, of which it takes what it has room for.
using runner = std::function<void(std::uint32_t grid, std::uint32_t block,
                                  const std::vector<std::uint64_t>& words)>;

/// The kernel of `m` over `in` on a GPU of three SMs; of launches no more than `most`.
inline sorted_words sort_on(workbench& on, const kernels::measurement& m,
                            const bench::sort_words& in, std::uint32_t n, const runner& run,
                            std::uint32_t most = ~0U) {
  using place = kernels::sort::place;
  const kernels::sort& s = m.sort;
  const std::size_t room = std::max<std::size_t>(in.size(), 1);
  bench::sort_words first = in;
  first.resize(room);
  std::uint64_t from = on.buffer(first, "from"), to = on.buffer(bench::sort_words(room), "to");
  const std::uint64_t counts = on.buffer(std::vector<device::sort_counts>(1), "counts");
  const std::uint64_t state = on.buffer(std::vector<std::uint32_t>(16384), "state");
  const bench::sort_shape shape = bench::shape_of(m, n, 3);
  const bool moves = s.in == place::block || s.passes > 1;
  sorted_words out;
  on.how.cooperative = m.cooperative;
  on.how.resident = {3, 3, "a test"};
  const std::uint32_t launches = std::min(most, bench::launches_of(s, n));
  for (; out.launches < launches; ++out.launches) {
    std::vector<std::uint64_t> words = {from};
    if (moves) words.push_back(to);
    words.push_back(counts);
    if (s.in == place::grid) words.push_back(state);
    words.push_back(n);
    if (s.in == place::launches && !moves) words.push_back(out.launches);
    run(shape.blocks, shape.threads, words);
    if (moves) std::swap(from, to);
  }
  out.counts = on.read<device::sort_counts>(counts, 1).front();
  // A grid that moves words itself ends where it stopped.
  if (s.in == place::grid && moves && out.counts.passes / s.passes % 2 == 0) std::swap(from, to);
  out.words = on.read<std::uint32_t>(from, in.size());
  return out;
}

}  // namespace ptxlab::machine
