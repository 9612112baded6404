// SPDX-License-Identifier: Apache-2.0
// Atomic operations and reductions: PTX ISA 9.0, "Parallel Synchronization and Communication
// Instructions": atom, red. Lanes take their turn in ascending order.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/math/floating.hpp"
#include "ptx/machine/math/half.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

enum class change : std::uint8_t { add, min, max, inc, dec, and_, or_, xor_, exch, cas };

template <class T>
T flushed(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
  return x;
}

/// Addition of f64 in global memory. Measured on an H200: a NaN operand, the new one before the old
/// one, is handed on as it is, not made quiet.
double added_outside(double old, double b) {
  return std::isnan(b) ? b : std::isnan(old) ? old : math::add<math::rounding::rn>(old, b);
}

/// The new value. `outside`: in global memory, where a float's addition flushes subnormals.
template <change Op, class T>
T changed(T old, T b, T c, bool outside) {
  switch (Op) {
    case change::add:
      if constexpr (std::is_same_v<T, float>) {
        if (outside)
          return flushed(math::add<math::rounding::rn, false, false>(flushed(old), flushed(b)));
        return math::add<math::rounding::rn, false, false>(old, b);
      } else if constexpr (std::is_same_v<T, double>) {
        // In shared memory a loop adds, and the old value is its second operand.
        return outside ? added_outside(old, b) : math::add<math::rounding::rn>(b, old);
      } else {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
      }
    case change::min:
      return b < old ? b : old;
    case change::max:
      return old < b ? b : old;
    case change::exch:
      return b;
    case change::cas:
      return old == b ? c : old;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (Op) {
      case change::inc:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      case change::dec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case change::and_:
        return static_cast<T>(old & b);
      case change::or_:
        return static_cast<T>(old | b);
      case change::xor_:
        return static_cast<T>(old ^ b);
      default:
        break;
    }
  }
  return old;
}

bool is_shared(const resolved& r, unsigned i) {
  return r.form->space == flow::space::shared ||
         (r.form->space == flow::space::generic && r.at[i] - shared_base < window_bytes);
}

/// d is the old value (no_slot for red), b and c the operands.
template <change Op, class T>
void perform(const step& s, context& c) {
  resolved r;
  resolve(s, c, r);
  const T* const b = c.at<T>(s.b);
  const T* const e = Op == change::cas ? c.at<T>(s.c) : b;
  T* const d = s.d == no_slot ? nullptr : c.at<T>(s.d);
  bool changes = false;
  access_remarks also;
  each_active(c, [&](unsigned i) {
    T old;
    std::memcpy(&old, r.host[i], sizeof(T));
    const T now = changed<Op, T>(old, b[i], e[i], !is_shared(r, i));
    changes |= std::memcmp(&old, &now, sizeof(T)) != 0;
    std::memcpy(r.host[i], &now, sizeof(T));
    if (Op == change::cas && old != b[i]) also.failed |= lane_mask{1} << i;
    if (d != nullptr) d[i] = old;
  });
  if (changes) c.in->in().in().changed();
  tell(s, c, r, nullptr, also);
}

/// Additions of one or two halves in a word or half-word.
template <class H, class W>
void add_halves(const step& s, context& c) {
  resolved r;
  resolve(s, c, r);
  const W* const b = c.at<W>(s.b);
  W* const d = s.d == no_slot ? nullptr : c.at<W>(s.d);
  bool changes = false;
  each_active(c, [&](unsigned i) {
    W old;
    std::memcpy(&old, r.host[i], sizeof(W));
    W now = 0;
    for (unsigned k = 0; k < sizeof(W) / 2; ++k) {
      const auto part = [&](W x) { return H{static_cast<std::uint16_t>(x >> (16 * k))}; };
      now |= static_cast<W>(
          W{math::add<math::rounding::rn, false, false>(part(old), part(b[i])).bits} << (16 * k));
    }
    changes |= old != now;
    std::memcpy(r.host[i], &now, sizeof(W));
    if (d != nullptr) d[i] = old;
  });
  if (changes) c.in->in().in().changed();
  tell(s, c, r, nullptr);
}

template <class T>
run_function integer(std::string_view op) {
  if (op == "add") return perform<change::add, T>;
  if (op == "min") return perform<change::min, T>;
  if (op == "max") return perform<change::max, T>;
  if (op == "inc") return perform<change::inc, T>;
  if (op == "dec") return perform<change::dec, T>;
  if (op == "and") return perform<change::and_, T>;
  if (op == "or") return perform<change::or_, T>;
  if (op == "xor") return perform<change::xor_, T>;
  if (op == "exch") return perform<change::exch, T>;
  if (op == "cas") return perform<change::cas, T>;
  return nullptr;
}
run_function runner(std::string_view op, type t) {
  switch (t) {
    case type::b16:
      return integer<std::uint16_t>(op);
    case type::u32:
    case type::b32:
      return integer<std::uint32_t>(op);
    case type::s32:
      return integer<std::int32_t>(op);
    case type::u64:
    case type::b64:
      return integer<std::uint64_t>(op);
    case type::s64:
      return integer<std::int64_t>(op);
    case type::f32:
      return perform<change::add, float>;
    case type::f64:
      return perform<change::add, double>;
    case type::f16:
      return add_halves<math::f16, std::uint16_t>;
    case type::bf16:
      return add_halves<math::bf16, std::uint16_t>;
    case type::f16x2:
      return add_halves<math::f16, std::uint32_t>;
    case type::bf16x2:
      return add_halves<math::bf16, std::uint32_t>;
    default:
      return nullptr;
  }
}

void build(instruction_builder& b, const choice& c, bool returns) {
  const type t = c.type("t");
  const type as = bits(t) == 16 ? type::b16 : bits(t) == 32 ? type::b32 : type::b64;
  const std::size_t first = returns ? 1 : 0;
  const std::size_t needed = first + 2 + (c.is("op", "cas") ? 1 : 0);
  if (b.count() != needed) b.fail("operands are missing, or cache policies are not supported");
  access_form f = form_of(c, returns ? flow::kind::atomic : flow::kind::reduction);
  f.bytes = f.align = bits(t) / 8;
  const slot x = b.source(first + 1, as);
  const slot y = c.is("op", "cas") ? b.source(first + 2, as) : no_slot;
  const slot d = returns && !b.is_sink(0) ? b.result(0, as) : no_slot;
  step& s = add_access(b, runner(c.get("op"), t), f, first);
  s.d = d;
  s.b = x;
  s.c = y;
}
void build_atom(instruction_builder& b, const choice& c) {
  build(b, c, true);
}
void build_red(instruction_builder& b, const choice& c) {
  build(b, c, false);
}

#define WHERE                                                        \
  "sem:relaxed|acquire|release|acq_rel? scope:cta|cluster|gpu|sys? " \
  "space:global|shared|shared::cta|shared::cluster? "
#define WHERE_RED                                    \
  "sem:relaxed|release? scope:cta|cluster|gpu|sys? " \
  "space:global|shared|shared::cta|shared::cluster? "

const std::array table = {
    row{"atom", WHERE "op:add t:u32|s32|u64|f32|f64", "d, [a], b", nullptr, nullptr, build_atom},
    row{"atom", WHERE "op:add noftz t:f16|f16x2|bf16|bf16x2", "d, [a], b", nullptr, nullptr,
        build_atom},
    row{"atom", WHERE "op:min|max t:u32|s32|u64|s64", "d, [a], b", nullptr, nullptr, build_atom},
    row{"atom", WHERE "op:inc|dec t:u32", "d, [a], b", nullptr, nullptr, build_atom},
    row{"atom", WHERE "op:and|or|xor|exch t:b32|b64", "d, [a], b", nullptr, nullptr, build_atom},
    row{"atom", WHERE "op:cas t:b16|b32|b64", "d, [a], b, c", nullptr, nullptr, build_atom},
    row{"red", WHERE_RED "op:add t:u32|s32|u64|f32|f64", "[a], b", nullptr, nullptr, build_red},
    row{"red", WHERE_RED "op:add noftz t:f16|f16x2|bf16|bf16x2", "[a], b", nullptr, nullptr,
        build_red},
    row{"red", WHERE_RED "op:min|max t:u32|s32|u64|s64", "[a], b", nullptr, nullptr, build_red},
    row{"red", WHERE_RED "op:inc|dec t:u32", "[a], b", nullptr, nullptr, build_red},
    row{"red", WHERE_RED "op:and|or|xor t:b32|b64", "[a], b", nullptr, nullptr, build_red},
};

}  // namespace

rows atomic_rows() {
  return table;
}

}  // namespace ptxlab::machine
