// SPDX-License-Identifier: Apache-2.0
// References of the kernels of accuracy: on the machine, whose approximate instructions give the
// correctly rounded value, they are as near to the exact value as the CUDA C++ Programming Guide
// (17.1 and 17.2) says of the function, or right where it is one instruction. The exact values are
// those that the GPU's results are held against.
#include <bit>
#include <limits>

#include "analysis/accuracy/exact.hpp"
#include "analysis/accuracy/inputs.hpp"
#include "tests/unit/machine/reference.hpp"
#include "tests/unit/machine/step_registration.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using accuracy::ends;
using accuracy::function;
using words = std::vector<u32>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<float>::max();
constexpr double tiny = 0x1p-126;
constexpr u32 untouched = 0x12345678;

/// What the kernel makes of the first `n` of these; nothing is written behind.
words results_of(const subject& s, const words& x, const words& y, u32 n) {
  constexpr u32 block = 96;
  const address out = s.on.buffer(words(x.size() + 1, untouched), "out");
  std::vector<std::uint64_t> parameters = {out, s.on.buffer(x, "in")};
  if (!y.empty()) parameters.push_back(s.on.buffer(y, "in2"));
  parameters.push_back(n);
  s.run(n / block + 1, block, parameters);
  words got = s.on.read<u32>(out, x.size() + 1);
  for (std::size_t i = n; i < got.size(); ++i) EXPECT_EQ(got[i], untouched) << i << " of " << n;
  got.resize(n);
  return got;
}

accuracy::tally seen(const subject& s, const function& f, words x, words y, u32 n) {
  const words got = results_of(s, x, y, n);
  x.resize(n);
  y.resize(f.operands == 2 ? n : 0);
  accuracy::tally t(f.by);
  f.compare({x, y, got}, f.by, t);
  EXPECT_EQ(t.inputs, n);
  return t;
}

accuracy::tally sampled(const subject& s, const function& f, const ends& e) {
  constexpr u32 samples = 800;
  const accuracy::inputs in(f, e, samples);
  words x(in.count()), y(f.operands == 2 ? in.count() : 0);
  in.fill(0, x, y);
  results_of(s, x, y, 0);
  results_of(s, x, y, 1);
  return seen(s, f, x, y, static_cast<u32>(x.size()) - 5);
}

/// No NaN from a number, and none lost.
void expect_specials(const subject& s, const function& f) {
  for (const float special :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity(), 0.0F, -0.0F, 1.0F, -1.0F, 3e38F, -3e38F, 1e-45F})
    EXPECT_EQ(seen(s, f, {std::bit_cast<u32>(special)}, {}, 1).wrong_nan, 0U) << special;
}

/// At most `floats` from the correctly rounded value for all operands between `e`.
reference within(const char* name, const ends& e, double floats) {
  return [=](const subject& s) {
    const function& f = accuracy::function_of(name);
    const accuracy::tally t = sampled(s, f, e);
    EXPECT_LE(t.most_floats, floats) << t.x << " " << t.y << ": " << t.got << ", not " << t.exact;
    EXPECT_EQ(t.wrong_nan, 0U) << t.nan_x << " " << t.nan_y;
    if (f.operands == 1) expect_specials(s, f);
  };
}
reference right(const char* name, const ends& e) {
  return within(name, e, 0);
}

/// Right where the second operand is below `limit`, and wrong in most cases beyond.
reference right_below(const char* name, const ends& e, double limit) {
  return [=](const subject& s) {
    std::uint64_t beyond = 0, wrong = 0;
    for (const accuracy::range& r : sampled(s, accuracy::function_of(name), e).by_range)
      if (r.from < limit) {
        EXPECT_EQ(r.inexact, 0U) << r.from;
      } else {
        beyond += r.inputs;
        wrong += r.inexact;
      }
    EXPECT_GT(beyond, 0U);
    EXPECT_GE(2 * wrong, beyond);
  };
}

/// Never far off, and not always right.
reference near(const char* name, const ends& e, double floats) {
  return [=](const subject& s) {
    const accuracy::tally t = sampled(s, accuracy::function_of(name), e);
    EXPECT_LE(t.most_floats, floats);
    EXPECT_GT(t.inexact, 0U);
  };
}

constexpr ends every{-infinity, infinity};
constexpr ends positive{0, infinity};
constexpr ends normal{tiny, 0x1p126};
constexpr ends quotients{-largest, largest, -infinity, infinity};
/// Neither operands nor quotients are subnormal.
constexpr ends tame_quotients{1, 2, 0x1p-120, largest};
constexpr ends powers{0, infinity, -128, 128};
constexpr ends small_powers{1, 2, -8, 8};
constexpr ends s32{-2147483648.0, 2147483647.0, -2147483648.0, 2147483647.0};
constexpr ends u32s{0, 4294967295.0, 1, 4294967295.0};
constexpr ends s24{-8388608.0, 8388607.0, -2147483648.0, 2147483647.0};
constexpr ends u24{0, 16777215.0, 0, 4294967295.0};

const reference_registration floats[] = {
    {"accuracy/division/divide_fast", right_below("divide", tame_quotients, 0x1p126)},
    {"accuracy/division/divide_full", right("divide", tame_quotients)},
    {"accuracy/division/divide_operator", right("divide", quotients)},
    {"accuracy/division/divide_rounded", right("divide", quotients)},
    // exp2 of a product that is off by some units of 8.
    {"accuracy/division/power_fast", within("pow", small_powers, 16)},
    {"accuracy/division/power_slow", within("pow", powers, 4)},
    {"accuracy/literals/literal_double", within("times_1.1", every, 1)},
    {"accuracy/literals/literal_float", near("times_1.1", every, 1)},
    {"accuracy/reciprocal_root/one_over_sqrt", within("rsqrt", every, 1)},
    {"accuracy/reciprocal_root/reciprocal_approx", right("reciprocal", every)},
    {"accuracy/reciprocal_root/reciprocal_flushed", right("reciprocal", normal)},
    {"accuracy/reciprocal_root/reciprocal_operator", right("reciprocal", every)},
    {"accuracy/reciprocal_root/root_approx", right("sqrt", every)},
    {"accuracy/reciprocal_root/root_flushed", right("sqrt", normal)},
    {"accuracy/reciprocal_root/root_function", right("sqrt", every)},
    {"accuracy/reciprocal_root/rsqrt_flushed", right("rsqrt", normal)},
    {"accuracy/reciprocal_root/rsqrt_function", right("rsqrt", every)},
    {"accuracy/transcendental/binary_logarithm_fast", right("log2", positive)},
    {"accuracy/transcendental/binary_logarithm_slow", within("log2", positive, 1)},
    {"accuracy/transcendental/cosine_fast", right("cos", every)},
    {"accuracy/transcendental/cosine_slow", within("cos", every, 2)},
    {"accuracy/transcendental/exponential_fast", within("exp", {-8, 8}, 2 + 9)},
    {"accuracy/transcendental/exponential_of_two", within("exp2", every, 2)},
    {"accuracy/transcendental/exponential_of_two_flushed", right("exp2", {-125, 200})},
    {"accuracy/transcendental/exponential_slow", within("exp", every, 2)},
    {"accuracy/transcendental/logarithm_fast", within("log", {2, infinity}, 3)},
    {"accuracy/transcendental/logarithm_slow", within("log", positive, 1)},
    {"accuracy/transcendental/sine_fast", right("sin", every)},
    {"accuracy/transcendental/sine_slow", within("sin", every, 2)},
    {"accuracy/transcendental/tangent_fast", within("tan", {-1, 1}, 2)},
    {"accuracy/transcendental/tangent_slow", within("tan", every, 4)},
    {"accuracy/transcendental/tanh_fast", right("tanh", every)},
    {"accuracy/transcendental/tanh_slow", within("tanh", every, 2)},
};

const reference_registration fast_math[] = {
    {"accuracy/fast_math/divide", right_below("divide", tame_quotients, 0x1p126)},
    {"accuracy/fast_math/exponential", within("exp", {-8, 8}, 2 + 9)},
    {"accuracy/fast_math/logarithm", within("log", {2, infinity}, 3)},
    {"accuracy/fast_math/one_over_sqrt", right("rsqrt", normal)},
    {"accuracy/fast_math/power", within("pow", small_powers, 16)},
    {"accuracy/fast_math/reciprocal", right("reciprocal", normal)},
    {"accuracy/fast_math/root", right("sqrt", normal)},
    {"accuracy/fast_math/sine", right("sin", {tiny, infinity})},
};

const reference_registration integers[] = {
    {"accuracy/integer/divide_signed", right("divide_s32", s32)},
    {"accuracy/integer/divide_unsigned", right("divide_u32", u32s)},
    {"accuracy/integer/multiply_signed", right("multiply_s32", s32)},
    {"accuracy/integer/multiply_signed_24", right_below("multiply_s32", s24, 0x1p23)},
    {"accuracy/integer/multiply_unsigned_24", right_below("multiply_u32", u24, 0x1p24)},
    {"accuracy/integer/remainder_signed", right("remainder_s32", s32)},
    {"accuracy/integer/remainder_unsigned", right("remainder_u32", u32s)},
};

// --- the same spellings, timed -------------------------------------------------------------------

constexpr double few_units = 1e-6;

float root(float x) {
  return std::sqrt(x);
}
std::int32_t low24(std::int32_t x) {
  return static_cast<std::int32_t>(static_cast<u32>(x) << 8) >> 8;
}
timed_model product24() {
  return each<std::int32_t>([](std::int32_t x, std::int32_t a, std::int32_t) {
    return static_cast<std::int32_t>(static_cast<u32>(low24(x)) * static_cast<u32>(low24(a))) >> 1;
  });
}
timed_model power() {
  return each<float>([](float x, float a, float) { return std::pow(x, a); }, few_units);
}
timed_model sine() {
  return each<float>([](float x, float a,
                        float) { return static_cast<float>(std::sin(static_cast<double>(x))) + a; },
                     few_units);
}

const step_registration timed[] = {
    {"spellings/literal_double", each<float>([](float x, float, float) {
       return static_cast<float>(static_cast<double>(x) * 1.00000012);
     })},
    {"spellings/literal_float", each<float>([](float x, float, float) { return x * 1.00000012F; })},
    {"spellings/mul24_s32", product24()},
    {"spellings/mul_s16", each<std::int32_t>([](std::int32_t x, std::int32_t a, std::int32_t) {
       return static_cast<std::int16_t>(static_cast<u32>(x) * static_cast<u32>(a));
     })},
    {"spellings/powf_call", power()},
    {"spellings/powf_fast", power()},
    {"spellings/rsqrtf_call", each<float>([](float x, float, float) {
       return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
     })},
    {"spellings/sqrt_approx_f32", each<float>([](float x, float, float) { return root(x); })},
    {"spellings/umul24_u32",
     each<u32>([](u32 x, u32 a, u32) { return ((x & 0xffffff) * (a & 0xffffff)) >> 1; })},
    {"sine_limit/above_limit", sine(), true, false},
    {"sine_limit/below_2009", sine(), true, false},
    {"sine_limit/below_limit", sine(), true, false},
    {"sine_limit/far", sine(), true, false},
};

}  // namespace
}  // namespace ptxlab::machine
