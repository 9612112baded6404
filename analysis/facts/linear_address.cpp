// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/linear_address.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "ptx/flow/data_flow.hpp"

namespace ptxlab::facts {
namespace {

using ptx::operand_kind;

constexpr int deepest = 32;

/// a + times * b.
linear_address sum(linear_address a, const linear_address& b, std::int64_t times) {
  a.known &= b.known;
  if (!b.variable.empty()) {
    a.known &= a.variable.empty() && times == 1;
    a.variable = b.variable;
  }
  for (const auto& [name, t] : b.terms) {
    auto& mine = a.terms[name];
    mine.bytes += times * t.bytes;
    mine.lane |= t.lane;
    if (mine.bytes == 0) a.terms.erase(name);
  }
  a.offset += times * b.offset;
  return a;
}

std::optional<std::int64_t> constant(const linear_address& a) {
  if (!a.known || !a.variable.empty() || !a.terms.empty()) return std::nullopt;
  return a.offset;
}

linear_address number(std::int64_t n) {
  linear_address out;
  out.known = true;
  out.offset = n;
  return out;
}

class evaluator {
 public:
  evaluator(const ptx::module& m, const ptx::function& f, const stage_function& code)
      : m_(m), f_(f), code_(code), all_(code.code, code.graph, code.definitions) {}

  linear_address of_access(std::uint32_t op) {
    linear_address out;
    const std::uint32_t where = code_.code.ops[op].where;
    if (where == ptx::nothing) return out;
    ptx::for_each_operand(f_, f_.instructions[where], [&](std::uint32_t o) {
      if (out.known || f_.operands[o].kind != operand_kind::address) return;
      out = number(0);
      ptx::for_each_child(f_.operands, o,
                          [&](std::uint32_t c) { out = sum(out, operand(c, 0), 1); });
    });
    return out;
  }

 private:
  linear_address operand(std::uint32_t index, int depth) {
    const ptx::operand& x = f_.operands[index];
    switch (x.kind) {
      case operand_kind::reg:
        return of_register(x.value, depth);
      case operand_kind::integer:
        if (const auto v = ptx::integer_value(m_.text(x), x.minus)) return number(*v);
        return {};
      case operand_kind::special: {
        const std::string_view name = m_.text(x);
        const bool lane = name.starts_with("%tid") || name.starts_with("%lane");
        return leaf(std::string(name), lane);
      }
      case operand_kind::symbol: {
        linear_address out = number(0);
        out.variable = m_.text(x);
        return out;
      }
      default:
        return {};
    }
  }

  static linear_address leaf(std::string name, bool lane) {
    linear_address out = number(0);
    out.terms[std::move(name)] = {1, lane};
    return out;
  }

  /// A register that is written once is what that instruction makes of it; one that is written
  /// twice (a loop's variable) could be anything.
  linear_address of_register(flow::reg r, int depth) {
    const auto defs = code_.definitions.of(r);
    if (defs.size() != 1 || depth > deepest) return {};
    const flow::op& o = code_.code.ops[defs[0]];
    if (o.where == ptx::nothing || o.guarded || code_.graph.block_of(defs[0]) == flow::nowhere)
      return {};
    const linear_address v = of_instruction(f_.instructions[o.where], depth + 1);
    if (v.known) return v;
    const bool lane = o.lane_dependent ||
                      flow::backward_slice(code_.code, code_.graph, all_, defs[0]).lane_dependent;
    return leaf(fmt::format("r{}", r), lane);
  }

  linear_address of_instruction(const ptx::instruction& in, int depth) {
    const ptx::opcode& op = m_.op(in);
    std::vector<std::uint32_t> x;
    ptx::for_each_operand(f_, in, [&](std::uint32_t o) { x.push_back(o); });
    const auto source = [&](std::size_t n) {
      return n < x.size() ? operand(x[n], depth) : linear_address{};
    };
    if (op.has("cc") || op.has("sat") || op.has("hi")) return {};
    if (!op.modifiers.empty() && op.modifiers.back().starts_with("f")) return {};
    const bool two = x.size() == 2;
    if (two && (op.base == "mov" || op.base == "cvta" || op.base == "cvt")) return source(1);
    if (op.base == "add") return sum(source(1), source(2), 1);
    if (op.base == "sub") return sum(source(1), source(2), -1);
    if (op.base == "shl") {
      const auto by = constant(source(2));
      return by && *by >= 0 && *by < 31 ? scaled(source(1), std::int64_t{1} << *by)
                                        : linear_address{};
    }
    if (op.base == "mul") return product(source(1), source(2));
    if (op.base == "mad") return sum(product(source(1), source(2)), source(3), 1);
    return {};
  }

  static linear_address scaled(const linear_address& a, std::int64_t by) {
    return sum(number(0), a, by);
  }
  static linear_address product(const linear_address& a, const linear_address& b) {
    if (const auto n = constant(b)) return scaled(a, *n);
    if (const auto n = constant(a)) return scaled(b, *n);
    return {};
  }

  const ptx::module& m_;
  const ptx::function& f_;
  const stage_function& code_;
  flow::region all_;
};

}  // namespace

linear_address address_of(const ptx::module& m, const ptx::function& f, const stage_function& code,
                          std::uint32_t op) {
  return evaluator(m, f, code).of_access(op);
}

}  // namespace ptxlab::facts
