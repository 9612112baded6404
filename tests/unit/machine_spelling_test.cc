// SPDX-License-Identifier: Apache-2.0
// The rows of floating-point operations and conversions: every spelling of a pattern is taken by
// its row and by no earlier one, both clones give the same bits, and what ptxas 13.0 refuses is
// refused.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ptx/machine/context.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/spelling.hpp"

namespace ptxlab::machine {
namespace {

using table = std::vector<row>;

table joined(std::initializer_list<rows> parts) {
  table out;
  for (const rows p : parts) out.insert(out.end(), p.begin(), p.end());
  return out;
}
table for_any() {
  return joined({baseline::floating_rows(), baseline::floating_selection_rows(),
                 baseline::half_rows(), baseline::convert_rows(),
                 baseline::convert_integer_rows()});
}
table for_avx2() {
  return joined({avx2::floating_rows(), avx2::floating_selection_rows(), avx2::half_rows(),
                 avx2::convert_rows(), avx2::convert_integer_rows()});
}
table of_integers(bool fast) {
  return fast ? joined({avx2::integer_rows(), avx2::product_rows(), avx2::logic_rows(),
                        avx2::bits_rows()})
              : joined({baseline::integer_rows(), baseline::product_rows(), baseline::logic_rows(),
                        baseline::bits_rows()});
}
bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
#else
  return false;
#endif
}

/// The first row that takes a spelling, as the decoder looks it up; rows.size() if none does.
std::size_t row_of(const table& rows, const std::string& spelling, choice& c) {
  const ptx::opcode op = ptx::decode_opcode(spelling);
  std::string_view left;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].base == op.base && match(read_pattern(rows[i].pattern), op, c, left)) return i;
  return rows.size();
}

struct operation {
  std::string spelling;
  std::string operands;          ///< the row's letters
  std::vector<unsigned> widths;  ///< bits: result (1: a predicate), sources
  run_function run = nullptr;
};
unsigned width(char letter, const choice& c) {
  switch (letter) {
    case 't':
      return std::max(16U, bits(c.type("t")));
    case 's':
      return std::max(16U, bits(c.type("s")));
    case 'u':
      return 32;
    case 'p':
      return 1;
    default:
      ADD_FAILURE() << "letter " << letter;
      return 0;
  }
}
/// Every spelling of every row.
std::vector<operation> operations(const table& rows) {
  std::vector<operation> out;
  // The choices refer to the patterns' text, which the rows own.
  for (const row& r : rows)
    for (const std::string& s : spellings(r.base, read_pattern(r.pattern))) {
      choice c;
      std::string_view left;
      const ptx::opcode op = ptx::decode_opcode(s);
      if (!match(read_pattern(r.pattern), op, c, left)) {
        ADD_FAILURE() << s << " does not match " << r.pattern;
        continue;
      }
      operation o{s, std::string(r.operands), {}, r.select(c)};
      for (const char letter : r.operands)
        if (letter != '<') o.widths.push_back(width(letter, c));
      out.push_back(std::move(o));
    }
  return out;
}

TEST(machine_spelling, every_spelling_selects_a_function) {
  for (const table& rows : {for_any(), for_avx2()}) {
    const std::vector<operation> all = operations(rows);
    EXPECT_GT(all.size(), 1000U);
    std::set<std::string> seen;
    for (const operation& o : all) {
      EXPECT_NE(o.run, nullptr) << o.spelling;
      EXPECT_TRUE(seen.insert(o.spelling).second) << o.spelling << " stands in two rows";
    }
  }
}

TEST(machine_spelling, no_row_takes_a_spelling_of_a_later_one) {
  const table rows = for_any();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::string& s : spellings(rows[i].base, read_pattern(rows[i].pattern))) {
      choice c;
      const std::size_t taken = row_of(rows, s, c);
      ASSERT_LT(taken, rows.size()) << s;
      EXPECT_EQ(taken, i) << s << " is taken by " << rows[taken].pattern;
      std::string again(rows[i].base);
      for (const auto& chosen : c.chosen) again.append(".").append(chosen.second);
      EXPECT_EQ(again, s);
    }
}

/// ptxas 13.0 for sm_90 refuses each of these.
TEST(machine_spelling, refuses_what_ptxas_refuses) {
  const table rows = for_any();
  for (const char* s : {"add.sat.f64",
                        "add.ftz.f64",
                        "add.rz.f16",
                        "add.ftz.bf16",
                        "add.sat.bf16x2",
                        "fma.f32",
                        "fma.rn.sat.bf16",
                        "fma.rn.sat.relu.f16",
                        "fma.rz.f16",
                        "mad.f32",
                        "div.f32",
                        "div.f64",
                        "div.full.f64",
                        "div.rn.sat.f32",
                        "rcp.f32",
                        "rcp.approx.f64",
                        "sqrt.approx.f64",
                        "rsqrt.f32",
                        "sin.f32",
                        "sin.approx.f64",
                        "tanh.approx.ftz.f32",
                        "ex2.approx.ftz.f16",
                        "ex2.approx.bf16",
                        "min.NaN.f64",
                        "min.ftz.bf16",
                        "max.xorsign.f32",
                        "neg.ftz.bf16x2",
                        "copysign.f16",
                        "testp.zero.f32",
                        "cvt.f16.f32",
                        "cvt.f32.f64",
                        "cvt.rn.f32.f16",
                        "cvt.rn.f64.f32",
                        "cvt.f32.s32",
                        "cvt.f64.s32",
                        "cvt.s32.f32",
                        "cvt.rn.s32.f32",
                        "cvt.rni.f32.s32",
                        "cvt.rzi.f32.s32",
                        "cvt.rni.f32.f64",
                        "cvt.sat.u8.u8",
                        "cvt.sat.s64.s32",
                        "cvt.sat.u64.u32",
                        "cvt.ftz.f64.f64",
                        "cvt.rm.relu.f16.f32",
                        "cvt.rn.sat.bf16.f32",
                        "cvt.rn.bf16.s8",
                        "cvt.rzi.u8.bf16",
                        "cvt.rn.ftz.relu.f16.f32",
                        "cvt.pack.s16.s32",
                        "cvt.pack.sat.u16.s32.b32",
                        "cvt.pack.sat.u8.s32",
                        "cvt.rm.f16x2.f32",
                        "cvt.rn.s32.s32"}) {
    choice c;
    const std::size_t taken = row_of(rows, s, c);
    EXPECT_EQ(taken, rows.size()) << s << " is taken by "
                                  << rows[std::min(taken, rows.size() - 1)].pattern;
  }
}

// --- running -------------------------------------------------------------------------------------

/// Registers of one step: the result in the first place, sources behind it.
class bench {
 public:
  static constexpr std::size_t place = 256;  ///< bytes of 32 lanes of 64 bits

  template <class T>
  T* at(std::size_t i) {
    return reinterpret_cast<T*>(memory_.data() + i * place);
  }
  std::vector<std::byte> result() const { return {memory_.begin(), memory_.begin() + place}; }
  void run(run_function f, lane_mask mask) {
    alignas(64) std::uint32_t on[32];
    for (unsigned i = 0; i < 32; ++i) on[i] = (mask >> i & 1) != 0 ? 0xffffffff : 0;
    context c;
    c.banks[0] = memory_.data();
    c.mask = mask;
    if (mask != all_lanes) c.on = on;
    step s;
    constexpr slot slots = place / slot_bytes;
    s.d = 0;
    s.a = slots;
    s.b = 2 * slots;
    s.c = 3 * slots;
    f(s, c);
  }

 private:
  alignas(64) std::array<std::byte, 4 * place> memory_{};
};

/// Bits of `width` in which special values of every format come often.
std::uint64_t some_bits(std::mt19937_64& random, unsigned width) {
  static constexpr std::uint64_t special[] = {
      0x0000, 0x8000, 0x0001, 0x8001, 0x3c00, 0xbc00, 0x3f80, 0x7c00, 0xfc00, 0x7f80, 0xff80,
      0x7fff, 0xffff, 0x7e01, 0x7fc1, 0x7bff, 0x0400, 0x0080, 0x007f, 0x03ff, 0x4f00, 0x477f};
  const std::uint64_t any = random();
  const std::uint64_t high = special[random() % std::size(special)];
  switch (any % 4) {
    case 0:
      return random();
    case 1:
      return high << (width > 16 ? width - 16 : 0);
    case 2:
      return width <= 16 ? high : high << (width - 16) | (random() >> (80 - width) & 0xffffff);
    default:
      return high << 16 | special[random() % std::size(special)];
  }
}
void fill(bench& b, const operation& o, std::mt19937_64& random) {
  for (std::size_t k = 0; k < o.widths.size(); ++k)
    for (unsigned i = 0; i < 32; ++i) {
      const std::uint64_t v = k == 0 ? random() : some_bits(random, o.widths[k]);
      switch (o.widths[k]) {
        case 16:
          b.at<std::uint16_t>(k)[i] = static_cast<std::uint16_t>(v);
          break;
        case 32:
          b.at<std::uint32_t>(k)[i] = static_cast<std::uint32_t>(v);
          break;
        default:
          b.at<std::uint64_t>(k)[i] = v;
      }
    }
}
std::uint64_t lane(const std::vector<std::byte>& bytes, unsigned width, unsigned i) {
  std::uint64_t v = 0;
  if (width == 1) {
    std::memcpy(&v, bytes.data(), 4);
    return v >> i & 1;
  }
  std::memcpy(&v, bytes.data() + std::size_t{i} * (width / 8), width / 8);
  return v;
}

TEST(machine_spelling, clones_agree_and_masked_lanes_stay) {
  if (!has_avx2()) GTEST_SKIP() << "this processor has no AVX2";
  const std::vector<operation> any = operations(for_any()), fast = operations(for_avx2());
  ASSERT_EQ(any.size(), fast.size());
  std::mt19937_64 random(20260);
  for (std::size_t k = 0; k < any.size(); ++k) {
    ASSERT_EQ(any[k].spelling, fast[k].spelling);
    for (unsigned round = 0; round < 8; ++round) {
      bench start;
      fill(start, any[k], random);
      const auto before = start.result();
      const lane_mask mask = static_cast<lane_mask>(random()) & ~1U;
      bench full = start, masked = start, full2 = start, masked2 = start;
      full.run(any[k].run, all_lanes);
      full2.run(fast[k].run, all_lanes);
      masked.run(any[k].run, mask);
      masked2.run(fast[k].run, mask);
      const unsigned w = any[k].widths[0];
      for (unsigned i = 0; i < 32; ++i) {
        const std::uint64_t want = lane(full.result(), w, i);
        ASSERT_EQ(lane(full2.result(), w, i), want) << any[k].spelling << " lane " << i;
        const std::uint64_t kept = (mask >> i & 1) != 0 ? want : lane(before, w, i);
        ASSERT_EQ(lane(masked.result(), w, i), kept) << any[k].spelling << " lane " << i;
        ASSERT_EQ(lane(masked2.result(), w, i), kept) << any[k].spelling << " lane " << i;
      }
    }
  }
}

/// Runs a spelling on one value for each source and gives lane 5 of the result.
std::uint64_t value_of(const table& rows, const std::string& spelling,
                       std::vector<std::uint64_t> sources) {
  choice c;
  const std::size_t r = row_of(rows, spelling, c);
  if (r == rows.size()) {
    ADD_FAILURE() << spelling << " is no spelling";
    return 0;
  }
  operation o{spelling, std::string(rows[r].operands), {}, rows[r].select(c)};
  for (const char letter : o.operands)
    if (letter != '<') o.widths.push_back(width(letter, c));
  EXPECT_EQ(o.widths.size(), sources.size() + 1) << spelling;
  bench b;
  for (std::size_t k = 1; k < o.widths.size(); ++k)
    for (unsigned i = 0; i < 32; ++i) {
      if (o.widths[k] == 16) b.at<std::uint16_t>(k)[i] = static_cast<std::uint16_t>(sources[k - 1]);
      if (o.widths[k] == 32) b.at<std::uint32_t>(k)[i] = static_cast<std::uint32_t>(sources[k - 1]);
      if (o.widths[k] == 64) b.at<std::uint64_t>(k)[i] = sources[k - 1];
    }
  b.run(o.run, all_lanes);
  return lane(b.result(), o.widths[0], 5);
}

std::uint64_t value_of(const std::string& spelling, std::vector<std::uint64_t> sources) {
  return value_of(has_avx2() ? for_avx2() : for_any(), spelling, std::move(sources));
}

// Values worked out by hand from the formats.
TEST(machine_spelling, modifiers_reach_the_arithmetic) {
  constexpr std::uint64_t one = 0x3f800000, tiny = 0x33000000;  // 1 and 2^-25
  EXPECT_EQ(value_of("add.f32", {one, tiny}), 0x3f800000U);
  EXPECT_EQ(value_of("add.rp.f32", {one, tiny}), 0x3f800001U);
  EXPECT_EQ(value_of("sub.rz.f32", {one, tiny}), 0x3f7fffffU);
  EXPECT_EQ(value_of("mul.f32", {0x00800000, 0x3f000000}), 0x00400000U);  // half of 2^-126
  EXPECT_EQ(value_of("mul.ftz.f32", {0x00800000, 0x3f000000}), 0U);
  EXPECT_EQ(value_of("add.sat.f32", {one, one}), one);
  EXPECT_EQ(value_of("fma.rn.f32", {0x3f800001, 0x3f800001, 0xbf800002}), 0x28800000U);  // 2^-46
  EXPECT_EQ(value_of("mad.rn.f64", {0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002}),
            0x3970000000000000U);  // 2^-104
  EXPECT_EQ(value_of("div.rm.f64", {0x3ff0000000000000, 0x4008000000000000}), 0x3fd5555555555555U);
  EXPECT_EQ(value_of("div.rp.f64", {0x3ff0000000000000, 0x4008000000000000}), 0x3fd5555555555556U);
  EXPECT_EQ(value_of("min.f32", {0x7fc00000, one}), one);
  EXPECT_EQ(value_of("min.NaN.f32", {0x7fc00000, one}), 0x7fffffffU);
  EXPECT_EQ(value_of("max.xorsign.abs.f32", {0xc0000000, one}), 0xc0000000U);
  EXPECT_EQ(value_of("copysign.f32", {0x80000000, one}), 0xbf800000U);
  EXPECT_EQ(value_of("testp.subnormal.f32", {1}), 1U);
  EXPECT_EQ(value_of("testp.normal.f64", {1}), 0U);
  EXPECT_EQ(value_of("sqrt.rn.f32", {0x40800000}), 0x40000000U);
}

// What an H200 gave where PTX leaves it open, or says something else (64-bit fields: low 8 bits).
TEST(machine_spelling, integers_as_hardware_computes_them) {
  const table rows = of_integers(has_avx2());
  const auto integer = [&](const char* spelling, std::vector<std::uint64_t> sources) {
    return value_of(rows, spelling, std::move(sources));
  };
  EXPECT_EQ(integer("rem.s32", {1, 0}), 0xffffffffU);
  EXPECT_EQ(integer("rem.u16", {1, 0}), 0xffffU);
  EXPECT_EQ(integer("rem.s64", {0x8000000000000000, 0}), 0xffffffffffffffffU);
  EXPECT_EQ(integer("bfe.u64", {0xffff, 15, 0x100}), 1U);
  EXPECT_EQ(integer("bfe.u64", {0x1f, 0x100, 70}), 0U);
  EXPECT_EQ(integer("bfe.s64", {0xfffffffffffffffe, 0x100, 63}), 0xffffffffffffffffU);
  EXPECT_EQ(integer("bfe.u32", {0xffff, 15, 0x101}), 1U);
}

TEST(machine_spelling, halves_and_pairs) {
  EXPECT_EQ(value_of("add.f16", {0x3c00, 0x4000}), 0x4200U);  // 1 + 2
  EXPECT_EQ(value_of("add.bf16", {0x3f80, 0x4000}), 0x4040U);
  EXPECT_EQ(value_of("add.sat.f16", {0x3c00, 0x4000}), 0x3c00U);
  EXPECT_EQ(value_of("sub.f16x2", {0x42003c00, 0x3c004000}), 0x4000bc00U);  // 3 - 1, 1 - 2
  EXPECT_EQ(value_of("fma.rn.relu.bf16x2", {0x4000bf80, 0x3f803f80, 0}), 0x40000000U);
  EXPECT_EQ(value_of("neg.bf16x2", {0x3f80bf80}), 0xbf803f80U);
  EXPECT_EQ(value_of("max.f16x2", {0x7e003c00, 0x3c007e00}), 0x3c003c00U);
  EXPECT_EQ(value_of("max.NaN.f16x2", {0x7e003c00, 0x3c003800}), 0x7fff3c00U);
  EXPECT_EQ(value_of("ex2.approx.ftz.bf16x2", {0x3f804000}), 0x40004080U);
  EXPECT_EQ(value_of("tanh.approx.f16", {0xfc00}), 0xbc00U);
}

TEST(machine_spelling, conversions) {
  EXPECT_EQ(value_of("cvt.rn.f32.s32", {0xffffffff}), 0xbf800000U);
  EXPECT_EQ(value_of("cvt.rn.f32.u32", {0xffffffff}), 0x4f800000U);
  EXPECT_EQ(value_of("cvt.rz.f32.u32", {0xffffffff}), 0x4f7fffffU);
  EXPECT_EQ(value_of("cvt.rz.f32.u64", {0xffffffffffffffff}), 0x5f7fffffU);
  EXPECT_EQ(value_of("cvt.rzi.s32.f32", {0xbfc00000}), 0xffffffffU);  // -1.5
  EXPECT_EQ(value_of("cvt.rmi.s32.f32", {0xbfc00000}), 0xfffffffeU);
  EXPECT_EQ(value_of("cvt.rni.s32.f16", {0x3e00}), 2U);  // 1.5
  EXPECT_EQ(value_of("cvt.rpi.ftz.s32.f32", {1}), 0U);
  EXPECT_EQ(value_of("cvt.rpi.s32.f32", {1}), 1U);
  EXPECT_EQ(value_of("cvt.rzi.u8.f32", {0x43c80000}), 255U);  // 400
  EXPECT_EQ(value_of("cvt.rzi.s8.f32", {0xc3c80000}), 0xff80U);
  EXPECT_EQ(value_of("cvt.rni.f32.f32", {0x40200000}), 0x40000000U);  // 2.5
  EXPECT_EQ(value_of("cvt.rpi.f16.f16", {0x0001}), 0x3c00U);
  EXPECT_EQ(value_of("cvt.f32.f16", {0xbc00}), 0xbf800000U);
  EXPECT_EQ(value_of("cvt.f64.f32", {0x3f800000}), 0x3ff0000000000000U);
  EXPECT_EQ(value_of("cvt.rp.f32.f64", {0x3ff0000000000001}), 0x3f800001U);
  EXPECT_EQ(value_of("cvt.rn.bf16.f32", {0x3f808000}), 0x3f80U);  // a tie
  EXPECT_EQ(value_of("cvt.rn.relu.f16.f32", {0xbf800000}), 0U);
  EXPECT_EQ(value_of("cvt.rn.f16x2.f32", {0x3f800000, 0x40000000}), 0x3c004000U);
  EXPECT_EQ(value_of("cvt.f16.bf16", {0x3f80}), 0x3c00U);
  EXPECT_EQ(value_of("cvt.rn.bf16.f16", {0x3c00}), 0x3f80U);
}

/// 8-bit numbers lie in 16-bit registers; only the low byte of a source counts.
TEST(machine_spelling, integer_conversions) {
  EXPECT_EQ(value_of("cvt.s32.s8", {0x1280}), 0xffffff80U);
  EXPECT_EQ(value_of("cvt.u32.u8", {0x1280}), 0x80U);
  EXPECT_EQ(value_of("cvt.s16.u8", {0x1280}), 0x80U);
  EXPECT_EQ(value_of("cvt.s8.u32", {0x1280}), 0xff80U);
  EXPECT_EQ(value_of("cvt.u8.s32", {0xffffffff}), 0xffU);
  EXPECT_EQ(value_of("cvt.u64.s32", {0xffffffff}), 0xffffffffffffffffU);
  EXPECT_EQ(value_of("cvt.u64.u32", {0xffffffff}), 0xffffffffU);
  EXPECT_EQ(value_of("cvt.rn.f16.s8", {0x00ff}), 0xbc00U);
  EXPECT_EQ(value_of("cvt.sat.s8.s32", {1000}), 0x7fU);
  EXPECT_EQ(value_of("cvt.sat.u16.s64", {0xffffffffffffffff}), 0U);
  // Both orders are legal: the first type is that of the result.
  EXPECT_EQ(value_of("cvt.sat.s8.u8", {0xc8}), 0x7fU);
  EXPECT_EQ(value_of("cvt.sat.u8.s8", {0xc8}), 0U);
  EXPECT_EQ(value_of("cvt.pack.sat.s16.s32", {70000, 0xffffffff}), 0x7fffffffU);
  EXPECT_EQ(value_of("cvt.pack.sat.u8.s32.b32", {300, 0xffffffff, 0x12345678}), 0x5678ff00U);
  EXPECT_EQ(value_of("cvt.pack.sat.s8.s32.b32", {1, 0xffffff00, 0x0001}), 0x00010180U);
}

}  // namespace
}  // namespace ptxlab::machine
