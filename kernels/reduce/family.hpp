// SPDX-License-Identifier: Apache-2.0
// At which sizes the reductions of this folder are measured, and how they are rehearsed, so that
// their rows can stand beside each other.
#pragma once

#include "kernels/kernel.hpp"

namespace ptxlab::kernels {

/// One kernel of document C, B9 or after, by what differs.
struct reduction_family {
  /// Powers of two, both included.
  static std::vector<std::uint64_t> powers(unsigned from, unsigned to, unsigned step = 1) {
    std::vector<std::uint64_t> out;
    for (unsigned k = from; k <= to; k += step) out.push_back(std::uint64_t{1} << k);
    return out;
  }
  /// Those of tables 1 and 2 of 2012 and on to 2^31; no multiple of anything; and one more than 31
  /// bits count.
  static std::vector<std::uint64_t> of_2012() {
    std::vector<std::uint64_t> out = {1000003, (std::uint64_t{1} << 31) + 1};
    for (std::uint64_t n = 10000; n <= 200000; n += 10000) out.push_back(n);
    for (const std::uint64_t n : powers(10, 31)) out.push_back(n);
    return out;
  }
  /// The same behind none and one, at which there is next to nothing to time.
  static std::vector<std::uint64_t> from_none() {
    std::vector<std::uint64_t> out = {0, 1};
    for (const std::uint64_t n : of_2012()) out.push_back(n);
    return out;
  }
  /// A size of table 1, one that is no multiple of anything, and sizes in and beyond the L2.
  static std::vector<std::uint64_t> some() { return {10000, 1000003, 1 << 20, 1 << 24, 1 << 28}; }

  /// Parameters of a kernel that leaves the sum in one launch (ptx/device/reduction.cuh), of one
  /// that leaves a sum for each tile, and of one that adds in place.
  static std::vector<param> one_launch() {
    using enum param;
    return {pointer, pointer, u64, pointer};
  }
  static std::vector<param> partials() {
    using enum param;
    return {pointer, pointer, u64};
  }
  static std::vector<param> in_place() {
    using enum param;
    return {pointer, u64};
  }
};

}  // namespace ptxlab::kernels
