// SPDX-License-Identifier: Apache-2.0
// Products of matrices on the machine, against plain loops over matrices of small integers. Where
// each element lies is written here once more, from the formulas of PTX ISA 9.0, "Matrix Fragments
// for mma.m16n8k16" and its neighbours.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

using words = std::vector<std::uint32_t>;
using matrix = std::vector<std::vector<double>>;

/// Bits of a small integer, written without the machine's own conversions.
std::uint32_t encoded(double v, const std::string& type) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(v));
  if (type == "f32" || type == "tf32") return single;
  if (type == "bf16") return single >> 16;
  if (type == "f16")
    return v == 0 ? 0 : (single >> 16 & 0x8000) | ((single & 0x7fffffff) - (112U << 23)) >> 13;
  const auto whole = static_cast<std::uint32_t>(static_cast<std::int64_t>(v));
  return type == "s32" ? whole : whole & 0xff;
}
unsigned width(const std::string& type) {
  return type == "f16" || type == "bf16" ? 16 : type == "s8" || type == "u8" ? 8 : 32;
}

matrix random_matrix(unsigned rows, unsigned columns, const std::string& type, unsigned seed) {
  std::mt19937 draw(seed);
  const bool sign = type != "u8";
  matrix m(rows, std::vector<double>(columns));
  for (auto& row : m)
    for (double& v : row) v = static_cast<double>(draw() % 13) - (sign ? 6 : 0);
  return m;
}
matrix product(const matrix& a, const matrix& b, const matrix& c) {
  matrix d = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) d[i][j] += a[i][k] * b[k][j];
  return d;
}

/// Row and column of element i of a lane, by its group (g) and its place in the group (t).
struct place {
  unsigned row, column;
};
using formula = std::function<place(unsigned g, unsigned t, unsigned i)>;

/// A kernel that loads the registers of the sources, executes, and stores those of the result:
/// register r of lane l is word 32 * r + l of its buffer.
std::string kernel_of(const std::string& opcode, const std::vector<unsigned>& registers) {
  std::string load, store, operands;
  const char* const names[] = {"d", "a", "b", "c"};
  for (std::size_t k = 0; k < registers.size(); ++k) {
    operands += k == 0 ? " {" : ", {";
    for (unsigned r = 0; r < registers[k]; ++r) {
      const std::string name = "%" + std::string(names[k]) + std::to_string(r);
      const std::string at = "[%rd" + std::to_string(k + 1) + "+" + std::to_string(128 * r) + "]";
      operands += (r == 0 ? "" : ", ") + name;
      if (k == 0)
        store += "  st.global.b32 " + at + ", " + name + ";\n";
      else
        load += "  ld.global.b32 " + name + ", " + at + ";\n";
    }
    operands += "}";
  }
  std::string text =
      ".visible .entry go(.param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c) {\n"
      "  .reg .b32 %d<8>, %a<8>, %b<8>, %c<8>, %lane; .reg .b64 %rd<6>;\n"
      "  mov.u32 %lane, %tid.x;\n";
  for (std::size_t k = 0; k < registers.size(); ++k) {
    const std::string n = "%rd" + std::to_string(k + 1);
    text += "  ld.param.u64 " + n + ", [" + names[k] + "];\n  mad.wide.u32 " + n + ", %lane, 4, " +
            n + ";\n";
  }
  return text + load + "  " + opcode + operands + ";\n" + store + "  ret;\n}\n";
}

words packed(const matrix& m, const std::string& type, unsigned registers, const formula& where) {
  words out(registers * 32);
  const unsigned per = 32 / width(type);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < registers * per; ++i) {
      const place p = where(lane >> 2, lane % 4, i);
      out[i / per * 32 + lane] |= encoded(m.at(p.row).at(p.column), type)
                                  << (i % per * width(type));
    }
  return out;
}

run_report run_words(const std::string& text, std::size_t result, const std::vector<words>& sources,
                     words& out) {
  machine_fixture m(text);
  const address d = m.buffer(words(result, 0xdeadbeef));
  std::vector<address> at;
  for (const words& w : sources) at.push_back(m.buffer(w));
  at.resize(3);
  const decoded& code = m.module.kernel("go");
  for (const unsupported& u : code.missing) ADD_FAILURE() << u.where.opcode << ": " << u.reason;
  out.assign(result, 0);
  if (!code.missing.empty()) return {};
  const run_report r = m.run("go", 1, 32, {d, at[0], at[1], at[2]});
  EXPECT_EQ(r.how, ending::finished) << r.reason;
  out = m.read<std::uint32_t>(d, result);
  return r;
}

struct fragment_case {
  std::string shape;
  unsigned m, n, k;
  std::string a_type, b_type;
  unsigned a_registers, b_registers;
  formula a, b;
  std::vector<std::string> results;  ///< types of C and D
};

std::vector<fragment_case> cases() {
  const formula half_a8 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 2 ? g : g + 8, t * 2 + (i & 1)};
  };
  const formula half_b8 = [](unsigned g, unsigned t, unsigned i) { return place{t * 2 + i, g}; };
  const formula half_a16 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 2 || (4 <= i && i < 6) ? g : g + 8,
                 i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
  };
  const formula half_b16 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
  };
  const formula word_a4 = [](unsigned g, unsigned t, unsigned i) {
    return place{i == 0 ? g : g + 8, t};
  };
  const formula word_b4 = [](unsigned g, unsigned t, unsigned) { return place{t, g}; };
  const formula word_a8 = [](unsigned g, unsigned t, unsigned i) {
    return place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
  };
  const formula word_b8 = [](unsigned g, unsigned t, unsigned i) {
    return place{i == 0 ? t : t + 4, g};
  };
  const formula byte_a8 = [](unsigned g, unsigned t, unsigned i) { return place{g, t * 4 + i}; };
  const formula byte_b16 = [](unsigned g, unsigned t, unsigned i) { return place{t * 4 + i, g}; };
  const formula byte_a16 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 4 ? g : g + 8, t * 4 + (i & 3)};
  };
  const formula byte_a32 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 4 || (8 <= i && i < 12) ? g : g + 8,
                 i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
  };
  const formula byte_b32 = [](unsigned g, unsigned t, unsigned i) {
    return place{i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
  };
  std::vector<fragment_case> all = {
      {"m16n8k8", 16, 8, 8, "f16", "f16", 2, 1, half_a8, half_b8, {"f32", "f16"}},
      {"m16n8k16", 16, 8, 16, "f16", "f16", 4, 2, half_a16, half_b16, {"f32", "f16"}},
      {"m16n8k8", 16, 8, 8, "bf16", "bf16", 2, 1, half_a8, half_b8, {"f32"}},
      {"m16n8k16", 16, 8, 16, "bf16", "bf16", 4, 2, half_a16, half_b16, {"f32"}},
      {"m16n8k4", 16, 8, 4, "tf32", "tf32", 2, 1, word_a4, word_b4, {"f32"}},
      {"m16n8k8", 16, 8, 8, "tf32", "tf32", 4, 2, word_a8, word_b8, {"f32"}},
  };
  for (const char* a : {"s8", "u8"})
    for (const char* b : {"s8", "u8"}) {
      all.push_back({"m8n8k16", 8, 8, 16, a, b, 1, 1, byte_a8, byte_b16, {"s32"}});
      all.push_back({"m16n8k16", 16, 8, 16, a, b, 2, 1, byte_a16, byte_b16, {"s32"}});
      all.push_back({"m16n8k32", 16, 8, 32, a, b, 4, 2, byte_a32, byte_b32, {"s32"}});
    }
  return all;
}

/// C and D of all these shapes: rows g and g + 8, two columns.
place accumulator(unsigned g, unsigned t, unsigned i) {
  return {i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

std::string opcode_of(const fragment_case& f, const std::string& result) {
  return "mma.sync.aligned." + f.shape + ".row.col." + result + "." + f.a_type + "." + f.b_type +
         "." + result;
}

TEST(machine_matrix, products_are_those_of_plain_loops) {
  unsigned seed = 1;
  for (const fragment_case& f : cases())
    for (const std::string& type : f.results) {
      const matrix a = random_matrix(f.m, f.k, f.a_type, ++seed),
                   b = random_matrix(f.k, f.n, f.b_type, ++seed);
      const matrix c = random_matrix(f.m, f.n, type, ++seed);
      const unsigned registers = f.m * f.n * width(type) / 32 / 32;
      const std::string text =
          kernel_of(opcode_of(f, type), {registers, f.a_registers, f.b_registers, registers});
      words d;
      run_words(text, registers * 32,
                {packed(a, f.a_type, f.a_registers, f.a), packed(b, f.b_type, f.b_registers, f.b),
                 packed(c, type, registers, accumulator)},
                d);
      EXPECT_EQ(d, packed(product(a, b, c), type, registers, accumulator)) << opcode_of(f, type);
    }
}

/// mma.m16n8k16 with one row of A, one column of B, and the same C everywhere; gives D[0][0].
std::uint32_t one_sum(const std::string& types, bool half_result,
                      const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                      std::uint32_t c) {
  const unsigned registers = half_result ? 2 : 4;
  words wa(4 * 32), wb(2 * 32), wc(registers * 32, half_result ? c | c << 16 : c), d;
  for (unsigned k = 0; k < a.size(); ++k) {
    // Element (0, k) of A is in lane k % 8 / 2, register 2 * (k / 8); (k, 0) of B in register k
    // / 8.
    wa[k / 8 * 64 + k % 8 / 2] |= a[k] << (k % 2 * 16);
    wb[k / 8 * 32 + k % 8 / 2] |= b[k] << (k % 2 * 16);
  }
  run_words(kernel_of("mma.sync.aligned.m16n8k16.row.col." + types, {registers, 4, 2, registers}),
            registers * 32, {wa, wb, wc}, d);
  return half_result ? d[0] & 0xffff : d[0];
}

TEST(machine_matrix, a_sum_is_rounded_once) {
  const std::string to_f32 = "f32.f16.f16.f32", to_f16 = "f16.f16.f16.f16";
  // 1 + 2^-24 + 2^-24: rounded after each addition, this would stay 1.
  EXPECT_EQ(one_sum(to_f32, false, {0x0c00, 0x0c00}, {0x0c00, 0x0c00}, 0x3f800000), 0x3f800001U);
  EXPECT_EQ(one_sum(to_f32, false, {0x0c00}, {0x0c00}, 0x3f800000), 0x3f800000U);
  EXPECT_EQ(one_sum(to_f32, false, {0x3c00, 0x0c00, 0x0c00}, {0x3c00, 0x0c00, 0x0c00}, 0),
            0x3f800001U);
  // 2048 + 1 + 1 in halves.
  EXPECT_EQ(one_sum(to_f16, true, {0x3c00, 0x3c00}, {0x3c00, 0x3c00}, 0x6800), 0x6801U);
  EXPECT_EQ(one_sum(to_f16, true, {0x3c00}, {0x3c00}, 0x6800), 0x6800U);
  // Beyond the largest half, infinity, and what has no value.
  EXPECT_EQ(one_sum(to_f16, true, {0x7bff}, {0x4000}, 0), 0x7c00U);
  EXPECT_EQ(one_sum(to_f32, false, {0x7bff}, {0x4000}, 0), 0x47ffe000U);
  EXPECT_EQ(one_sum(to_f32, false, {0x7c00, 0xfc00}, {0x3c00, 0x3c00}, 0), 0x7fffffffU);
  EXPECT_EQ(one_sum(to_f16, true, {0x7c00}, {0x0000}, 0), 0x7fffU);
  // The smallest half, squared, and a product of bf16 below f32's normal numbers.
  EXPECT_EQ(one_sum(to_f32, false, {0x0001}, {0x0001}, 0), (127U - 48) << 23);
  EXPECT_EQ(one_sum("f32.bf16.bf16.f32", false, {0x0080}, {0x3f00}, 0), 0x00400000U);
}

TEST(machine_matrix, tf32_is_the_upper_19_bits) {
  words a(4 * 32, 0x3f801fff), b(2 * 32, 0x40001fff), c(4 * 32), d;
  run_words(kernel_of("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", {4, 4, 2, 4}), 128,
            {a, b, c}, d);
  EXPECT_EQ(d, words(128, std::bit_cast<std::uint32_t>(16.0F)));
}

TEST(machine_matrix, integers_wrap_or_stop_at_the_ends) {
  const words a(32, 0x7f7f7f7f), b(32, 0x01010101), low(32, 0x80808080), c(64, 0x7fffffff),
      lowest(64, 0x80000000);
  const std::string wraps = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
                    stops = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32";
  words d;
  run_words(kernel_of(wraps, {2, 1, 1, 2}), 64, {a, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffffU + 16 * 127));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {a, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffff));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {low, b, lowest}, d);
  EXPECT_EQ(d, words(64, 0x80000000));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {low, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffff - 16 * 128));
}

TEST(machine_matrix, movmatrix_transposes) {
  words a(32), expected(32), d;
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      a[row * 4 + column / 2] |= (row * 16 + column) << (column % 2 * 16);
      expected[column * 4 + row / 2] |= (row * 16 + column) << (row % 2 * 16);
    }
  std::string text = kernel_of("movmatrix.sync.aligned.m8n8.trans.b16", {1, 1});
  const std::size_t at = text.find("{%d0}, {%a0}");
  text.replace(at, 12, "%d0, %a0");
  run_words(text, 32, {a}, d);
  EXPECT_EQ(d, expected);
}

TEST(machine_matrix, lanes_come_one_after_the_other) {
  const std::string text = R"(
.visible .entry go(.param .u64 d) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [d];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  mov.u32 %r2, 0;
again:
  setp.eq.u32 %p1, %r2, %r1;
  @%p1 bra out;
  add.u32 %r2, %r2, 1;
  bra again;
out:
  movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;
  st.global.b32 [%rd1], %r3;
  ret;
})";
  for (const char* token : {"its", "lockstep", "random:3", "adversarial:5"}) {
    machine_fixture m(text);
    read_token(token, m.how);
    const address d = m.buffer(words(32));
    const run_report r = m.run("go", 1, 32, {d});
    ASSERT_EQ(r.how, ending::finished) << token << ": " << r.reason;
    const words v = m.read<std::uint32_t>(d, 32);
    // Column l / 4 of a matrix whose lane i has i in its low halves: even columns are all there is.
    for (unsigned l = 0; l < 32; ++l) {
      const std::uint32_t low = l % 4 * 2 * 4 + l / 8, high = low + 4;
      EXPECT_EQ(v[l], l / 4 % 2 != 0 ? 0 : low | high << 16) << token << " lane " << l;
    }
  }
}

TEST(machine_matrix, a_warp_with_missing_lanes_is_a_fault) {
  const std::string text =
      kernel_of("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", {2, 1, 1, 2});
  machine_fixture m(text);
  const address at = m.buffer(words(256));
  EXPECT_EQ(m.run("go", 1, 64, {at, at, at, at}).how, ending::finished);
  const run_report r = m.run("go", 1, 48, {at, at, at, at});
  EXPECT_EQ(r.how, ending::fault);
  EXPECT_NE(r.reason.find("needs all 32 lanes of the warp, and there are 16"), std::string::npos)
      << r.reason;
}

TEST(machine_matrix, what_ptx_does_not_have_is_refused) {
  struct bad {
    std::string opcode;
    std::vector<unsigned> registers;
    std::string reason;
  };
  for (const bad& x : std::vector<bad>{
           {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", {4, 4, 2, 4}, "no .row here"},
           {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16", {4, 4, 2, 2}, "no .f"},
           {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
            {4, 3, 2, 4},
            "3 registers, where 4"},
           {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", {8, 2, 2, 8}, "no .m8n8k4 here"},
           {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", {4, 4, 2, 4}, "no ."},
           {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32", {8, 2, 2, 8}, "no ."},
           {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
            {8, 4, 8, 8},
            "4 registers, where 8"},
           {"mma.sync.m16n8k16.row.col.f32.f16.f16.f32",
            {4, 4, 2, 4},
            "the machine's mma has no"}}) {
    machine_fixture m(kernel_of(x.opcode, x.registers));
    const decoded& code = m.module.kernel("go");
    ASSERT_EQ(code.missing.size(), 1U) << x.opcode;
    EXPECT_EQ(code.missing[0].where.opcode, x.opcode);
    EXPECT_NE(code.missing[0].reason.find(x.reason), std::string::npos) << code.missing[0].reason;
  }
}

}  // namespace
}  // namespace ptxlab::machine
