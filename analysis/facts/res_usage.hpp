// SPDX-License-Identifier: Apache-2.0
// The text that `cuobjdump -res-usage` prints, read into one record per function and architecture.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/ptxas_log.hpp"

namespace ptxlab::facts {

/// The number of an architecture: 90 for "sm_90", "sm_90a" and "compute_90"; empty if `arch` is no
/// such name.
std::optional<int> sm_number(std::string_view arch);

/// One function. Bytes; STACK and LOCAL per thread, SHARED per block.
struct res_usage_function {
  std::string function;
  std::string arch;    ///< empty for a bare cubin, unless the caller names it
  std::string member;  ///< of an archive: "lib.a:x.o"
  /// False for a function without CONSTANT[0] (every kernel has it, for its parameters and launch
  /// geometry). Of such functions cuobjdump prints zeros that mean nothing: REG:0 and STACK:0 also
  /// where the function uses 50 registers and a frame.
  bool entry = false;
  count registers;
  /// STACK: the cumulative stack of the entry with its callees, and not its frame alone. Recursion
  /// makes it too small or UNKNOWN.
  count stack_bytes;
  /// SHARED. From sm_90 on it includes 1024 bytes that the system reserves: in a linked cubin
  /// wherever it is not 0, in a relocatable object never (seen with 13.0.88 and cuobjdump 13.2.78).
  count shared_bytes;
  count local_bytes, textures, surfaces, samplers;
  std::map<int, std::int64_t> constant_bytes;  ///< bank -> bytes
  std::map<std::string, std::string> other;    ///< keys of other versions, as printed
  bool unbounded_stack = false;                ///< STACK:UNKNOWN
};

/// The "Common" lines of one cubin.
struct res_usage_common {
  std::string arch, member;
  count global_bytes;
  std::map<int, std::int64_t> constant_bytes;
};

/// A whole report. `reason` is empty if and only if there is at least one function.
struct res_usage {
  std::vector<res_usage_function> functions;
  std::vector<res_usage_common> commons;
  std::vector<log_line> not_understood;
  std::string reason;

  /// Records of a function on an architecture; records without one stand in where none names it.
  std::vector<const res_usage_function*> records_of(std::string_view function,
                                                    std::string_view arch) const;
};

/// Reads the report on a cubin, fatbin, object, archive or executable with any number of cubins.
/// `default_arch` names the architecture of a bare cubin. Never fails: see `ptxas_log`.
res_usage read_res_usage(std::string_view text, std::string_view default_arch = {});

}  // namespace ptxlab::facts
