// SPDX-License-Identifier: Apache-2.0
// The transform X -> P -> X on the host: what each element must be to the last bit, and about how
// long a GPU takes, by which points are chosen before anything is launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// Element j of one step: the sum over i = 0 ... terms - 1, in this order and each by one fused
/// multiply-add, of weights[i] * from[(j + i) % n], times 1 / terms rounded to nearest
/// (ptx/device/transform.cuh).
float transform_element(const std::vector<float>& from, const std::vector<float>& weights,
                        std::size_t j);

/// One step for all elements.
std::vector<float> transform_step(const std::vector<float>& from,
                                  const std::vector<float>& weights);

/// Weights of no order, for `terms` elements: no step makes any element larger than the largest,
/// and a hundred transforms leave it normal. Every weight counts.
std::vector<float> real_weights(unsigned terms);
/// X to start from: between -1 and 1, no two alike but by chance.
std::vector<float> first_elements(unsigned n);

/// The elements that are held against the reference: all of `n`, or so many that their terms are
/// about `most_terms`, spread evenly, the first and the last among them.
std::vector<std::size_t> looked_at(std::size_t n, std::size_t terms,
                                   std::size_t most_terms = std::size_t{1} << 19);

/// Elements of `to` that are not one step from `from`, to the last bit, among those looked at.
/// Empty where none are: else "P[17] is 0.25, not 0.5; 3 of 1024 looked at are wrong".
std::string wrong_elements(const std::string& name, const std::vector<float>& from,
                           const std::vector<float>& to, const std::vector<float>& weights,
                           const std::vector<std::size_t>& which);

/// About the nanoseconds of one X -> P -> X of `n` elements by a grid of so many blocks and
/// threads. From an estimate of 45 cycles for each term of a thread, or 2.5 for each warp of an
/// SM that has many, at 2 GHz, and a microsecond for each step.
double transform_ns(unsigned n, unsigned terms, unsigned blocks, unsigned threads, const sizes& s);
/// What takes longer is not measured.
inline constexpr double longest_transform_ns = 5e6;

}  // namespace ptxlab::bench
