// SPDX-License-Identifier: Apache-2.0
// Integer products, sums of them, and quotients: PTX ISA 9.0, "Integer Arithmetic Instructions" and
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

#include "ptx/machine/operations/integer.inc"
#include "ptx/machine/operations/lanes.inc"

template <class T>
using wide = std::conditional_t<std::is_signed_v<T>,
                                std::conditional_t<sizeof(T) == 2, std::int32_t, std::int64_t>,
                                std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>>;

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

// --- with carry ---------------------------------------------------------------------------------

/// d = a * b + c + carry-in, of the low or the high half of the product.
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

// --- of 24 bits ---------------------------------------------------------------------------------

/// mul24 takes the low 24 bits of its operands, sign-extended for s32.
template <class T>
constexpr std::int64_t low24(T a) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
  else
    return a & 0xffffff;
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

// --- quotients ----------------------------------------------------------------------------------

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
run_function select_div(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<quotient<T>, T, T, T>; });
}
run_function select_rem(const choice& c) {
  return for_integer(c.type("t"),
                     []<class T>() -> run_function { return binary<remainder<T>, T, T, T>; });
}

const std::array table = {
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
};

}  // namespace

rows product_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
