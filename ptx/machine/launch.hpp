// SPDX-License-Identifier: Apache-2.0
// A launch of the machine, and what is said of it when it is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/fault.hpp"
#include "ptx/machine/observer.hpp"
#include "ptx/machine/observers/mix.hpp"

namespace ptxlab::machine {

/// Who runs next. Every policy is deterministic: the token of a run gives the same run again.
enum class policy : std::uint8_t {
  its,          ///< independent threads, fair: everyone who can run does, in turn
  lockstep,     ///< lanes that parted wait where they meet, whatever happens: before sm_70
  random,       ///< who runs, and for how long, is drawn from the seed
  adversarial,  ///< as random, but who is about to write strongly waits while others can run
  trace         ///< as a recorded run
};

/// One decision of a scheduler.
struct turn {
  std::uint32_t block = 0, warp = 0;
  lane_mask lanes = 0;      ///< of the fragment that runs; 0: a meeting point is given up
  std::uint64_t steps = 0;  ///< that it runs; of a meeting point: 1 if who is missing waits itself
};
/// A line for each turn, and back. Throws ptxlab::error for a text that is none.
std::string trace_text(const std::vector<turn>& turns);
std::vector<turn> read_trace(std::string_view text);

/// How many blocks can be resident, and why; no block starts before there is room.
struct residency {
  std::uint32_t blocks = 0;  ///< of the whole device at a time; 0: no limit
  std::uint32_t multiprocessors = 132;
  std::string model = "no limit";  ///< "H200: 132 SMs x 8 blocks of 256 threads"
};

struct launch {
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t cluster[3] = {0, 0, 0};  ///< blocks of a cluster; 0: what the kernel says, or one
  std::uint32_t dynamic_shared = 0;      ///< bytes
  std::vector<std::byte> parameters;     ///< as the kernel's parameter space holds them
  residency resident;
  policy by = policy::its;
  std::uint64_t seed = 1;
  std::vector<turn> trace;              ///< to follow, of policy::trace
  std::vector<turn>* record = nullptr;  ///< filled with the turns of this run
  bool cooperative = false;  ///< %envreg1 and 2 hold a workspace; refused beyond residency
  std::uint64_t step_budget = 4'000'000'000;  ///< warp steps
  double seconds = 0;                         ///< time budget; 0: none
  /// Not 0: approximate functions are moved within their documented bounds, drawn by this seed.
  std::uint64_t approximate_seed = 0;
  bool count = false;                ///< fills run_report::counts
  bool check_uninitialised = false;  ///< reading what nobody wrote is a fault
  unsigned threads = 1;              ///< of the host, where the kernel's blocks do not communicate
  std::vector<observer*> observers;
};

enum class ending : std::uint8_t {
  finished,
  fault,
  residency_deadlock,    ///< who spins waits for a block that has no room
  simt_deadlock,         ///< lanes of one warp wait for each other; passes with independent threads
  barrier_divergence,    ///< some wait at a barrier that others do not reach
  nobody_left_to_write,  ///< who spins waits for a value that nobody can write any more
  step_budget,
  time_budget,
  refused  ///< not started: the geometry or the arguments do not fit
};
std::string_view name(ending e);

/// Lanes that never got on.
struct waiting {
  lanes who;
  std::string at;         ///< "bar.sync at reduce.cu:12"
  std::string polls;      ///< "count+0 (4 bytes) holds 3"; empty for who does not poll
  std::string condition;  ///< the comparison that keeps it in its loop
  std::string writer;     ///< who wrote there last; filled by who ran the launch again to see
  /// Where it polls: space, address and bytes; 0 bytes for who does not poll.
  flow::space polled_space = flow::space::global;
  address polled = 0;
  std::uint32_t polled_bytes = 0;
  std::uint32_t polled_block = 0;  ///< in shared memory: whose
};

struct run_report {
  ending how = ending::finished;
  std::string reason;          ///< one sentence, for anything but finished
  std::vector<waiting> stuck;  ///< one for each different place, the lowest block first
  std::uint64_t stuck_in_all = 0;
  lanes who;               ///< of a fault
  std::uint32_t site = 0;  ///< of a fault
  std::uint64_t warp_steps = 0, lane_steps = 0;
  std::uint64_t blocks_finished = 0, blocks_started = 0;
  std::string printed;             ///< what printf wrote, and the message of an assertion
  std::string token;               ///< "its" or "random:7", with the residency: gives the run again
  std::vector<std::string> notes;  ///< "bar.sync with 16 of 32 lanes at ..."
  std::vector<site_counts> counts;
};

}  // namespace ptxlab::machine
