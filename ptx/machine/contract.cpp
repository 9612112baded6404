// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx/flow/graph.hpp"
#include "ptx/text/lower.hpp"
#include "ptx/text/printer.hpp"

namespace ptxlab::machine {
namespace {

/// A floating type, and that of a register which holds one.
struct floating_type {
  std::string_view name, holder;
};
constexpr std::array<floating_type, 6> floating_types = {{{"f32", "f32"},
                                                          {"f64", "f64"},
                                                          {"f16", "b16"},
                                                          {"f16x2", "b32"},
                                                          {"bf16", "b16"},
                                                          {"bf16x2", "b32"}}};

/// What a mul, add or sub without a rounding modifier computes in.
struct bare_arithmetic {
  const floating_type* type = nullptr;
  bool ftz = false, sat = false;
};

std::optional<bare_arithmetic> bare(const ptx::opcode& op) {
  bare_arithmetic out;
  for (const std::string_view word : op.modifiers) {
    const auto* const t = std::find_if(floating_types.begin(), floating_types.end(),
                                       [&](const floating_type& f) { return f.name == word; });
    if (t != floating_types.end() && out.type == nullptr)
      out.type = t;
    else if (word == "ftz")
      out.ftz = true;
    else if (word == "sat")
      out.sat = true;
    else
      return std::nullopt;
  }
  if (out.type == nullptr) return std::nullopt;
  return out;
}

/// A product that still holds: its factors are what they were.
struct product {
  std::uint32_t a = 0, b = 0;  // operands
  bare_arithmetic how;
};

class fuser {
 public:
  fuser(const ptx::module& m, fused_product of_two) : m_(m), of_two_(of_two) {
    while (m.source->find(prefix_) != std::string::npos) prefix_ += '_';
  }

  contraction run() {
    for (const ptx::function& f : m_.functions)
      if (f.has_body) function(f);
    out_.ptx = *m_.source;
    std::sort(changes_.begin(), changes_.end(),
              [](const change& x, const change& y) { return x.begin > y.begin; });
    for (const change& c : changes_) out_.ptx.replace(c.begin, c.end - c.begin, c.text);
    return std::move(out_);
  }

 private:
  struct change {
    std::size_t begin = 0, end = 0;  // in the text
    std::string text;
  };

  void function(const ptx::function& f) {
    const flow::code code = ptx::lower(m_, f);
    const flow::graph g(code);
    std::vector<std::uint32_t> uses(code.reg_count);
    for (const flow::op& o : code.ops)
      for (const flow::reg r : code.reads(o)) ++uses[r];
    for (std::uint32_t b = 0; b < g.size(); ++b) {
      products_.clear();
      for (std::uint32_t i = g[b].begin; i < g[b].end; ++i) {
        const flow::op& o = code.ops[i];
        if (o.where >= f.instructions.size()) continue;
        const ptx::instruction& in = f.instructions[o.where];
        const std::optional<product> made = product_of(f, in);
        if (!made) sum(f, in, uses);
        for (const flow::reg r : code.writes(o)) written(f, r);
        if (made) remember(f, in, *made);
      }
    }
  }

  /// The operands of an unguarded operation of three, the result a register.
  static std::optional<std::array<std::uint32_t, 3>> operands(const ptx::function& f,
                                                              const ptx::instruction& in) {
    if (in.guard != ptx::nothing || in.operands != 3) return std::nullopt;
    const std::uint32_t d = in.first_operand;
    if (f.operands[d].kind != ptx::operand_kind::reg) return std::nullopt;
    return std::array{d, d + 1, d + 2};
  }

  std::optional<product> product_of(const ptx::function& f, const ptx::instruction& in) const {
    const ptx::opcode& op = m_.op(in);
    if (op.base != "mul") return std::nullopt;
    const auto how = bare(op);
    const auto o = operands(f, in);
    if (!how || how->sat || !o) return std::nullopt;
    return product{(*o)[1], (*o)[2], *how};
  }

  static bool is(const ptx::function& f, std::uint32_t operand, flow::reg r) {
    return f.operands[operand].kind == ptx::operand_kind::reg && f.operands[operand].value == r;
  }
  void written(const ptx::function& f, flow::reg r) {
    products_.erase(r);
    std::erase_if(products_,
                  [&](const auto& p) { return is(f, p.second.a, r) || is(f, p.second.b, r); });
  }
  void remember(const ptx::function& f, const ptx::instruction& in, const product& p) {
    const flow::reg d = f.operands[in.first_operand].value;
    if (!is(f, p.a, d) && !is(f, p.b, d)) products_[d] = p;
  }

  void sum(const ptx::function& f, const ptx::instruction& in,
           const std::vector<std::uint32_t>& uses) {
    const ptx::opcode& op = m_.op(in);
    if (op.base != "add" && op.base != "sub") return;
    const auto how = bare(op);
    const auto o = operands(f, in);
    if (!how || !o) return;
    const auto product_in = [&](std::uint32_t operand) -> const product* {
      const ptx::operand& x = f.operands[operand];
      if (x.kind != ptx::operand_kind::reg || uses[x.value] != 1) return nullptr;
      const auto it = products_.find(x.value);
      if (it == products_.end() || it->second.how.type != how->type ||
          it->second.how.ftz != how->ftz)
        return nullptr;
      return &it->second;
    };
    const product *first = product_in((*o)[1]), *second = product_in((*o)[2]);
    if (first == nullptr && second == nullptr) return;
    out_.two_ways = out_.two_ways || (first != nullptr && second != nullptr);
    const bool takes_second =
        first == nullptr || (second != nullptr && of_two_ == fused_product::second);
    fuse(f, in, *how, takes_second ? *second : *first, (*o)[0], (*o)[takes_second ? 1 : 2],
         takes_second);
  }

  /// The sum's instruction becomes an fma; what a sub subtracts is negated first.
  void fuse(const ptx::function& f, const ptx::instruction& in, const bare_arithmetic& how,
            const product& p, std::uint32_t d, std::uint32_t addend, bool product_is_second) {
    const auto text = [&](std::uint32_t o) { return ptx::print_operand(m_, f, o); };
    std::string a = text(p.a), c = text(addend), before;
    if (m_.op(in).base == "sub") {
      std::string& negated = product_is_second ? a : c;
      const std::string fresh = fmt::format("{}{}", prefix_, changes_.size());
      before = fmt::format(".reg .{} {}; neg.{} {}, {}; ", how.type->holder, fresh, how.type->name,
                           fresh, negated);
      negated = fresh;
    }
    const ptx::operand& first = f.operands[d];
    const std::string_view opcode = m_.op(in).text;
    const std::size_t begin = m_.source->rfind(opcode, first.text);
    const std::size_t end = m_.source->find(';', first.text);
    if (begin == std::string::npos || end == std::string::npos) return;
    changes_.push_back(
        {begin, end,
         fmt::format("{}fma.rn{}{}.{} {}, {}, {}, {}", before, how.ftz ? ".ftz" : "",
                     how.sat ? ".sat" : "", how.type->name, text(d), a, text(p.b), c)});
    ++out_.fused;
  }

  const ptx::module& m_;
  const fused_product of_two_;
  std::string prefix_ = "%negated";
  std::unordered_map<flow::reg, product> products_;  // of the block so far, by register
  std::vector<change> changes_;
  contraction out_;
};

}  // namespace

contraction contract(const ptx::module& m, fused_product of_two) {
  return fuser(m, of_two).run();
}

}  // namespace ptxlab::machine
