// SPDX-License-Identifier: Apache-2.0
// Comparison and selection: PTX ISA 9.0, "Comparison and Selection Instructions" and "Half
// Precision Comparison Instructions".
#include <algorithm>
#include <array>
#include <bit>
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

enum class relation : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

/// A half as an integer of the same order, and whether it is a number.
template <std::uint16_t Infinity>
struct half {
  std::uint16_t bits;
  constexpr int magnitude() const { return bits & 0x7fff; }
  constexpr int order() const { return (bits & 0x8000) != 0 ? -magnitude() : magnitude(); }
  constexpr bool is_nan() const { return magnitude() > Infinity; }
  friend constexpr bool operator==(half a, half b) {
    return !a.is_nan() && !b.is_nan() && a.order() == b.order();
  }
  friend constexpr bool operator<(half a, half b) {
    return !a.is_nan() && !b.is_nan() && a.order() < b.order();
  }
  /// Subnormals become zeros of their sign.
  constexpr half flushed() const {
    constexpr int normal = (Infinity & (Infinity - 1)) == 0 ? Infinity : Infinity & -Infinity;
    return magnitude() < normal ? half{static_cast<std::uint16_t>(bits & 0x8000)} : *this;
  }
};
using f16 = half<0x7c00>;
using bf16 = half<0x7f80>;

constexpr float flushed(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}
template <class T>
constexpr bool unordered(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else if constexpr (std::is_floating_point_v<T>)
    return !(a == a) | !(b == b);
  else
    return a.is_nan() || b.is_nan();
}

template <relation R, class T>
constexpr bool holds(T a, T b) {
  switch (R) {
    case relation::eq:
      return a == b;
    case relation::ne:
      return !(a == b) & !unordered(a, b);
    case relation::lt:
      return a < b;
    case relation::le:
      return (a < b) | (a == b);
    case relation::gt:
      return b < a;
    case relation::ge:
      return (b < a) | (a == b);
    case relation::equ:
      return (a == b) | unordered(a, b);
    case relation::neu:
      return !(a == b);
    case relation::ltu:
      return (a < b) | unordered(a, b);
    case relation::leu:
      return !(b < a);
    case relation::gtu:
      return (b < a) | unordered(a, b);
    case relation::geu:
      return !(a < b);
    case relation::num:
      return !unordered(a, b);
    case relation::nan:
      return unordered(a, b);
  }
  return false;
}
template <relation R>
constexpr bool holds_flushed(float a, float b) {
  return holds<R>(flushed(a), flushed(b));
}
template <relation R>
constexpr bool holds_flushed_half(f16 a, f16 b) {
  return holds<R>(a.flushed(), b.flushed());
}

/// `make.template operator()<R>()` for the relation that is named.
template <class Make>
auto for_relation(std::string_view name, bool floating, Make make) {
  using enum relation;
  if (name == "eq") return make.template operator()<eq>();
  if (name == "ne") return make.template operator()<ne>();
  if (name == "lt" || name == "lo") return make.template operator()<lt>();
  if (name == "le" || name == "ls") return make.template operator()<le>();
  if (name == "gt" || name == "hi") return make.template operator()<gt>();
  if (name == "ge" || name == "hs") return make.template operator()<ge>();
  if (!floating) return decltype(make.template operator()<eq>()){};
  if (name == "equ") return make.template operator()<equ>();
  if (name == "neu") return make.template operator()<neu>();
  if (name == "ltu") return make.template operator()<ltu>();
  if (name == "leu") return make.template operator()<leu>();
  if (name == "gtu") return make.template operator()<gtu>();
  if (name == "geu") return make.template operator()<geu>();
  if (name == "num") return make.template operator()<num>();
  return make.template operator()<nan>();
}

using test_function = lane_mask (*)(const step&, const context&);

enum class joined : std::uint32_t { none, and_, or_, xor_ };
std::uint32_t join_of(const choice& c) {
  const std::string_view b = c.get("bool");
  const joined j = b == "and"   ? joined::and_
                   : b == "or"  ? joined::or_
                   : b == "xor" ? joined::xor_
                                : joined::none;
  return static_cast<std::uint32_t>(j);
}
lane_mask join(const step& s, const context& c, lane_mask r) {
  switch (static_cast<joined>(s.aux)) {
    case joined::and_:
      return r & c.predicate(s.c);
    case joined::or_:
      return r | c.predicate(s.c);
    case joined::xor_:
      return r ^ c.predicate(s.c);
    case joined::none:
      break;
  }
  return r;
}
void put(const context& c, slot at, lane_mask value) {
  if (at == no_slot) return;
  lane_mask& d = c.predicate(at);
  d = (d & ~c.mask) | (value & c.mask);
}

/// setp: d is p, e is q (or none), c the predicate that is joined.
template <auto F, class T>
void set_predicate(const step& s, context& c) {
  const lane_mask r = test<F, T, T>(s, c);
  const lane_mask p = join(s, c, r), q = join(s, c, ~r);
  put(c, s.d, p);
  put(c, s.e, q);
}
/// setp of two halves: p for the lower one, q for the upper one.
template <auto F, class H>
void set_predicates_x2(const step& s, context& c) {
  const auto* a = c.at<std::uint32_t>(s.a);
  const auto* b = c.at<std::uint32_t>(s.b);
  lane_mask low = 0, high = 0;
  const auto part = [](std::uint32_t x) { return H{static_cast<std::uint16_t>(x)}; };
  for (unsigned i = 0; i < 32; ++i) {
    low |= static_cast<lane_mask>(F(part(a[i]), part(b[i]))) << i;
    high |= static_cast<lane_mask>(F(part(a[i] >> 16), part(b[i] >> 16))) << i;
  }
  low = join(s, c, low);
  high = join(s, c, high);
  put(c, s.d, low);
  put(c, s.e, high);
}
/// set: all ones (or 1.0 for a floating-point result) where the relation holds.
template <auto F, class T, class D>
void set_value(const step& s, context& c) {
  const lane_mask r = join(s, c, test<F, T, T>(s, c));
  D* d = c.at<D>(s.d);
  for (unsigned i = 0; i < 32; ++i)
    if ((c.mask >> i & 1) != 0)
      d[i] = (r >> i & 1) == 0             ? D{}
             : std::is_floating_point_v<D> ? static_cast<D>(1)
                                           : static_cast<D>(-1);
}

template <class Make>
run_function for_compared(const choice& c, Make make) {
  const std::string_view name = c.get("cmp");
  switch (c.type("t")) {
    case type::f32:
      return for_relation(name, true, [&]<relation R>() -> run_function {
        if (c.has("ftz")) return make.template operator()<holds_flushed<R>, float>();
        return make.template operator()<holds<R, float>, float>();
      });
    case type::f64:
      return for_relation(name, true, [&]<relation R>() -> run_function {
        return make.template operator()<holds<R, double>, double>();
      });
    case type::f16:
      return for_relation(name, true, [&]<relation R>() -> run_function {
        if (c.has("ftz")) return make.template operator()<holds_flushed_half<R>, f16>();
        return make.template operator()<holds<R, f16>, f16>();
      });
    case type::bf16:
      return for_relation(name, true, [&]<relation R>() -> run_function {
        return make.template operator()<holds<R, bf16>, bf16>();
      });
    default:
      return for_integer(c.type("t"), [&]<class T>() -> run_function {
        return for_relation(name, false, [&]<relation R>() -> run_function {
          return make.template operator()<holds<R, T>, T>();
        });
      });
  }
}
run_function select_setp(const choice& c) {
  return for_compared(
      c, []<auto F, class T>()->run_function { return set_predicate<F, T>; });
}
run_function select_setp_x2(const choice& c) {
  return for_relation(c.get("cmp"), true, [&]<relation R>() -> run_function {
    if (c.is("t", "bf16x2")) return set_predicates_x2<holds<R, bf16>, bf16>;
    if (c.has("ftz")) return set_predicates_x2<holds_flushed_half<R>, f16>;
    return set_predicates_x2<holds<R, f16>, f16>;
  });
}
run_function select_set(const choice& c) {
  return for_compared(
      c, [&]<auto F, class T>()->run_function {
        if (c.is("r", "f32")) return set_value<F, T, float>;
        return set_value<F, T, std::uint32_t>;
      });
}
/// set of halves: 1.0 or all ones in a half's width.
template <auto F, class H, std::uint16_t True, bool Pair>
constexpr std::uint32_t set_half(std::uint32_t a, std::uint32_t b) {
  const auto one = [](std::uint32_t x, std::uint32_t y) -> std::uint32_t {
    return F(H{static_cast<std::uint16_t>(x)}, H{static_cast<std::uint16_t>(y)}) ? True : 0;
  };
  return one(a, b) | (Pair ? one(a >> 16, b >> 16) << 16 : 0);
}
run_function select_set_x2(const choice& c) {
  using w = std::uint32_t;
  return for_relation(c.get("cmp"), true, [&]<relation R>() -> run_function {
    if (c.is("t", "bf16x2")) {
      if (c.is("r", "bf16x2")) return binary<set_half<holds<R, bf16>, bf16, 0x3f80, true>, w, w, w>;
      return binary<set_half<holds<R, bf16>, bf16, 0xffff, true>, w, w, w>;
    }
    return for_flag(c.has("ftz"), [&]<bool Ftz>() -> run_function {
      constexpr auto F = Ftz ? holds_flushed_half<R> : holds<R, f16>;
      if (c.is("r", "f16x2")) return binary<set_half<F, f16, 0x3c00, true>, w, w, w>;
      return binary<set_half<F, f16, 0xffff, true>, w, w, w>;
    });
  });
}

// --- selection ---------------------------------------------------------------------------------

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
    return ternary<[](T a, T b, float x) { return flushed(x) >= 0 ? a : b; }, T, T, T, float>;
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

#define JOINED " bool:and|or|xor? "
#define EQUALITY "cmp:eq|ne" JOINED
#define SIGNED_RELATIONS "cmp:eq|ne|lt|le|gt|ge" JOINED
#define UNSIGNED_RELATIONS "cmp:eq|ne|lt|le|gt|ge|lo|ls|hi|hs" JOINED
#define FLOATING_RELATIONS "cmp:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan" JOINED

const std::array table = {
    row{"setp", EQUALITY "t:b16|b32|b64", "P<ttq", select_setp, join_of},
    row{"setp", UNSIGNED_RELATIONS "t:u16|u32|u64", "P<ttq", select_setp, join_of},
    row{"setp", SIGNED_RELATIONS "t:s16|s32|s64", "P<ttq", select_setp, join_of},
    row{"setp", FLOATING_RELATIONS "ftz? t:f32", "P<ttq", select_setp, join_of},
    row{"setp", FLOATING_RELATIONS "t:f64", "P<ttq", select_setp, join_of},
    row{"setp", FLOATING_RELATIONS "ftz? t:f16", "p<ttq", select_setp, join_of},
    row{"setp", FLOATING_RELATIONS "t:bf16", "p<ttq", select_setp, join_of},
    row{"setp", FLOATING_RELATIONS "ftz? t:f16x2", "P<ttq", select_setp_x2, join_of},
    row{"setp", FLOATING_RELATIONS "t:bf16x2", "P<ttq", select_setp_x2, join_of},
    row{"set", EQUALITY "r:u32|s32|f32 t:b16|b32|b64", "r<ttq", select_set, join_of},
    row{"set", UNSIGNED_RELATIONS "r:u32|s32|f32 t:u16|u32|u64", "r<ttq", select_set, join_of},
    row{"set", SIGNED_RELATIONS "r:u32|s32|f32 t:s16|s32|s64", "r<ttq", select_set, join_of},
    row{"set", FLOATING_RELATIONS "ftz? r:u32|s32|f32 t:f32", "r<ttq", select_set, join_of},
    row{"set", FLOATING_RELATIONS "r:u32|s32|f32 t:f64", "r<ttq", select_set, join_of},
    row{"set", "cmp:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan ftz? r:u32|s32|f16x2 t:f16x2",
        "u<tt", select_set_x2},
    row{"set", "cmp:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan r:u32|s32|bf16x2 t:bf16x2",
        "u<tt", select_set_x2},
    row{"selp", "t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "t<ttp", select_selp},
    row{"slct", "t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s:s32", "t<tts", select_slct},
    row{"slct", "ftz? t:b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s:f32", "t<tts", select_slct},
};

}  // namespace

rows compare_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
