// SPDX-License-Identifier: Apache-2.0
// References of the kernels that a gate of the timing has to refuse, and of their repaired twins:
// what they compute is right all the same.
#include <cmath>

#include "tests/unit/machine/half_step.hpp"
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;

struct control_registration {
  control_registration(const std::string& id, const timed_model& m) {
    reference_registration("controls/" + id, [m](const subject& s) { check_chain(s, m); });
  }
};

timed_model counting_copies() {
  timed_model m =
      with_own<u32>([](u32& copy, u32 x, u32 a) { return x ^ (u64{++copy} * a >> 32); });
  m.own = [](const workbench& on, unsigned lane) { return on.operand_of(0)[lane]; };
  return m;
}
timed_model four(timed_model m) {
  const auto once = m.step;
  m.step = [once](lane_words& x, const lane_words& a, const lane_words& b, lane_words& own) {
    for (int i = 0; i < 4; ++i) once(x, a, b, own);
  };
  return m;
}
timed_model multiply_add() {
  return each<float>([](float x, float a, float b) { return std::fma(x, a, b); });
}

const control_registration controls[] = {
    {"folded/abs_s32", each<s32>([](s32 x, s32, s32) { return std::abs(x); })},
    {"folded/activemask_b32", each<u32>([](u32 x, u32, u32) { return x + ~0U; })},
    {"folded/add_s32", each<u32>([](u32 x, u32 a, u32) { return x + a; })},
    {"folded/bar_warp_sync", unchanged()},
    {"folded/cvt_f64_f32_as_casts",
     each<double>([](double x, double, double) { return static_cast<float>(x); })},
    {"folded/cvt_s64_s32", unchanged()},
    {"folded/elect_sync",
     across([](const lane_words& x, unsigned i, u32 a, u32) { return i == 0 ? x[i] : a; })},
    {"folded/fminf_same", each<float>([](float x, float a, float) { return std::min(x, a); })},
    {"folded/min_f16x2",
     both_halves(f16, [](double x, double a, double) { return std::min(x, a); })},
    {"folded/neg_f32", each<float>([](float x, float, float) { return -x; })},
    {"folded/neg_s32", each<u32>([](u32 x, u32, u32) { return 0 - x; })},
    {"folded/rcp_approx_ftz_f32_alone", each<float>([](float x, float, float) { return 1 / x; })},
    {"folded/read_warpid", unchanged()},  // warp 0
    {"folded/sub_s32", each<u32>([](u32 x, u32 a, u32) { return a - x; })},
    {"folded/xor_b32", each<u32>([](u32 x, u32 a, u32) { return x ^ a; })},
    {"timing/chain_broken", counting_copies()},
    {"timing/chain_repaired",
     each<u32>([](u32 x, u32 a, u32 b) { return b ^ (u64{x} * a >> 32); })},
    {"timing/dead_result", unchanged()},
    {"timing/dead_result_repaired", each<float>([](float x, float a, float) { return a / x; })},
    {"timing/folded", each<s32>([](s32 x, s32 a, s32) { return std::max(x, a); })},
    {"timing/folded_repaired", each<s32>([](s32 x, s32 a, s32 b) { return std::max(x, a) ^ b; })},
    {"timing/hoisted", each<float>([](float x, float a, float) {
       return x + static_cast<float>(1 / std::sqrt(static_cast<double>(a)));
     })},
    {"timing/hoisted_repaired", each<float>([](float x, float a, float) {
       return a + static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
     })},
    {"timing/loop_left", four(multiply_add())},
    {"timing/loop_left_repaired", four(multiply_add())},
    {"timing/wrong_opcode", each<u32>([](u32 x, u32 a, u32) { return x * 8 ^ a; })},
    {"timing/wrong_opcode_repaired", each<u32>([](u32 x, u32 a, u32 b) { return x * b ^ a; })},
};

const reference_registration streams_repaired("controls/timing/streams_repaired",
                                              [](const subject& s) {
                                                check_streams(s, multiply_add(), 2);
                                              });
const reference_registration streams_dependent(
    "controls/timing/streams_dependent", [](const subject& s) {
      timed_model m = with_own<float>(
          [](float& last, float x, float a) { return last = std::fma(last, a, x); });
      m.own = [](const workbench&, unsigned) { return word_of(1.0F); };
      check_streams(s, m);
    });

/// The values that clocks give are the machine's own; that the samples are there is all.
void check_clock(const subject& s) {
  set_operands(s.on, s.what.measure, timed_model{.step = {}, .by_lane = 0});
  const run_report r = s.on.run_timed(s.what.symbol, 1, warp_lanes, 3 * device::samples_per_launch);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  expect_samples(s.on.samples.data(), device::samples_per_launch, 3, 0);
}
const reference_registration clocks[] = {
    {"latency/clock/read_clock", check_clock},
    {"latency/clock/read_clock64", check_clock},
    {"latency/clock/read_globaltimer", check_clock},
    // They read zeros, whose sum moves no address: operand 0 plus the address of the operands.
    {"controls/timing/load_unconsumed", check_clock},
    {"controls/timing/load_unconsumed_repaired", check_clock},
};

}  // namespace
}  // namespace ptxlab::machine
