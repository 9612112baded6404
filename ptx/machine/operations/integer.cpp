// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic: PTX ISA 9.0, "Integer Arithmetic Instructions" and
// "Extended-Precision Integer Arithmetic Instructions".
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

#include "ptx/machine/operations/lanes.inc"

/// A type in which T's arithmetic wraps and is not promoted to int.
template <class T>
using wraps = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
using wide = std::conditional_t<std::is_signed_v<T>,
                                std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>,
                                std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>>;

template <class T>
constexpr T add(T a, T b) {
  return static_cast<T>(static_cast<wraps<T>>(a) + static_cast<wraps<T>>(b));
}
template <class T>
constexpr T sub(T a, T b) {
  return static_cast<T>(static_cast<wraps<T>>(a) - static_cast<wraps<T>>(b));
}
template <class T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<wraps<T>>(a) * static_cast<wraps<T>>(b));
}
template <class T>
constexpr T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using twice = std::conditional_t<std::is_signed_v<T>, int128, uint128>;
    return static_cast<T>(static_cast<twice>(a) * static_cast<twice>(b) >> 64);
  } else {
    return static_cast<T>(static_cast<wide<T>>(a) * static_cast<wide<T>>(b) >> 8 * sizeof(T));
  }
}
template <class T>
constexpr wide<T> mul_wide(T a, T b) {
  return static_cast<wide<T>>(a) * static_cast<wide<T>>(b);
}
constexpr std::int32_t saturated(std::int64_t x) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(
      x, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
}
/// Division by zero is not defined by PTX; this is what an H200 gives (tests/golden).
template <class T>
constexpr T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
/// Measured on an H200: a remainder of a division by zero has all bits set.
template <class T>
constexpr T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}
template <class T>
constexpr T absolute(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
/// mul24 takes the low 24 bits of its operands, sign-extended for s32.
template <class T>
constexpr std::int64_t low24(T a) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
  else
    return a & 0xffffff;
}

// --- selection ---------------------------------------------------------------------------------

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

/// Two 16-bit halves in a word: a function of halves becomes one of words.
template <auto F, class H>
constexpr std::uint32_t halves(std::uint32_t a, std::uint32_t b) {
  const auto half = [](std::uint32_t x, unsigned k) { return static_cast<H>(x >> (16 * k)); };
  return static_cast<std::uint16_t>(F(half(a, 0), half(b, 0))) |
         static_cast<std::uint32_t>(static_cast<std::uint16_t>(F(half(a, 1), half(b, 1)))) << 16;
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
run_function select_add_x2(const choice&) {
  return binary<halves<add<std::uint16_t>, std::uint16_t>, std::uint32_t, std::uint32_t,
                std::uint32_t>;
}
run_function select_mul(const choice& c) {
  return for_integer(c.type("t"), [&]<class T>() -> run_function {
    if (c.is("part", "lo")) return binary<mul_lo<T>, T, T, T>;
    return binary<mul_hi<T>, T, T, T>;
  });
}
template <class Make>
run_function for_narrow(type t, Make make) {
  switch (t) {
    case type::u16:
      return make.template operator()<std::uint16_t>();
    case type::u32:
      return make.template operator()<std::uint32_t>();
    case type::s16:
      return make.template operator()<std::int16_t>();
    case type::s32:
      return make.template operator()<std::int32_t>();
    default:
      return nullptr;
  }
}
run_function select_mul_wide(const choice& c) {
  return for_narrow(c.type("t"),
                    []<class T>() -> run_function { return binary<mul_wide<T>, wide<T>, T, T>; });
}
run_function select_mad(const choice& c) {
  if (c.has("sat"))
    return ternary<[](std::int32_t a, std::int32_t b, std::int32_t x) {
      return saturated(std::int64_t{mul_hi(a, b)} + x);
    },
                   std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
  return for_integer(c.type("t"), [&]<class T>() -> run_function {
    if (c.is("part", "lo"))
      return ternary<[](T a, T b, T x) { return add<T>(mul_lo<T>(a, b), x); }, T, T, T, T>;
    return ternary<[](T a, T b, T x) { return add<T>(mul_hi<T>(a, b), x); }, T, T, T, T>;
  });
}
run_function select_mad_wide(const choice& c) {
  return for_narrow(c.type("t"), []<class T>() -> run_function {
    return ternary<[](T a, T b, wide<T> x) { return add<wide<T>>(mul_wide<T>(a, b), x); }, wide<T>,
                   T, T, wide<T>>;
  });
}

template <class T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(low24(a) * low24(b)));
}
template <class T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(low24(a) * low24(b) >> 16));
}
template <class Make>
run_function for_word(type t, Make make) {
  return t == type::s32 ? make.template operator()<std::int32_t>()
                        : make.template operator()<std::uint32_t>();
}
run_function select_mul24(const choice& c) {
  return for_word(c.type("t"), [&]<class T>() -> run_function {
    if (c.is("part", "lo")) return binary<mul24_lo<T>, T, T, T>;
    return binary<mul24_hi<T>, T, T, T>;
  });
}
run_function select_mad24(const choice& c) {
  if (c.has("sat"))
    return ternary<[](std::int32_t a, std::int32_t b, std::int32_t x) {
      return saturated(std::int64_t{mul24_hi(a, b)} + x);
    },
                   std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
  return for_word(c.type("t"), [&]<class T>() -> run_function {
    if (c.is("part", "lo"))
      return ternary<[](T a, T b, T x) { return add<T>(mul24_lo(a, b), x); }, T, T, T, T>;
    return ternary<[](T a, T b, T x) { return add<T>(mul24_hi(a, b), x); }, T, T, T, T>;
  });
}

run_function select_div(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<quotient<T>, T, T, T>; });
}
run_function select_rem(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<remainder<T>, T, T, T>; });
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

// --- with carry --------------------------------------------------------------------------------

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
template <class T, bool High, bool Signed, bool In, bool Out>
void carry_mad(const step& s, context& c) {
  T* d = c.at<T>(s.d);
  const T* a = c.at<T>(s.a);
  const T* b = c.at<T>(s.b);
  const T* x = c.at<T>(s.c);
  for (unsigned i = 0; i < 32; ++i) {
    if ((c.mask >> i & 1) == 0) continue;
    using S = std::make_signed_t<T>;
    const T product = !High ? mul_lo<T>(a[i], b[i])
                      : Signed
                          ? static_cast<T>(mul_hi<S>(static_cast<S>(a[i]), static_cast<S>(b[i])))
                          : mul_hi<T>(a[i], b[i]);
    using twice = uint128;
    const twice sum = static_cast<twice>(product) + x[i] + (In ? c.carry >> i & 1 : 0);
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
template <bool In>
run_function select_carry_mad(const choice& c) {
  return for_flag(c.has("cc"), [&]<bool Out>() -> run_function {
    return for_flag(c.is("part", "hi"), [&]<bool High>() -> run_function {
      return for_flag(is_signed(c.type("t")), [&]<bool Signed>() -> run_function {
        return bits(c.type("t")) == 64 ? carry_mad<std::uint64_t, High, Signed, In, Out>
                                       : carry_mad<std::uint32_t, High, Signed, In, Out>;
      });
    });
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
    row{"mul", "part:lo|hi t:u16|u32|u64|s16|s32|s64", "t<tt", select_mul},
    row{"mul", "wide t:u16|u32|s16|s32", "w<tt", select_mul_wide},
    row{"mad", "part:lo|hi t:u16|u32|u64|s16|s32|s64", "t<ttt", select_mad},
    row{"mad", "part:hi sat t:s32", "t<ttt", select_mad},
    row{"mad", "wide t:u16|u32|s16|s32", "w<ttw", select_mad_wide},
    row{"mad", "part:lo|hi cc t:u32|s32|u64|s64", "t<ttt", select_carry_mad<false>},
    row{"madc", "part:lo|hi cc? t:u32|s32|u64|s64", "t<ttt", select_carry_mad<true>},
    row{"mul24", "part:lo|hi t:u32|s32", "t<tt", select_mul24},
    row{"mad24", "part:lo|hi t:u32|s32", "t<ttt", select_mad24},
    row{"mad24", "part:hi sat t:s32", "t<ttt", select_mad24},
    row{"div", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_div},
    row{"rem", "t:u16|u32|u64|s16|s32|s64", "t<tt", select_rem},
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
