// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "analysis/sass/decode.hpp"
#include "ptx/flow/data_flow.hpp"

namespace ptxlab::sass {
namespace {

using flow::nowhere;

enum class origin : std::uint8_t { unknown, constant, param, symbol, circular };

/// A sum: one base, a constant, and perhaps something that varies.
struct value {
  origin base = origin::unknown;
  std::int64_t offset = 0;  ///< of a constant: the constant
  std::uint32_t param = 0;
  std::string symbol;
  bool varies = false;
};

int arch_number(const module& m) {
  int n = 0;
  if (m.arch.starts_with("sm_"))
    std::from_chars(m.arch.data() + 3, m.arch.data() + m.arch.size(), n);
  return n;
}

// Nonsense in a dump may be as large as 64 bits are: sums and products wrap.
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

value sum(const value& a, const value& b) {
  const auto loose = [](const value& v) {
    return v.base == origin::unknown || v.base == origin::constant;
  };
  if (!loose(a) && !loose(b)) return {};
  value out = loose(a) ? b : a;
  const value& other = loose(a) ? a : b;
  if (other.base == origin::unknown) out.varies = true;
  if (out.base == origin::unknown) return {};
  out.offset = wrapping_sum(out.offset, other.offset);
  out.varies |= other.varies;
  return out;
}

value merge(const value& a, const value& b) {
  if (a.base == origin::circular || b.base == origin::circular) {
    value out = a.base == origin::circular ? b : a;
    const value& around = a.base == origin::circular ? a : b;
    out.varies |= around.offset != 0 || around.varies;
    return out;
  }
  if (a.base != b.base || a.param != b.param || a.symbol != b.symbol) return {};
  value out = a;
  out.varies |= b.varies || a.offset != b.offset;
  return out;
}

}  // namespace

class origins::tracer {
 public:
  tracer(const module& m, const function& f, const flow::code& c, const flow::graph& g)
      : module_(m),
        function_(f),
        code_(c),
        graph_(g),
        definitions_(c),
        all_(c, g, definitions_, &effort_) {
    const int arch = arch_number(m);
    param_base_ = f.param_base.value_or(arch >= 100 ? 0x380 : arch >= 90 ? 0x210 : 0x160);
    shared_base_ = arch >= 90 ? 0x400 : 0;  // sm_90 and later reserve the first KiB
  }

  std::string name(std::uint32_t at) {
    if (at >= code_.ops.size() || graph_.block_of(at) == nowhere) return "?";
    const instruction& i = function_.instructions[at];
    operand_list storage;
    const operand* memory = nullptr;
    for (const operand& o : parse_operands(module_.operands(i), storage))
      if (o.kind == operand_kind::memory && memory == nullptr) memory = &o;
    if (memory == nullptr) return "?";
    value v{origin::constant, memory->value, 0, {}, false};
    looked_at_ = 0;
    for (int n = 0; n < memory->parts; ++n) v = sum(v, of_register(at, memory->address[n], 0, 0));
    return spelled(v, code_.ops[at].memory);
  }

 private:
  std::string spelled(const value& v, flow::space where) const {
    std::string out;
    std::int64_t offset = v.offset;
    switch (v.base) {
      case origin::param:
        out = fmt::format("param+{}", v.param);
        break;
      case origin::symbol:
        out = v.symbol;
        break;
      case origin::constant:
        if (where != flow::space::shared && where != flow::space::local) return "?";
        if (where == flow::space::shared && offset >= shared_base_) offset -= shared_base_;
        return fmt::format("{}+{}{}", flow::name(where), offset, v.varies ? "[]" : "");
      default:
        return "?";
    }
    if (v.varies) return out + "[]";
    return offset == 0 ? out : fmt::format("{}{:+}", out, offset);
  }

  // The value of `r` (its `half`-th register) as operation `at` reads it.
  value of_register(std::uint32_t at, const register_use& r, unsigned half, int depth) {
    if (r.zero) return {origin::constant, 0, 0, {}, false};
    if (r.altered || r.is_predicate() || depth > max_depth || ++looked_at_ > max_looks) return {};
    const register_id wanted = static_cast<register_id>(r.id() + half);
    decode(module_, function_.instructions[at], scratch_);
    const auto it = std::find(scratch_.reads.begin(), scratch_.reads.end(), wanted);
    if (it == scratch_.reads.end() || code_.ops[at].what == flow::kind::call) return {};
    const flow::reg reg =
        code_.reads(code_.ops[at])[static_cast<std::size_t>(it - scratch_.reads.begin())];
    const auto defs = all_.at(at, reg);
    if (defs.ops.empty() || defs.from_outside || effort_.spent()) return {};
    std::optional<value> out;
    for (const std::uint32_t d : defs.ops) {
      const value v = of_definition(d, reg, depth + 1);
      out = out ? merge(*out, v) : v;
      if (out->base == origin::unknown) return {};
    }
    return *out;
  }

  value of_definition(std::uint32_t d, flow::reg reg, int depth) {
    if (!active_.insert({d, reg}).second) return {origin::circular, 0, 0, {}, false};
    const auto writes = code_.writes(code_.ops[d]);
    const auto half =
        static_cast<unsigned>(std::find(writes.begin(), writes.end(), reg) - writes.begin());
    const value v = evaluate(d, half, depth);
    active_.erase({d, reg});
    return v;
  }

  value evaluate(std::uint32_t d, unsigned half, int depth) {
    const instruction& i = function_.instructions[d];
    const opcode& code = module_.code_of(i);
    operand_list storage;
    const auto operands = parse_operands(module_.operands(i), storage);
    std::size_t first = 1;  // of the sources
    while (first < operands.size() && operands[first].kind == operand_kind::reg &&
           operands[first].reg.is_predicate())
      ++first;
    const auto source = [&](std::size_t n, unsigned part) {
      return first + n < operands.size() ? of_operand(d, operands[first + n], part, depth)
                                         : value{};
    };
    const std::string_view base = code.base;
    if (base == "LDC" || base == "ULDC" || base == "LDCU" || base == "MOV" || base == "UMOV")
      return source(0, half);
    if (base == "R2UR") return source(0, 0);
    if (base == "S2UR" || base == "S2R")  // the block's rank selects the window of its cluster
      return operands.back().text == "SR_CgaCtaId" ? value{origin::constant, 0, 0, {}, false}
                                                   : value{};
    if (base == "HFMA2" || base == "CS2R") {
      decode(module_, i, scratch_);
      if (!scratch_.op.has_immediate) return {};
      return {origin::constant, scratch_.op.immediate, 0, {}, false};
    }
    if (half != 0 || code.has("X") || code.has("HI")) return {};
    return arithmetic(code, operands.size() - first, source);
  }

  // The low half of a sum of products.
  template <typename F>
  value arithmetic(const opcode& code, std::size_t sources, F source) {
    const std::string_view base = code.base;
    if (base == "IADD3" || base == "UIADD3" || base == "IADD" || base == "VIADD" ||
        base == "UVIADD") {
      value v{origin::constant, 0, 0, {}, false};
      for (std::size_t n = 0; n < std::min<std::size_t>(sources, 3); ++n) v = sum(v, source(n, 0));
      return v;
    }
    if ((base == "IMAD" || base == "UIMAD") && sources >= 3)
      return sum(product(source(0, 0), source(1, 0)), source(2, 0));
    if ((base == "LEA" || base == "ULEA") && sources >= 3) {
      value index = source(0, 0);
      const value shift = source(2, 0);
      if (index.base == origin::constant && shift.base == origin::constant)
        index.offset = wrapping_product(index.offset, std::int64_t{1} << (shift.offset & 31));
      else
        index = value{};
      return sum(index, source(1, 0));
    }
    return {};
  }

  static value product(const value& a, const value& b) {
    const auto is = [](const value& v, std::int64_t n) {
      return v.base == origin::constant && !v.varies && v.offset == n;
    };
    if (is(a, 0) || is(b, 0)) return {origin::constant, 0, 0, {}, false};
    if (is(a, 1)) return b;
    if (is(b, 1)) return a;
    if (a.base == origin::constant && b.base == origin::constant)
      return {origin::constant, wrapping_product(a.offset, b.offset), 0, {}, a.varies || b.varies};
    return {};
  }

  value of_operand(std::uint32_t at, const operand& o, unsigned half, int depth) {
    switch (o.kind) {
      case operand_kind::reg:
        return of_register(at, o.reg, half, depth);
      case operand_kind::integer:
        return {origin::constant,
                static_cast<std::int32_t>(static_cast<std::uint32_t>(o.value)),
                0,
                {},
                false};
      case operand_kind::constant:
        return of_constant(o, half);
      default:
        return {};
    }
  }

  value of_constant(const operand& o, unsigned half) const {
    const std::int64_t at = wrapping_sum(o.value, 4 * std::int64_t{half});
    for (int n = 0; n < o.parts; ++n)
      if (!o.address[n].zero) return {};
    if (o.has_descriptor || o.text.starts_with('-')) return {};
    if (o.bank == 0 && at >= param_base_)
      return {origin::param, 0, static_cast<std::uint32_t>(at - param_base_), {}, false};
    if (o.bank == 4) {
      const auto it = module_.addresses.find(static_cast<std::uint32_t>(at));
      if (it != module_.addresses.end()) return {origin::symbol, 0, 0, it->second, false};
    }
    return {};
  }

  static constexpr int max_depth = 24;
  static constexpr int max_looks = 300;  // sums of sums can be exponentially many
  const module& module_;
  const function& function_;
  const flow::code& code_;
  const flow::graph& graph_;
  flow::definitions definitions_;
  flow::effort effort_{20'000'000};  ///< of all accesses together
  flow::region all_;
  decoded scratch_;
  int looked_at_ = 0;
  std::set<std::pair<std::uint32_t, flow::reg>> active_;
  std::int64_t param_base_ = 0, shared_base_ = 0;
};

origins::origins(const module& m, const function& f, const flow::code& c, const flow::graph& g)
    : tracer_(std::make_unique<tracer>(m, f, c, g)) {}

origins::~origins() = default;

std::string origins::of(std::uint32_t op) {
  return tracer_->name(op);
}

std::string address_origin(const module& m, const function& f, const flow::code& c,
                           const flow::graph& g, std::uint32_t op) {
  return origins(m, f, c, g).of(op);
}

}  // namespace ptxlab::sass
