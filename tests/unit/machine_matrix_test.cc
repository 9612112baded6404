// SPDX-License-Identifier: Apache-2.0
// Products of matrices on the machine, against plain loops over matrices of small integers. Where
// each element lies is written here once more, from the formulas of PTX ISA 9.0, "Matrix Fragments
// for mma.m16n8k16" and its neighbours.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "tests/unit/machine/matrix_kernel.hpp"

namespace ptxlab::machine {
namespace {

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

}  // namespace
}  // namespace ptxlab::machine
