// SPDX-License-Identifier: Apache-2.0
// Contraction: a multiplication and the addition that takes its product, made one fused operation
// as ptxas may do where neither has a rounding modifier (PTX ISA 9.0, "add", "mul": "may be
// optimized aggressively by the code optimizer").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ptx/text/module.hpp"

namespace ptxlab::machine {

/// Which of two products an addition of both is fused with.
enum class fused_product : std::uint8_t { first, second };

struct contraction {
  std::string ptx;        ///< the module's text with the additions replaced, on the same lines
  std::size_t fused = 0;  ///< additions
  bool two_ways = false;  ///< an addition has two products: the other choice is another program
};

/// Fuses all that is sure to be one product and one sum: mul and add or sub of one floating type
/// and the same .ftz, neither with a rounding modifier nor under a guard, the mul without .sat,
/// both in one basic block, the product read by nothing else and its factors unchanged in between.
/// ptxas may fuse less, and more. The mul stays where it is, for nobody.
contraction contract(const ptx::module& m, fused_product of_two = fused_product::first);

}  // namespace ptxlab::machine
