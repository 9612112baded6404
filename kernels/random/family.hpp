// SPDX-License-Identifier: Apache-2.0
// How the kernels of random sequences are declared and measured, so that their rows can stand
// beside each other and beside cuRAND's device interface.
#pragma once

#include "kernels/kernel.hpp"

namespace ptxlab::kernels {

struct random_family {
  static constexpr std::uint64_t mega = 1 << 20;

  /// state, out, rows, rest, start, counter, subsequences, segment.
  static std::vector<param> drawn() {
    using enum param;
    return {pointer, pointer, u32, u32, u32, u32, u32, u32};
  }
  /// state, powers, seed, steps, steps a unit, start, subsequences, segment, segments.
  static std::vector<param> set_up() {
    using enum param;
    return {pointer, pointer, u64, u64, u32, u32, u32, u32, u32};
  }
  /// state, powers, seed, steps, segments, and as `drawn` from out on.
  static std::vector<param> at_once() {
    using enum param;
    return {pointer, pointer, u64, u64, u32, pointer, u32, u32, u32, u32, u32, u32};
  }
  /// vectors, constants, out, first, points, dimensions, share.
  static std::vector<param> quasirandom() {
    using enum param;
    return {pointer, pointer, pointer, u32, u32, u32, u32};
  }

  /// `adjacent` subsequences a thread; of all the threads that are resident, and of 4096.
  measurement measured(generator::output as, unsigned adjacent) const {
    measurement m;
    m.how = protocol::random;
    m.operands = {adjacent};  // what one thread draws from
    m.blocks_per_sm = {2};
    m.swept = {"subsequences", 0, {0, 4096}};
    m.generator = {generator::law::xorwow, as, "set_up", {16 * mega, 256 * mega}};
    m.rivals = {"curand"};
    return m;
  }
  /// The same at many sizes, few of which suit a grid.
  measurement compared(generator::output as, unsigned adjacent) const {
    measurement m = measured(as, adjacent);
    // 2816: what cuRAND's dynamic order turned out to be on an H200.
    m.swept.values = {0, 2816, 4096};
    m.generator.numbers = {0,         1,          1000003,     mega,           16 * mega,
                           64 * mega, 256 * mega, 1024 * mega, 2048 * mega + 8};
    return m;
  }
  measurement without_set_up() const {
    measurement m = measured(generator::output::uniform, 1);
    m.generator.setup = "";
    m.rivals = {};
    return m;
  }
  /// cuRAND's device interface: a subsequence a thread, no segments.
  measurement of_device_interface(generator::output as) const {
    measurement m = measured(as, 1);
    m.swept = {"subsequences", 0, {0}};
    m.rivals = {};
    return m;
  }
  measurement in_dimensions(generator::law by, generator::output as) const {
    measurement m = measured(as, 1);
    m.blocks_per_sm = {as == generator::output::normal ? 8U : 4U};
    m.swept = {"dimensions", 0, {1, 100, 20000}};
    m.generator = {by, as, by == generator::law::sobol32 ? "set_up" : "", {16 * mega, 256 * mega}};
    return m;
  }
};

}  // namespace ptxlab::kernels
