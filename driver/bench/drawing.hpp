// SPDX-License-Identifier: Apache-2.0
// A random kernel of the catalogue with its states and its memory, at one point: set up, drawn from
// again and again, and what it must have drawn.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"
#include "driver/cuda/launch.hpp"

namespace ptxlab::bench {

/// Of all kernels that are measured.
inline constexpr std::uint64_t random_seed = 20121130;

/// How the states of a xorwow kernel are spread over a grid.
struct xorwow_spread {
  std::uint32_t subsequences = 0;
  std::uint32_t segments = 1;
  unsigned blocks = 0;  ///< of all states
};
/// `adjacent` subsequences to a thread, `threads` of them in a block and `grid` blocks on the
/// device. With 0 `subsequences` every thread has its own; with fewer than there are threads for,
/// the rows are divided into segments. Throws ptxlab::error for a number that is no multiple of
/// `adjacent`.
xorwow_spread spread_over(unsigned grid, unsigned threads, unsigned adjacent,
                          std::uint32_t subsequences);

class drawing {
 public:
  virtual ~drawing() = default;
  /// Queues what has to be done before the first number.
  virtual void set_up() = 0;
  /// Queues the drawing of the next numbers, or of the same ones again (see `goes_on`).
  virtual void draw() = 0;
  /// Whether a second draw goes on behind the first, in this kernel and at this point.
  virtual bool goes_on() const = 0;
  /// What the host says of what was drawn last: `count` numbers from number `first` of it.
  virtual std::vector<double> wanted(std::uint64_t first, std::uint64_t count) const = 0;
  virtual CUdeviceptr out() const = 0;
  std::uint64_t numbers() const { return numbers_; }
  /// Of the dimensions of a quasirandom sequence; 0: there are none.
  virtual unsigned dimensions() const { return 0; }

 protected:
  explicit drawing(std::uint64_t numbers) : numbers_(numbers) {}

 private:
  std::uint64_t numbers_;
};

/// Zeroed bytes behind the numbers, which no kernel may touch.
inline constexpr std::uint64_t random_guard_bytes = 256;

/// Gets memory from the lab. Throws ptxlab::error: sizes that the sequence does not have, too
/// little memory.
std::unique_ptr<drawing> drawing_of(lab& l, const kernels::variant& v, const axes& at);

/// Why no kernel draws so many numbers, in one line; empty where it can.
std::string refusal_of(const kernels::variant& v, const axes& at, std::uint64_t memory_bytes);

}  // namespace ptxlab::bench
