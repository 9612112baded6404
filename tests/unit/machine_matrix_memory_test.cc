// SPDX-License-Identifier: Apache-2.0
// Matrices between memory and lanes: ldmatrix and stmatrix against the bytes that PTX ISA 9.0
// names, and what observers are told.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/machine_fixture.hpp"
#include "tests/unit/machine_recorder.hpp"

namespace ptxlab::machine {
namespace {

using words = std::vector<std::uint32_t>;

/// Fills 4096 bytes of shared memory from `in`, executes, and gives back shared memory in `in`.
/// Lane l has 32-bit shared address 4 * at[l] in %r2 and a generic one in %rd5; registers %v0 to
/// %v3 come from and go to `values`.
std::string shared_kernel(const std::string& instruction) {
  return R"(
.visible .entry go(.param .u64 in, .param .u64 at, .param .u64 values) {
  .reg .pred %p<2>; .reg .b32 %r<8>, %v<4>; .reg .b64 %rd<8>;
  .shared .align 128 .b8 bytes[4096];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [at];
  ld.param.u64 %rd3, [values];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  mad.wide.u32 %rd2, %r1, 4, %rd2;
  mad.wide.u32 %rd3, %r1, 4, %rd3;
  ld.global.b32 %v0, [%rd3];
  ld.global.b32 %v1, [%rd3+128];
  ld.global.b32 %v2, [%rd3+256];
  ld.global.b32 %v3, [%rd3+384];
  mov.u32 %r3, bytes;
  mad.lo.u32 %r4, %r1, 4, %r3;
  mov.b64 %rd4, %rd1;
  mov.u32 %r5, 0;
fill:
  ld.global.b32 %r6, [%rd4];
  st.shared.b32 [%r4], %r6;
  add.u64 %rd4, %rd4, 128;
  add.u32 %r4, %r4, 128;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 32;
  @%p1 bra fill;
  bar.sync 0;
  ld.global.b32 %r2, [%rd2];
  add.u32 %r2, %r2, %r3;
  cvt.u64.u32 %rd5, %r2;
  cvta.shared.u64 %rd5, %rd5;
  )" + instruction +
         R"(
  st.global.b32 [%rd3], %v0;
  st.global.b32 [%rd3+128], %v1;
  st.global.b32 [%rd3+256], %v2;
  st.global.b32 [%rd3+384], %v3;
  bar.sync 0;
  mad.lo.u32 %r4, %r1, 4, %r3;
  mov.u32 %r5, 0;
back:
  ld.shared.b32 %r6, [%r4];
  st.global.b32 [%rd1], %r6;
  add.u64 %rd1, %rd1, 128;
  add.u32 %r4, %r4, 128;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 32;
  @%p1 bra back;
  ret;
})";
}

struct shared_run {
  run_report report;
  words memory = words(1024), at = words(32), values = words(128);
  recorder seen;

  shared_run() {
    for (std::uint32_t i = 0; i < 1024; ++i) memory[i] = (2 * i) | (2 * i + 1) << 16;
    // Rows of 16 bytes, far apart and in no order.
    for (std::uint32_t i = 0; i < 32; ++i) at[i] = (i * 7 % 32) * 80 + 16;
    for (std::uint32_t i = 0; i < 128; ++i) values[i] = (0x8000 + 2 * i) | (0x8001 + 2 * i) << 16;
  }
  void run(const std::string& instruction) {
    machine_fixture m(shared_kernel(instruction));
    const address in = m.buffer(memory), a = m.buffer(at), v = m.buffer(values);
    const decoded& code = m.module.kernel("go");
    for (const unsupported& u : code.missing) ADD_FAILURE() << u.where.opcode << ": " << u.reason;
    if (!code.missing.empty()) return;
    m.how.observers = {&seen};
    report = m.run("go", 1, 32, {in, a, v});
    memory = m.read<std::uint32_t>(in, 1024);
    values = m.read<std::uint32_t>(v, 128);
  }
  std::uint16_t half(std::uint32_t byte) const {
    return static_cast<std::uint16_t>(memory[byte / 4] >> (byte % 4 * 8));
  }
};

const char* const vectors[] = {"", "{%v0}", "{%v0, %v1}", "", "{%v0, %v1, %v2, %v3}"};

TEST(machine_matrix_memory, ldmatrix_gives_each_lane_two_halves_of_a_row_or_column) {
  for (const unsigned count : {1U, 2U, 4U})
    for (const bool trans : {false, true})
      for (const bool generic : {false, true}) {
        const std::string opcode = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                                   (trans ? ".trans" : "") + (generic ? "" : ".shared") + ".b16 ";
        shared_run x;
        const words before = x.values;
        x.run(opcode + vectors[count] + (generic ? ", [%rd5];" : ", [%r2];"));
        ASSERT_EQ(x.report.how, ending::finished) << x.report.reason;
        for (unsigned k = 0; k < 4; ++k)
          for (unsigned lane = 0; lane < 32; ++lane) {
            std::uint32_t expected = before[k * 32 + lane];
            if (k < count) {
              const unsigned line = lane / 4, first = lane % 4 * 2;
              const auto low = trans ? x.half(x.at[k * 8 + first] + 2 * line)
                                     : x.half(x.at[k * 8 + line] + 2 * first);
              const auto high = trans ? x.half(x.at[k * 8 + first + 1] + 2 * line)
                                      : x.half(x.at[k * 8 + line] + 2 * first + 2);
              expected = low | std::uint32_t{high} << 16;
            }
            EXPECT_EQ(x.values[k * 32 + lane], expected) << opcode << k << " lane " << lane;
          }
        const auto told = std::find_if(x.seen.all.begin(), x.seen.all.end(),
                                       [](const auto& t) { return t.what.bytes == 16; });
        ASSERT_NE(told, x.seen.all.end());
        EXPECT_EQ(told->what.what, flow::kind::load);
        EXPECT_EQ(told->what.space, flow::space::shared);
        EXPECT_EQ(told->what.who.mask, count == 4 ? 0xffffffff : (1U << 8 * count) - 1);
        EXPECT_EQ(told->at[7], x.at[7]);
        EXPECT_EQ(x.seen.meetings, 0U) << "a load of matrices orders nothing";
      }
}

TEST(machine_matrix_memory, stmatrix_writes_rows_or_columns) {
  for (const unsigned count : {1U, 2U, 4U})
    for (const bool trans : {false, true}) {
      const std::string opcode = "stmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                                 (trans ? ".trans" : "") + ".shared.b16 ";
      shared_run x;
      const shared_run before = x;
      x.run(opcode + "[%r2], " + vectors[count] + ";");
      ASSERT_EQ(x.report.how, ending::finished) << x.report.reason;
      std::vector<std::uint16_t> expected(2048);
      for (std::uint32_t i = 0; i < 2048; ++i) expected[i] = before.half(2 * i);
      for (unsigned k = 0; k < count; ++k)
        for (unsigned row = 0; row < 8; ++row)
          for (unsigned column = 0; column < 8; ++column) {
            const unsigned line = trans ? column : row, place = trans ? row : column;
            expected[x.at[k * 8 + row] / 2 + column] = static_cast<std::uint16_t>(
                before.values[k * 32 + line * 4 + place / 2] >> (place % 2 * 16));
          }
      for (std::uint32_t i = 0; i < 2048; ++i) ASSERT_EQ(x.half(2 * i), expected[i]) << opcode << i;
      const auto told = std::find_if(x.seen.all.begin(), x.seen.all.end(),
                                     [](const auto& t) { return t.what.bytes == 16; });
      ASSERT_NE(told, x.seen.all.end());
      EXPECT_EQ(told->what.what, flow::kind::store);
      std::uint16_t third = 0;
      std::memcpy(&third, told->data.data() + 3 * 16 + 2, 2);
      EXPECT_EQ(third, expected[x.at[3] / 2 + 1]);
    }
}

TEST(machine_matrix_memory, rows_must_be_aligned_and_in_shared_memory) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v0}, [%r2];";
  shared_run good;
  good.at[8] = 5;  // of no row of .x1
  good.run(load);
  EXPECT_EQ(good.report.how, ending::finished) << good.report.reason;
  shared_run odd;
  odd.at[7] += 8;
  odd.run(load);
  EXPECT_EQ(odd.report.how, ending::fault);
  EXPECT_NE(odd.report.reason.find("lane 7: address"), std::string::npos) << odd.report.reason;
  shared_run beyond;
  beyond.at[2] = 4096;
  beyond.run(load);
  EXPECT_EQ(beyond.report.how, ending::fault);
  shared_run elsewhere;
  elsewhere.run("ldmatrix.sync.aligned.m8n8.x1.b16 {%v0}, [%rd3];");
  EXPECT_EQ(elsewhere.report.how, ending::fault);
  EXPECT_NE(elsewhere.report.reason.find("is not in shared memory"), std::string::npos);
}

TEST(machine_matrix_memory, who_waits_for_a_stored_value_sees_it) {
  machine_fixture m(R"(
.visible .entry go(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  .shared .align 16 .b8 bytes[1024];
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r3, %r1, 16, 0;
  mov.u32 %r4, bytes;
  and.b32 %r3, %r3, 511;
  add.u32 %r4, %r4, %r3;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra ready;
  mov.u32 %r5, 0;
  st.shared.v4.b32 [%r4], {%r5, %r5, %r5, %r5};
ready:
  bar.sync 0;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra wait;
  mov.u32 %r5, 0;
count:  // so that the others wait before there is something to see
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 3000;
  @%p1 bra count;
  stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r4], {%r1, %r1, %r1, %r1};
  ret;
wait:
  ld.volatile.shared.b32 %r2, [%r4];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra wait;
  ret;
})");
  const address out = m.buffer(words(256));
  const run_report r = m.run("go", 1, 64, {out});
  EXPECT_EQ(r.how, ending::finished) << r.reason;
}

}  // namespace
}  // namespace ptxlab::machine
