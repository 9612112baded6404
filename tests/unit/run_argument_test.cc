// SPDX-License-Identifier: Apache-2.0
// Typed arguments, elements and formulas of `ptxlab run`.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "analysis/toolchain/files.hpp"
#include "driver/run/argument.hpp"
#include "driver/run/expression.hpp"
#include "driver/run/plan.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

/// The message of the error that a call throws; empty if it throws none.
template <typename F>
std::string refusal(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

std::string refused(std::string_view text) {
  return refusal([&] { read_argument(text, 0); });
}

TEST(run_argument, reads_scalars_of_every_type) {
  const std::pair<const char*, element_bits> all[] = {{"u8:255", 255},
                                                      {"s8:-1", 0xff},
                                                      {"i8:-128", 0x80},
                                                      {"u16:65535", 65535},
                                                      {"s16:-2", 0xfffe},
                                                      {"u32:0xffffffff", 0xffffffff},
                                                      {"i32:-5", 0xfffffffb},
                                                      {"s32:0xffffffff", 0xffffffff},
                                                      {"u64:18446744073709551615", ~0ULL},
                                                      {"s64:-9223372036854775808", 1ULL << 63},
                                                      {"f32:1.5", 0x3fc00000},
                                                      {"f32:-0", 0x80000000},
                                                      {"f32:inf", 0x7f800000},
                                                      {"f32:1e-45", 1},
                                                      {"f64:1.5", 0x3ff8000000000000},
                                                      {"f16:1.5", 0x3e00},
                                                      {"f16:65504", 0x7bff},
                                                      {"bf16:1.5", 0x3fc0},
                                                      {"f16:6e-8", 1}};
  for (const auto& [text, bits] : all) {
    const argument a = read_argument(text, 0);
    EXPECT_EQ(a.is, argument::kind::scalar) << text;
    EXPECT_EQ(a.value, bits) << text;
  }
  EXPECT_EQ(read_argument("bf16:1", 0).parameter_bytes(), 2u);
  EXPECT_EQ(read_argument("s64:1", 0).parameter_bytes(), 8u);
}

TEST(run_argument, refuses_values_that_do_not_fit) {
  EXPECT_EQ(refused("u8:256"), "256 does not fit u8");
  EXPECT_EQ(refused("s8:128"), "128 does not fit s8");
  EXPECT_EQ(refused("s8:-129"), "-129 does not fit s8");
  EXPECT_EQ(refused("u32:-1"), "-1 does not fit u32");
  EXPECT_EQ(refused("u64:18446744073709551616"), "18446744073709551616 does not fit u64");
  EXPECT_EQ(refused("f32:1e39"), "1e39 does not fit f32");
  EXPECT_EQ(refused("f16:65520"), "65520 does not fit f16");
  EXPECT_EQ(refused("u32:1.5"), "'1.5' is no u32");
  EXPECT_EQ(refused("f32:x"), "'x' is no f32");
  EXPECT_EQ(refused("f32:"), "'' is no f32");
  EXPECT_EQ(refused("u32:-"), "'-' is no u32");
  EXPECT_EQ(refused("f32:1.5x"), "'1.5x' is no f32");
}

TEST(run_argument, refuses_what_is_no_argument) {
  EXPECT_NE(refused("5").find("'5' is no argument: buf:"), std::string::npos);
  EXPECT_NE(refused("").find("is no argument"), std::string::npos);
  EXPECT_NE(refused("int:5").find("'int' is no type: u8"), std::string::npos);
  EXPECT_NE(refused("pred:1").find("is no type"), std::string::npos);
  EXPECT_NE(refused("b32:1").find("is no type"), std::string::npos);
  EXPECT_EQ(refused("addr:"), "addr: of which variable?");
  EXPECT_EQ(refused("hex:"), "hex:: no bytes");
  EXPECT_EQ(refused("hex:123"), "hex:123: '3' are no two hexadecimal digits");
  EXPECT_EQ(refused("hex:0g"), "hex:0g: '0g' are no two hexadecimal digits");
  EXPECT_EQ(refused("buf:f32:x:zero"), "buf:f32:x:zero: 'x' is no number of elements");
  EXPECT_EQ(refused("buf:f32:-1:zero"), "buf:f32:-1:zero: '-1' is no number of elements");
  EXPECT_NE(refused("buf:f32:4").find("what does it hold?"), std::string::npos);
  EXPECT_NE(refused("buf:f64:999999999999999:zero").find("more than"), std::string::npos);
  EXPECT_NE(refused("buf:f32:4:rand:x").find("'x' is no seed"), std::string::npos);
  EXPECT_EQ(refused("buf:u8:4:fill:300"), "300 does not fit u8");
  EXPECT_NE(refused("buf:f32:4:nowhere.bin").find("nowhere.bin: No such file"), std::string::npos);
  EXPECT_NE(refused("buf:f32:4:zero:name=").find("no name for a buffer"), std::string::npos);
  EXPECT_NE(refused("buf:f32:4:zero:name=a[0]").find("no name for a buffer"), std::string::npos);
  EXPECT_NE(refused("buf:f32:4:zero:name=1a").find("no name for a buffer"), std::string::npos);
}

TEST(run_argument, buffers_know_their_elements) {
  const argument iota = read_argument("buf:u8:300:iota", 2);
  EXPECT_EQ(iota.name, "arg2");
  EXPECT_EQ(iota.buffer_bytes(), 300u);
  EXPECT_EQ(iota.parameter_bytes(), 8u);
  EXPECT_EQ(iota.initial(299), 299u % 256);
  const argument fill = read_argument("buf:f64:3:fill:-2.5:name=in", 0);
  EXPECT_EQ(fill.name, "in");
  EXPECT_EQ(std::bit_cast<double>(fill.initial(2)), -2.5);
  EXPECT_EQ(read_argument("buf:u32:0:zero", 0).buffer_bytes(), 0u);
  EXPECT_EQ(read_argument("buf:u32:4:none", 0).from, contents::none);
}

TEST(run_argument, random_elements_depend_on_seed_and_place_alone) {
  const argument a = read_argument("buf:f32:1000:rand:7", 0),
                 b = read_argument("buf:f32:9:rand:7", 1);
  const argument c = read_argument("buf:f32:9:rand:8", 1);
  double sum = 0;
  for (std::uint64_t i = 0; i < a.count; ++i) {
    const double v = element_value(type::f32, a.initial(i));
    EXPECT_GE(v, -1);
    EXPECT_LT(v, 1);
    sum += v;
  }
  EXPECT_LT(std::abs(sum / 1000), 0.1);
  EXPECT_EQ(a.initial(5), b.initial(5));
  EXPECT_NE(a.initial(5), c.initial(5));
  EXPECT_NE(a.initial(5), a.initial(6));
  const argument u = read_argument("buf:u64:64:rand:1", 0);
  std::uint64_t ones = 0;
  for (std::uint64_t i = 0; i < 64; ++i) ones |= u.initial(i);
  EXPECT_EQ(ones, ~0ULL);
}

TEST(run_argument, files_hold_bytes_or_text) {
  const toolchain::temporary_folder folder;
  const std::string text = folder.path() / "in.txt", bytes = folder.path() / "in.bin";
  std::ofstream(text) << "1, 2.5\n-3\n";
  const argument a = read_argument("buf:f32:3:" + text + ":name=x", 0);
  EXPECT_EQ(element_value(type::f32, a.initial(1)), 2.5);
  write_elements(bytes, type::f32, a.data);
  EXPECT_EQ(std::filesystem::file_size(bytes), 12u);
  EXPECT_EQ(read_elements(bytes, type::f32), a.data);
  EXPECT_NE(refused("buf:f32:4:" + text).find("the file holds 3 elements"), std::string::npos);
  EXPECT_NE(refused("buf:f64:1:" + bytes).find("12 bytes are no whole number of f64"),
            std::string::npos);
  std::ofstream(text) << "1\n2\nthree\n";
  EXPECT_NE(refused("buf:f32:3:" + text).find("in.txt:3: 'three' is no f32"), std::string::npos);
}

TEST(run_element, distances_are_counted_in_values_of_the_type) {
  const auto f = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x)}; };
  EXPECT_EQ(ulp_distance(type::f32, f(1), f(std::nextafterf(1, 2))), 1u);
  EXPECT_EQ(ulp_distance(type::f32, f(0.0f), f(-0.0f)), 0u);
  EXPECT_EQ(ulp_distance(type::f32, f(0x1p-149f), f(-0x1p-149f)), 2u);
  EXPECT_EQ(ulp_distance(type::f32, f(NAN), f(-NAN)), 0u);
  constexpr auto apart = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(ulp_distance(type::f32, f(NAN), f(1)), apart);
  EXPECT_EQ(ulp_distance(type::f32, f(INFINITY), f(3e38f)), apart);
  EXPECT_EQ(ulp_distance(type::f16, 0x3c00, 0x3c03), 3u);
  EXPECT_EQ(ulp_distance(type::s8, 0x80, 0x7f), 255u);
  EXPECT_EQ(ulp_distance(type::u64, 0, ~0ULL), ~0ULL);
}

TEST(run_element, text_is_read_back_to_the_same_bits) {
  for (const type t : {type::f16, type::bf16})
    for (element_bits b = 0; b < 65536; ++b) {
      const element_bits back = read_element(t, element_text(t, b));
      if (is_nan(t, b)) {
        EXPECT_TRUE(is_nan(t, back));
      } else {
        ASSERT_EQ(back, b) << element_text(t, b);
      }
    }
  for (element_bits b = 1; b < 0x100000000; b += 1234567)
    if (!is_nan(type::f32, b)) {
      ASSERT_EQ(read_element(type::f32, element_text(type::f32, b)), b);
    }
  EXPECT_EQ(element_text(type::s64, 1ULL << 63), "-9223372036854775808");
}

struct formulas : testing::Test {
  argument x = read_argument("buf:s32:8:iota:name=x", 0);
  argument y = read_argument("buf:f32:4:fill:0.5:name=y", 1);
  std::vector<const argument*> buffers{&x, &y};

  element_bits whole(std::string_view text, std::uint64_t i = 0) {
    return expression(text, type::s32, buffers).at(i, 8);
  }
  double real(std::string_view text, std::uint64_t i = 0) {
    return element_value(type::f64, expression(text, type::f64, buffers).at(i, 8));
  }
  std::string wrong(std::string_view text) {
    return refusal([&] { expression(text, type::s32, buffers).at(0, 8); });
  }
};

TEST_F(formulas, compute) {
  EXPECT_EQ(whole("2 * x[i] + 1", 3), 7u);
  EXPECT_EQ(whole("sum(x)"), 28u);
  EXPECT_EQ(whole("max(x) - min(x)"), 7u);
  EXPECT_EQ(whole("x[n-1-i]", 2), 5u);
  EXPECT_EQ(whole("-7 / 2"), 0xfffffffdu);
  EXPECT_EQ(whole("abs(0-5) % 3"), 2u);
  EXPECT_EQ(whole("2-3-4"), 0xfffffffbu);
  EXPECT_EQ(whole("1/0"), 0u);
  EXPECT_EQ(whole("x[x[3] % 4]"), 3u);
  EXPECT_EQ(real("y[1] * 3"), 1.5);
  EXPECT_EQ(real("7 / 2"), 3.5);
  EXPECT_EQ(real("1e3 + .5"), 1000.5);
  EXPECT_EQ(real("sum(y) * (1 + i)", 1), 4);
}

TEST_F(formulas, refuse) {
  EXPECT_NE(wrong("2 *").find("is no formula"), std::string::npos);
  EXPECT_NE(wrong("").find("is no formula"), std::string::npos);
  EXPECT_NE(wrong("(1").find("is no formula"), std::string::npos);
  EXPECT_NE(wrong("1 2").find("is no formula: at '2'"), std::string::npos);
  EXPECT_NE(wrong("xx[i]").find("no buffer 'xx'; nearest is 'x'"), std::string::npos);
  EXPECT_NE(wrong("x").find("neither i nor n"), std::string::npos);
  EXPECT_NE(wrong("mean(x)").find("no function 'mean'"), std::string::npos);
  EXPECT_NE(wrong("x[8]").find("x[8]: it has 8 elements"), std::string::npos);
  EXPECT_NE(wrong("x[i-1]").find("x[-1]"), std::string::npos);
  EXPECT_NE(wrong(std::string(5000, '(')).find("is no formula"), std::string::npos);
  EXPECT_NE(wrong(std::string(5000, '-') + "1").find("is no formula"), std::string::npos);
}

TEST(run_plan, reads_extents) {
  std::uint32_t v[3] = {1, 1, 1};
  read_extent("4,2", "--grid", v);
  EXPECT_EQ(v[0], 4u);
  EXPECT_EQ(v[1], 2u);
  EXPECT_EQ(v[2], 1u);
  for (const char* bad : {"", "x", "1,", "1,2,3,4", "-1", "4294967296", "1;2", " 1"})
    EXPECT_NE(refusal([&] { read_extent(bad, "--grid", v); }).find("--grid"), std::string::npos)
        << bad;
}

TEST(run_plan, reads_settings) {
  const setting s = read_setting("count=u32:7");
  EXPECT_EQ(s.variable, "count");
  EXPECT_EQ(s.value.value, 7u);
  for (const char* bad : {"count", "=u32:7", "count=addr:x", "count=hex:00", "count=7"})
    EXPECT_FALSE(refusal([&] { read_setting(bad); }).empty()) << bad;
}

}  // namespace
}  // namespace ptxlab::run
