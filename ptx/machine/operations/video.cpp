// SPDX-License-Identifier: Apache-2.0
// Words as two halves or four bytes: dot products and video instructions. PTX ISA 9.0, "Integer
// Arithmetic Instructions: dp4a, dp2a" and "Video Instructions".
#include <algorithm>
#include <array>
#include <cstdint>
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

template <class T, unsigned Bits>
constexpr std::int64_t element(std::uint32_t x, unsigned k) {
  const std::uint32_t part = x >> (Bits * k);
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::int32_t>(part << (32 - Bits)) >> (32 - Bits);
  else
    return part & ((std::uint64_t{1} << Bits) - 1);
}

template <class A, class B>
constexpr std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t x) {
  for (unsigned k = 0; k < 4; ++k)
    x += static_cast<std::uint32_t>(element<A, 8>(a, k) * element<B, 8>(b, k));
  return x;
}
template <class A, class B, bool High>
constexpr std::uint32_t dot2(std::uint32_t a, std::uint32_t b, std::uint32_t x) {
  for (unsigned k = 0; k < 2; ++k)
    x += static_cast<std::uint32_t>(element<A, 16>(a, k) * element<B, 8>(b, k + (High ? 2 : 0)));
  return x;
}
template <class Make>
run_function for_two_words(const choice& c, Make make) {
  using s = std::int32_t;
  using u = std::uint32_t;
  if (c.type("t") == type::s32)
    return c.type("s") == type::s32 ? make.template operator()<s, s>()
                                    : make.template operator()<s, u>();
  return c.type("s") == type::s32 ? make.template operator()<u, s>()
                                  : make.template operator()<u, u>();
}
using word = std::uint32_t;
run_function select_dp4a(const choice& c) {
  return for_two_words(c, []<class A, class B>() -> run_function {
    return ternary<dot4<A, B>, word, word, word, word>;
  });
}
run_function select_dp2a(const choice& c) {
  return for_two_words(c, [&]<class A, class B>() -> run_function {
    if (c.is("half", "hi")) return ternary<dot2<A, B, true>, word, word, word, word>;
    return ternary<dot2<A, B, false>, word, word, word, word>;
  });
}

// --- video: four bytes or two halves in a word ---------------------------------------------------

enum class video : std::uint8_t { add, sub, absdiff, min, max, avrg };

constexpr std::int64_t video_value(video v, std::int64_t a, std::int64_t b) {
  switch (v) {
    case video::add:
      return a + b;
    case video::sub:
      return a - b;
    case video::absdiff:
      return a < b ? b - a : a - b;
    case video::min:
      return a < b ? a : b;
    case video::max:
      return a < b ? b : a;
    case video::avrg:
      return a + b + (a + b >= 0 ? 1 : 0);
  }
  return 0;
}
template <video V, unsigned Bits, class A, class B, bool SignedResult, bool Sat, bool Accumulate>
constexpr std::uint32_t video_word(std::uint32_t a, std::uint32_t b, std::uint32_t x) {
  std::uint32_t packed = 0, sum = x;
  for (unsigned k = 0; k < 32 / Bits; ++k) {
    std::int64_t r = video_value(V, element<A, Bits>(a, k), element<B, Bits>(b, k));
    if (V == video::avrg) r >>= 1;
    if (Sat) {
      const std::int64_t low = SignedResult ? -(1LL << (Bits - 1)) : 0;
      const std::int64_t high = SignedResult ? (1LL << (Bits - 1)) - 1 : (1LL << Bits) - 1;
      r = std::clamp(r, low, high);
    }
    sum += static_cast<std::uint32_t>(r);
    packed |= (static_cast<std::uint32_t>(r) & static_cast<std::uint32_t>((1ULL << Bits) - 1))
              << (Bits * k);
  }
  return Accumulate ? sum : packed;
}
template <video V, unsigned Bits>
run_function select_video(const choice& c) {
  using u = std::uint32_t;
  const auto sign = [&](std::string_view g) { return c.type(g) == type::s32; };
  return for_flag(sign("s"), [&]<bool A>() -> run_function {
    return for_flag(sign("r"), [&]<bool B>() -> run_function {
      return for_flag(sign("t"), [&]<bool D>() -> run_function {
        using a = std::conditional_t<A, std::int32_t, u>;
        using b = std::conditional_t<B, std::int32_t, u>;
        if (c.has("add")) return ternary<video_word<V, Bits, a, b, D, false, true>, u, u, u, u>;
        if (c.has("sat")) return ternary<video_word<V, Bits, a, b, D, true, false>, u, u, u, u>;
        return ternary<video_word<V, Bits, a, b, D, false, false>, u, u, u, u>;
      });
    });
  });
}

#define VIDEO(name, value)                                                                         \
  row{"v" name "4", "t:u32|s32 s:u32|s32 r:u32|s32 sat?", "u<uuu", select_video<video::value, 8>}, \
      row{"v" name "4", "t:u32|s32 s:u32|s32 r:u32|s32 add", "u<uuu",                              \
          select_video<video::value, 8>},                                                          \
      row{"v" name "2", "t:u32|s32 s:u32|s32 r:u32|s32 sat?", "u<uuu",                             \
          select_video<video::value, 16>},                                                         \
      row {                                                                                        \
    "v" name "2", "t:u32|s32 s:u32|s32 r:u32|s32 add", "u<uuu", select_video<video::value, 16>     \
  }

const std::array table = {
    row{"dp4a", "t:u32|s32 s:u32|s32", "u<uuu", select_dp4a},
    row{"dp2a", "half:lo|hi t:u32|s32 s:u32|s32", "u<uuu", select_dp2a},
    VIDEO("add", add),
    VIDEO("sub", sub),
    VIDEO("absdiff", absdiff),
    VIDEO("min", min),
    VIDEO("max", max),
    VIDEO("avrg", avrg),
};

}  // namespace

rows video_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
