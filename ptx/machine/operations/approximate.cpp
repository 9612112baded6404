// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/operations/approximate.hpp"

#include <optional>

#include "ptx/machine/context.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/math/approximate.hpp"
#include "ptx/machine/math/half.hpp"

namespace ptxlab::machine {
namespace {

using math::approximation;

struct form {
  approximation what;
  bool pair = false;  ///< two halves in a word
};

std::optional<form> form_of(const ptx::opcode& op) {
  if (!op.has("approx") && !op.has("full")) return std::nullopt;
  using enum approximation;
  const bool f64 = op.has("f64");
  const bool f16 = op.has("f16") || op.has("f16x2"), bf16 = op.has("bf16") || op.has("bf16x2");
  const bool pair = op.has("f16x2") || op.has("bf16x2");
  if (op.base == "div") return form{op.has("full") ? div_full_f32 : div_approx_f32};
  if (op.base == "rcp") return form{f64 ? rcp_ftz_f64 : rcp_f32};
  if (op.base == "rsqrt") return form{!f64 ? rsqrt_f32 : op.has("ftz") ? rsqrt_ftz_f64 : rsqrt_f64};
  if (op.base == "sqrt") return form{sqrt_f32};
  if (op.base == "sin") return form{sin_f32};
  if (op.base == "cos") return form{cos_f32};
  if (op.base == "lg2") return form{lg2_f32};
  if (op.base == "ex2") return form{f16 ? ex2_f16 : bf16 ? ex2_bf16 : ex2_f32, pair};
  if (op.base == "tanh") return form{f16 ? tanh_f16 : bf16 ? tanh_bf16 : tanh_f32, pair};
  return std::nullopt;
}

/// A number that depends on the seed, the instruction, the thread and when it runs.
std::uint64_t drawn(const step& s, const context& c, unsigned lane, unsigned half) {
  const grid& g = c.in->in().in();
  std::uint64_t x = g.how().approximate_seed;
  for (const std::uint64_t v : {std::uint64_t{s.site}, std::uint64_t{c.in->in().index()},
                                std::uint64_t{c.in->number()} * warp_lanes + lane,
                                c.in->steps() + c.in->steps_now(), std::uint64_t{half}}) {
    x = (x ^ v) * 0x9e3779b97f4a7c15;
    x ^= x >> 31;
  }
  return x * 0xbf58476d1ce4e5b9;
}

run_function inner(const step& s) {
  return reinterpret_cast<run_function>(s.imm);
}

/// imm: the step that computes the ideal result; aux: the approximation. The argument that counts
/// is the last source: of a division the divisor.
template <class T>
void move_within_bound(const step& s, context& c) {
  if (c.in->in().in().how().approximate_seed == 0) return inner(s)(s, c);
  T arguments[warp_lanes];
  const T* const last = c.at<T>(s.b != no_slot ? s.b : s.a);
  for (unsigned i = 0; i < warp_lanes; ++i) arguments[i] = last[i];
  inner(s)(s, c);
  T* const d = c.at<T>(s.d);
  for (unsigned i = 0; i < warp_lanes; ++i)
    if ((c.mask >> i & 1) != 0)
      d[i] = math::perturbed(
          d[i],
          math::bound_of(static_cast<approximation>(s.aux), math::widest_carrier(arguments[i])),
          drawn(s, c, i, 0));
}

template <class H, class W>
void move_halves_within_bound(const step& s, context& c) {
  if (c.in->in().in().how().approximate_seed == 0) return inner(s)(s, c);
  W arguments[warp_lanes];
  for (unsigned i = 0; i < warp_lanes; ++i) arguments[i] = c.at<W>(s.a)[i];
  inner(s)(s, c);
  W* const d = c.at<W>(s.d);
  for (unsigned i = 0; i < warp_lanes; ++i) {
    if ((c.mask >> i & 1) == 0) continue;
    W moved = 0;
    for (unsigned k = 0; k < sizeof(W) / 2; ++k) {
      const auto part = [&](W x) { return H{static_cast<std::uint16_t>(x >> (16 * k))}; };
      const H r = math::perturbed(part(d[i]),
                                  math::bound_of(static_cast<approximation>(s.aux),
                                                 math::widest_carrier(part(arguments[i]))),
                                  drawn(s, c, i, k));
      moved |= static_cast<W>(W{r.bits} << (16 * k));
    }
    d[i] = moved;
  }
}

run_function mover(const form& f) {
  using enum approximation;
  switch (f.what) {
    case rcp_ftz_f64:
    case rsqrt_ftz_f64:
    case rsqrt_f64:
      return move_within_bound<double>;
    case ex2_f16:
    case tanh_f16:
      return f.pair ? move_halves_within_bound<math::f16, std::uint32_t>
                    : static_cast<run_function>(move_halves_within_bound<math::f16, std::uint16_t>);
    case ex2_bf16:
    case tanh_bf16:
      return f.pair
                 ? move_halves_within_bound<math::bf16, std::uint32_t>
                 : static_cast<run_function>(move_halves_within_bound<math::bf16, std::uint16_t>);
    default:
      return move_within_bound<float>;
  }
}

}  // namespace

void let_approximate(step& s, const ptx::opcode& op) {
  const std::optional<form> f = form_of(op);
  if (!f) return;
  s.imm = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(s.run));
  s.aux = static_cast<std::uint32_t>(f->what);
  s.run = mover(*f);
}

}  // namespace ptxlab::machine
