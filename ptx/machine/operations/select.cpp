// SPDX-License-Identifier: Apache-2.0
// Selection of one of two values: PTX ISA 9.0, selp, slct.
#include <array>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/rounding.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

template <class T>
void select_by_predicate(const step& s, context& c) {
  T* d = c.at<T>(s.d);
  const T* a = c.at<T>(s.a);
  const T* b = c.at<T>(s.b);
  alignas(64) std::uint32_t first[32];
  unpack(c.predicate(s.c), first);
  if (c.mask == all_lanes) {
    PTXLAB_FOR_LANES d[i] = first[i] != 0 ? a[i] : b[i];
    return;
  }
  const std::uint32_t* on = c.on;
  PTXLAB_FOR_LANES d[i] = on[i] != 0 ? (first[i] != 0 ? a[i] : b[i]) : d[i];
}
run_function select_selp(const choice& c) {
  switch (bits(c.type("t"))) {
    case 16:
      return select_by_predicate<std::uint16_t>;
    case 32:
      return select_by_predicate<std::uint32_t>;
    case 64:
      return select_by_predicate<std::uint64_t>;
    default:
      return nullptr;
  }
}
template <class T>
run_function slct_of(const choice& c) {
  if (c.is("s", "s32"))
    return ternary<[](T a, T b, std::int32_t x) { return x >= 0 ? a : b; }, T, T, T, std::int32_t>;
  if (c.has("ftz"))
    return ternary<[](T a, T b, float x) { return math::flush<true>(x) >= 0 ? a : b; }, T, T, T,
                   float>;
  return ternary<[](T a, T b, float x) { return x >= 0 ? a : b; }, T, T, T, float>;
}
run_function select_slct(const choice& c) {
  switch (bits(c.type("t"))) {
    case 16:
      return slct_of<std::uint16_t>(c);
    case 32:
      return slct_of<std::uint32_t>(c);
    default:
      return slct_of<std::uint64_t>(c);
  }
}

const std::array table = {
    row{"selp", "t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "t<ttp", select_selp},
    row{"slct", "t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s:s32", "t<tts", select_slct},
    row{"slct", "ftz? t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s:f32", "t<tts", select_slct},
};

}  // namespace

rows select_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
