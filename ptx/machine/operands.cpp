// SPDX-License-Identifier: Apache-2.0
// Operands of an instruction: where their values lie, and the steps that bring them there.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/machine/builder.hpp"
#include "ptx/machine/operations/widths.hpp"
#include "ptx/machine/specials.hpp"

namespace ptxlab::machine {

using ptx::operand_kind;

namespace {

unsigned storage_bits(type t) {
  return t == type::pred ? 32 : std::max(bits(t), 16U);
}

/// `name` or `name+12`.
std::pair<std::string_view, std::int64_t> split(std::string_view expression) {
  const std::size_t plus = expression.find('+');
  const auto trim = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  if (plus == std::string_view::npos) return {trim(expression), 0};
  const auto v = ptx::integer_value(trim(expression.substr(plus + 1)), false);
  if (!v) instruction_builder::fail(fmt::format("expression '{}' is not supported", expression));
  return {trim(expression.substr(0, plus)), *v};
}

}  // namespace

// --- sources -------------------------------------------------------------------------------------

slot instruction_builder::narrowed(slot from, unsigned from_bits, unsigned to_bits) {
  const slot to = temporary(to_bits / 8);
  step& s = add(extension(from_bits, to_bits, false));
  s.a = from;
  s.d = to;
  return to;
}

slot instruction_builder::source(const ptx::operand& o, type t, fit f) {
  switch (o.kind) {
    case operand_kind::reg:
      break;
    case operand_kind::special:
      return special(o, t, f);
    case operand_kind::integer:
    case operand_kind::floating:
      return literal(o, t);
    case operand_kind::symbol:
    case operand_kind::expression:
      return symbol(o, t);
    default:
      fail(fmt::format("'{}' cannot be read here", text(o)));
  }
  if (o.minus) fail("a minus in front of a register");
  if (text(o).rfind('.') != std::string_view::npos)
    fail(fmt::format("'{}': parts of registers are not supported", text(o)));
  const std::optional<type> declared = type_named(f_.f->register_type(o.value));
  if (!declared)
    fail(fmt::format("register {} has type '{}'", text(o), f_.f->register_type(o.value)));
  const slot at = f_.places.at[o.value];
  if ((t == type::pred) != (*declared == type::pred))
    fail(fmt::format("register {} is {}, not {}", text(o), name(*declared), name(t)));
  if (t == type::pred) {
    if (!o.negated) return at;
    const slot to = temporary(4);
    step& s = add(predicate_negation());
    s.a = at;
    s.d = to;
    return to;
  }
  if (o.negated) fail("'!' in front of a register that is no predicate");
  const unsigned have = storage_bits(*declared), want = storage_bits(t);
  if (have == want) return at;
  if (have < want || (f == fit::exact && bits(t) != 8))
    fail(fmt::format("register {} has {} bits where {} are read", text(o), have, want));
  return narrowed(at, have, want);
}

slot instruction_builder::literal(const ptx::operand& o, type t) {
  const unsigned width = storage_bits(t) / 8;
  if (o.kind == operand_kind::integer) {
    const auto v = ptx::integer_value(text(o), o.minus);
    if (!v) fail(fmt::format("'{}' is no 64-bit number", text(o)));
    if (t == type::pred) return p_.constant(4, *v != 0 ? 0xffffffff : 0);
    if (t == type::f32 || t == type::f64)
      fail(fmt::format("'{}' is an integer, where {} is read", text(o), name(t)));
    if (bits(t) > 64) fail("an immediate of 128 bits");
    return p_.constant(width, static_cast<std::uint64_t>(*v));
  }
  const auto v = ptx::floating_value(text(o), o.minus);
  if (!v) fail(fmt::format("'{}' is no number", text(o)));
  const unsigned b = bits(t);
  if (b == 32)
    return p_.constant(4, v->single ? v->bits
                                    : std::bit_cast<std::uint32_t>(
                                          static_cast<float>(std::bit_cast<double>(v->bits))));
  // Measured on an H200: ptxas 13.0 takes the bits of 0f... as the lower word of an f64.
  if (b == 64) return p_.constant(8, v->bits);
  fail(fmt::format("a floating-point literal where {} is read", name(t)));
}

slot instruction_builder::special(const ptx::operand& o, type t, fit) {
  const std::string_view spelled = text(o);
  const special_register* const s = special_named(spelled);
  if (s == nullptr) fail(fmt::format("special register {} is not supported", spelled));
  slot at = no_slot;
  if (s->read != nullptr) {
    at = temporary(s->bytes);
    step& read = add(s->read);
    read.d = at;
  } else {
    at = p_.special(spelled, s->bytes);
  }
  const unsigned have = s->bytes * 8, want = storage_bits(t);
  if (t == type::pred) fail(fmt::format("special register {} as a predicate", spelled));
  if (have == want) return at;
  if (have > want) return narrowed(at, have, want);
  const slot to = temporary(want / 8);
  step& x = add(extension(have, want, false));
  x.a = at;
  x.d = to;
  return to;
}

std::optional<std::uint64_t> instruction_builder::symbol_value(std::string_view name,
                                                               std::int64_t offset,
                                                               bool& is_local) {
  is_local = false;
  const auto plus = [&](std::uint64_t base) { return base + static_cast<std::uint64_t>(offset); };
  if (const auto it = f_.local_at.find(name); it != f_.local_at.end()) {
    is_local = true;
    return plus(it->second);
  }
  if (const auto it = f_.shared_at.find(name); it != f_.shared_at.end()) return plus(it->second);
  if (p_.shared_variables.contains(name)) return plus(p_.shared_offset(name));
  if (const auto a = p_.address_of(name)) return plus(*a);
  if (f_.entry)
    for (const ptx::parameter& q : f_.f->params)
      if (q.name == name) return plus(parameter_base + q.offset);
  if (const auto it = p_.function_number.find(name); it != p_.function_number.end()) {
    p_.routine(name);
    p_.out.recursive = true;  // whoever has its address may call it from anywhere
    return function_base + 16 * std::uint64_t{it->second};
  }
  return std::nullopt;
}

slot instruction_builder::symbol(const ptx::operand& o, type t) {
  if (text(o) == "WARP_SZ") return p_.constant(storage_bits(t) / 8, warp_lanes);
  if (bits(t) != 32 && bits(t) != 64) fail(fmt::format("an address in {} bits", bits(t)));
  const auto [name, offset] = split(text(o));
  bool is_local = false;
  const auto value = symbol_value(name, offset, is_local);
  if (!value) fail(fmt::format("'{}' is not known here", name));
  if (!is_local) return p_.constant(bits(t) / 8, *value);
  const slot to = temporary(bits(t) / 8);
  step& s = add(local_address(bits(t)));
  s.d = to;
  s.imm = static_cast<std::int64_t>(*value);
  return to;
}

// --- results -------------------------------------------------------------------------------------

slot instruction_builder::result(const ptx::operand& o, type t, fit f) {
  if (o.kind == operand_kind::sink) return temporary(storage_bits(t) / 8);
  if (o.kind != operand_kind::reg || o.negated || o.minus ||
      text(o).rfind('.') != std::string_view::npos)
    fail(fmt::format("'{}' cannot be written", text(o)));
  const std::optional<type> declared = type_named(f_.f->register_type(o.value));
  if (!declared)
    fail(fmt::format("register {} has type '{}'", text(o), f_.f->register_type(o.value)));
  if ((t == type::pred) != (*declared == type::pred))
    fail(fmt::format("register {} is {}, not {}", text(o), name(*declared), name(t)));
  const slot at = f_.places.at[o.value];
  if (t == type::pred) return at;
  const unsigned have = storage_bits(*declared), want = storage_bits(t);
  if (have == want) return at;
  if (have < want || f == fit::exact)
    fail(fmt::format("register {} has {} bits where {} are written", text(o), have, want));
  const slot from = temporary(want / 8);
  late_.push_back({from, at, t, have});
  return from;
}

// --- addresses -----------------------------------------------------------------------------------

address_operand instruction_builder::address(std::size_t i) {
  if (operand(i).kind != operand_kind::address)
    fail(fmt::format("'{}' is no address", text(operand(i))));
  address_operand out;
  bool first = true;
  for (const std::uint32_t c : children(i)) {
    const ptx::operand& o = at(c);
    if (!first && !o.after_plus) fail("an address of several parts");
    if (o.kind == operand_kind::integer) {
      const auto v = ptx::integer_value(text(o), o.minus);
      if (!v) fail(fmt::format("'{}' is no 64-bit number", text(o)));
      out.offset += *v;
    } else if (first && o.kind == operand_kind::reg) {
      const unsigned width = register_bits(o);
      if (width != 32 && width != 64) fail("an address register of neither 32 nor 64 bits");
      out.from = address_operand::base::in_register;
      out.at = f_.places.at[o.value];
      out.bytes = width / 8;
    } else if (first && o.kind == operand_kind::symbol) {
      const std::string_view name = text(o);
      if (const auto it = f_.params.find(name); it != f_.params.end()) {
        out.from = f_.entry && std::any_of(f_.f->params.begin(), f_.f->params.end(),
                                           [&](const auto& q) { return q.name == name; })
                       ? address_operand::base::kernel_parameter
                       : address_operand::base::parameter;
        out.offset += it->second.offset;
      } else {
        bool is_local = false;
        const auto value = symbol_value(name, 0, is_local);
        if (!value) fail(fmt::format("'{}' is not known here", name));
        if (is_local) out.from = address_operand::base::local;
        if (f_.shared_at.contains(name) || p_.shared_variables.contains(name))
          out.from = address_operand::base::shared;
        out.offset += static_cast<std::int64_t>(*value);
      }
    } else {
      fail(fmt::format("'{}' in an address", text(o)));
    }
    first = false;
  }
  return out;
}

}  // namespace ptxlab::machine
