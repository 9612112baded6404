// SPDX-License-Identifier: Apache-2.0
// References of the kernels that wait: barriers over the grid, waits for a flag, locks, barriers
// under a condition. Where nvcc broke a wait, its ending is the reference; and the race detector's
// verdict is one for each barrier.
#include <numeric>

#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using words = std::vector<u32>;

// --- barriers over the grid ----------------------------------------------------------------------

constexpr u32 blocks = 4, threads = 64, elements = blocks * threads;  // a power of two

/// x -> p -> x, every step the mean of all before.
float mean(const std::vector<float>& v) {
  float sum = 0;
  for (const float x : v) sum += x;
  return sum / static_cast<float>(v.size());
}

struct barrier_run {
  run_report report;
  std::vector<float> x, p, wanted_x, wanted_p;
  u32 count = 0;
  race_detector races;
};

void run_barrier(const subject& s, barrier_run& out, u32 first_count = 0, u32 late = 0) {
  std::vector<float> x(elements);
  std::iota(x.begin(), x.end(), 1.0F);
  const address at_x = s.on.buffer(x, "x"), at_p = s.on.buffer(std::vector<float>(elements), "p");
  const address count = s.on.buffer(words{first_count}, "count");
  std::vector<std::uint64_t> arguments = {at_x, at_p};
  std::vector<unsigned> bytes = {8, 8};
  const auto add = [&](std::uint64_t value, unsigned size) {
    arguments.push_back(value);
    bytes.push_back(size);
  };
  const bool has_counter = s.what.params.size() == 4 && s.what.params[2] == kernels::param::pointer;
  if (has_counter) add(count, 8);
  add(elements, 4);
  if (s.what.params.size() == 4 && !has_counter) add(late, 4);
  s.on.how.cooperative = s.what.symbol == "cooperative_groups_sync";
  s.on.how.observers = {&out.races};
  s.on.how.step_budget = 10'000'000;
  out.report = s.on.run(s.what.symbol, blocks, threads, arguments, bytes);
  s.on.how.observers.clear();
  out.x = s.on.read<float>(at_x, elements);
  out.p = s.on.read<float>(at_p, elements);
  out.count = s.on.read<u32>(count, 1)[0];
  out.wanted_p.assign(elements, mean(x));
  out.wanted_x.assign(elements, mean(out.wanted_p));
}

/// Right on the machine, which is sequentially consistent; and the detector's word on it.
reference barrier(const std::string& verdict, const std::string& missing, u32 final_count = 0,
                  u32 first_count = 0) {
  return [=](const subject& s) {
    for (const char* token : {"its", "lockstep", "random:5", "adversarial:5"}) {
      read_token(token, s.on.how);
      barrier_run r;
      run_barrier(s, r, first_count);
      ASSERT_EQ(name(r.report.how), name(ending::finished)) << token << r.report.reason;
      EXPECT_EQ(r.x, r.wanted_x) << token;
      EXPECT_EQ(r.p, r.wanted_p) << token;
      EXPECT_EQ(r.count, final_count) << token;
      EXPECT_EQ(verdict_of(r.races.report()), verdict) << token;
      const std::string why = missing_of(r.races.report());
      EXPECT_NE(why.find(missing), std::string::npos) << token << ": " << why;
    }
    // One block above residency nobody gets on.
    s.on.how.by = policy::its;
    s.on.how.resident = {blocks - 1, 132, "a test"};
    barrier_run r;
    run_barrier(s, r, first_count);
    const bool asked = s.on.how.cooperative;
    EXPECT_EQ(name(r.report.how), name(asked ? ending::refused : ending::residency_deadlock));
  };
}
/// No barrier of the grid: elements of other blocks are read as they happen to be.
void check_no_barrier(const subject& s) {
  barrier_run r;
  run_barrier(s, r);
  ASSERT_EQ(name(r.report.how), name(ending::finished)) << r.report.reason;
  const bool of_block = s.what.symbol == "syncthreads_only";
  EXPECT_EQ(verdict_of(r.races.report()),
            of_block ? "between blocks" : "between blocks, between warps, within a warp");
  // One block at a time: the second reads what the first has written into x.
  s.on.how.resident = {1, 132, "a test"};
  barrier_run alone;
  run_barrier(s, alone);
  EXPECT_NE(alone.p, alone.wanted_p);
  EXPECT_NE(alone.x, alone.wanted_x);
  // Somebody late changes nothing of who races with whom.
  s.on.how.resident = {};
  barrier_run late;
  run_barrier(s, late, 0, 1000);
  ASSERT_EQ(name(late.report.how), name(ending::finished)) << late.report.reason;
  EXPECT_EQ(verdict_of(late.races.report()), verdict_of(r.races.report()));
  EXPECT_GT(late.report.warp_steps, r.report.warp_steps);
}
void check_hoisted(const subject& s) {
  barrier_run r;
  run_barrier(s, r);
  EXPECT_EQ(name(r.report.how), name(ending::nobody_left_to_write)) << r.report.reason;
}

const reference_registration barriers[] = {
    {"barrier/device_barrier/acquire_poll", barrier("no race", "")},
    {"barrier/device_barrier/cooperative_groups_sync", barrier("no race", "")},
    {"barrier/device_barrier/inline_ptx_clobber", barrier("between blocks", "strength")},
    {"barrier/device_barrier/inline_ptx_ld_volatile", barrier("between blocks", "acquire")},
    {"barrier/device_barrier/inline_ptx_plain", barrier("between blocks", "strength")},
    {"barrier/unsynchronised/no_barrier", check_no_barrier},
    {"barrier/device_barrier/plain_poll", check_hoisted},
    {"barrier/device_barrier/red_release_acquire", barrier("no race", "", blocks)},
    {"barrier/device_barrier/relaxed_poll", barrier("no race", "")},
    {"barrier/unsynchronised/syncthreads_only", check_no_barrier},
    {"barrier/device_barrier/volatile_counter", barrier("between blocks", "acquire")},
    {"barrier/device_barrier/with_init_step", barrier("between blocks", "acquire", 0, 1000)},
};

// --- barriers under a condition ------------------------------------------------------------------

reference conditional(const std::function<u32(u32 thread, const words& a)>& f,
                      const std::string& note = "") {
  return [=](const subject& s) {
    words a(65);
    std::iota(a.begin(), a.end(), 100U);
    const address out = s.on.buffer(words(64), "out");
    std::vector<std::uint64_t> arguments = {out, s.on.buffer(a, "a"), 4};
    arguments.resize(s.what.params.size());
    const run_report r = s.run(1, 64, arguments);
    const words got = s.on.read<u32>(out, 64);
    for (u32 t = 0; t < 64; ++t) EXPECT_EQ(got[t], f(t, a)) << t;
    std::string notes;
    for (const std::string& one : r.notes) notes += one;
    EXPECT_EQ(notes.empty(), note.empty()) << notes;
    EXPECT_NE(notes.find(note), std::string::npos) << notes;
  };
}
const reference_registration conditionals[] = {
    {"barrier/divergent/after_lane_branch",
     conditional([](u32 t, const words& a) { return t % 2 != 0 ? a[t] + a[t + 1] : a[t]; })},
    {"barrier/divergent/under_block_branch",
     [](const subject& s) {
       const address a = s.on.buffer(words(64, 7), "a"), out = s.on.buffer(words(64), "out");
       ASSERT_EQ(s.run(1, 64, {out, a}).how, ending::finished);
       EXPECT_EQ(s.on.read<u32>(out, 64), words(64, 8));
     }},
    {"barrier/divergent/under_lane_branch",
     conditional([](u32 t, const words& a) { return a[t] + t % 2; }, "with 16 of 32 lanes")},
    {"barrier/divergent/under_uniform_branch",
     conditional([](u32 t, const words& a) { return a[t] + 1; })},
};

// --- waits for a flag ----------------------------------------------------------------------------

/// Ends at once where the flag is set; where it is not, nobody ever sets it.
void check_wait(const subject& s) {
  EXPECT_EQ(s.run(1, 1, {s.on.buffer(words{1}, "flag")}).how, ending::finished);
  const run_report r = s.run(2, 32, {s.on.buffer(words{0}, "flag")}, ending::nobody_left_to_write);
  EXPECT_EQ(r.stuck_in_all, 2U);
}
/// The flag is polled in the PTX, and the report says so.
void check_polling_wait(const subject& s) {
  check_wait(s);
  const run_report r = s.run(1, 1, {s.on.buffer(words{0}, "flag")}, ending::nobody_left_to_write);
  ASSERT_EQ(r.stuck.size(), 1U);
  EXPECT_NE(r.stuck[0].polls.find("flag+0 (4 bytes"), std::string::npos) << r.stuck[0].polls;
}
/// nvcc loads the flag once: the loop polls nothing.
void check_lost_wait(const subject& s) {
  check_wait(s);
  const run_report r = s.run(1, 1, {s.on.buffer(words{0}, "flag")}, ending::nobody_left_to_write);
  ASSERT_EQ(r.stuck.size(), 1U);
  EXPECT_EQ(r.stuck[0].polls, "");
}

const reference_registration waits[] = {
    {"barrier/wait_forms/wait_acquire", check_polling_wait},
    {"barrier/wait_forms/wait_asm_volatile_load", check_polling_wait},
    {"barrier/wait_forms/wait_atomic", check_polling_wait},
    {"barrier/wait_forms/wait_clobber_in_body", check_polling_wait},
    {"barrier/wait_forms/wait_fence_in_body", check_polling_wait},
    {"barrier/wait_forms/wait_inline_loop", check_polling_wait},
    {"barrier/wait_forms/wait_nc_fence", check_polling_wait},
    {"barrier/wait_forms/wait_nc_only", check_polling_wait},
    {"barrier/wait_forms/wait_plain", check_lost_wait},
    {"barrier/wait_forms/wait_relaxed", check_polling_wait},
    {"barrier/wait_forms/wait_volatile", check_polling_wait},
    {"loops/waits/sleeping_plain", check_polling_wait},
    {"loops/waits/sleeping_volatile", check_polling_wait},
};

/// Two flags of which each may be missing; `data` then tells how far it came.
reference two_flags(const words& when_first_only, const words& when_both) {
  return [=](const subject& s) {
    const address set = s.on.buffer(words{1}, "set"), unset = s.on.buffer(words{0}, "unset");
    const address data = s.on.buffer(words(2), "data");
    s.run(1, 1, {unset, set, data}, ending::nobody_left_to_write);
    EXPECT_EQ(s.on.read<u32>(data, 2), words(2));
    s.run(1, 1, {set, unset, data}, ending::nobody_left_to_write);
    EXPECT_EQ(s.on.read<u32>(data, 2), when_first_only);
    s.run(1, 1, {set, set, data});
    EXPECT_EQ(s.on.read<u32>(data, 2), when_both);
  };
}
/// Thread 32 sets what thread 0 waits for.
void check_shared_wait(const subject& s) {
  const address data = s.on.buffer(words(2), "data");
  ASSERT_EQ(s.run(1, 64, {data}).how, ending::finished);
  EXPECT_EQ(s.on.read<u32>(data, 2), (words{1, 2}));
  // With nobody to set it, thread 0 waits for ever.
  s.run(1, 32, {data}, ending::nobody_left_to_write);
}
/// nvcc has thread 0 load the flag once: it gets on if thread 32 was there before it, and else
/// never.
void check_lost_shared_wait(const subject& s) {
  std::set<ending> endings;
  for (s.on.how.seed = 1; s.on.how.seed < 20 && endings.size() < 2; ++s.on.how.seed) {
    s.on.how.by = policy::random;
    const address data = s.on.buffer(words(2), "data");
    const run_report r = s.on.run(s.what.symbol, 1, 64, {data});
    endings.insert(r.how);
    EXPECT_EQ(s.on.read<u32>(data, 2), (words{1, r.how == ending::finished ? 2U : 0U})) << r.token;
  }
  EXPECT_EQ(endings, (std::set{ending::finished, ending::nobody_left_to_write}));
}
const reference_registration other_waits[] = {
    {"loops/waits/bounded_volatile",
     [](const subject& s) {
       const address data = s.on.buffer(words{9}, "data");
       s.run(1, 1, {s.on.buffer(words{0}, "flag"), data, 5});
       EXPECT_EQ(s.on.read<u32>(data, 1)[0], 5U);
       s.run(1, 1, {s.on.buffer(words{1}, "flag"), data, 5});
       EXPECT_EQ(s.on.read<u32>(data, 1)[0], 0U);
     }},
    {"loops/waits/lock_by_cas",
     [](const subject& s) {
       for (const char* token : {"its", "lockstep", "random:3", "adversarial:3"}) {
         read_token(token, s.on.how);
         race_detector races;
         s.on.how.observers = {&races};
         const address lock = s.on.buffer(words{0}, "lock"), data = s.on.buffer(words{0}, "data");
         s.run(9, 64, {lock, data});
         s.on.how.observers.clear();
         EXPECT_EQ(s.on.read<u32>(data, 1)[0], 9U) << token;
         EXPECT_EQ(s.on.read<u32>(lock, 1)[0], 0U) << token;
         EXPECT_EQ(verdict_of(races.report()), "no race") << token;
       }
     }},
    {"loops/waits/shared_plain", check_lost_shared_wait},
    {"loops/waits/shared_volatile", check_shared_wait},
    {"loops/waits/two_plain_second", two_flags({0, 0}, {1, 0})},
    {"loops/waits/two_volatile", two_flags({1, 0}, {1, 2})},
};

}  // namespace
}  // namespace ptxlab::machine
