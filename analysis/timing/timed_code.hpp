// SPDX-License-Identifier: Apache-2.0
// The timed regions of a kernel written with ptx/device/timing.cuh, found in its SASS, and which of
// their instructions need which.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/sass/module.hpp"
#include "ptx/flow/data_flow.hpp"

namespace ptxlab::timing {

class timed_code {
 public:
  timed_code(const sass::module& m, const sass::function& f);

  struct region {
    std::uint32_t begin, end;        ///< the two reads of %clock64, instructions of the function
    std::vector<std::uint32_t> ops;  ///< between them, in an order in which they may run
    bool straight = false;           ///< begin and end stand in one basic block
    bool loops = false;              ///< a loop starts inside
    std::vector<bool> looped;        ///< for each of ops: stands in such a loop
  };
  /// In program order. A region opens at the first clock64 read behind a globaltimer read and
  /// closes at the last one before the smid read.
  const std::vector<region>& regions() const { return regions_; }

  const std::string& opcode(std::uint32_t op) const {
    return module_.code_of(function_.instructions[op]).text;
  }
  std::string text(std::uint32_t op) const;
  /// Whether it is known what an instruction reads and writes.
  bool understood(std::uint32_t op) const {
    return module_.code_of(function_.instructions[op]).how.known;
  }
  /// Whether control may go where nobody can tell.
  bool flow_unknown() const { return graph_.any_unknown(); }
  const flow::op& operation(std::uint32_t op) const { return code_.ops[op]; }

  /// Whether a loop inside region `r` goes on until load `op` has brought another value.
  bool polled(const region& r, std::uint32_t op) const;

  /// Whether a store behind the region keeps what `read`, one of its two clock reads, gives.
  bool kept(const region& r, std::uint32_t read) const;

  /// How the operations of a region hang together.
  struct dependence {
    /// For each of region::ops the number of counted operations on the longest chain that ends with
    /// it, itself included.
    std::vector<std::uint32_t> depth;
    std::vector<bool> read;  ///< for each of region::ops: does another one of them read its result
  };
  dependence depend(const region& r, const std::function<bool(std::uint32_t)>& counted) const;

 private:
  void find_regions();
  region make(std::uint32_t begin, std::uint32_t end) const;

  const sass::module& module_;
  const sass::function& function_;
  flow::code code_;
  flow::graph graph_;
  flow::definitions definitions_;
  flow::loop_forest forest_;
  std::vector<region> regions_;
};

}  // namespace ptxlab::timing
