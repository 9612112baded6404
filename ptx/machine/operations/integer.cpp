// SPDX-License-Identifier: Apache-2.0
// Integer sums, signs and extremes: PTX ISA 9.0, "Integer Arithmetic Instructions" and
// "Extended-Precision Integer Arithmetic Instructions". Products are in product.cpp.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/integer.inc"
#include "ptx/machine/operations/lanes.inc"

/// Two 16-bit halves in a word: a function of halves becomes one of words.
template <auto F, class H>
constexpr std::uint32_t halves(std::uint32_t a, std::uint32_t b) {
  const auto half = [](std::uint32_t x, unsigned k) { return static_cast<H>(x >> (16 * k)); };
  return static_cast<std::uint16_t>(F(half(a, 0), half(b, 0))) |
         static_cast<std::uint32_t>(static_cast<std::uint16_t>(F(half(a, 1), half(b, 1)))) << 16;
}
// --- sums ---------------------------------------------------------------------------------------

run_function select_add(const choice& c) {
  if (c.has("sat"))
    return binary<[](std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); },
                  std::int32_t, std::int32_t, std::int32_t>;
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<add<T>, T, T, T>; });
}
run_function select_sub(const choice& c) {
  if (c.has("sat"))
    return binary<[](std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); },
                  std::int32_t, std::int32_t, std::int32_t>;
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<sub<T>, T, T, T>; });
}

run_function select_add_x2(const choice&) {
  return binary<halves<add<std::uint16_t>, std::uint16_t>, std::uint32_t, std::uint32_t,
                std::uint32_t>;
}
/// d = a + b + carry-in; subtraction borrows: d = a - (b + CC.CF), and CC.CF is the borrow.
template <class T, bool Subtract, bool In, bool Out>
void carry_add(const step& s, context& c) {
  T* d = c.at<T>(s.d);
  const T* a = c.at<T>(s.a);
  const T* b = c.at<T>(s.b);
  for (unsigned i = 0; i < 32; ++i) {
    if ((c.mask >> i & 1) == 0) continue;
    const unsigned in = In ? c.carry >> i & 1 : 0;
    using twice = uint128;
    const twice sum =
        Subtract ? static_cast<twice>(a[i]) - b[i] - in : static_cast<twice>(a[i]) + b[i] + in;
    d[i] = static_cast<T>(sum);
    if (Out)
      c.carry = (c.carry & ~(1U << i)) | (static_cast<lane_mask>(sum >> 8 * sizeof(T)) & 1) << i;
  }
}
template <bool Subtract, bool In>
run_function select_carry(const choice& c) {
  return for_flag(c.has("cc"), [&]<bool Out>() -> run_function {
    return bits(c.type("t")) == 64 ? carry_add<std::uint64_t, Subtract, In, Out>
                                   : carry_add<std::uint32_t, Subtract, In, Out>;
  });
}

// --- signs and extremes -------------------------------------------------------------------------

template <class T>
constexpr T absolute(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
template <class H>
constexpr H smaller(H a, H b) {
  return a < b ? a : b;
}
template <class H>
constexpr H larger(H a, H b) {
  return a < b ? b : a;
}
template <class H>
constexpr H not_negative(H a) {
  return a < 0 ? H{0} : a;
}
run_function select_abs(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return unary<absolute<T>, T, T>; });
}
run_function select_neg(const choice& c) {
  return for_integer(c.type("t"), []<class T>() -> run_function {
    return unary<[](T a) { return sub<T>(0, a); }, T, T>;
  });
}
run_function select_min(const choice& c) {
  if (c.has("relu"))
    return binary<[](std::int32_t a, std::int32_t b) { return not_negative(smaller(a, b)); },
                  std::int32_t, std::int32_t, std::int32_t>;
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<smaller<T>, T, T, T>; });
}
run_function select_max(const choice& c) {
  if (c.has("relu"))
    return binary<[](std::int32_t a, std::int32_t b) { return not_negative(larger(a, b)); },
                  std::int32_t, std::int32_t, std::int32_t>;
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<larger<T>, T, T, T>; });
}
run_function select_min_x2(const choice& c) {
  using h = std::int16_t;
  using w = std::uint32_t;
  if (c.has("relu"))
    return binary<halves<[](h a, h b) { return not_negative(smaller(a, b)); }, h>, w, w, w>;
  if (c.is("t", "s16x2")) return binary<halves<smaller<h>, h>, w, w, w>;
  return binary<halves<smaller<std::uint16_t>, std::uint16_t>, w, w, w>;
}
run_function select_max_x2(const choice& c) {
  using h = std::int16_t;
  using w = std::uint32_t;
  if (c.has("relu"))
    return binary<halves<[](h a, h b) { return not_negative(larger(a, b)); }, h>, w, w, w>;
  if (c.is("t", "s16x2")) return binary<halves<larger<h>, h>, w, w, w>;
  return binary<halves<larger<std::uint16_t>, std::uint16_t>, w, w, w>;
}
run_function select_sad(const choice& c) {
  return for_integer(c.type("t"), []<class T>() -> run_function {
    return ternary<[](T a, T b, T x) { return add<T>(x, a < b ? sub<T>(b, a) : sub<T>(a, b)); }, T,
                   T, T, T>;
  });
}

const std::array table = {
    row{"add", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_add},
    row{"add", "sat t:s32", "t<tt", select_add},
    row{"add", "t:u16x2|s16x2", "u<uu", select_add_x2},
    row{"sub", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_sub},
    row{"sub", "sat t:s32", "t<tt", select_sub},
    row{"add", "cc t:u32|s32|u64|s64", "t<tt", select_carry<false, false>},
    row{"addc", "cc? t:u32|s32|u64|s64", "t<tt", select_carry<false, true>},
    row{"sub", "cc t:u32|s32|u64|s64", "t<tt", select_carry<true, false>},
    row{"subc", "cc? t:u32|s32|u64|s64", "t<tt", select_carry<true, true>},
    row{"abs", "t:s16|s32|s64", "t<t", select_abs},
    row{"neg", "t:s16|s32|s64", "t<t", select_neg},
    row{"min", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_min},
    row{"min", "relu t:s32", "t<tt", select_min},
    row{"min", "t:u16x2|s16x2", "u<uu", select_min_x2},
    row{"min", "relu t:s16x2", "u<uu", select_min_x2},
    row{"max", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_max},
    row{"max", "relu t:s32", "t<tt", select_max},
    row{"max", "t:u16x2|s16x2", "u<uu", select_max_x2},
    row{"max", "relu t:s16x2", "u<uu", select_max_x2},
    row{"sad", "t:u16|u32|u64|s16|s32|s64", "t<ttt", select_sad},
};

}  // namespace

rows integer_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
