// SPDX-License-Identifier: Apache-2.0
// The text that `ptxas -v` and `nvlink -v` print, read into one block per function and
// architecture.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/tool_message.hpp"

namespace ptxlab::facts {

/// What one tool printed of one function. Every number that the log does not state is empty; ptxas
/// leaves out a zero for smem, lmem, cmem, cumulative stack, textures, surfaces and samplers.
struct ptxas_block {
  std::string function;  ///< as printed: mangled, unless somebody piped the log through c++filt
  std::string arch;      ///< "sm_90"; empty where neither the log nor the caller says it
  std::string tool;      ///< "ptxas" (before linking) or "nvlink" (after it)
  bool entry = false;
  /// Callees only: the entry whose block this one follows. With CUDA 13.0 a whole-program build
  /// compiles a callee anew for each entry and prints it there.
  std::string after_entry;
  int section = 0;  ///< counts the runs of a tool within the log
  int line = 0;     ///< where the block starts
  count registers, barriers;
  count stack_bytes, spill_store_bytes, spill_load_bytes;
  count cumulative_stack_bytes;
  count shared_bytes, local_bytes;                ///< the `a` of the old `a+b bytes` form
  count system_shared_bytes, system_local_bytes;  ///< the `b` of it: what the system adds
  count textures, surfaces, samplers;
  std::map<int, std::int64_t> constant_bytes;  ///< bank -> bytes
  std::optional<double> compile_ms;
  bool unbounded_stack = false;  ///< "Stack size ... cannot be statically determined"
};

/// A whole log. `reason` is empty if and only if there is at least one block.
struct ptxas_log {
  std::vector<ptxas_block> blocks;
  std::vector<register_limit> limits;
  std::vector<spill_warning> spill_warnings;
  std::vector<log_message> messages;
  std::vector<log_line> not_understood;  ///< from the tools, or where a tool's line was due
  int foreign_lines = 0;                 ///< of other programs, such as make
  std::string reason;

  /// Blocks of a function on an architecture, in the log's order; blocks without an architecture
  /// stand in where none names it.
  std::vector<const ptxas_block*> blocks_of(std::string_view function, std::string_view arch) const;
};

/// Reads a log of `nvcc -Xptxas -v`, `ptxas -v` or `nvlink -v`, of any toolkit and of several runs.
/// `default_arch` names the architecture for blocks for which the log names none. Never fails: what
/// it cannot read is in `not_understood`, and a log without a block has a `reason`.
ptxas_log read_ptxas_log(std::string_view text, std::string_view default_arch = {});

}  // namespace ptxlab::facts
