// SPDX-License-Identifier: Apache-2.0
// How the kernels of every barrier in this folder are measured and rehearsed: at one set of points,
// so that their rows can stand beside each other.
#pragma once

#include "kernels/kernel.hpp"

namespace ptxlab::kernels {

/// What one barrier has of its own.
struct barrier_family {
  std::string_view poll = "LD*.STRONG.GPU";  ///< the opcode that polls
  unsigned per_copy = 1;                     ///< how often it stands in one round
  bool cooperative = false;
  unsigned cluster_blocks = 0;

  /// Rounds over the number of blocks: up to one on every SM (0), and two.
  measurement by_blocks() const {
    measurement m = timed();
    m.threads = {32, 256, 1024};
    m.blocks = grids();
    m.blocks_per_sm = {2};
    return m;
  }
  /// Rounds with a block on every SM.
  measurement on_every_sm() const {
    measurement m = timed();
    m.threads = {256};
    m.blocks = {0};
    return m;
  }
  /// Figure 5 of 2012: blocks by threads, sums of four elements and of all.
  measurement surface() const {
    measurement m = launched(protocol::transform);
    m.threads = {32, 64, 128, 256, 512, 1024};
    m.blocks = grids();
    m.blocks_per_sm = {2};
    m.by = launcher::once;
    m.terms = {4, 0};
    return m;
  }
  /// What the next blocks and one on the other half of the device see, idle and behind eight stores
  /// of every thread.
  measurement ordered() const {
    measurement m = launched(protocol::litmus);
    m.threads = {64};
    m.blocks = {0};
    m.blocks_per_sm = {2};
    m.distances = {1, 2, 66};
    m.stress = {0, 8};
    return m;
  }
  measurement mutated() const {
    measurement m = ordered();
    m.mutant = true;
    return m;
  }

  /// On the PTX machine: two transforms of 128 ones, means of four, by two clusters where there are
  /// any.
  rehearsal of_ones() const {
    return {.blocks = 4,
            .threads = 32,
            .cooperative = cooperative,
            .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p",
                          "buf:f32:4:fill:1:name=weights", "buf:u32:16384:zero:name=state",
                          "u32:128", "u32:4", "u32:2"},
            .result = "x=1"};
  }
  /// Three rounds of messages between blocks two apart.
  rehearsal of_messages() const {
    return {.blocks = 4,
            .threads = 64,
            .cooperative = cooperative,
            .arguments = {"buf:u32:16384:zero:name=state", "buf:u32:768:zero:name=data",
                          "buf:u32:24:zero:name=log", "u32:3", "u32:2", "u32:2"}};
  }

  /// Parameters of `transform` and of the litmus kernels (ptx/device/grid_barrier.cuh).
  static std::vector<param> steps() {
    using enum param;
    return {pointer, pointer, pointer, pointer, u32, u32, u32};
  }
  static std::vector<param> messages() {
    using enum param;
    return {pointer, pointer, pointer, u32, u32, u32};
  }

 private:
  static std::vector<unsigned> grids() { return {2, 4, 8, 16, 32, 64, 0}; }
  measurement launched(protocol how) const {
    measurement m;
    m.how = how;
    m.cluster_blocks = cluster_blocks;
    m.cooperative = cooperative;
    return m;
  }
  measurement timed() const {
    measurement m = launched(protocol::grid);
    m.sass = {poll};
    m.per_copy = per_copy;
    m.expands = true;
    return m;
  }
};

}  // namespace ptxlab::kernels
