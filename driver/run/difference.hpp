// SPDX-License-Identifier: Apache-2.0
// Why two devices left different bytes in a buffer: the class of a difference, from its size and
// from what the kernel's PTX leaves open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/run/element.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::run {

/// What a kernel, with all functions it may call, contains that lets a correct device give another
/// result.
struct freedoms {
  /// Functions with an error bound instead of a value: .approx, .full (PTX ISA 9.0, "Floating Point
  /// Instructions").
  bool approximate = false;
  /// Both mul and add or sub of one floating type without a rounding modifier, which ptxas may fuse
  /// ("add": "an add instruction with no rounding modifier ... may be optimized aggressively by the
  /// code optimizer").
  bool contraction = false;
  /// Atomic additions of a floating type: the order of summands is open.
  bool float_atomics = false;
  /// Atomics whose old value is used, so that the order of arrival can be seen.
  bool atomic_results = false;
  /// Matrix instructions, which accumulate in an order and width of their own.
  bool matrix = false;
};
freedoms freedoms_of(const ptx::module& m, std::string_view kernel);

enum class difference_class : std::uint8_t {
  exact,
  approximate,  ///< small, and the kernel has approximate functions or matrix instructions
  /// The machine gives the GPU's bits when it fuses mul and add as ptxas may do.
  contraction,
  maybe_contraction,  ///< small, and the kernel has bare mul and add; not proven
  atomic_order,       ///< small with atomic additions, or the same elements in another order
  race,               ///< the machine's run had races: any value may come of them
  wrong               ///< nothing explains it
};
std::string_view name(difference_class c);

struct difference {
  difference_class what = difference_class::exact;
  std::uint64_t elements = 0, differing = 0;
  std::uint64_t first = 0;  ///< index of the first that differs
  element_bits first_a = 0, first_b = 0;
  std::uint64_t largest_ulp = 0;  ///< of one element
  std::string why;                ///< one sentence; empty for exact
};

/// Never difference_class::contraction, which takes another run of the machine (judgement.hpp).
/// "Small" is an element within 256 units in the last place (8 for 2-byte types) of the other, or
/// within as many units of the largest magnitude in the buffer, for sums that cancel; 256 times as
/// much where only atomic additions explain it, whose errors grow with the number of summands. Both
/// buffers have the same size, a multiple of the element's; throws ptxlab::error if not.
difference classify(type of, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                    const freedoms& kernel, bool racy);

}  // namespace ptxlab::run
