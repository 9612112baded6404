// SPDX-License-Identifier: Apache-2.0
// Units in the last place, ranges and exact values against numbers that are known: from IEEE 754,
// from published cases, and by other means (long double, counting).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "analysis/accuracy/exact.hpp"
#include "analysis/accuracy/inputs.hpp"
#include "analysis/accuracy/ulp.hpp"
#include "driver/bench/error_rows.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::accuracy {
namespace {

using u32 = std::uint32_t;
using list = std::vector<u32>;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

u32 word(float x) {
  return std::bit_cast<u32>(x);
}
float number_of(u32 x) {
  return std::bit_cast<float>(x);
}

TEST(accuracy_ulp, is_the_spacing_of_floats) {
  for (const float x : {1.0F, 1.5F, 3.0F, 1e-30F, 6e37F, 0x1p-126F, 0x1.8p-126F})
    EXPECT_EQ(ulp_of(static_cast<double>(x)),
              static_cast<double>(std::nextafter(x, inf)) - static_cast<double>(x))
        << x;
  EXPECT_EQ(ulp_of(0), 0x1p-149);
  EXPECT_EQ(ulp_of(0x1p-140), 0x1p-149) << "subnormal floats are evenly spaced";
  EXPECT_EQ(ulp_of(0x1p-300), 0x1p-149);
  EXPECT_EQ(ulp_of(-1.999), 0x1p-23) << "of the binade, without sign";
  EXPECT_EQ(ulp_of(2), 0x1p-22);
  EXPECT_EQ(ulp_of(1e300), 0x1p104) << "that of the largest float";
}

TEST(accuracy_ulp, errors) {
  EXPECT_EQ(error_in_ulp(1.0F, 1.0), 0);
  EXPECT_EQ(error_in_ulp(1.0F, 1 + 0x1p-24), 0.5);
  EXPECT_EQ(error_in_ulp(1.0F, 1 - 0x1p-24), 1) << "below a power of two floats are denser";
  EXPECT_EQ(error_in_ulp(-2.0F, 2.0), 4 * 0x1p22);
  EXPECT_EQ(error_in_ulp(0.0F, 0x1p-126), 0x1p23) << "flushed";
  EXPECT_EQ(error_in_ulp(inf, 1e300), 0) << "overflow is right";
  EXPECT_EQ(error_in_ulp(inf, 0x1p128), 0);
  EXPECT_EQ(error_in_ulp(inf, static_cast<double>(largest)), 1);
  EXPECT_EQ(error_in_ulp(largest, 1e300), 1);
  EXPECT_EQ(error_in_ulp(-inf, 1e300), 0x1p25);
  EXPECT_TRUE(std::isnan(error_in_ulp(nan, 1)));
}

TEST(accuracy_ulp, distances_count_floats) {
  EXPECT_EQ(floats_between(1.0F, std::nextafter(1.0F, 2.0F)), 1);
  EXPECT_EQ(floats_between(1.0F, std::nextafter(1.0F, 0.0F)), 1);
  EXPECT_EQ(floats_between(0.0F, -0.0F), 0);
  EXPECT_EQ(floats_between(smallest, -smallest), 2);
  EXPECT_EQ(floats_between(largest, inf), 1);
  EXPECT_EQ(floats_between(inf, -inf), 2.0 * 0x7f800000);
}

TEST(accuracy_ranges, begin_at_powers_of_two_and_where_one_says) {
  const ranges plain;
  EXPECT_EQ(plain.of(0), 0U);
  EXPECT_EQ(plain.of(-0x1p-149), 0U);
  const auto from = [](const ranges& r, double x) { return r.ends().at(r.of(x)); };
  EXPECT_EQ(from(plain, 1), 1);
  EXPECT_EQ(from(plain, 1.99), 1);
  EXPECT_EQ(from(plain, -2), 2);
  EXPECT_EQ(from(plain, 0x1p-126), 0x1p-126);
  EXPECT_EQ(from(plain, 0x1.fffffep127), 0x1p127);
  EXPECT_EQ(from(plain, static_cast<double>(inf)), 0x1p127);
  const ranges more({std::numbers::pi, 48039, 105615}, true);
  EXPECT_EQ(from(more, 3.14), 2);
  EXPECT_EQ(from(more, -3.15), -std::numbers::pi);
  EXPECT_EQ(from(more, 4), 4);
  EXPECT_EQ(from(more, 105614), 65536);
  EXPECT_EQ(from(more, 105615), 105615);
  EXPECT_EQ(from(more, -1e38), -0x1p126);
  EXPECT_EQ(from(more, -0.0), -0x1p-149);
}

TEST(accuracy_inputs, every_float_once) {
  const function& f = function_of("sin");
  const inputs all(f, {-static_cast<double>(inf), static_cast<double>(inf)}, 0);
  EXPECT_EQ(all.count(), 2 * (std::uint64_t{0x7f800000} + 1));
  EXPECT_TRUE(all.complete());
  list x(5);
  all.fill(0, x, {});
  EXPECT_EQ(number_of(x[0]), -inf);
  EXPECT_EQ(number_of(x[1]), -largest);
  all.fill(0x7f800000, x, {});  // around zero
  EXPECT_EQ(x, (list{word(-0.0F), word(0.0F), word(smallest), 2, 3}));
  all.fill(all.count() - 2, x, {});
  EXPECT_EQ(number_of(x[0]), largest);
  EXPECT_EQ(number_of(x[1]), inf);
}

TEST(accuracy_inputs, steps_are_odd_and_reach_all_of_the_range) {
  const function& f = function_of("sqrt");
  for (const std::uint64_t samples : {1000ULL, 65536ULL, 1ULL << 29}) {
    const inputs some(f, {0, static_cast<double>(inf)}, samples);
    EXPECT_FALSE(some.complete());
    EXPECT_LE(some.count(), samples * 3 / 2);
    list x(2);
    some.fill(0, x, {});
    EXPECT_EQ(x[0], 0U);
    EXPECT_EQ(x[1] % 2, 1U);
    const u32 step = x[1];
    some.fill(some.count() - 1, std::span(x).first(1), {});
    EXPECT_GE(x[0], 0x7f800000U - step);
    EXPECT_LE(x[0], 0x7f800000U);
  }
  const inputs few(f, {1, 1 + 0x1p-22}, 100);
  EXPECT_EQ(few.count(), 3U) << "no more than there are";
  const inputs one(f, {2, 2}, 0);
  EXPECT_EQ(one.count(), 1U);
}

TEST(accuracy_inputs, pairs) {
  const function& f = function_of("divide");
  const inputs some(f, {-1, 2, 0x1p-126, 0x1p126}, 10000);
  list x(some.count()), y(some.count());
  some.fill(0, x, y);
  std::set<u32> different(x.begin(), x.end());
  EXPECT_GT(different.size(), x.size() * 9 / 10);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(number_of(x[i]) >= -1 && number_of(x[i]) <= 2) << i;
    EXPECT_TRUE(number_of(y[i]) >= 0x1p-126F && number_of(y[i]) <= 0x1p126F) << i;
    if (i > 0) {
      EXPECT_GT(y[i], y[i - 1]);
    }
  }
  list again(3), there(3);
  some.fill(100, again, there);
  EXPECT_EQ(again, list(x.begin() + 100, x.begin() + 103)) << "wherever one starts";
}

TEST(accuracy_inputs, integers_of_all_lengths) {
  const function& f = function_of("divide_s32");
  constexpr double low = -2147483648.0, high = 2147483647.0;
  const inputs some(f, {low, high, low, high}, 3200);
  list x(some.count()), y(some.count());
  some.fill(0, x, y);
  std::vector<int> of_length(33);
  int negative = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NE(y[i], 0U) << i;
    const auto magnitude = std::abs(std::int64_t{static_cast<std::int32_t>(y[i])});
    ++of_length[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(magnitude)))];
    negative += static_cast<std::int32_t>(x[i]) < 0 ? 1 : 0;
  }
  for (int length = 1; length <= 30; ++length) EXPECT_EQ(of_length[length], 100) << length;
  EXPECT_GT(negative, 1000);
  EXPECT_LT(negative, 2200);
}

TEST(accuracy_inputs, a_core_keeps_its_places_in_a_shorter_part) {
  constexpr std::size_t size = 1000;
  for (const unsigned cores : {1U, 3U, 16U, 2000U})
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{333}, size}) {
      std::size_t next = 0;
      for (unsigned core = 0; core < cores; ++core) {
        const slice whole = slice_of(size, size, core, cores);
        const slice part = slice_of(length, size, core, cores);
        EXPECT_EQ(part.first, next) << "nothing twice, nothing left out";
        next = part.first + part.count;
        if (part.count > 0) {
          EXPECT_EQ(part.first, whole.first);
          EXPECT_LE(part.count, whole.count);
        }
      }
      EXPECT_EQ(next, length);
    }
}

std::string message_of(const char* name, const ends& e, std::uint64_t samples) {
  try {
    const inputs made(function_of(name), e, samples);
    return "no error";
  } catch (const error& why) {
    return why.what();
  }
}

TEST(accuracy_inputs, what_cannot_be_is_refused) {
  const double no_number = static_cast<double>(nan);
  EXPECT_EQ(message_of("sin", {0, 1}, 0), "no error");
  for (const ends& e : {ends{1, 0}, ends{no_number, 1}, ends{0, no_number}, ends{0.1, 1}})
    EXPECT_TRUE(message_of("sin", e, 0).starts_with("no operands from ")) << e.lowest;
  EXPECT_TRUE(message_of("divide_u32", {-1, 1, 1, 1}, 5).starts_with("no operands from -1 to 1"));
  EXPECT_TRUE(message_of("divide_u32", {0, 1.5, 1, 1}, 5).starts_with("no operands"));
  EXPECT_TRUE(message_of("divide_u32", {0, 1, 1, 5e9}, 5).starts_with("no operands"));
  EXPECT_EQ(message_of("divide", {0, 1, 1, 2}, 0),
            "divide takes two numbers: there are too many to try all");
  EXPECT_TRUE(message_of("sine", {0, 1}, 0).starts_with("no function \"sine\"; there are sin, "));
}

tally seen(const char* name, const list& x, const list& got, const list& y = {}) {
  const function& f = function_of(name);
  tally t(f.by);
  f.compare({x, y, got}, f.by, t);
  return t;
}

TEST(accuracy_exact, values_that_are_known) {
  const auto value = [](const char* name, double x, double y = 0) {
    return function_of(name).value(x, y);
  };
  EXPECT_EQ(value("reciprocal", 3), 1.0 / 3);
  EXPECT_EQ(value("sqrt", 2), std::numbers::sqrt2);
  EXPECT_NEAR(value("rsqrt", 2), 1 / std::numbers::sqrt2, 1e-15);
  EXPECT_EQ(value("exp", 1), std::numbers::e);
  EXPECT_EQ(value("exp2", -1), 0.5);
  EXPECT_EQ(value("log", 2), std::numbers::ln2);
  EXPECT_EQ(value("log2", 8), 3);
  EXPECT_EQ(value("divide", 1, 4), 0.25);
  EXPECT_EQ(value("pow", 2, 0.5), std::numbers::sqrt2);
  EXPECT_NEAR(value("tan", std::numbers::pi / 4), 1, 1e-15);
  EXPECT_NEAR(value("tanh", 0.5), 0.46211715726000975, 1e-16);
  EXPECT_NEAR(value("cos", std::numbers::pi / 3), 0.5, 1e-15);
  // Ng, "Argument reduction for huge arguments: good to the last bit" (1992).
  EXPECT_NEAR(value("sin", 1e22), -0.8522008497671888, 1e-15);
  // 11/10 of an odd number of units is no double.
  EXPECT_EQ(value("times_1.1", 10), 11);
  EXPECT_EQ(value("multiply_s32", 65536, 65536), 0);
  EXPECT_EQ(value("multiply_s32", 65537, -65537), -131073);
  EXPECT_EQ(value("multiply_u32", 4294967295.0, 4294967295.0), 1);
  EXPECT_EQ(value("divide_s32", -7, 2), -3);
  EXPECT_EQ(value("remainder_s32", -7, 2), -1);
  EXPECT_EQ(value("divide_s32", -2147483648.0, -1), -2147483648.0) << "wraps";
  EXPECT_EQ(value("divide_u32", 4294967295.0, 2), 2147483647);
  EXPECT_EQ(value("remainder_u32", 4294967295.0, 10), 5);
}

TEST(accuracy_exact, a_right_result_is_right_and_a_wrong_one_is_seen) {
  list x, right;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(word(1 + static_cast<float>(i) / 500));
    right.push_back(word(std::sqrt(number_of(x.back()))));
  }
  tally t = seen("sqrt", x, right);
  EXPECT_EQ(t.inputs, 1000U);
  EXPECT_EQ(t.inexact, 0U);
  EXPECT_EQ(t.most_floats, 0);
  EXPECT_LE(t.largest, 0.5);
  EXPECT_GT(t.largest, 0.4);
  right[700] += 3;
  right[900] = word(nan);
  t = seen("sqrt", x, right);
  EXPECT_EQ(t.inexact, 2U);
  EXPECT_EQ(t.most_floats, 3);
  EXPECT_GT(t.largest, 2.5);
  EXPECT_LE(t.largest, 3.5);
  EXPECT_EQ(t.x, static_cast<double>(number_of(x[700])));
  EXPECT_EQ(t.got, static_cast<double>(number_of(right[700])));
  EXPECT_EQ(t.exact, std::sqrt(t.x));
  EXPECT_EQ(t.wrong_nan, 1U);
  EXPECT_EQ(t.nan_x, static_cast<double>(number_of(x[900])));
  const ranges by;
  EXPECT_EQ(t.by_range[by.of(1)].inputs, 500U);
  EXPECT_EQ(t.by_range[by.of(2)].inputs, 500U);
  EXPECT_EQ(t.by_range[by.of(1)].inexact, 0U);
  EXPECT_EQ(t.by_range[by.of(2)].inexact, 2U);
  EXPECT_EQ(t.by_range[by.of(2)].largest, t.largest);
}

TEST(accuracy_exact, specials) {
  EXPECT_EQ(seen("sqrt", {word(-1.0F)}, {word(nan)}).wrong_nan, 0U);
  EXPECT_EQ(seen("sqrt", {word(-1.0F)}, {word(0.0F)}).wrong_nan, 1U);
  EXPECT_EQ(seen("reciprocal", {word(0.0F)}, {word(inf)}).inexact, 0U);
  EXPECT_EQ(seen("reciprocal", {word(-0.0F)}, {word(inf)}).largest, 0x1p25);
  EXPECT_EQ(seen("log", {word(0.0F)}, {word(-inf)}).inexact, 0U);
  EXPECT_EQ(seen("exp", {word(100.0F)}, {word(inf)}).inexact, 0U);
  EXPECT_EQ(seen("exp", {word(100.0F)}, {word(largest)}).inexact, 1U);
  EXPECT_EQ(seen("divide", {word(1.0F)}, {word(0.0F)}, {word(0x1p127F)}).largest, 0x1p22);
  EXPECT_EQ(seen("sin", {word(inf)}, {word(nan)}).wrong_nan, 0U);
}

TEST(accuracy_exact, the_middle_of_two_floats_is_decided_by_more_bits) {
  // exp(2^-24) is above the middle of 1 and the next float by 2^-49, which is 2^-26 ulp of a float
  // and so not told apart from it by a double with an error of a few units.
  const list x = {word(0x1p-24F)};
  EXPECT_EQ(seen("exp", x, {word(1.0F)}).inexact, 1U);
  EXPECT_EQ(seen("exp", x, {word(1 + 0x1p-23F)}).inexact, 0U);
  EXPECT_GT(seen("exp", x, {word(1.0F)}).largest, 0.5);
}

TEST(accuracy_exact, integers_have_a_unit_of_one) {
  const tally t = seen("multiply_s32", {5, 0x800000}, {15, 0}, {3, 3});
  EXPECT_EQ(t.inexact, 1U);
  EXPECT_EQ(t.largest, 3.0 * 0x800000);
  EXPECT_EQ(t.x, 0x800000);
  EXPECT_EQ(t.y, 3);
}

TEST(accuracy_tally, parts_add_up) {
  const list x = {word(1.0F), word(2.0F), word(4.0F), word(8.0F)};
  const list got = {word(1.0F), word(0.75F), word(0.25F), word(nan)};
  const tally whole = seen("reciprocal", x, got);
  tally parts = seen("reciprocal", {x[0], x[1]}, {got[0], got[1]});
  parts.add(seen("reciprocal", {x[2], x[3]}, {got[2], got[3]}));
  EXPECT_EQ(parts.inputs, whole.inputs);
  EXPECT_EQ(parts.inexact, whole.inexact);
  EXPECT_EQ(parts.inexact, 2U);
  EXPECT_EQ(parts.sum, whole.sum);
  EXPECT_EQ(parts.largest, whole.largest);
  EXPECT_EQ(parts.x, 2);
  EXPECT_EQ(parts.nan_x, 8);
  EXPECT_EQ(parts.wrong_nan, 1U);
}

TEST(accuracy_rows, say_what_was_seen) {
  const function& f = function_of("sin");
  const list x = {word(1.0F), word(3.5F), word(inf)};
  const list got = {word(static_cast<float>(std::sin(1.0))), word(0.0F), word(1.0F)};
  tally t(f.by);
  EXPECT_THROW(bench::error_rows(f, t, {}), error);
  f.compare({x, {}, got}, f.by, t);
  std::map<std::string, results::row> rows;
  for (results::row& r : bench::error_rows(f, t, {{"samples", 3}})) {
    EXPECT_EQ(r.protocol, "accuracy");
    EXPECT_EQ(r.axes.at("samples"), 3);
    rows[r.quantity] = std::move(r);
  }
  EXPECT_EQ(rows.at("inputs").value->median, 3);
  EXPECT_EQ(rows.at("wrong NaN").value->median, 1);
  EXPECT_EQ(rows.at("wrong NaN at").value->median, 0x1p128) << "infinity";
  EXPECT_EQ(rows.at("largest error at").value->median, 3.5);
  EXPECT_FALSE(rows.contains("largest error at, second operand"));
  EXPECT_NEAR(rows.at("largest absolute error").value->median, 0.35078322768961984, 1e-15);
  EXPECT_NEAR(rows.at("correctly rounded").value->median, 100.0 / 3, 1e-12);
  const auto& raw = rows.at("largest error").raw;
  ASSERT_EQ(raw.size(), 3U) << "ranges that nothing was in are left out";
  EXPECT_EQ(raw[0].length, 1);
  EXPECT_EQ(raw[1].length, std::numbers::pi);
  EXPECT_EQ(raw[1].values.front(), rows.at("largest error").value->median);
}

}  // namespace
}  // namespace ptxlab::accuracy
