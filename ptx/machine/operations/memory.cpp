// SPDX-License-Identifier: Apache-2.0
// Loads and stores: PTX ISA 9.0, "Data Movement and Conversion Instructions": ld, ld.global.nc, st,
// and what only concerns caches, which the machine does not have.
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

/// Elements of memory type M into registers of R, the list's in order.
template <class M, class R>
void load(const step& s, context& c) {
  resolved r;
  resolve(s, c, r);
  const auto& to = c.in->code().lists[r.form->list].slots;
  if (sizeof(M) == sizeof(R) && in_a_row(c, r)) {
    std::memcpy(c.at<R>(to[0]), r.host[0], sizeof(R) * warp_lanes);
    return tell(s, c, r, nullptr);
  }
  for (std::size_t k = 0; k < to.size(); ++k) {
    R* const d = c.at<R>(to[k]);
    each_active(c, [&](unsigned i) {
      M v;
      std::memcpy(&v, r.host[i] + k * sizeof(M), sizeof(M));
      d[i] = static_cast<R>(v);
    });
  }
  tell(s, c, r, nullptr);
}

template <class M, class R>
void store(const step& s, context& c) {
  resolved r;
  resolve(s, c, r);
  grid& g = c.in->in().in();
  const auto& from = c.in->code().lists[r.form->list].slots;
  bool changed = false;
  const bool row = sizeof(M) == sizeof(R) && in_a_row(c, r);
  if (row) {
    const R* const a = c.at<R>(from[0]);
    changed = std::memcmp(r.host[0], a, sizeof(R) * warp_lanes) != 0;
    std::memcpy(r.host[0], a, sizeof(R) * warp_lanes);
  }
  for (std::size_t k = 0; k < from.size() && !row; ++k) {
    const R* const a = c.at<R>(from[k]);
    each_active(c, [&](unsigned i) {
      const auto v = static_cast<M>(a[i]);
      M old;
      std::memcpy(&old, r.host[i] + k * sizeof(M), sizeof(M));
      changed |= old != v;
      std::memcpy(r.host[i] + k * sizeof(M), &v, sizeof(M));
    });
  }
  if (changed) r.form->space == flow::space::local ? c.in->touch() : g.changed();
  if (!g.watched()) return;
  // In PTX's order, lane after lane, for those who compare what lanes wrote.
  alignas(16) std::byte data[warp_lanes * 128];
  const std::size_t each = from.size() * sizeof(M);
  each_active(c, [&](unsigned i) { std::memcpy(data + i * each, r.host[i], each); });
  for (std::size_t k = 0; k < from.size(); ++k) {
    const R* const a = c.at<R>(from[k]);
    each_active(c, [&](unsigned i) {
      const auto v = static_cast<M>(a[i]);
      std::memcpy(data + i * each + k * sizeof(M), &v, sizeof(M));
    });
  }
  tell(s, c, r, data);
}

/// Kernel parameters: the same for all lanes. imm: offset in the parameter space.
template <class M, class R>
void load_parameter(const step& s, context& c) {
  const std::byte* from = c.in->in().in().parameters() + s.imm;
  for (const slot to : c.in->code().lists[s.aux].slots) {
    M v;
    std::memcpy(&v, from, sizeof(M));
    from += sizeof(M);
    R* const d = c.at<R>(to);
    each_active(c, [&](unsigned i) { d[i] = static_cast<R>(v); });
  }
}

/// The activation's own parameter bytes, lane after lane: b is where they lie, e their size per
/// lane (in bytes, not a slot), imm the offset.
template <class M, class R>
void load_activation(const step& s, context& c) {
  const std::byte* const base = c.at<std::byte>(s.b) + s.imm;
  std::size_t k = 0;
  for (const slot to : c.in->code().lists[s.aux].slots) {
    R* const d = c.at<R>(to);
    each_active(c, [&](unsigned i) {
      M v;
      std::memcpy(&v, base + std::size_t{i} * s.e + k, sizeof(M));
      d[i] = static_cast<R>(v);
    });
    k += sizeof(M);
  }
}
template <class M, class R>
void store_activation(const step& s, context& c) {
  std::byte* const base = c.at<std::byte>(s.b) + s.imm;
  std::size_t k = 0;
  for (const slot from : c.in->code().lists[s.aux].slots) {
    const R* const a = c.at<R>(from);
    each_active(c, [&](unsigned i) {
      const auto v = static_cast<M>(a[i]);
      std::memcpy(base + std::size_t{i} * s.e + k, &v, sizeof(M));
    });
    k += sizeof(M);
  }
}

enum class way : std::uint8_t { load, store, load_parameter, load_activation, store_activation };

template <class M, class R>
run_function runner(way w) {
  switch (w) {
    case way::load:
      return load<M, R>;
    case way::store:
      return store<M, R>;
    case way::load_parameter:
      return load_parameter<M, R>;
    case way::load_activation:
      return load_activation<M, R>;
    case way::store_activation:
      return store_activation<M, R>;
  }
  return nullptr;
}
template <class M>
run_function runner(way w, unsigned register_bits) {
  if (register_bits <= 16) return runner<M, std::uint16_t>(w);
  if (register_bits == 32) return runner<M, std::uint32_t>(w);
  return runner<M, std::uint64_t>(w);
}
run_function runner(way w, type t, unsigned register_bits) {
  switch (bits(t)) {
    case 8:
      return is_signed(t) ? runner<std::int8_t>(w, register_bits)
                          : runner<std::uint8_t>(w, register_bits);
    case 16:
      return is_signed(t) ? runner<std::int16_t>(w, register_bits)
                          : runner<std::uint16_t>(w, register_bits);
    case 32:
      return is_signed(t) ? runner<std::int32_t>(w, register_bits)
                          : runner<std::uint32_t>(w, register_bits);
    case 64:
      return runner<std::uint64_t>(w, register_bits);
    default:
      return nullptr;
  }
}

/// The registers of operand i, one or a vector: their slots, and the width they all have.
std::vector<slot> registers(instruction_builder& b, std::size_t i, const choice& c, type t,
                            bool results, unsigned& width) {
  std::vector<std::uint32_t> parts;
  const unsigned wanted = c.has("vec") ? static_cast<unsigned>(c.get("vec")[1] - '0') : 1;
  const bool vector = b.operand(i).kind == ptx::operand_kind::vector;
  if (vector) parts = b.children(i);
  if ((wanted != 1) != vector || (vector && parts.size() != wanted))
    b.fail("the operand does not have as many registers as the instruction says");
  std::vector<slot> out;
  width = std::max(bits(t), 16U);
  const auto add = [&](const ptx::operand& o) {
    const unsigned own = std::max(b.register_bits(o), 16U);
    if (b.register_bits(o) != 0) width = std::max(width, own);
  };
  if (vector)
    for (const std::uint32_t p : parts) add(b.at(p));
  else
    add(b.operand(i));
  const type as = width == 16 ? type::b16 : width == 32 ? type::b32 : type::b64;
  const auto place = [&](const ptx::operand& o) {
    out.push_back(results ? b.result(o, as) : b.source(o, as));
  };
  if (vector)
    for (const std::uint32_t p : parts) place(b.at(p));
  else
    place(b.operand(i));
  return out;
}

void build_access(instruction_builder& b, const choice& c, bool loads) {
  const type t = c.type("t");
  if (bits(t) > 64) b.fail("accesses of 128-bit elements");
  const std::size_t value = loads ? 0 : 1, where = loads ? 1 : 0;
  if (b.count() < 2) b.fail("two operands are expected");
  if (b.count() > 2) b.fail("cache policies are not supported");
  unsigned width = 0;
  std::vector<slot> slots = registers(b, value, c, t, loads, width);
  access_form f = form_of(c, loads ? flow::kind::load : flow::kind::store);
  f.bytes = bits(t) / 8;
  f.elements = static_cast<std::uint32_t>(slots.size());
  f.align = f.bytes * f.elements;
  f.list = b.list(std::move(slots));
  const address_operand a = b.address(where);
  if (a.from == address_operand::base::parameter) {
    step& s = b.add(runner(loads ? way::load_activation : way::store_activation, t, width));
    s.b = b.function().param_slot;
    s.e = b.function().param_bytes;
    s.imm = a.offset;
    s.aux = f.list;
    return;
  }
  if (f.space == flow::space::param && a.from == address_operand::base::kernel_parameter && loads) {
    if (a.offset < 0 || a.offset + f.align > parameter_space_bytes) b.fail("beyond the parameters");
    step& s = b.add(runner(way::load_parameter, t, width));
    s.imm = a.offset;
    s.aux = f.list;
    return;
  }
  if (f.space == flow::space::param && !b.in_kernel() &&
      a.from != address_operand::base::in_register)
    b.fail("an unknown parameter");
  add_access(b, runner(loads ? way::load : way::store, t, width), f, where);
}
void build_ld(instruction_builder& b, const choice& c) {
  build_access(b, c, true);
}
void build_st(instruction_builder& b, const choice& c) {
  build_access(b, c, false);
}

void nothing_to_do(const step&, context&) {}
void build_hint(instruction_builder& b, const choice&) {
  b.add(nothing_to_do);
}

#define TYPES "t:b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
#define HINTS                                                                                   \
  "evict:L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate? " \
  "prefetch:L2::64B|L2::128B|L2::256B? "
#define SPACES "space:global|shared|local|shared::cta|shared::cluster"

const std::array table = {
    row{"ld",
        "sem:weak|volatile? space:global|shared|local|const|param|shared::cta|"
        "shared::cluster|param::entry|param::func? cache:ca|cg|cs|lu|cv? " HINTS
        "vec:v2|v4|v8? " TYPES,
        "d, [a]", nullptr, nullptr, build_ld},
    row{"ld",
        "sem:relaxed|acquire scope:cta|cluster|gpu|sys " SPACES "? " HINTS "vec:v2|v4|v8? " TYPES,
        "d, [a]", nullptr, nullptr, build_ld},
    row{"ld", "space:global cache:ca|cg|cs? nc " HINTS "vec:v2|v4|v8? " TYPES, "d, [a]", nullptr,
        nullptr, build_ld},
    row{"ldu", "space:global vec:v2|v4? " TYPES, "d, [a]", nullptr, nullptr, build_ld},
    row{"st",
        "sem:weak|volatile? space:global|shared|local|param|shared::cta|shared::cluster|"
        "param::func? cache:wb|cg|cs|wt? " HINTS "vec:v2|v4|v8? " TYPES,
        "[a], b", nullptr, nullptr, build_st},
    row{"st",
        "sem:relaxed|release scope:cta|cluster|gpu|sys " SPACES "? " HINTS "vec:v2|v4|v8? " TYPES,
        "[a], b", nullptr, nullptr, build_st},
    row{"prefetch", "space:global|local? level:L1|L2|L2::evict_last|L2::evict_normal", "[a]",
        nullptr, nullptr, build_hint, "does nothing"},
    row{"prefetchu", "level:L1", "[a]", nullptr, nullptr, build_hint, "does nothing"},
    row{"discard", "space:global? level:L2", "[a], n", nullptr, nullptr, build_hint,
        "does nothing"},
    row{"applypriority", "space:global? level:L2::evict_normal", "[a], n", nullptr, nullptr,
        build_hint, "does nothing"},
};

}  // namespace

rows memory_rows() {
  return table;
}

}  // namespace ptxlab::machine
