// SPDX-License-Identifier: Apache-2.0
// The machine's control flow, calls, barriers and memory, on small kernels whose results are known.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "ptx/text/error.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

std::vector<std::uint32_t> counting(std::uint32_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

// The number of steps that 3n+1 takes: each lane leaves the loop in a round of its own.
constexpr const char* collatz = R"(
.visible .entry collatz(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  add.u32 %r2, %r1, 1;
  mov.u32 %r3, 0;
again:
  setp.eq.u32 %p1, %r2, 1;
  @%p1 bra done;
  and.b32 %r4, %r2, 1;
  setp.eq.u32 %p2, %r4, 1;
  @%p2 bra odd;
  shr.u32 %r2, %r2, 1;
  bra next;
odd:
  mad.lo.u32 %r2, %r2, 3, 1;
next:
  add.u32 %r3, %r3, 1;
  bra again;
done:
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

std::uint32_t collatz_steps(std::uint64_t n) {
  std::uint32_t k = 0;
  for (; n != 1; ++k) n = n % 2 != 0 ? 3 * n + 1 : n / 2;
  return k;
}

TEST(machine_run, lanes_leave_a_loop_one_by_one) {
  for (const char* token : {"its", "lockstep", "random:7", "adversarial:3"}) {
    machine_fixture m(collatz);
    read_token(token, m.how);
    const address out = m.buffer(std::vector<std::uint32_t>(70));
    const run_report r = m.run("collatz", 1, 70, {out});
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    const auto v = m.read<std::uint32_t>(out, 70);
    for (std::uint32_t i = 0; i < 70; ++i) EXPECT_EQ(v[i], collatz_steps(i + 1)) << token;
  }
}

TEST(machine_run, lanes_that_parted_run_together_again) {
  machine_fixture m(collatz);
  m.how.count = true;
  const address out = m.buffer(std::vector<std::uint32_t>(32));
  const run_report r = m.run("collatz", 1, 32, {out});
  const program& p = *m.module.kernel("collatz").code;
  for (std::size_t i = 0; i < p.sites.size(); ++i)
    if (p.sites[i].opcode == "st.global.u32") {
      EXPECT_EQ(r.counts[i].executed, 1U);
      EXPECT_EQ(r.counts[i].lanes, 32U);
    }
}

TEST(machine_run, a_jump_by_index_goes_where_the_table_says) {
  machine_fixture m(R"(
.visible .entry jump(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  rem.u32 %r2, %r1, 3;
  mov.u32 %r3, 0;
places: .branchtargets one, two, three;
  brx.idx %r2, places;
one:
  add.u32 %r3, %r3, 1;
two:
  add.u32 %r3, %r3, 10;
three:
  add.u32 %r3, %r3, 100;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(32));
  ASSERT_EQ(m.run("jump", 1, 32, {out}).how, ending::finished);
  const auto v = m.read<std::uint32_t>(out, 6);
  EXPECT_EQ(v, (std::vector<std::uint32_t>{111, 110, 100, 111, 110, 100}));
}

constexpr const char* fibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n) {
  .reg .pred %p<2>; .reg .b32 %r<8>;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra small;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; st.param.b32 [a], %r2; .param .b32 x;
    call.uni (x), fib, (a);
    ld.param.b32 %r3, [x]; }
  sub.u32 %r4, %r1, 2;
  { .param .b32 a; st.param.b32 [a], %r4; .param .b32 x;
    call.uni (x), fib, (a);
    ld.param.b32 %r5, [x]; }
  add.u32 %r6, %r3, %r5;
  st.param.b32 [result], %r6;
  ret;
small:
  st.param.b32 [result], %r1;
  ret;
}
.visible .entry each(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  { .param .b32 a; st.param.b32 [a], %r1; .param .b32 x;
    call.uni (x), fib, (a);
    ld.param.b32 %r2, [x]; }
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

TEST(machine_run, recursion_has_registers_for_each_activation) {
  for (const char* token : {"its", "lockstep", "random:1"}) {
    machine_fixture m(fibonacci);
    read_token(token, m.how);
    const address out = m.buffer(std::vector<std::uint32_t>(16));
    const run_report r = m.run("each", 1, 16, {out});
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    EXPECT_EQ(
        m.read<std::uint32_t>(out, 16),
        (std::vector<std::uint32_t>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610}));
  }
}

TEST(machine_run, endless_recursion_is_a_stack_overflow) {
  machine_fixture m(R"(
.func down(.param .b32 n) {
  .reg .b32 %r<2>;
  .local .align 4 .b8 kept[64];
  ld.param.u32 %r1, [n];
  st.local.u32 [kept], %r1;
  { .param .b32 a; st.param.b32 [a], %r1; call.uni down, (a); }
  ret;
}
.visible .entry start() { { .param .b32 a; .reg .b32 %r<1>; mov.u32 %r0, 1; st.param.b32 [a], %r0; call.uni down, (a); } ret; })");
  const run_report r = m.run("start", 1, 1, {});
  EXPECT_EQ(r.how, ending::fault);
  EXPECT_NE(r.reason.find("stack overflow"), std::string::npos) << r.reason;
}

TEST(machine_run, lanes_call_different_functions_through_pointers) {
  machine_fixture m(R"(
.func (.param .b32 r) add_one(.param .b32 n) { .reg .b32 %r<3>; ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %r<3>; ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
.global .align 8 .u64 table[2] = {add_one, twice};
.visible .entry each(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  and.b32 %r3, %r1, 1;
  mul.wide.u32 %rd4, %r3, 8;
  mov.u64 %rd5, table;
  add.u64 %rd5, %rd5, %rd4;
  ld.global.u64 %rd6, [%rd5];
  { .param .b32 a; st.param.b32 [a], %r1; .param .b32 x;
    prototype : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (x), %rd6, (a), prototype;
    ld.param.b32 %r2, [x]; }
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(32));
  const run_report r = m.run("each", 1, 32, {out});
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const auto v = m.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(v[i], i % 2 == 0 ? i + 1 : 2 * i);
}

// --- barriers ------------------------------------------------------------------------------------

TEST(machine_run, a_barrier_of_some_warps_lets_only_them_wait) {
  // Warp 1 hands a word to warp 0 through barrier 1, which warp 1 only arrives at.
  machine_fixture m(R"(
.visible .entry hand(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  .shared .align 4 .b8 word[128];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r4, word;
  and.b32 %r5, %r1, 31;
  mad.lo.u32 %r4, %r5, 4, %r4;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra giver;
  bar.sync 1, 64;
  ld.shared.u32 %r2, [%r4];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
giver:
  st.shared.u32 [%r4], %r1;
  bar.arrive 1, 64;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(32));
  const run_report r = m.run("hand", 1, 64, {out});
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  const auto v = m.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(v[i], 32 + i);
}

TEST(machine_run, a_barrier_counts_what_holds) {
  machine_fixture m(R"(
.visible .entry count(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 13;
  bar.red.popc.u32 %r2, 0, %p1;
  bar.red.and.pred %p2, 0, %p1;
  bar.red.or.pred %p3, 0, %p1;
  selp.u32 %r3, 1000, 0, %p2;
  selp.u32 %r4, 100, 0, %p3;
  add.u32 %r2, %r2, %r3;
  add.u32 %r2, %r2, %r4;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(40));
  ASSERT_EQ(m.run("count", 1, 40, {out}).how, ending::finished);
  for (const std::uint32_t v : m.read<std::uint32_t>(out, 40)) EXPECT_EQ(v, 113U);
}

TEST(machine_run, who_has_ended_is_not_waited_for) {
  machine_fixture m(R"(
.visible .entry early(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 40;
  @%p1 exit;
  bar.sync 0;
  atom.global.add.u32 %r1, [%rd1], 1;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(1));
  const run_report r = m.run("early", 1, 96, {out});
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(m.read<std::uint32_t>(out, 1)[0], 41U);
}

TEST(machine_run, lanes_of_different_branches_meet_at_a_shuffle) {
  machine_fixture m(R"(
.visible .entry meet(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 16;
  @%p1 bra low;
  mul.lo.u32 %r2, %r1, 3;
  bra both;
low:
  mul.lo.u32 %r2, %r1, 5;
both:
  shfl.sync.bfly.b32 %r3, %r2, 16, 31, 0xffffffff;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
})");
  for (const char* token : {"its", "lockstep", "random:2", "random:3"}) {
    read_token(token, m.how);
    const address out = m.buffer(std::vector<std::uint32_t>(32));
    ASSERT_EQ(m.run("meet", 1, 32, {out}).how, ending::finished);
    const auto v = m.read<std::uint32_t>(out, 32);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(v[i], i < 16 ? 3 * (i + 16) : 5 * (i - 16));
  }
}

// --- memory --------------------------------------------------------------------------------------

constexpr const char* loads = R"(
.const .align 4 .b8 table[4] = {1, 2, 3, 4};
.visible .entry load(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.global.u32 %r1, [%rd1];
  st.global.u32 [%rd2], %r1;
  ret;
}
.visible .entry store_constant() {
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  mov.u64 %rd1, table;
  mov.u32 %r1, 7;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry beyond_shared() {
  .reg .b32 %r<2>;
  .shared .align 4 .b8 some[16];
  ld.shared.u32 %r1, [some+16];
  ret;
}
)";

std::string reason_of(machine_fixture& m, const char* kernel,
                      std::initializer_list<std::uint64_t> words) {
  const run_report r = m.run(kernel, 1, 1, words);
  EXPECT_EQ(r.how, ending::fault);
  return r.reason;
}

TEST(machine_run, accesses_outside_of_memory_are_named) {
  machine_fixture m(loads);
  const address in = m.buffer(counting(4), "in"), out = m.buffer(counting(4), "out");
  EXPECT_EQ(m.run("load", 1, 1, {in + 4, out}).how, ending::finished);
  EXPECT_NE(reason_of(m, "load", {in + 16, out}).find("reads byte 16 of 'in', which has 16"),
            std::string::npos);
  EXPECT_NE(reason_of(m, "load", {in, 0}).find("a null pointer"), std::string::npos);
  EXPECT_NE(reason_of(m, "load", {in + 2, out}).find("not a multiple of 4"), std::string::npos);
  EXPECT_NE(reason_of(m, "store_constant", {}).find("'table', which is constant"),
            std::string::npos);
  EXPECT_NE(reason_of(m, "beyond_shared", {}).find("shared memory, which has 16"),
            std::string::npos);
  m.emulator.device().release(in);
  EXPECT_NE(reason_of(m, "load", {in, out}).find("'in', which was freed"), std::string::npos);
}

TEST(machine_run, reading_what_nobody_wrote_is_a_fault_when_asked_for) {
  machine_fixture m(loads);
  m.emulator.device().track_writes(true);
  const address in = m.emulator.device().allocate(16, "in");
  const address out = m.emulator.device().allocate(16, "out");
  EXPECT_EQ(m.run("load", 1, 1, {in, out}).how, ending::finished);
  m.how.check_uninitialised = true;
  EXPECT_NE(reason_of(m, "load", {in, out}).find("'in', which nobody wrote"), std::string::npos);
  m.emulator.device().fill(in, std::byte{1}, 4);
  EXPECT_EQ(m.run("load", 1, 1, {in, out}).how, ending::finished);
}

TEST(machine_run, vectors_and_narrow_types_keep_their_bytes) {
  machine_fixture m(R"(
.visible .entry move(.param .u64 from, .param .u64 to) {
  .reg .b16 %h<3>; .reg .b32 %r<8>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
  st.global.v4.u32 [%rd2], {%r4, %r3, %r2, %r1};
  ld.global.s8 %r5, [%rd1+3];
  ld.global.u8 %r6, [%rd1+3];
  ld.global.s16 %rd3, [%rd1+2];
  st.global.v2.u32 [%rd2+16], {%r5, %r6};
  st.global.u64 [%rd2+24], %rd3;
  ld.global.v2.u8 {%h1, %h2}, [%rd1];
  st.global.v2.u16 [%rd2+32], {%h2, %h1};
  mov.b64 {%r5, %r6}, %rd3;
  mov.b64 %rd4, {%r6, %r5};
  st.global.b64 [%rd2+40], %rd4;
  ret;
})");
  const address in = m.buffer(std::vector<std::uint32_t>{0xf0e1d2c3, 2, 3, 4});
  const address out = m.buffer(std::vector<std::uint32_t>(12));
  const run_report r = m.run("move", 1, 1, {in, out});
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(m.read<std::uint32_t>(out, 12),
            (std::vector<std::uint32_t>{4, 3, 2, 0xf0e1d2c3, 0xfffffff0, 0xf0, 0xfffff0e1,
                                        0xffffffff, 0x00c300d2, 0, 0xffffffff, 0xfffff0e1}));
}

TEST(machine_run, variables_begin_with_their_values) {
  machine_fixture m(R"(
.global .align 8 .f64 half = 0d3FE0000000000000;
.global .align 4 .f32 third[2] = {0f3EAAAAAB, 2.5};
.global .align 8 .u64 where = third+4;
.global .align 2 .u16 few[4] = {1, -1};
.visible .entry show(.param .u64 to) {
  .reg .b16 %h<2>; .reg .b32 %r<4>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [to];
  ld.global.u64 %rd2, [half];
  st.global.u64 [%rd1], %rd2;
  ld.global.u64 %rd3, [where];
  ld.global.u32 %r1, [%rd3];
  st.global.u32 [%rd1+8], %r1;
  ld.global.u16 %h1, [few+2];
  st.global.u16 [%rd1+12], %h1;
  ret;
})");
  const address out = m.buffer(std::vector<std::uint32_t>(4));
  ASSERT_EQ(m.run("show", 1, 1, {out}).how, ending::finished);
  EXPECT_EQ(m.read<std::uint32_t>(out, 4),
            (std::vector<std::uint32_t>{0, 0x3fe00000, 0x40200000, 0xffff}));
}

// --- approximate functions
// -------------------------------------------------------------------------

TEST(machine_run, approximate_results_move_within_their_bound_when_asked_for) {
  const char* const text = R"(
.visible .entry root(.param .u64 out) {
  .reg .b32 %r<4>; .reg .f32 %f<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  add.u32 %r2, %r1, 2;
  cvt.rn.f32.u32 %f1, %r2;
  rsqrt.approx.f32 %f2, %f1;
  div.approx.f32 %f3, %f1, 0f40400000;
  add.rn.f32 %f4, %f1, %f1;
  mul.wide.u32 %rd2, %r1, 16;
  add.u64 %rd3, %rd1, %rd2;
  st.global.v4.f32 [%rd3], {%f2, %f3, %f4, %f1};
  ret;
})";
  const auto run = [&](std::uint64_t seed) {
    machine_fixture m(text);
    m.how.approximate_seed = seed;
    const address out = m.buffer(std::vector<float>(512));
    EXPECT_EQ(m.run("root", 1, 128, {out}).how, ending::finished);
    return m.read<float>(out, 512);
  };
  const std::vector<float> ideal = run(0), moved = run(5), other = run(6);
  EXPECT_EQ(moved, run(5));
  EXPECT_NE(moved, other);
  std::size_t different = 0;
  for (std::size_t i = 0; i < 512; i += 4) {
    const double x = ideal[i + 3];
    EXPECT_EQ(ideal[i], static_cast<float>(1 / std::sqrt(x)));
    different += moved[i] != ideal[i] ? 1 : 0;
    // PTX ISA 9.0: rsqrt.approx.f32 has a relative error of at most 2^-22.9, div.approx 2 ulp from
    // the rounded quotient.
    EXPECT_LE(std::abs(moved[i] * std::sqrt(x) - 1), std::exp2(-22.9));
    EXPECT_LE(
        std::abs(std::bit_cast<int>(moved[i + 1]) - std::bit_cast<int>(static_cast<float>(x / 3))),
        2);
    EXPECT_EQ(moved[i + 2], ideal[i + 2]);  // an addition is exact under any seed
  }
  EXPECT_GT(different, 16U);
}

// --- what is refused -----------------------------------------------------------------------------

TEST(machine_run, geometry_and_parameters_that_do_not_fit_are_refused) {
  machine_fixture m(collatz);
  const address out = m.buffer(counting(32));
  for (const std::uint32_t threads : {0U, 1025U}) {
    const run_report r = m.run("collatz", 1, threads, {out});
    EXPECT_EQ(r.how, ending::refused);
    EXPECT_NE(r.reason.find("threads"), std::string::npos);
  }
  EXPECT_EQ(m.run("collatz", 0, 32, {out}).how, ending::refused);
  EXPECT_NE(m.run("collatz", 1, 32, {}).reason.find("collatz takes 8"), std::string::npos);
  m.how.dynamic_shared = 1 << 20;
  EXPECT_NE(m.run("collatz", 1, 32, {out}).reason.find("shared memory"), std::string::npos);
  EXPECT_THROW(m.module.kernel("nothing"), error);
  EXPECT_THROW(m.emulator.device().allocate(1ULL << 40, "too much"), error);
}

TEST(machine_run, what_a_kernel_was_compiled_for_is_kept) {
  machine_fixture m(R"(
.visible .entry most() .maxntid 64, 1, 1 { ret; }
.visible .entry exact() .reqntid 64, 1, 1 { ret; }
.visible .entry pair() .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry alone() .reqnctapercluster 1, 1, 1 { ret; })");
  EXPECT_EQ(m.run("most", 1, 32, {}).how, ending::finished);
  EXPECT_NE(m.run("most", 1, 65, {}).reason.find("compiled for 64 at most"), std::string::npos);
  EXPECT_EQ(m.run("exact", 1, 64, {}).how, ending::finished);
  EXPECT_NE(m.run("exact", 1, 32, {}).reason.find("compiled for 64"), std::string::npos);
  EXPECT_EQ(m.run("pair", 2, 32, {}).how, ending::finished);
  EXPECT_NE(m.run("pair", 3, 32, {}).reason.find("no multiple"), std::string::npos);
  EXPECT_EQ(m.run("alone", 2, 32, {}).how, ending::finished);
}

TEST(machine_run, every_unsupported_instruction_is_listed_before_the_launch) {
  machine_fixture m(R"(
.visible .entry odd(.param .u64 to) {
  .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  add.sat.u32 %r1, %r1, %r1;
  wgmma.fence.sync.aligned;
  add.u32 %r2, %rd1, %r1;
  st.global.u32 [%rd1], %r1;
  ret;
})");
  const decoded& d = m.module.kernel("odd");
  ASSERT_EQ(d.missing.size(), 3U);
  EXPECT_EQ(d.missing[0].where.ptx_line, 8U);
  EXPECT_NE(d.missing[0].reason.find(".sat"), std::string::npos) << d.missing[0].reason;
  EXPECT_NE(d.missing[1].reason.find("no wgmma"), std::string::npos) << d.missing[1].reason;
  EXPECT_NE(d.missing[2].reason.find("64 bits where 32"), std::string::npos) << d.missing[2].reason;
  const address out = m.buffer(counting(4));
  try {
    m.run("odd", 1, 1, {out});
    FAIL();
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("3 instructions"), std::string::npos);
  }
  EXPECT_EQ(m.read<std::uint32_t>(out, 4), counting(4));
}

}  // namespace
}  // namespace ptxlab::machine
