// SPDX-License-Identifier: Apache-2.0
// Code of one function, stripped of its instruction set: what each operation reads, writes, touches
// in memory and where control goes next. Both readers (PTX, SASS) lower to it, so that loops, exits
// and polls are found by one piece of code and mean the same at both stages.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ptxlab::flow {

/// A register, numbered densely within one function by the reader that lowered it.
using reg = std::uint32_t;
inline constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

enum class space : std::uint8_t { none, generic, global, shared, local, constant, param, texture };

/// What a stage shows of a memory operation's ordering. PTX: weak, nc, volatile, relaxed, acquire,
/// release, acq_rel, sc (PTX ISA, "Memory Consistency Model"). SASS: weak, nc (`.CONSTANT`),
/// strong (`.STRONG.scope`), shared (LDS/STS/ATOMS carry no ordering at all).
enum class order : std::uint8_t {
  weak,
  nc,
  shared,
  volatile_,
  relaxed,
  strong,
  release,
  acquire,
  acq_rel,
  sc
};
enum class scope : std::uint8_t { none, cta, cluster, gpu, sys };

enum class kind : std::uint8_t {
  plain,             ///< arithmetic, moves, conversions
  load,              ///< reads memory (parameter and constant loads too: see `space`)
  store,             ///< writes memory
  atomic,            ///< read-modify-write that returns the old value
  reduction,         ///< read-modify-write without a result
  barrier,           ///< block or cluster barrier (bar, barrier, BAR, UCGABAR)
  warp_sync,         ///< bar.warp.sync / WARPSYNC: lanes of one warp wait for each other
  exchange,          ///< warp shuffle, vote, match, redux: values cross lanes
  fence,             ///< fence, membar / MEMBAR
  cache_invalidate,  ///< SASS CCTL.IVALL: what makes a strong load an acquire
  call,              ///< call of a function
  clock,             ///< reads %clock, %clock64, %globaltimer
  sleep              ///< nanosleep
};

/// Where control goes after an operation. A guarded transfer may also fall through.
enum class transfer : std::uint8_t {
  next,      ///< falls through
  jump,      ///< to `target`
  indirect,  ///< to one of `code::targets(op)`; none listed means "cannot tell"
  leave      ///< ret, exit, trap: leaves the function
};

/// The few arithmetic forms that counting iterations needs. `select` takes one of its operands, or
/// joins flags: a value that only passes through it is not counted.
enum class form : std::uint8_t { other, move, add, compare, negate_predicate, select };
enum class relation : std::uint8_t { none, eq, ne, lt, le, gt, ge };

/// One operation. `where` is the reader's own index of the instruction (PTX: index into the
/// function's instructions; SASS: index into its instructions).
struct op {
  kind what = kind::plain;
  transfer then = transfer::next;
  form shape = form::other;
  relation rel = relation::none;

  space memory = space::none;
  order ordering = order::weak;
  scope reach = scope::none;
  bool guarded = false;        ///< executes under a predicate; its writes may not happen
  bool guard_negated = false;  ///< ... under the predicate being false
  bool has_immediate = false;  ///< move of, add of, or comparison with `immediate`
  bool unsigned_compare = false;
  bool lane_dependent = false;  ///< yields a value that differs between lanes (tid, laneid)

  std::uint16_t width_bits = 0;  ///< of the memory access, all elements of a vector together
  std::uint16_t reads = 0;       ///< number of registers read, the guard included (last)
  std::uint16_t writes = 0;
  std::uint16_t address_reads = 0;  ///< the first so many of `reads` only form the address
  std::uint32_t first_reg = 0;      ///< in `code::regs`: reads, then writes
  std::uint32_t target = nowhere;   ///< index of the operation jumped to
  std::uint32_t where = 0;
  std::int64_t immediate = 0;
};

/// Operations of one function in program order; execution starts at the first.
struct code {
  std::vector<op> ops;
  std::vector<reg> regs;
  std::uint32_t reg_count = 0;
  /// Targets of indirect jumps: pairs of (operation, target operation), sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> indirect_targets;

  std::span<const reg> reads(const op& o) const { return {regs.data() + o.first_reg, o.reads}; }
  std::span<const reg> writes(const op& o) const {
    return {regs.data() + o.first_reg + o.reads, o.writes};
  }
};

/// Names as the JSON and facts formats spell them.
const char* name(space s);
const char* name(scope s);
/// "weak", "nc", "volatile", "relaxed.gpu", "strong.sys", "atomic", "shared", ...
std::string strength(const op& o);

}  // namespace ptxlab::flow
