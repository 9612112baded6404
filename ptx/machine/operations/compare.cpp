// SPDX-License-Identifier: Apache-2.0
// Comparison: PTX ISA 9.0, "Comparison and Selection Instructions" and "Half Precision Comparison
// Instructions".
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ptx/machine/context.hpp"
#include "ptx/machine/math/selection.hpp"
#include "ptx/machine/row.hpp"
// The last header: from here on code is for the clone.
#include "ptx/machine/operations/clone.hpp"

namespace ptxlab::machine::PTXLAB_CLONE {
namespace {

#include "ptx/machine/operations/lanes.inc"

using math::bf16;
using math::compare;
using math::comparison;
using math::f16;

/// Halves as the integers that registers hold: arrays of those become vector code.
template <comparison C, bool Ftz, class H>
[[gnu::always_inline]] constexpr bool compare_halves(std::uint16_t a, std::uint16_t b) {
  return compare<C, Ftz>(H{a}, H{b});
}
constexpr std::uint16_t lower(std::uint32_t pair) {
  return static_cast<std::uint16_t>(pair);
}
constexpr std::uint16_t upper(std::uint32_t pair) {
  return static_cast<std::uint16_t>(pair >> 16);
}

/// `make.template operator()<C>()` for the comparison of that name, of what is always ordered.
template <class Make>
run_function for_order(std::string_view name, Make make) {
  using enum comparison;
  if (name == "eq") return make.template operator()<eq>();
  if (name == "ne") return make.template operator()<ne>();
  if (name == "lt" || name == "lo") return make.template operator()<lt>();
  if (name == "le" || name == "ls") return make.template operator()<le>();
  if (name == "gt" || name == "hi") return make.template operator()<gt>();
  if (name == "ge" || name == "hs") return make.template operator()<ge>();
  return nullptr;
}
/// The same of floating-point numbers.
template <class Make>
run_function for_comparison(std::string_view name, Make make) {
  using enum comparison;
  if (name == "equ") return make.template operator()<equ>();
  if (name == "neu") return make.template operator()<neu>();
  if (name == "ltu") return make.template operator()<ltu>();
  if (name == "leu") return make.template operator()<leu>();
  if (name == "gtu") return make.template operator()<gtu>();
  if (name == "geu") return make.template operator()<geu>();
  if (name == "num") return make.template operator()<num>();
  if (name == "nan") return make.template operator()<comparison::nan>();
  return for_order(name, make);
}
/// `make.template operator()<F, H>()`: F compares two of H as integers.
template <class Make>
run_function for_halves(const choice& c, Make make) {
  return for_comparison(c.get("cmp"), [&]<comparison C>() -> run_function {
    if (c.is("t", "bf16") || c.is("t", "bf16x2"))
      return make.template operator()<compare_halves<C, false, bf16>, bf16>();
    if (c.has("ftz")) return make.template operator()<compare_halves<C, true, f16>, f16>();
    return make.template operator()<compare_halves<C, false, f16>, f16>();
  });
}

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
template <auto F>
void set_predicates_x2(const step& s, context& c) {
  const auto* a = c.at<std::uint32_t>(s.a);
  const auto* b = c.at<std::uint32_t>(s.b);
  alignas(64) std::uint32_t low[32], high[32];
  PTXLAB_FOR_LANES low[i] = F(lower(a[i]), lower(b[i])) ? 0xffffffff : 0;
  PTXLAB_FOR_LANES high[i] = F(upper(a[i]), upper(b[i])) ? 0xffffffff : 0;
  const lane_mask p = join(s, c, pack(low)), q = join(s, c, pack(high));
  put(c, s.d, p);
  put(c, s.e, q);
}
/// set: what math::set_value says of D.
template <auto F, class T, class D>
void set_by(const step& s, context& c) {
  const lane_mask r = join(s, c, test<F, T, T>(s, c));
  D* d = c.at<D>(s.d);
  for (unsigned i = 0; i < 32; ++i)
    if ((c.mask >> i & 1) != 0) d[i] = math::set_value<D>((r >> i & 1) != 0);
}
/// set of two halves: each the bits that math::set_value says of D.
template <auto F, class D>
constexpr std::uint32_t set_x2(std::uint32_t a, std::uint32_t b) {
  const auto one = [](std::uint16_t x, std::uint16_t y) -> std::uint32_t {
    return std::bit_cast<std::uint16_t>(math::set_value<D>(F(x, y)));
  };
  return one(lower(a), lower(b)) | one(upper(a), upper(b)) << 16;
}

/// `make.template operator()<F, T>()`: F compares two registers of type T.
template <class Make>
run_function for_compared(const choice& c, Make make) {
  const std::string_view name = c.get("cmp");
  const bool ftz = c.has("ftz");
  switch (c.type("t")) {
    case type::f32:
      return for_comparison(name, [&]<comparison C>() -> run_function {
        if (ftz) return make.template operator()<compare<C, true, float>, float>();
        return make.template operator()<compare<C, false, float>, float>();
      });
    case type::f64:
      return for_comparison(name, [&]<comparison C>() -> run_function {
        return make.template operator()<compare<C, false, double>, double>();
      });
    case type::f16:
    case type::bf16:
      return for_halves(
          c, [&]<auto F, class>()->run_function {
            return make.template operator()<F, std::uint16_t>();
          });
    default:
      return for_integer(c.type("t"), [&]<class T>() -> run_function {
        return for_order(name, [&]<comparison C>() -> run_function {
          return make.template operator()<compare<C, false, T>, T>();
        });
      });
  }
}
run_function select_setp(const choice& c) {
  return for_compared(
      c, []<auto F, class T>()->run_function { return set_predicate<F, T>; });
}
run_function select_setp_x2(const choice& c) {
  return for_halves(
      c, []<auto F, class>()->run_function { return set_predicates_x2<F>; });
}
run_function select_set(const choice& c) {
  return for_compared(
      c, [&]<auto F, class T>()->run_function {
        if (c.is("r", "f32")) return set_by<F, T, float>;
        return set_by<F, T, std::uint32_t>;
      });
}
run_function select_set_x2(const choice& c) {
  return for_halves(
      c, [&]<auto F, class H>()->run_function {
        using w = std::uint32_t;
        if (c.is("r", "u32") || c.is("r", "s32")) return binary<set_x2<F, std::uint16_t>, w, w, w>;
        return binary<set_x2<F, H>, w, w, w>;
      });
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
};

}  // namespace

rows compare_rows() {
  return table;
}

}  // namespace ptxlab::machine::PTXLAB_CLONE
