// SPDX-License-Identifier: Apache-2.0
// What one SASS instruction reads, writes and touches in memory.
#pragma once

#include <vector>

#include "analysis/sass/module.hpp"
#include "analysis/sass/operand.hpp"
#include "ptx/flow/code.hpp"

namespace ptxlab::sass {

/// One decoded instruction. Reuse it between calls: its vectors keep their memory.
struct decoded {
  /// All but registers, `target`, `where` and `then` of calls and branches, which lowering knows.
  flow::op op;
  /// Address registers first (`op.address_reads` of them), the guard last.
  std::vector<register_id> reads, writes;
  bool known = false;  ///< false: the opcode is in no table; reads and writes are a cautious guess
};

/// Decodes `i`. Never throws: what is not understood is a read and, in the first operand, a write.
void decode(const module& m, const instruction& i, decoded& out);

}  // namespace ptxlab::sass
