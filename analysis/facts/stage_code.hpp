// SPDX-License-Identifier: Apache-2.0
// The code of one kernel at one stage, analysed: the functions it runs through with their loops,
// and for every operation where it comes from. What the cross-stage comparison works on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/site.hpp"
#include "analysis/sass/module.hpp"
#include "ptx/flow/loop_facts.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::facts {

/// One function of a stage. `origin[i]` describes operation i of `code`.
struct stage_function {
  struct origin {
    site where = no_site;        ///< source position, inlining included
    site matched = no_site;      ///< the same in the unoptimised build, see align_places()
    std::uint32_t ptx_line = 0;  ///< line of the PTX text; 0 where not known
    bool in_asm = false;         ///< PTX: between nvcc's inline-asm marks
  };

  explicit stage_function(flow::code c);

  std::string name;
  flow::code code;
  flow::graph graph;
  flow::definitions definitions;
  flow::loop_forest forest;
  std::vector<flow::loop_facts> loops;  ///< one for each of forest.loops
  std::vector<origin> origins;
  std::vector<std::string> opcodes;                ///< per distinct opcode ...
  std::vector<std::uint32_t> opcode;               ///< ... its number, per operation
  std::map<std::uint32_t, std::string> addresses;  ///< load, store, atomic -> object it points into
  std::map<std::uint32_t, std::string> shown;      ///< text of the polls and exits of loops
  std::uint32_t caller = flow::nowhere;   ///< in stage_code::functions, for a called function ...
  std::uint32_t call_op = flow::nowhere;  ///< ... and the operation that calls it

  /// Object an access points into: "param+8", a variable's name, or "?".
  const std::string& address_of(std::uint32_t op) const;
  /// Whether control may go where nobody can tell, or a loop was too entangled to be followed.
  bool flow_unknown() const;
};

/// A kernel at a stage: its own function first, then those it calls.
struct stage_code {
  std::vector<stage_function> functions;
  int unknown_instructions = 0;
};

/// The PTX of a kernel: the entry, and every function of the module that it may call, once per
/// chain of calls and with places as if inlined there, so that they agree with those of another
/// build in which the function was (or was not) inlined.
stage_code analyse_ptx(const ptx::module& m, const ptx::function& entry, site_table& sites);

/// Sets `matched` in both builds of a kernel. An optimised build knows more calls than the other: a
/// place that was inlined in both comes without its call from the unoptimised one, and one that was
/// inlined only now stands for its call.
void align_places(stage_code& unoptimised, stage_code& optimised, const site_table& sites);

/// The SASS of a kernel: its function and those of its section and calls.
stage_code analyse_sass(const sass::module& m, const sass::function& entry, site_table& sites);

/// What the facts show of a stage.
stage summarise(const stage_code& s, const site_table& sites);

/// One loop as the facts show it; `id` is left empty.
loop describe(const stage_function& f, std::size_t loop_index, const site_table& sites);

}  // namespace ptxlab::facts
