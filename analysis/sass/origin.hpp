// SPDX-License-Identifier: Apache-2.0
// Where the address of a memory access comes from, as far as registers can be followed.
#pragma once

#include <memory>
#include <string>

#include "analysis/sass/module.hpp"
#include "ptx/flow/code.hpp"
#include "ptx/flow/graph.hpp"

namespace ptxlab::sass {

/// What operation `op` of `c` (lowered from `f`) accesses:
///   "param+8"     through the pointer that is the parameter at byte 8, at offset 0
///   "param+8+4"   ... at byte offset 4
///   "param+8[]"   ... at an offset that is no constant
///   "count"       the global variable of that name (after add_symbols), "count+4", "count[]"
///   "shared+16"   byte 16 of the block's static shared memory; "local+.." likewise
///   "?"           anything else
/// Parameters start where add_symbols found them, else where nvcc 13.0 puts them: constant bank 0
/// at 0x160 (sm_75 to sm_89), 0x210 (sm_90), 0x380 (sm_100 and later).
std::string address_origin(const module& m, const function& f, const flow::code& c,
                           const flow::graph& g, std::uint32_t op);

/// The same for many operations of one function, which outlives this.
class origins {
 public:
  origins(const module& m, const function& f, const flow::code& c, const flow::graph& g);
  ~origins();
  std::string of(std::uint32_t op);

 private:
  class tracer;
  std::unique_ptr<tracer> tracer_;
};

}  // namespace ptxlab::sass
