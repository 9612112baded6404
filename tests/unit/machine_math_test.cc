// SPDX-License-Identifier: Apache-2.0
// The scalar semantics of PTX against oracles that share no code with them: the host's own rounding
// modes, searches in tables of all half-precision numbers, and long double functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ptx/machine/math/approximate.hpp"
#include "ptx/machine/math/convert.hpp"
#include "ptx/machine/math/floating.hpp"
#include "ptx/machine/math/half.hpp"
#include "ptx/machine/math/selection.hpp"

namespace ptxlab::machine::math {
namespace {

using enum rounding;

constexpr int host_mode(rounding r) {
  const rounding d = direction(r);
  return d == rn ? FE_TONEAREST : d == rz ? FE_TOWARDZERO : d == rm ? FE_DOWNWARD : FE_UPWARD;
}

/// Computes under a rounding mode of the host. Operands and result pass through volatiles, so that
/// nothing is computed at compile time or moved out of the mode.
template <class R, class F, class... T>
[[gnu::noinline]] R under(rounding mode, F f, T... operands) {
  const auto held = [](auto x) {
    volatile auto in_memory = x;
    return static_cast<decltype(x)>(in_memory);
  };
  std::fesetround(host_mode(mode));
  volatile R result = f(held(operands)...);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
T host_root(T x) {
  return std::sqrt(x);
}

/// Numbers as tests like them: edges, subnormal, huge, close to another one, any bits.
template <real T>
class numbers {
 public:
  T any(T other) {
    using f = format<T>;
    using bits = bits_t<T>;
    const bits fraction = f::min_normal - 1;
    auto b = static_cast<bits>(random_());
    const std::uint64_t r = random_();
    const bits edges[] = {0,      1,          fraction,         f::min_normal,
                          f::one, f::largest, f::infinity,      f::canonical_nan & f::magnitude,
                          2,      f::one + 1, f::infinity + 1u, f::one - 1u};
    if (r % 8 == 0) b = static_cast<bits>(edges[(r >> 8) % std::size(edges)] | (b & f::sign));
    if (r % 8 == 1) b = static_cast<bits>(b & (f::sign | (4u * f::min_normal - 1)));
    if (r % 8 == 2) b = static_cast<bits>((bits_of(other) ^ (b & f::sign)) + (r >> 8) % 5 - 2);
    if (r % 8 == 3)
      b = static_cast<bits>(bits_of(other) ^ ((b & fraction) >> (r >> 8) % f::precision));
    if (r % 8 == 4) b = static_cast<bits>(b & (0 - f::min_normal / ((r >> 8) % 8 + 1)));
    return from_bits<T>(b);
  }
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_{20250901};
};

/// Equal bits; any NaN of f64, whose payload has a test of its own, equals any other.
template <real T>
::testing::AssertionResult same(T got, T want, T a = {}, T b = {}, T c = {}) {
  if (bits_of(got) == bits_of(want) || (format<T>::keeps_payload && is_nan(got) && is_nan(want)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << std::hex << +bits_of(got) << " instead of " << +bits_of(want) << " from " << +bits_of(a)
         << " " << +bits_of(b) << " " << +bits_of(c);
}

template <native T>
T canonical(T x) {
  return std::isnan(x) ? canonical_nan<T> : x;
}

float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

/// .ftz of `r`, whose exact value lies between the doubles `inner` and `outer`: an H200 gives zero
/// if that value, rounded to 24 bits without regard to exponents, is below the normal numbers.
float flushed_by(rounding way, double inner, double outer, float r) {
  const bool outward = (way == rp && inner > 0) || (way == rm && inner < 0);
  const bool below = way == rn ? std::fabs(inner) < 0x1p-126 * (1 - 0x1p-25)
                     : outward ? std::fabs(outer) <= 0x1p-126 * (1 - 0x1p-24)
                               : std::fabs(inner) < 0x1p-126;
  return below ? std::copysign(0.0f, r) : r;
}

/// What an H200 makes of a NaN of f64 in a narrower type: sign and upper payload stay. Built from
/// the fields of the formats.
template <real D>
D narrowed_nan(double x) {
  using f = format<D>;
  const std::uint64_t b = bits_of(x);
  const std::uint64_t fields = ((b >> 63) << (sizeof(D) * 8 - 1)) | f::infinity | f::quiet |
                               ((b & 0xfffffffffffff) >> (53 - f::precision));
  return from_bits<D>(static_cast<bits_t<D>>(fields));
}

float unit_range(float x) {
  return x > 0 ? std::min(x, 1.0f) : 0.0f;
}

template <native T, rounding R>
void check_arithmetic() {
  numbers<T> source;
  T a = 1, b = 1, c = 1;
  int differs_from_nearest = 0;
  for (int i = 0; i < 60000; ++i) {
    a = source.any(b);
    b = source.any(a);
    c = i % 4 == 0 ? source.any(-(a * b)) : source.any(a);
    const auto host = [](auto f, auto... x) { return canonical(under<T>(R, f, x...)); };
    const T s = host([](T x, T y) { return x + y; }, a, b);
    const T p = host([](T x, T y) { return x * y; }, a, b);
    const T q = host([](T x, T y) { return x / y; }, a, b);
    const T f = host([](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c);
    ASSERT_TRUE(same(add<R>(a, b), s, a, b));
    ASSERT_TRUE(same(sub<R>(a, b), host([](T x, T y) { return x - y; }, a, b), a, b));
    ASSERT_TRUE(same(mul<R>(a, b), p, a, b));
    ASSERT_TRUE(same(div<R>(a, b), q, a, b));
    ASSERT_TRUE(same(rcp<R>(a), host([](T x) { return T{1} / x; }, a), a));
    ASSERT_TRUE(same(sqrt<R>(a), host([](T x) { return host_root(x); }, a), a));
    ASSERT_TRUE(same(fma<R>(a, b, c), f, a, b, c));
    differs_from_nearest += bits_of(f) != bits_of(canonical(std::fma(a, b, c)));
    if constexpr (std::same_as<T, float>) {
      const T ta = flushed(a), tb = flushed(b), tc = flushed(c);
      const auto fused = [](T x, T y, T z) { return std::fma(x, y, z); };
      const auto times = [](T x, T y) { return x * y; };
      const auto over = [](T x, T y) { return x / y; };
      const auto flush_exact = [&](auto op, T r, auto... x) {
        const double inner = under<double>(rz, op, static_cast<double>(x)...);
        const double outer = under<double>(inner < 0 ? rm : rp, op, static_cast<double>(x)...);
        return flushed_by(R, inner, outer, r);
      };
      const T tf = flush_exact([](auto x, auto y, auto z) { return std::fma(x, y, z); },
                               host(fused, ta, tb, tc), ta, tb, tc);
      const T tp = flush_exact([](auto x, auto y) { return x * y; }, host(times, ta, tb), ta, tb);
      const T tq = flush_exact([](auto x, auto y) { return x / y; }, host(over, ta, tb), ta, tb);
      const T ts = host([](T x, T y) { return x + y; }, ta, tb);
      ASSERT_TRUE((same(fma<R, true>(a, b, c), tf, a, b, c)));
      ASSERT_TRUE((same(mul<R, true>(a, b), tp, a, b)));
      ASSERT_TRUE((same(div<R, true>(a, b), tq, a, b)));
      ASSERT_TRUE((same(fma<R, false, true>(a, b, c), unit_range(f), a, b, c)));
      ASSERT_TRUE((same(add<R, true, true>(a, b), unit_range(flushed(ts)), a, b)));
      ASSERT_TRUE((same(mul<R, false, true>(a, b), unit_range(p), a, b)));
    }
  }
  // The oracle can tell the roundings apart.
  EXPECT_EQ(differs_from_nearest > 5000, R != rn);
}

// Measured on an H200 (driver 580.159.04), 2026-11-30: results around the smallest normal number,
// and which NaN a fused multiply-add hands on.
TEST(machine_math, flushes_and_hands_on_nan_as_an_h200_does) {
  const auto f = [](std::uint32_t b) { return from_bits<float>(b); };
  EXPECT_EQ(bits_of(mul<rn, true>(f(0x00ffffff), f(0x3f000000))), 0U);
  EXPECT_EQ(bits_of(mul<rn, true>(f(0x00b504f4), f(0x3f3504f2))), 0U);
  EXPECT_EQ(bits_of(mul<rn, true>(f(0x01000001), f(0x3efffffe))), 0x00800000U);
  EXPECT_EQ(bits_of(fma<rn, true>(f(0x01000001), f(0x3efffffe), 0.0f)), 0x00800000U);
  EXPECT_EQ(bits_of(fma<rn, true>(f(0x0d800000), f(0x8d800000), f(0x00800000))), 0x00800000U);
  EXPECT_EQ(bits_of(div<rn, true>(f(0x00ffffff), f(0x40000000))), 0U);
  EXPECT_EQ((mul<rn, true>(f16{0x07ff}, f16{0x3800}).bits), 0);
  EXPECT_EQ((mul<rn, true>(f16{0x0401}, f16{0x3bfe}).bits), 0x0400);
  EXPECT_EQ((fma<rn, true>(f16{0x0401}, f16{0x3bfe}, f16{0}).bits), 0x0400);
  const auto nan = [](std::uint64_t n) { return from_bits<double>(0x7ff8000000000000 + n); };
  EXPECT_EQ(bits_of(fma<rn>(nan(1), nan(2), nan(3))), bits_of(nan(2)));
  EXPECT_EQ(bits_of(fma<rn>(1.0, nan(2), nan(3))), bits_of(nan(2)));
  EXPECT_EQ(bits_of(fma<rn>(nan(1), nan(2), 1.0)), bits_of(nan(2)));
  EXPECT_EQ(bits_of(fma<rn>(nan(1), 1.0, nan(3))), bits_of(nan(3)));
}

TEST(machine_math, f32_arithmetic_equals_the_host_in_every_rounding) {
  check_arithmetic<float, rn>();
  check_arithmetic<float, rz>();
  check_arithmetic<float, rm>();
  check_arithmetic<float, rp>();
}

TEST(machine_math, f64_arithmetic_equals_the_host_in_every_rounding) {
  check_arithmetic<double, rn>();
  check_arithmetic<double, rz>();
  check_arithmetic<double, rm>();
  check_arithmetic<double, rp>();
}

TEST(machine_math, a_sum_rounded_twice_would_be_wrong) {
  // Products one part in 2^53 beside the middle of two floats: found by random search.
  EXPECT_EQ(bits_of(fma(0x1.2p-27f, -0x1.5dd238p+92f, 0x1.ceba7p-124f)), 0xe044c63fu);
  EXPECT_EQ(bits_of(fma(-0x1.fb207cp+107f, -0x1.8p-148f, 0x1.44feccp-127f)), 0x2bbe2c2fu);
}

// The values are those that an H200 gave: what it flushes is the exact result, not the rounded one.
TEST(machine_math, ftz_looks_at_the_exact_result) {
  EXPECT_EQ(bits_of(mul(0x1p-126f, 0x1.fffffep-1f)), 0x00800000u);  // without .ftz: 2^-126
  EXPECT_EQ(bits_of(mul<rn, true>(0x1p-126f, 0x1.fffffep-1f)), 0u);
  EXPECT_EQ(bits_of(mul<rp, true>(0x1p-126f, 0x1.fffffep-1f)), 0u);
  EXPECT_EQ(bits_of(mul<rm, true>(-0x1p-126f, 0x1.fffffep-1f)), 0x80000000u);
  EXPECT_EQ(bits_of(mul<rn, true>(0x1p-125f, 0.5f)), 0x00800000u);
  EXPECT_EQ(bits_of(div<rp, true>(0x1p-126f, 0x1.000002p+0f)), 0u);
  EXPECT_EQ(mul(f16{0x0400}, f16{0x3bff}).bits, 0x0400);
  EXPECT_EQ((mul<rn, true>(f16{0x0400}, f16{0x3bff}).bits), 0u);
  EXPECT_EQ((mul<rn, true>(f16{0x8400}, f16{0x3bff}).bits), 0x8000);
  EXPECT_EQ((fma<rn, true>(f16{0x0400}, f16{0x3bff}, f16{0x8000}).bits), 0u);
  EXPECT_EQ((fma<rn, true>(f16{0x0400}, f16{0x3c00}, f16{0x8000}).bits), 0x0400);
  // A conversion flushes what was rounded.
  EXPECT_EQ(bits_of(convert<float, double, rn, true>(0x1.fffffep-127)), 0x00800000u);
  EXPECT_EQ(bits_of(convert<float, double, rz, true>(0x1.fffffep-127)), 0u);
}

// Which operand f64 hands on is as an H200 does it.
TEST(machine_math, nan_is_canonical_and_f64_hands_its_operand_on) {
  const auto payload = from_bits<double>(0xfff0000000000123u);
  const auto other = from_bits<double>(0x7ff8000000000456u);
  EXPECT_EQ(bits_of(add(from_bits<float>(0xffc00001u), 1.0f)), 0x7fffffffu);
  EXPECT_EQ(bits_of(div(0.0f, 0.0f)), 0x7fffffffu);
  EXPECT_EQ(bits_of(add(f16{0xfe00}, f16{0x3c00})), 0x7fff);
  EXPECT_EQ(bits_of(mul(bf16{0x7f80}, bf16{0})), 0x7fff);
  EXPECT_EQ(bits_of(div(0.0, 0.0)), 0xfff8000000000000u);
  EXPECT_EQ(bits_of(add(1.0, payload)), 0xfff8000000000123u);
  EXPECT_EQ(bits_of(sub(1.0, payload)), 0xfff8000000000123u);
  EXPECT_EQ(bits_of(add(other, payload)), 0xfff8000000000123u);
  EXPECT_EQ(bits_of(add<rz>(payload, other)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(sub(payload, other)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(sub<rp>(payload, 1.0)), 0xfff8000000000123u);
  EXPECT_EQ(bits_of(mul<rm>(other, payload)), 0xfff8000000000123u);
  EXPECT_EQ(bits_of(div(other, payload)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(fma(payload, other, 1.0)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(fma<rz>(payload, 1.0, other)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(fma(1.0, 1.0, other)), 0x7ff8000000000456u);
  EXPECT_EQ(bits_of(min(payload, other)), 0x7ff8000000000456u);
}

/// All magnitudes of H that are no NaN, made by ldexp, with 2^(emax + 1) in the place of infinity.
template <half H>
const std::vector<double>& magnitudes() {
  static const std::vector<double> all = [] {
    using f = format<H>;
    std::vector<double> v;
    const int bits = f::precision - 1, implicit = 1 << bits;
    for (int b = 0; b <= f::infinity; ++b) {
      const int field = b >> bits, fraction = b & (implicit - 1);
      v.push_back(std::ldexp(field == 0 ? fraction : implicit + fraction,
                             std::max(field, 1) - f::bias - bits));
    }
    return v;
  }();
  return all;
}

template <half H>
double value(H h) {
  const int m = h.bits & 0x7fff;
  const double v = m < format<H>::infinity    ? magnitudes<H>()[static_cast<std::size_t>(m)]
                   : m == format<H>::infinity ? std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::quiet_NaN();
  return h.bits > 0x7fff ? -v : v;
}

/// Rounds by search. `more` breaks the tie or the equality: the sign of an exact value minus v.
template <half H>
H searched(rounding r, double v, int more = 0) {
  if (std::isnan(v)) return {format<H>::canonical_nan};
  const auto& all = magnitudes<H>();
  const bool negative = std::signbit(v);
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  const double m = std::fabs(v);
  if (std::isinf(v)) return {static_cast<std::uint16_t>(sign | format<H>::infinity)};
  if (negative) more = -more;
  auto below = static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), m) - all.begin());
  --below;
  if (all[below] == m && more < 0) --below;
  const bool exact = all[below] == m && more == 0;
  bool up = false;
  if (below + 1 == all.size()) {  // at or above 2^(emax + 1)
    up = false;
    if (r == rz || (r == rm && !negative) || (r == rp && negative)) --below;
  } else if (!exact) {
    const double middle = (all[below] + all[below + 1]) / 2;
    const int side = m != middle ? (m > middle ? 1 : -1) : more;
    up = r == rn   ? side > 0 || (side == 0 && below % 2 == 1)
         : r == rz ? false
                   : (r == rp) == !negative;
  }
  return {static_cast<std::uint16_t>(sign | (below + (up ? 1 : 0)))};
}

template <half H>
void check_half_arithmetic() {
  numbers<H> source;
  H a{format<H>::one}, b = a;
  for (int i = 0; i < 200000; ++i) {
    a = source.any(b);
    b = source.any(a);
    const double p = value(a) * value(b);
    const H c = i % 2 == 0 ? source.any(searched<H>(rn, -p)) : source.any(a);
    // TwoSum gives the sign of what the double sum lacks.
    const auto summed = [](double x, double y) {
      const double s = x + y, z = s - x, e = (x - (s - z)) + (y - z);
      return searched<H>(rn, s, e > 0 ? 1 : e < 0 ? -1 : 0);
    };
    const H f = summed(p, value(c));
    ASSERT_TRUE(same(add(a, b), summed(value(a), value(b)), a, b));
    ASSERT_TRUE(same(sub(a, b), summed(value(a), -value(b)), a, b));
    ASSERT_TRUE(same(mul(a, b), searched<H>(rn, p), a, b));
    ASSERT_TRUE(same(fma(a, b, c), f, a, b, c));
    const bool to_zero = !is_nan(f) && f.bits > 0x7fff;
    ASSERT_TRUE((same(fma<rn, false, false, true>(a, b, c), to_zero ? H{0} : f, a, b, c)));
    if constexpr (std::same_as<H, f16>) {
      const bool zero = is_nan(f) || f.bits > 0x7fff;
      const H unit = zero ? H{0} : f.bits > 0x3c00 ? H{0x3c00} : f;
      ASSERT_TRUE((same(fma<rn, false, true>(a, b, c), unit, a, b, c)));
    }
  }
}

TEST(machine_math, half_arithmetic_is_rounded_once) {
  check_half_arithmetic<f16>();
  check_half_arithmetic<bf16>();
  // A double sum is not enough for bf16.
  const bf16 a{0x4b28}, b{0x4288}, c{0x00c3};  // 0x1.5p+23, 0x1.1p+6, 0x1.86p-126
  EXPECT_EQ(value(a) * value(b) + value(c), value(a) * value(b));
  EXPECT_EQ(fma(a, b, c).bits, 0x4e33);
}

TEST(machine_math, f16_flushes_operands_and_results) {
  EXPECT_EQ((add<rn, true>(f16{0x83ff}, f16{0x8000}).bits), 0x8000);
  EXPECT_EQ((mul<rn, true>(f16{0x0400}, f16{0xb800}).bits), 0x8000);  // 2^-14 * -0.5
  EXPECT_EQ((fma<rn, true>(f16{0x03ff}, f16{0x7bff}, f16{0x3c00}).bits), 0x3c00);
  EXPECT_EQ(mul(f16{0x0400}, f16{0xb800}).bits, 0x8200);
}

template <half H, rounding R>
void check_narrowing() {
  numbers<double> source;
  numbers<float> small_source;
  double x = 1;
  float y = 1;
  for (int i = 0; i < 60000; ++i) {
    x = source.any(x);
    y = small_source.any(y);
    const auto& all = magnitudes<H>();
    if (i % 2 == 0) {  // a number of H, a middle, or beside them
      const std::size_t at = source.bits() % (all.size() - 1);
      x = (all[at] + all[at + source.bits() % 2]) / 2;
      x = i % 4 == 0 ? x : std::nextafter(x, i % 8 == 2 ? 0 : 1e300);
      if (i % 3 == 0) x = -x;
      y = static_cast<float>(x);
    }
    const H want = std::isnan(x) ? narrowed_nan<H>(x) : searched<H>(R, x);
    ASSERT_TRUE((same(convert<H, double, R>(x), want))) << x;
    ASSERT_TRUE((same(convert<H, float, R>(y), searched<H>(R, y)))) << y;
  }
}

TEST(machine_math, conversion_to_half_equals_a_search_in_every_rounding) {
  check_narrowing<f16, rn>();
  check_narrowing<f16, rz>();
  check_narrowing<f16, rm>();
  check_narrowing<f16, rp>();
  check_narrowing<bf16, rn>();
  check_narrowing<bf16, rz>();
  check_narrowing<bf16, rm>();
  check_narrowing<bf16, rp>();
}

template <class D, class S>
D host_integer(rounding r, S x) {
  if (std::isnan(x)) {
    const bool zero = std::same_as<S, float> && sizeof(D) < 8;
    return zero ? D{0} : static_cast<D>(std::uint64_t{1} << (sizeof(D) * 8 - 1));
  }
  const long double v = under<S>(
      r, [](S y) { return std::nearbyint(y); }, x);
  using limits = std::numeric_limits<D>;
  if (v >= static_cast<long double>(limits::max())) return limits::max();
  if (v <= static_cast<long double>(limits::min())) return limits::min();
  return static_cast<D>(v);
}

template <class D, class S, rounding R>
void check_to_integer(S x) {
  ASSERT_EQ((convert<D, S, R>(x)), (host_integer<D>(R, x))) << x;
}

template <class S, rounding R>
void check_to_integers() {
  numbers<S> source;
  S x = 1;
  for (int i = 0; i < 20000; ++i) {
    x = source.any(x);
    const auto whole = static_cast<S>(static_cast<std::int64_t>(source.bits()));
    if (i % 2 == 0) x = std::ldexp(whole, -static_cast<int>(source.bits() % 70));
    check_to_integer<std::int8_t, S, R>(x);
    check_to_integer<std::uint8_t, S, R>(x);
    check_to_integer<std::int16_t, S, R>(x);
    check_to_integer<std::uint16_t, S, R>(x);
    check_to_integer<std::int32_t, S, R>(x);
    check_to_integer<std::uint32_t, S, R>(x);
    check_to_integer<std::int64_t, S, R>(x);
    check_to_integer<std::uint64_t, S, R>(x);
    const S rounded_host = canonical(under<S>(
        R, [](S y) { return std::nearbyint(y); }, x));
    ASSERT_TRUE((same(convert<S, S, R>(x), rounded_host, x)));
  }
}

TEST(machine_math, conversion_to_integers_rounds_and_clamps) {
  check_to_integers<float, rni>();
  check_to_integers<float, rzi>();
  check_to_integers<float, rmi>();
  check_to_integers<float, rpi>();
  check_to_integers<double, rni>();
  check_to_integers<double, rzi>();
  check_to_integers<double, rmi>();
  check_to_integers<double, rpi>();
  // PTX ISA 9.0, "cvt", "Integer Notes": NaN.
  EXPECT_EQ((convert<std::int32_t, float, rzi>(NAN)), 0);
  EXPECT_EQ((convert<std::int32_t, double, rzi>(NAN)), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ((convert<std::uint32_t, double, rzi>(NAN)), 0x80000000u);
  EXPECT_EQ((convert<std::uint64_t, f16, rzi>(f16{0x7e00})), 0x8000000000000000u);
  EXPECT_EQ((convert<std::uint32_t, float, rzi>(-1.5f)), 0u);
  EXPECT_EQ((convert<std::int32_t, float, rmi, true>(-0x1p-140f)), 0);
  EXPECT_EQ((convert<std::int32_t, float, rmi>(-0x1p-140f)), -1);
}

template <real D, rounding R, integer S>
void check_from_integer(S v) {
  const long double wide = v;
  if constexpr (half<D>) {  // a double cannot hold 64 bits: the rest goes to the search
    const auto d = static_cast<double>(wide);
    const long double rest = wide - d;
    ASSERT_TRUE((same(convert<D, S, R>(v), searched<D>(R, d, (rest > 0) - (rest < 0))))) << +v;
  } else {
    const D want = under<D>(
        R, [](long double x) { return static_cast<D>(x); }, wide);
    ASSERT_TRUE((same(convert<D, S, R>(v), want))) << +v;
  }
}

template <rounding R, integer S>
void check_from_integers() {
  numbers<double> source;
  for (int i = 0; i < 8000; ++i) {
    const std::uint64_t r = source.bits(), low = source.bits() % 64;
    auto v = static_cast<S>(r >> (r & 63));
    if (i % 2 == 0) v = static_cast<S>((static_cast<std::uint64_t>(v) >> low << low) + r % 3 - 1);
    if (i % 3 == 0) v = static_cast<S>(~static_cast<std::uint64_t>(v));
    check_from_integer<f16, R>(v);
    check_from_integer<bf16, R>(v);
    check_from_integer<float, R>(v);
    check_from_integer<double, R>(v);
  }
}

template <integer S>
void check_from_integers() {
  check_from_integers<rn, S>();
  check_from_integers<rz, S>();
  check_from_integers<rm, S>();
  check_from_integers<rp, S>();
}

TEST(machine_math, conversion_from_integers_is_rounded_once) {
  check_from_integers<std::int8_t>();
  check_from_integers<std::uint16_t>();
  check_from_integers<std::int32_t>();
  check_from_integers<std::uint32_t>();
  check_from_integers<std::int64_t>();
  check_from_integers<std::uint64_t>();
  EXPECT_EQ((convert<float, std::int32_t, rn, false, true>(-3)), 0.0f);
  EXPECT_EQ((convert<float, std::int32_t, rn, false, true>(7)), 1.0f);
}

TEST(machine_math, f64_to_f32_equals_the_host_in_every_rounding) {
  numbers<double> source;
  numbers<float> grid;
  double x = 1;
  const auto narrow = [](double y) { return static_cast<float>(y); };
  for (int i = 0; i < 60000; ++i) {
    x = source.any(x);
    if (i % 2 == 0) x = std::nextafter(grid.any(1.0f), i % 4 == 0 ? 0.0 : 1e300);
    const auto want = [&](rounding r) {
      return std::isnan(x) ? narrowed_nan<float>(x) : under<float>(r, narrow, x);
    };
    ASSERT_TRUE((same(convert<float, double, rn>(x), want(rn))));
    ASSERT_TRUE((same(convert<float, double, rz>(x), want(rz))));
    ASSERT_TRUE((same(convert<float, double, rm>(x), want(rm))));
    ASSERT_TRUE((same(convert<float, double, rp>(x), want(rp))));
  }
}

template <half H>
void check_all_half_numbers() {
  for (unsigned b = 0; b < 0x10000; ++b) {
    const H h{static_cast<std::uint16_t>(b)};
    const double v = value(h);
    const auto single = static_cast<float>(v);
    const bool nan = std::isnan(v);
    const float want = !nan                    ? single
                       : std::same_as<H, bf16> ? from_bits<float>(b << 16)
                                               : canonical_nan<float>;
    ASSERT_TRUE(same(convert<float>(h), want));
    ASSERT_TRUE(same(convert<double>(h), v));
    ASSERT_TRUE((same(convert<H, float, rn>(single), nan ? H{0x7fff} : h)));
    ASSERT_TRUE((same(convert<H>(h), nan ? H{0x7fff} : h)));  // no move: measured on an H200
    const auto flipped = static_cast<std::uint16_t>(b ^ 0x8000);
    ASSERT_EQ(neg(h).bits, nan ? 0x7fff : flipped);
    ASSERT_EQ(abs(h).bits, nan ? 0x7fff : b & 0x7fff);
    ASSERT_EQ((convert<std::int32_t, H, rzi>(h)), (host_integer<std::int32_t>(rzi, single)));
    ASSERT_EQ((convert<std::uint64_t, H, rpi>(h)), (host_integer<std::uint64_t>(rpi, single)));
    ASSERT_EQ((convert<std::int16_t, H, rni>(h)), (host_integer<std::int16_t>(rni, single)));
    const double down = std::floor(v);
    ASSERT_TRUE((same(convert<H, H, rmi>(h), searched<H>(rn, down), h)));
    const bool zero = nan || b > 0x7fff;
    ASSERT_EQ((convert<H, H, none, false, false, true>(h).bits), nan ? 0x7fffu : zero ? 0 : b);
    if constexpr (std::same_as<H, f16>) {
      ASSERT_EQ((convert<H, H, none, false, true>(h).bits), zero ? 0u : std::min(b, 0x3c00u));
    }
  }
}

TEST(machine_math, every_half_number_is_converted) {
  check_all_half_numbers<f16>();
  check_all_half_numbers<bf16>();
}

// NaN in cvt: the values are those that an H200 gave.
TEST(machine_math, moves_keep_nan_and_modifiers_do_not) {
  const auto nan = from_bits<float>(0xffc12345u);
  EXPECT_EQ(bits_of(convert<float>(nan)), 0xffc12345u);
  EXPECT_EQ(bits_of(convert<float, float, none, true>(nan)), 0x7fffffffu);
  EXPECT_EQ(bits_of(convert<float, float, none, false, true>(nan)), 0u);
  EXPECT_EQ(bits_of(convert<float, float, none, false, true>(-0.0f)), 0u);
  EXPECT_EQ(bits_of(convert<double>(nan)), 0xfff82468a0000000u);
  EXPECT_EQ(bits_of(convert<double, float, none, true>(-0x1p-149f)), 0x8000000000000000u);
  const auto signalling = from_bits<double>(0x7ff4000000000000u);
  const auto negative = from_bits<double>(0xfff8000000000005u);
  EXPECT_EQ(bits_of(convert<double, float, none, true>(nan)), 0x7fffffffe0000000u);
  EXPECT_EQ(bits_of(convert<double>(f16{0x7c01})), 0x7ff8040000000000u);
  EXPECT_EQ(bits_of(convert<double>(f16{0xfe05})), 0xfff8140000000000u);
  EXPECT_EQ(bits_of(convert<float>(f16{0xfe05})), 0x7fffffffu);
  EXPECT_EQ((bits_of(convert<float, double, rn>(signalling))), 0x7fe00000u);
  EXPECT_EQ((bits_of(convert<float, double, rz, true>(negative))), 0xffc00000u);
  EXPECT_EQ((convert<f16, double, rn>(signalling).bits), 0x7f00);
  EXPECT_EQ((convert<f16, double, rm>(negative).bits), 0xfe00);
  EXPECT_EQ((convert<bf16, double, rp>(signalling).bits), 0x7fe0);
  EXPECT_EQ((bits_of(convert<float, double, rn, false, true>(negative))), 0u);
  EXPECT_EQ(convert<f16>(f16{0xfe05}).bits, 0x7fff);
  EXPECT_EQ(convert<bf16>(bf16{0xffc5}).bits, 0x7fff);
  // To f16, .ftz does not reach the operand, which rounding then makes the smallest number.
  EXPECT_EQ((convert<f16, float, rp, true>(0x1p-149f).bits), 0x0001);
  EXPECT_EQ((convert<f16, float, rm, true>(-0x1p-149f).bits), 0x8001);
  EXPECT_EQ((convert<f16, float, rp, true>(-0x1p-149f).bits), 0x8000);
  EXPECT_EQ((convert<bf16, float, rp, true>(0x1p-130f).bits), 0u);
  EXPECT_EQ(bits_of(convert<float, double, rn, true>(0x1p-130)), 0u);
  EXPECT_EQ((convert<f16, float, rn, true>(0x1p-20f).bits), 0x0010);  // .ftz is of f32 only
  EXPECT_EQ((convert_pair<f16, rn>(1.0f, -2.0f)), 0x3c00c000u);
  EXPECT_EQ((convert_pair<bf16, rz, true>(1.0f, -2.0f)), 0x3f800000u);
}

TEST(machine_math, integers_are_cut_or_clamped) {
  EXPECT_EQ((convert<std::int8_t, std::int32_t>(0x1ff)), -1);
  EXPECT_EQ((convert<std::int8_t, std::int32_t, none, false, true>(0x1ff)), 127);
  EXPECT_EQ((convert<std::int8_t, std::int64_t, none, false, true>(-129)), -128);
  EXPECT_EQ((convert<std::uint8_t, std::int32_t, none, false, true>(-1)), 0);
  EXPECT_EQ((convert<std::uint64_t, std::int32_t, none, false, true>(-1)), 0u);
  EXPECT_EQ((convert<std::uint64_t, std::int32_t>(-1)), ~std::uint64_t{0});
  EXPECT_EQ((convert<std::int32_t, std::uint32_t, none, false, true>(0x80000000u)), 0x7fffffff);
  EXPECT_EQ((convert<std::int16_t, std::uint64_t, none, false, true>(1u << 20)), 0x7fff);
}

template <real T>
void check_extremes() {
  using f = format<T>;
  const auto with_sign = [](auto b) {
    return from_bits<T>(static_cast<bits_t<T>>(b | format<T>::sign));
  };
  const T zero = from_bits<T>(0), one = from_bits<T>(f::one), tiny = from_bits<T>(1);
  const T nan = from_bits<T>(static_cast<bits_t<T>>(f::infinity + 5));
  const T ordered[] = {
      with_sign(f::infinity),   with_sign(f::one), with_sign(1), with_sign(0), zero, tiny, one,
      from_bits<T>(f::infinity)};
  for (std::size_t i = 0; i < std::size(ordered); ++i) {
    for (std::size_t j = 0; j < std::size(ordered); ++j) {
      EXPECT_TRUE(same(min(ordered[i], ordered[j]), ordered[std::min(i, j)]));
      EXPECT_TRUE(same(max(ordered[i], ordered[j]), ordered[std::max(i, j)]));
    }
    EXPECT_TRUE(same(min(nan, ordered[i]), ordered[i]));
    EXPECT_TRUE(same(max(ordered[i], nan), ordered[i]));
  }
  EXPECT_TRUE(is_nan(min(nan, nan)));
  if constexpr (!std::same_as<T, double>) {
    EXPECT_TRUE((same(max<false, true>(nan, one), canonical_nan<T>)));
    EXPECT_TRUE((same(min<false, true>(one, nan), canonical_nan<T>)));
    EXPECT_TRUE((same(min<false, false, true>(with_sign(f::one), from_bits<T>(f::infinity)),
                      with_sign(f::one))));
    EXPECT_TRUE((same(max<false, false, true>(with_sign(f::one), with_sign(0)), one)));
    EXPECT_TRUE((same(max<false, false, true>(with_sign(f::one), nan), with_sign(f::one))));
    EXPECT_TRUE((same(max<false, true, true>(with_sign(f::one), nan), canonical_nan<T>)));
  }
}

TEST(machine_math, min_and_max_follow_the_definition) {
  check_extremes<float>();
  check_extremes<double>();
  check_extremes<f16>();
  check_extremes<bf16>();
  EXPECT_TRUE(same(max<true>(-0x1p-130f, -0.0f), -0.0f));
  EXPECT_EQ(min3(3.0f, -1.0f, 2.0f), -1.0f);
  EXPECT_EQ((max3<false, false, true>(3.0f, -5.0f, 2.0f)), 5.0f);
  EXPECT_TRUE(std::isnan(max3<false, true>(3.0f, NAN, 2.0f)));
  EXPECT_EQ(max3(NAN, NAN, 2.0f), 2.0f);
}

TEST(machine_math, signs_and_classes) {
  EXPECT_EQ(bits_of(neg(from_bits<float>(0xff800001u))), 0x7fffffffu);
  // Measured on an H200: neg and abs leave the sign of a NaN of f64.
  EXPECT_EQ(bits_of(abs(from_bits<double>(0xfff8000000000005u))), 0xfff8000000000005u);
  EXPECT_EQ(bits_of(abs(from_bits<double>(0x7ff0000000000001u))), 0x7ff8000000000001u);
  EXPECT_EQ(bits_of(neg(from_bits<double>(0x7ff0000000000001u))), 0x7ff8000000000001u);
  EXPECT_EQ(bits_of(neg(from_bits<double>(0xfff8000000000005u))), 0xfff8000000000005u);
  EXPECT_EQ(bits_of(neg<true>(0x1p-149f)), 0x80000000u);
  EXPECT_EQ(copysign(-1.0f, 2.0f), -2.0f);  // the sign of the first operand
  EXPECT_TRUE(testp<property::normal>(-0.0f));
  EXPECT_FALSE(testp<property::subnormal>(0.0));
  EXPECT_TRUE(testp<property::subnormal>(-0x1p-1070));
  EXPECT_FALSE(testp<property::normal>(0x1p-1070));
  EXPECT_TRUE(testp<property::infinite>(-INFINITY));
  EXPECT_FALSE(testp<property::finite>(NAN));
  EXPECT_TRUE(testp<property::number>(INFINITY));
  EXPECT_TRUE(testp<property::notanumber>(NAN));
}

template <class T>
void check_comparisons(T a, T b, const std::string& want) {
  using enum comparison;
  std::string got;
  const auto put = [&got](bool truth) { got += truth ? '1' : '0'; };
  put(compare<eq>(a, b)), put(compare<ne>(a, b)), put(compare<lt>(a, b));
  put(compare<le>(a, b)), put(compare<gt>(a, b)), put(compare<ge>(a, b));
  put(compare<equ>(a, b)), put(compare<neu>(a, b)), put(compare<ltu>(a, b));
  put(compare<leu>(a, b)), put(compare<gtu>(a, b)), put(compare<geu>(a, b));
  put(compare<num>(a, b)), put(compare<comparison::nan>(a, b));
  EXPECT_EQ(got, want);
}

template <real T>
void check_comparisons() {
  using f = format<T>;
  const T one = from_bits<T>(f::one), zero = from_bits<T>(0), minus = from_bits<T>(f::sign);
  // eq ne lt le gt ge, the same with u, num nan
  check_comparisons(one, zero, "01001101001110");
  check_comparisons(zero, one, "01110001110010");
  check_comparisons(minus, zero, "10010110010110");
  check_comparisons(canonical_nan<T>, one, "00000011111101");
  check_comparisons(one, canonical_nan<T>, "00000011111101");
}

TEST(machine_math, comparisons) {
  check_comparisons<float>();
  check_comparisons<double>();
  check_comparisons<f16>();
  check_comparisons<bf16>();
  EXPECT_TRUE((compare<comparison::eq, true>(0x1p-140f, -0x1p-149f)));
  EXPECT_FALSE((compare<comparison::eq>(0x1p-140f, -0x1p-149f)));
  EXPECT_EQ(set_value<float>(true), 1.0f);
  EXPECT_EQ(set_value<std::uint32_t>(true), 0xffffffffu);
  EXPECT_EQ(set_value<std::int32_t>(true), -1);
  EXPECT_EQ(set_value<bf16>(true).bits, 0x3f80);
  EXPECT_EQ(set_value<f16>(false).bits, 0);
}

/// One function in both models: the ideal result is within half a unit and a hair of the exact one,
/// a perturbed one within the stated bound, and perturbing does move results.
template <real T, class F, class G>
void check_model(approximation f, F ideal, G exact_function, double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> at(low, high);
  int moved = 0;
  for (int i = 0; i < 20000; ++i) {
    const T x = from_double<T>(at(random));
    const double argument = widest_carrier(x);
    const long double want = exact_function(static_cast<long double>(argument));
    const T y = ideal(x);
    const int exponent = std::max(std::ilogb(want), format<T>::emin);
    const long double unit = std::ldexp(1.0L, exponent - (format<T>::precision - 1));
    ASSERT_LE(std::fabs(widest_carrier(y) - want), unit * 0.50001L) << argument;
    const error_bound bound = bound_of(f, argument);
    const T z = perturbed(y, bound, random());
    const long double error = std::fabs(widest_carrier(z) - want);
    const long double limit =
        bound.what == measure::relative ? bound.limit * std::fabs(want) : bound.limit + 0.0L;
    if (bound.what == measure::ulp) {
      ASSERT_LE(std::abs(static_cast<std::int64_t>(bits_of(z)) - bits_of(y)), bound.limit);
    } else if (bound.what == measure::anything) {
      ASSERT_LE(std::fabs(widest_carrier(z)), 1);
    } else {
      ASSERT_LE(error, limit) << argument;
    }
    moved += bits_of(z) != bits_of(y);
  }
  EXPECT_GT(moved, 1000) << "nothing is perturbed";
}

TEST(machine_math, approximate_functions_are_ideal_or_within_their_bound) {
  using enum approximation;
  using l = long double;
  check_model<float>(
      ex2_f32, [](float x) { return ex2_approx(x); }, [](l x) { return std::exp2(x); }, -140, 127);
  check_model<float>(
      lg2_f32, [](float x) { return lg2_approx(x); }, [](l x) { return std::log2(x); }, 1e-30, 4);
  check_model<float>(
      sin_f32, [](float x) { return sin_approx(x); }, [](l x) { return std::sin(x); }, -320, 320);
  check_model<float>(
      cos_f32, [](float x) { return cos_approx(x); }, [](l x) { return std::cos(x); }, -7, 7);
  check_model<float>(
      rsqrt_f32, [](float x) { return rsqrt_approx(x); }, [](l x) { return 1 / std::sqrt(x); },
      1e-38, 9);
  check_model<float>(
      sqrt_f32, [](float x) { return sqrt_approx(x); }, [](l x) { return std::sqrt(x); }, 1e-38, 9);
  check_model<float>(
      rcp_f32, [](float x) { return rcp_approx(x); }, [](l x) { return 1 / x; }, 1e-38, 9);
  check_model<float>(
      tanh_f32, [](float x) { return tanh_approx(x); }, [](l x) { return std::tanh(x); }, -5, 5);
  check_model<f16>(
      ex2_f16, [](f16 x) { return ex2_approx(x); }, [](l x) { return std::exp2(x); }, -10, 10);
  check_model<bf16>(
      ex2_bf16, [](bf16 x) { return ex2_approx<true>(x); }, [](l x) { return std::exp2(x); }, -10,
      10);
  check_model<f16>(
      tanh_f16, [](f16 x) { return tanh_approx(x); }, [](l x) { return std::tanh(x); }, -2, 2);
  check_model<bf16>(
      tanh_bf16, [](bf16 x) { return tanh_approx(x); }, [](l x) { return std::tanh(x); }, -2, 2);
}

TEST(machine_math, special_values_of_approximate_functions) {
  const float inf = INFINITY;
  const auto nan_bits = [](float x) { return bits_of(x) == 0x7fffffffu; };
  EXPECT_EQ(rcp_approx(-0.0f), -inf);
  EXPECT_TRUE(same(rcp_approx(-inf), -0.0f));
  EXPECT_EQ(rcp_approx<true>(-0x1p-127f), -inf);
  EXPECT_TRUE(same(rcp_approx<true>(-0x1p127f), -0.0f));
  EXPECT_EQ(rsqrt_approx(-0.0f), -inf);
  EXPECT_TRUE(nan_bits(rsqrt_approx(-1.0f)));
  EXPECT_TRUE(same(sqrt_approx(-0.0f), -0.0f));
  EXPECT_TRUE(same(sin_approx(-0.0f), -0.0f));
  EXPECT_TRUE(nan_bits(sin_approx(inf)));
  EXPECT_TRUE(nan_bits(cos_approx(-inf)));
  EXPECT_EQ(lg2_approx(-0.0f), -inf);
  EXPECT_TRUE(nan_bits(lg2_approx(-1.0f)));
  EXPECT_EQ(lg2_approx<true>(-0x1p-130f), -inf);
  EXPECT_TRUE(same(ex2_approx(-inf), 0.0f));
  EXPECT_EQ(ex2_approx<true>(-126.5f), 0.0f);
  EXPECT_GT(ex2_approx(-126.5f), 0.0f);
  EXPECT_EQ(tanh_approx(-inf), -1.0f);
  EXPECT_EQ(tanh_approx(0x1p-149f), 0x1p-149f);
  EXPECT_TRUE(same(div_approx(-1.0f, 0x1.8p126f), -0.0f));
  EXPECT_TRUE(nan_bits(div_approx(inf, -0x1.8p126f)));
  EXPECT_EQ(div_approx(0x1p126f, 0x1p126f), 1.0f);
  EXPECT_EQ(div_approx(inf, 2.0f), inf);
  EXPECT_EQ(div_full(0x1.8p127f, 0x1.8p126f), 2.0f);
  EXPECT_EQ(bits_of(rcp_approx_ftz(NAN)), 0x7fffffff00000000u);
  EXPECT_EQ(bits_of(rcp_approx_ftz(3.0)), 0x3fd5555500000000u);
  EXPECT_EQ(rcp_approx_ftz(-0x1p-1040), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(same(rcp_approx_ftz(-0x1p1023), -0.0));
  EXPECT_EQ(bits_of(rsqrt_approx_ftz(-2.0)), 0x7fffffff00000000u);
  EXPECT_EQ(rsqrt_approx_ftz(4.0), 0.5);
  EXPECT_EQ(rsqrt_approx(0x1p-1074), 0x1p537);
  EXPECT_EQ(rsqrt_approx(-0.0), -std::numeric_limits<double>::infinity());
}

TEST(machine_math, a_bound_leaves_tabled_values_alone_and_frees_the_rest) {
  using enum approximation;
  EXPECT_EQ(bound_of(cos_f32, 0.0).limit, 0);
  EXPECT_EQ(perturbed(1.0f, bound_of(ex2_f32, -0.0), 12345), 1.0f);
  EXPECT_EQ(bound_of(div_approx_f32, 0x1.8p126).limit, 0);
  EXPECT_EQ(bound_of(div_approx_f32, 3).limit, 2);
  EXPECT_EQ(bound_of(lg2_f32, 1.5).what, measure::absolute);
  EXPECT_EQ(bound_of(lg2_f32, 2.0).what, measure::relative);
  EXPECT_FALSE(bound_of(rcp_ftz_f64, 3).stated);
  EXPECT_EQ(bound_of(sin_f32, 315).what, measure::anything);
  EXPECT_EQ(perturbed(INFINITY, error_bound{measure::ulp, 2}, 3), INFINITY);
  EXPECT_EQ(perturbed(0.5f, bound_of(sin_f32, 1e6), std::uint64_t{1} << 62), 0.5f);
  EXPECT_EQ(perturbed(0.25f, bound_of(sin_f32, 1e6), std::uint64_t{3} << 62), -0.5f);
  EXPECT_EQ(perturbed(1.0, bound_of(rcp_ftz_f64, 1.5), 2), 1.0 + 0x1p-20);
  EXPECT_TRUE(std::isnan(perturbed(static_cast<float>(NAN), bound_of(sin_f32, 1e6), 3)));
}

}  // namespace
}  // namespace ptxlab::machine::math
