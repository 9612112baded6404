// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/origin.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace ptxlab::ptx {
namespace {

/// A place in memory: an object and, where it is a constant, the distance from its start.
struct origin {
  std::string base;                    ///< empty: says nothing (a constant, or the pointer itself)
  std::optional<std::int64_t> offset;  ///< empty: varies

  bool found() const { return !base.empty(); }
  bool unknown() const { return base == "?"; }
  void move(std::optional<std::int64_t> by) {
    std::int64_t moved = 0;
    const bool known = offset && by && !__builtin_add_overflow(*offset, *by, &moved);
    offset = known ? std::optional(moved) : std::nullopt;
  }
};

const origin unknown{"?", std::nullopt};
constexpr std::size_t most_registers = 64;

class search {
 public:
  search(const module& m, const function& f, const flow::code& c, const flow::definitions& d)
      : m_(m), f_(f), c_(c), d_(d) {}

  /// `[base]`, `[base+4]`, `[base, {...}]`.
  origin of_address(std::uint32_t address) {
    if (f_.operands[address].children == 0) return {};
    origin out = of_operand(address + 1);
    const std::uint32_t second = address + 2 + f_.operands[address + 1].children;
    if (out.found() && second <= address + f_.operands[address].children &&
        f_.operands[second].after_plus)
      out.move(constant(f_.operands[second]));
    return out;
  }

 private:
  std::optional<std::int64_t> constant(const operand& o) const {
    if (o.kind != operand_kind::integer) return std::nullopt;
    return integer_value(m_.text(o), o.minus);
  }

  origin of_operand(std::uint32_t index) {
    const operand& x = f_.operands[index];
    if (x.kind == operand_kind::reg) return of_register(x.value);
    if (x.kind != operand_kind::symbol) return x.kind == operand_kind::integer ? origin{} : unknown;
    const std::string_view name = m_.text(x);
    for (const parameter& p : f_.params)
      if (p.name == name) return {fmt::format("param+{}", p.offset), 0};
    return {std::string(name), 0};
  }

  /// All definitions of the register must agree on the object.
  origin of_register(flow::reg r) {
    if (on_path_.contains(r)) return {};  // a pointer stepped around a loop
    if (visited_++ > most_registers) return unknown;
    on_path_.insert(r);
    origin out;
    bool several = false;
    for (const std::uint32_t def : d_.of(r)) {
      if (c_.ops[def].where == nothing) continue;
      const origin one = of_definition(f_.instructions[c_.ops[def].where]);
      several = several || d_.of(r).size() > 1;
      if (!one.found()) continue;
      if (one.unknown() || (out.found() && out.base != one.base)) {
        on_path_.erase(r);
        return unknown;
      }
      if (out.found() && out.offset != one.offset) several = true;
      if (!out.found()) out = one;
    }
    on_path_.erase(r);
    if (several) out.offset.reset();
    return out;
  }

  origin of_definition(const instruction& in) {
    const opcode& op = m_.op(in);
    if (op.base == "ld") return op.memory == flow::space::param ? of_parameter(in) : unknown;
    const bool adds = op.base == "add" || op.base == "sub", selects = op.base == "selp";
    if (!adds && !selects && op.base != "mov" && op.base != "cvta") return unknown;
    origin out;
    std::optional<std::int64_t> moved = 0;
    bool itself = false, lost = false;
    std::uint32_t position = 0;
    for_each_operand(f_, in, [&](std::uint32_t index) {
      const std::uint32_t at = position++;
      if (at == 0 || (selects && at == 3)) return;
      const origin one = of_operand(index);
      if (one.found() && !one.unknown()) {
        if (out.found() && out.base != one.base) out = unknown;
        if (!out.found()) out = one;
        return;
      }
      itself |= !one.found() && f_.operands[index].kind == operand_kind::reg;
      lost |= one.unknown();
      if (!adds) return;
      const auto value = constant(f_.operands[index]);
      std::int64_t by = 0;  // the other way round, for sub
      const bool known = value && !__builtin_sub_overflow(0, *value, &by);
      moved = known ? std::optional(op.base == "sub" ? by : *value) : std::nullopt;
    });
    // What is added to a pointer need not be known; what is taken instead of it must be.
    if (lost && (!adds || (!out.found() && !itself))) return unknown;
    if (out.found() && adds) out.move(moved);
    if (op.base == "selp") out.offset.reset();
    return out;
  }

  /// ld.param [name+8]: the value of the parameter at name's offset + 8 is a pointer.
  origin of_parameter(const instruction& in) {
    origin out = unknown;
    for_each_operand(f_, in, [&](std::uint32_t index) {
      if (f_.operands[index].kind != operand_kind::address || f_.operands[index].children == 0)
        return;
      for (const parameter& p : f_.params) {
        if (p.name != m_.text(f_.operands[index + 1])) continue;
        std::int64_t at = p.offset;
        if (f_.operands[index].children > 1 &&
            __builtin_add_overflow(at, constant(f_.operands[index + 2]).value_or(0), &at))
          return;
        out = {fmt::format("param+{}", at), 0};
      }
    });
    return out;
  }

  const module& m_;
  const function& f_;
  const flow::code& c_;
  const flow::definitions& d_;
  std::set<flow::reg> on_path_;
  std::size_t visited_ = 0;
};

}  // namespace

std::string address_origin(const module& m, const function& f, const flow::code& c,
                           const flow::definitions& d, std::uint32_t op) {
  if (c.ops[op].where == nothing) return "?";
  const instruction& in = f.instructions[c.ops[op].where];
  origin out;
  for_each_operand(f, in, [&](std::uint32_t index) {
    if (!out.found() && f.operands[index].kind == operand_kind::address)
      out = search(m, f, c, d).of_address(index);
  });
  if (!out.found() || out.base == "?") return "?";
  if (!out.offset) return out.base + "[]";
  return *out.offset == 0 ? out.base : fmt::format("{}{:+}", out.base, *out.offset);
}

}  // namespace ptxlab::ptx
