// SPDX-License-Identifier: Apache-2.0
// What is known of one input on one architecture: the model behind `--format text|facts|json`.
// Everything a tool did not report is empty (`std::nullopt`), never 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxlab::facts {

using count = std::optional<std::int64_t>;

/// A load or atomic on which a loop's exit depends.
struct poll {
  std::string space;     ///< global, shared, local, generic
  int width = 0;         ///< bits
  std::string strength;  ///< see flow::strength
  std::string address;   ///< where it points, as far as it can be followed: "param+0", "count", "?"
  bool acquire = false;  ///< SASS: an L1 invalidate follows
  std::optional<int> line;
};

struct loop {
  std::string id;  ///< "L1", "L2", ... in program order within its kernel and stage
  std::string file;
  std::optional<int> line;
  int depth = 1;
  int instructions = 0;
  std::string exit;  ///< load, counter, load+counter, none, other
  std::vector<poll> polls;
  int stores = 0, barriers = 0, fences = 0, calls = 0;
  std::optional<std::int64_t> trip;
  std::string function;  ///< where it stands, if not in the kernel itself
};

/// One stage (PTX or SASS) of one kernel. `known` is false where the stage was not seen or could
/// not be read, and `reason` says why.
struct stage {
  bool known = false;
  std::string reason;
  int instructions = 0;
  std::vector<loop> loops;
  std::map<std::string, int> opcodes;  ///< full opcode with modifiers -> how often
  bool irreducible = false;            ///< has a region that is no natural loop
  bool unknown_branches = false;       ///< has an indirect branch with unknown targets
  int unknown_instructions = 0;        ///< kept with their text, meaning not known
};

/// What ptxas and cuobjdump say. Per thread unless the name says otherwise; bytes.
struct resources {
  count registers;
  count stack_bytes;        ///< frame of the entry and its callees, as ptxas reports it
  count spill_store_bytes;  ///< static, not dynamic; entry and callees added up
  count spill_load_bytes;
  count cumulative_stack_bytes;
  count shared_bytes;    ///< static, per block
  count local_bytes;     ///< `lmem` of old logs, LOCAL of cuobjdump
  count constant_bytes;  ///< bank 0
  count barriers;
  count textures, surfaces, samplers;
  bool recursive = false;  ///< ptxas: stack size cannot be statically determined
  /// Sentences about the sources: a disagreement, or what only another tool would tell.
  std::vector<std::string> notes;
};

/// Blocks that fit one multiprocessor.
struct occupancy {
  int block_threads = 0;
  int blocks_per_sm = 0;
  int warps_per_sm = 0;
  double fraction = 0;  ///< of the multiprocessor's warps
  std::string limiter;  ///< registers, shared, warps, blocks, barriers
};

/// What became of one loop of the source.
struct loop_verdict {
  std::string file;
  std::optional<int> line;
  std::string function;       ///< function of the source that holds the loop, if not the kernel
  std::string verdict;        ///< kept, unrolled, load-hoisted, deleted, unknown
  std::string lost_in;        ///< nvcc, ptxas, or empty
  bool peeled = false;        ///< kept, and the body stands once more in front of it
  bool full = false;          ///< unrolled: no loop is left
  std::optional<int> factor;  ///< unrolled: copies of the body
  std::optional<std::string> ptx_loop, sass_loop;
  std::vector<std::string> evidence;
};

struct finding {
  std::string id;
  std::string severity;  ///< error, warning, note
  std::string stage;     ///< source, ptx, sass, log
  std::string file;
  std::optional<int> line;
  std::string text;  ///< one sentence
};

struct kernel {
  std::string name, demangled;
  bool entry = true;
  std::optional<int> max_threads;                   ///< .maxntid / __launch_bounds__
  std::optional<std::vector<int>> parameter_bytes;  ///< in order; empty where no PTX was seen
  resources res;
  std::vector<occupancy> occ;
  stage ptx, sass;
  std::vector<loop_verdict> loops;
  std::vector<finding> findings;
};

/// One input on one architecture.
struct report {
  std::map<std::string, std::string> toolkit;  ///< nvcc, ptxas, nvdisasm, cuobjdump -> version
  std::string arch;
  std::string input;
  std::vector<kernel> kernels;
  std::vector<std::string> notes;
};

}  // namespace ptxlab::facts
