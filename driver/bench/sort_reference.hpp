// SPDX-License-Identifier: Apache-2.0
// Sorts on the host: what is sorted, what must come out, and how much work a neighbour sort has
// with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// Rows of n words each: the keys (bits of floats), or orders, levels, values and then the columns
/// of the payload, which say where each element came from.
using sort_words = std::vector<std::uint32_t>;

/// How keys stand before they are sorted.
enum class disorder {
  random,  ///< of floats all bits: NaN and infinities among them
  sorted,
  nearly,    ///< each within `nearly_places` of its place
  reversed,  ///< where no two are alike, the most exchanges there can be
  equal,
  few  ///< few different ones; of floats NaN of both signs, infinities, zeros, subnormals
};
inline constexpr unsigned nearly_places = 8;
const char* name(disorder d);

/// How many words stand for one element.
unsigned sort_rows(const kernels::sort& s);
/// Throws ptxlab::error for keys of a type that is not sorted here: neither u32 nor f32.
sort_words sort_input(const kernels::sort& s, disorder d, unsigned n);

/// The order that must come out: of u32 the smaller first; of f32 the total order of IEEE 754-2019
/// (5.10), -NaN first, +NaN last; of three keys the rule of document C (ptx/device/three_keys.cuh).
/// Equal elements keep their order: by std::stable_sort, where that can be seen.
sort_words sort_expected(const kernels::sort& s, const sort_words& in, unsigned n);

/// Empty where both are alike; else "3 of 1024 words are wrong, the first is word 17: 5, not 4".
std::string sort_difference(const sort_words& seen, const sort_words& wanted);

/// Pairs of elements, next to each other or not, of which the later one belongs first. Each
/// exchange of two neighbours takes away one of them, so this is the number of exchanges.
std::uint64_t inversions(const kernels::sort& s, const sort_words& in, unsigned n);

/// Comparisons of `passes` passes over n keys, the first of them even.
std::uint64_t comparisons_of(std::uint64_t passes, std::uint64_t n);

/// Elements of three keys whose order is 0.
unsigned zero_orders(const sort_words& in, unsigned n);

}  // namespace ptxlab::bench
