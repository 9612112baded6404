// SPDX-License-Identifier: Apache-2.0
// Functions of one or two numbers with their exact values, and comparison of what a GPU computed
// with them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/accuracy/tally.hpp"

namespace ptxlab::accuracy {

/// Operands and results are 32-bit words of this type.
enum class number : std::uint8_t { f32, s32, u32 };

/// Words of operands and results, all of one length; `y` is empty for a function of one number.
struct words {
  std::span<const std::uint32_t> x, y, got;
};

/// Of a float function the exact value is that of the C library in double precision: correctly
/// rounded for quotients, products and roots, and then its rounding to float is right as well
/// (Figueroa, "When is double rounding innocuous?", 1995); else off by less than two units of
/// 2^-53, 4e-9 ulp of a float. Where that leaves open to which float it rounds, the 80-bit value
/// decides. An integer function is exact, and its results have a unit of 1.
struct function {
  std::string_view name;
  unsigned operands = 1;
  number of = number::f32;
  ranges by;              ///< of the second operand where there are two
  bool absolute = false;  ///< what is documented of a fast form is an absolute error
  /// Compares and adds to `t`, whose ranges are `by`. The operand that they are of must not fall.
  void (*compare)(const words&, const ranges& by, tally& t);
  /// The exact value.
  double (*value)(double x, double y);
};

/// In no order.
const std::vector<function>& functions();
/// Throws ptxlab::error with the names that there are.
const function& function_of(std::string_view name);

}  // namespace ptxlab::accuracy
