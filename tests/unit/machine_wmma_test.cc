// SPDX-License-Identifier: Apache-2.0
// wmma on the machine: load, multiply and store against plain loops, for every shape, type, layout
// and several strides, and what observers are told.
#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/machine_fixture.hpp"
#include "tests/unit/machine_recorder.hpp"

namespace ptxlab::machine {
namespace {

using words = std::vector<std::uint32_t>;

struct wmma_case {
  unsigned m, n, k;
  std::string type, result;  ///< of A and B, of C and D
  unsigned a_registers, b_registers, registers;
};
std::vector<wmma_case> wmma_cases() {
  std::vector<wmma_case> all;
  for (const auto& [m, n] : {std::pair{16U, 16U}, {32U, 8U}, {8U, 32U}}) {
    for (const char* r : {"f32", "f16"})
      all.push_back({m, n, 16, "f16", r, 8, 8, std::string(r) == "f32" ? 8U : 4U});
    all.push_back({m, n, 16, "bf16", "f32", m / 4, n / 4, 8});
    all.push_back({m, n, 16, "s8", "s32", m / 8, n / 8, 8});
    all.push_back({m, n, 16, "u8", "s32", m / 8, n / 8, 8});
  }
  all.push_back({16, 16, 8, "tf32", "f32", 4, 4, 8});
  return all;
}

std::string vector(const std::string& name, unsigned count) {
  std::string out = "{";
  for (unsigned i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + name + std::to_string(i);
  return out + "}";
}

struct layouts {
  bool a, b, c, d;  ///< true: by columns
};

/// D = A B + C with strides in the parameters; `way`: ".global" or nothing.
std::string wmma_kernel(const wmma_case& w, const layouts& by, const std::string& way) {
  const std::string shape =
      ".m" + std::to_string(w.m) + "n" + std::to_string(w.n) + "k" + std::to_string(w.k);
  const auto order = [](bool columns) { return std::string(columns ? ".col" : ".row"); };
  const std::string types = w.type == "f16"
                                ? "." + w.result + "." + w.result
                                : "." + w.result + "." + w.type + "." + w.type + "." + w.result;
  const std::string a = vector("%a", w.a_registers), b = vector("%b", w.b_registers),
                    c = vector("%c", w.registers);
  const std::string head = R"(
.visible .entry go(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 lda,
                   .param .u64 ldb, .param .u64 ldc, .param .u64 ldd) {
  .reg .b32 %a<8>, %b<8>, %c<8>, %s<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c]; ld.param.u64 %rd3, [d];
  ld.param.u32 %s0, [lda]; ld.param.u32 %s1, [ldb]; ld.param.u32 %s2, [ldc]; ld.param.u32 %s3, [ldd];
)";
  return head + "  wmma.load.a.sync.aligned" + order(by.a) + shape + way + "." + w.type + " " + a +
         ", [%rd0], %s0;\n  wmma.load.b.sync.aligned" + order(by.b) + shape + way + "." + w.type +
         " " + b + ", [%rd1], %s1;\n  wmma.load.c.sync.aligned" + order(by.c) + shape + way + "." +
         w.result + " " + c + ", [%rd2], %s2;\n  wmma.mma.sync.aligned" + order(by.a) +
         order(by.b) + shape + types + " " + c + ", " + a + ", " + b + ", " + c +
         ";\n  wmma.store.d.sync.aligned" + order(by.d) + shape + way + "." + w.result +
         " [%rd3], " + c + ", %s3;\n  ret;\n}\n";
}

/// A matrix of small integers in memory.
struct stored {
  unsigned rows, columns, stride;
  bool by_columns;
  std::string type;
  std::vector<std::byte> bytes;

  unsigned width() const { return type == "s8" || type == "u8" ? 1 : type.ends_with("16") ? 2 : 4; }
  unsigned place(unsigned row, unsigned column) const {
    return (by_columns ? column * stride + row : row * stride + column) * width();
  }
  static std::uint32_t encoded(int v, const std::string& type) {
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(v));
    if (type == "f32" || type == "tf32") return single;
    if (type == "bf16") return single >> 16;
    if (type != "f16") return static_cast<std::uint32_t>(v);
    return v == 0 ? 0 : (single >> 16 & 0x8000) | ((single & 0x7fffffff) - (112U << 23)) >> 13;
  }
  void put(unsigned row, unsigned column, int v) {
    const std::uint32_t bits = encoded(v, type);
    std::memcpy(bytes.data() + place(row, column), &bits, width());
  }
};
stored matrix_of(unsigned rows, unsigned columns, const std::string& type, bool by_columns,
                 unsigned more, int fill) {
  stored m{rows, columns, (by_columns ? rows : columns) + more, by_columns, type, {}};
  const unsigned lines = by_columns ? columns : rows;
  m.bytes.assign(std::size_t{lines} * m.stride * m.width(), static_cast<std::byte>(fill));
  return m;
}
int element(unsigned row, unsigned column, unsigned salt, const std::string& type) {
  const int v = static_cast<int>((row * 31 + column * 17 + salt + row * column) % 11);
  return type == "u8" ? v : v - 5;
}

TEST(machine_wmma, loads_multiplies_and_stores) {
  for (const wmma_case& w : wmma_cases())
    for (unsigned way = 0; way < 16; ++way) {
      const layouts by{(way & 1) != 0, (way & 2) != 0, (way & 4) != 0, (way & 8) != 0};
      const unsigned more = way % 3 * 16;
      stored a = matrix_of(w.m, w.k, w.type, by.a, more, 0x55);
      stored b = matrix_of(w.k, w.n, w.type, by.b, 2 * more, 0x55);
      stored c = matrix_of(w.m, w.n, w.result, by.c, more, 0x55);
      stored d = matrix_of(w.m, w.n, w.result, by.d, 2 * more, 0x77);
      const std::string text = wmma_kernel(w, by, way % 2 == 0 ? ".global" : "");
      machine_fixture m(text);
      for (unsigned i = 0; i < w.m; ++i)
        for (unsigned k = 0; k < w.k; ++k) a.put(i, k, element(i, k, 1, w.type));
      for (unsigned k = 0; k < w.k; ++k)
        for (unsigned j = 0; j < w.n; ++j) b.put(k, j, element(k, j, 2, w.type));
      for (unsigned i = 0; i < w.m; ++i)
        for (unsigned j = 0; j < w.n; ++j) c.put(i, j, element(i, j, 3, w.result));
      const address pa = m.buffer(a.bytes), pb = m.buffer(b.bytes), pc = m.buffer(c.bytes),
                    pd = m.buffer(d.bytes);
      const decoded& code = m.module.kernel("go");
      ASSERT_TRUE(code.missing.empty()) << code.missing[0].where.opcode << code.missing[0].reason;
      recorder seen;
      m.how.observers = {&seen};
      const run_report r =
          m.run("go", 1, 32, {pa, pb, pc, pd, a.stride, b.stride, c.stride, d.stride});
      ASSERT_EQ(r.how, ending::finished) << text << r.reason;
      for (unsigned i = 0; i < w.m; ++i)
        for (unsigned j = 0; j < w.n; ++j) {
          int sum = element(i, j, 3, w.result);
          for (unsigned k = 0; k < w.k; ++k)
            sum += element(i, k, 1, w.type) * element(k, j, 2, w.type);
          d.put(i, j, sum);
        }
      // What lies between the lines is as it was.
      EXPECT_EQ(m.read<std::byte>(pd, d.bytes.size()), d.bytes) << text;
      std::size_t read = 0, written = 0;
      for (const auto& t : seen.all)
        (t.what.what == flow::kind::load ? read : written) += std::size_t{t.what.bytes} * 32;
      EXPECT_EQ(read, (w.m * w.k * a.width()) + (w.k * w.n * b.width()) + w.m * w.n * c.width());
      EXPECT_EQ(written, w.m * w.n * d.width());
      EXPECT_EQ(seen.meetings, 0U);
    }
}

// 2^30 - 2^30 leaves nothing before 2^-20 is added; in one sum it would be cut off.
TEST(machine_wmma, products_of_tf32_are_two_sums_of_four) {
  machine_fixture m(wmma_kernel({16, 16, 8, "tf32", "f32", 4, 4, 8}, {}, ".global"));
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  words a(16 * 8), b(8 * 16);
  for (unsigned i = 0; i < 16; ++i) {
    a[i * 8] = a[i * 8 + 1] = bits(0x1p30F);
    a[i * 8 + 4] = bits(0x1p-20F);
    b[i] = b[4 * 16 + i] = bits(1);
    b[16 + i] = bits(-1);
  }
  const address pa = m.buffer(a), pb = m.buffer(b), c = m.buffer(words(256)),
                d = m.buffer(words(256));
  ASSERT_EQ(m.run("go", 1, 32, {pa, pb, c, d, 8, 16, 16, 16}).how, ending::finished);
  EXPECT_EQ(m.read<std::uint32_t>(d, 256), words(256, bits(0x1p-20F)));
}

TEST(machine_wmma, a_store_tells_what_it_writes_and_where) {
  const wmma_case w{16, 16, 16, "s8", "s32", 2, 2, 8};
  machine_fixture m(wmma_kernel(w, {false, true, false, true}, ".global"));
  const address zero = m.buffer(words(1024)), out = m.buffer(words(1024));
  words values(16 * 16);
  for (std::uint32_t i = 0; i < 256; ++i) values[i] = i;
  const address c = m.buffer(values);
  recorder seen;
  m.how.observers = {&seen};
  ASSERT_EQ(m.run("go", 1, 32, {zero, zero, c, out, 16, 16, 16, 20}).how, ending::finished);
  std::size_t n = 0;
  for (const auto& t : seen.all) {
    if (t.what.what != flow::kind::store) continue;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (std::uint32_t k = 0; k < t.what.bytes; k += 4, ++n) {
        const address place = (t.at[lane] + k - out) / 4;
        std::uint32_t v = 0;
        std::memcpy(&v, t.data.data() + lane * t.what.bytes + k, 4);
        EXPECT_EQ(v, place % 20 * 16 + place / 20);
      }
  }
  EXPECT_EQ(n, 256U);
}

TEST(machine_wmma, strides_that_are_left_out_are_those_of_packed_matrices) {
  machine_fixture m(R"(
.visible .entry go(.param .u64 a, .param .u64 d) {
  .reg .b32 %c<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [d];
  wmma.load.c.sync.aligned.row.m32n8k16.global.f32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%rd0];
  wmma.store.d.sync.aligned.col.m32n8k16.f32 [%rd1], {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7};
  ret;
})");
  words in(256);
  for (std::uint32_t i = 0; i < 256; ++i) in[i] = i;
  const address a = m.buffer(in), d = m.buffer(words(256));
  ASSERT_EQ(m.run("go", 1, 32, {a, d}).how, ending::finished);
  const words out = m.read<std::uint32_t>(d, 256);
  for (std::uint32_t row = 0; row < 32; ++row)
    for (std::uint32_t column = 0; column < 8; ++column)
      EXPECT_EQ(out[column * 32 + row], in[row * 8 + column]);
}

TEST(machine_wmma, asks_for_what_ptx_asks_for) {
  const wmma_case w{16, 16, 16, "f16", "f32", 8, 8, 8};
  const layouts by{false, false, false, false};
  const auto run = [&](std::uint64_t shift, std::uint64_t stride) {
    machine_fixture m(wmma_kernel(w, by, ".global"));
    const address a = m.buffer(words(4096)), d = m.buffer(words(4096));
    const address b = m.buffer(words(128), "small");
    return m.run("go", 1, 32, {a + shift, b, a, d, stride, 16, 16, 16});
  };
  EXPECT_EQ(run(0, 16).how, ending::finished);
  EXPECT_EQ(run(32, 24).how, ending::finished);
  EXPECT_NE(run(16, 16).reason.find("is not a multiple of 32, the size of a fragment"),
            std::string::npos);
  EXPECT_NE(run(0, 20).reason.find("a stride of 40 bytes is not a multiple of 16"),
            std::string::npos);
  EXPECT_EQ(run(0, 1U << 20).how, ending::fault);
  // The lanes' own addresses, and memory that only one lane has.
  machine_fixture m(R"(
.visible .entry own(.param .u64 a) {
  .reg .b32 %c<8>, %r; .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [a];
  mov.u32 %r, %tid.x;
  mad.wide.u32 %rd0, %r, 32, %rd0;
  wmma.load.c.sync.aligned.row.m16n16k16.f32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%rd0];
  ret;
}
.visible .entry inside(.param .u64 a) {
  .local .align 32 .b8 place[1024];
  .reg .b32 %c<8>; .reg .b64 %rd<4>;
  mov.u64 %rd1, place;
  cvta.local.u64 %rd0, %rd1;
  wmma.load.c.sync.aligned.row.m16n16k16.f32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%rd0];
  ret;
})");
  const address a = m.buffer(words(4096));
  const run_report own = m.run("own", 1, 32, {a}), inside = m.run("inside", 1, 32, {a});
  EXPECT_EQ(own.how, ending::fault);
  EXPECT_NE(own.reason.find("do not give the same address"), std::string::npos) << own.reason;
  EXPECT_EQ(inside.how, ending::fault);
  EXPECT_NE(inside.reason.find("a matrix in local memory"), std::string::npos) << inside.reason;
}

TEST(machine_wmma, who_waits_for_a_stored_value_sees_it) {
  machine_fixture m(R"(
.visible .entry go(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra wait;
  wmma.store.d.sync.aligned.row.m16n16k16.global.s32
      [%rd1], {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1};
  ret;
wait:
  ld.volatile.global.b32 %r2, [%rd1];
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
