// SPDX-License-Identifier: Apache-2.0
// What the facts of a kernel say of its occupancy, held against what the driver says.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/occupancy/prepared.hpp"

namespace ptxlab::occupancy {

/// A launch and how many of its blocks fit one multiprocessor.
struct shape {
  int block_threads = 0;
  std::int64_t dynamic_shared_bytes = 0;
};

/// Blocks of 32 to 1024 threads by a warp, each with no dynamic shared memory, 16, 48, 100 and 200
/// KiB.
std::vector<shape> usual_shapes();

/// The driver's answer for a shape; where it refuses the shape, 0: no block of it can be launched.
using driver_answer = std::function<int(const shape&)>;

struct difference {
  shape at;
  int facts = 0, driver = 0;
};

struct compared {
  std::string id;
  facts::count registers, shared_bytes;
  std::size_t points = 0;                  ///< shapes for which both gave a number
  std::vector<difference> differences;     ///< of these
  std::vector<std::string> disagreements;  ///< "registers: 32 by the facts, 40 by the driver"
  std::string problem;                     ///< why shapes were left out; empty: none was

  bool equal() const { return differences.empty() && disagreements.empty() && problem.empty(); }
  /// One line for each thing that is not equal, with the kernel's name.
  std::vector<std::string> lines() const;
};

/// Asks for every shape of `shapes`, in their order, whose blocks are not larger than the kernel's
/// launch bounds: those are launched by nobody, and the driver's query passes over the bounds.
compared compare(const prepared_kernel& k, const std::string& arch,
                 const std::vector<shape>& shapes, const driver_answer& ask);

/// Columns kernel, registers, shared, points, differences; a line of its own for each kernel. What
/// the facts do not tell is empty; shapes that were left out count as a difference.
std::string csv_of(const std::vector<compared>& all);

/// Sums of what `csv_of` wrote.
struct archived {
  std::size_t kernels = 0, points = 0, differences = 0;
  std::size_t differing = 0;  ///< kernels with a difference
  std::int64_t least_registers = 0, most_registers = 0, most_shared_bytes = 0;
};
/// Throws ptxlab::error ("NAME:LINE: reason") for text that it did not write.
archived read_csv(const std::string& text, const std::string& name);

}  // namespace ptxlab::occupancy
