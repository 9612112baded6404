// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/counting_form.hpp"

#include <charconv>
#include <cmath>

namespace ptxlab::sass {
namespace {

using flow::form;

class form_finder {
 public:
  form_finder(const opcode& code, std::span<const operand> sources, std::span<const operand> all,
              decoded& out)
      : code_(code), sources_(sources), operands_(all), out_(out) {}

  void run() {
    flow::op& op = out_.op;
    switch (code_.how.form) {
      case form::move:
        move();
        break;
      case form::add:
        add_constant();
        break;
      case form::compare:
        compare();
        break;
      default:
        break;
    }
    if ((code_.base == "PLOP3" || code_.base == "UPLOP3") && out_.writes.size() == 1 &&
        out_.reads.size() == 1 && operands_.size() == 7 && operands_[2].kind == operand_kind::reg &&
        !operands_[2].reg.zero && operands_[3].reg.zero && !operands_[3].reg.altered &&
        operands_[4].reg.zero && !operands_[4].reg.altered) {
      // Truth table 0x80 is "a and b and c", 0x08 "not a, b and c"; a stands first.
      const bool inverts = (operands_[5].value == 0x8) != operands_[2].reg.altered;
      if (operands_[5].value == 0x8 || operands_[5].value == 0x80)
        op.shape = inverts ? form::negate_predicate : form::move;
    }
  }

 private:
  void set_immediate(std::int64_t value) {
    out_.op.has_immediate = true;
    out_.op.immediate = value;
  }
  // Immediates of 32 bits are printed unsigned where their sign means nothing: VIADD
  // R1,R1,0xfffffff8.
  static std::int64_t signed32(std::int64_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }

  // "IMAD.MOV.U32 R2,RZ,RZ,x", "MOV R2,x", "CS2R R2,SRZ", "HFMA2 R2,-RZ,RZ,a,b" (a constant of two
  // halves, the upper one first).
  void move() {
    const auto sources = sources_;
    if (sources.empty()) return;
    const operand& last = sources.back();
    if (code_.base == "HFMA2") {
      if (sources.size() != 4 || !is_zero(sources[0]) || !is_zero(sources[1])) return;
      const auto upper = half_bits(sources[2]), lower = half_bits(sources[3]);
      if (upper < 0 || lower < 0) return;
      set_immediate(signed32((upper << 16) | lower));
    } else if (last.kind == operand_kind::special) {
      if (last.text != "SRZ") return;
      set_immediate(0);
    } else {
      const bool through_multiply = code_.base == "IMAD" || code_.base == "UIMAD";
      if (through_multiply && (sources.size() != 3 || !is_zero(sources[0]) || !is_zero(sources[1])))
        return;
      const operand& value = through_multiply ? last : sources[0];
      if (value.kind == operand_kind::integer) {
        set_immediate(signed32(value.value));
      } else if (is_zero(value)) {
        set_immediate(0);
      } else if (value.kind != operand_kind::reg || value.reg.altered) {
        return;
      }
    }
    out_.op.shape = form::move;
  }

  static bool is_zero(const operand& o) {
    return o.kind == operand_kind::reg && o.reg.zero && !o.reg.is_predicate();
  }

  // The 16 bits of an operand of a half-precision immediate, or -1.
  static std::int64_t half_bits(const operand& o) {
    if (is_zero(o)) return 0;
    if (o.kind != operand_kind::number) return -1;
    double value = 0;
    const auto [end, problem] =
        std::from_chars(o.text.data(), o.text.data() + o.text.size(), value);
    if (problem != std::errc() || end != o.text.data() + o.text.size() || !std::isfinite(value))
      return -1;
    const std::int64_t sign = std::signbit(value) ? 0x8000 : 0;
    value = std::fabs(value);
    if (value == 0) return sign;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent
    if (exponent < -13) return sign | std::llround(std::ldexp(value, 24));  // subnormal
    if (exponent > 16) return -1;
    return sign | ((exponent + 14) << 10) | (std::llround(std::ldexp(fraction, 11)) - 1024);
  }

  // Exactly one plain register and one integer, whatever else is zero: "IADD3 R2,R2,0x1,RZ".
  void add_constant() {
    if (out_.writes.size() > 1 && code_.how.result_regs == 1) return;  // carries out
    const operand* constant = nullptr;
    std::size_t registers = 0;
    for (const operand& o : sources_) {
      if (o.kind == operand_kind::integer) {
        if (constant != nullptr) return;  // IMAD.IADD R0,R1,0x1,R2: the factor one
        constant = &o;
      } else if (o.kind == operand_kind::reg && !o.reg.is_predicate()) {
        if (o.reg.zero) continue;
        if (o.reg.altered) return;
        ++registers;
      } else if (o.kind != operand_kind::reg || !o.reg.zero) {
        return;
      }
    }
    if (registers != 1 || constant == nullptr || code_.base == "IMAD") return;
    set_immediate(signed32(constant->value));
    out_.op.shape = form::add;
  }

  // "ISETP.LT.AND P0,PT,R2,0x10,PT": one result, combined with true.
  void compare() {
    if (out_.writes.size() != 1) return;
    const auto sources = sources_;
    if (sources.size() != 3 || sources[2].kind != operand_kind::reg || !sources[2].reg.zero ||
        sources[2].reg.altered)
      return;
    const auto simple = [](const operand& o) {
      return o.kind == operand_kind::reg && !o.reg.altered && !o.reg.is_predicate();
    };
    const operand &left = sources[0], &right = sources[1];
    if (!simple(left)) return;
    out_.op.rel = code_.how.rel;
    if (left.reg.zero) {
      if (!simple(right) || right.reg.zero) return;
      out_.op.rel = mirrored(code_.how.rel);
      set_immediate(0);
    } else if (right.kind == operand_kind::integer) {
      const bool wide = code_.has("S64") || code_.has("U64");
      set_immediate(code_.how.unsigned_compare && !wide ? right.value & 0xffffffff
                                                        : signed32(right.value));
    } else if (simple(right) && right.reg.zero) {
      set_immediate(0);
    }
    out_.op.shape = form::compare;
  }

  static flow::relation mirrored(flow::relation r) {
    switch (r) {
      case flow::relation::lt:
        return flow::relation::gt;
      case flow::relation::le:
        return flow::relation::ge;
      case flow::relation::gt:
        return flow::relation::lt;
      case flow::relation::ge:
        return flow::relation::le;
      default:
        return r;
    }
  }

  const opcode& code_;
  std::span<const operand> sources_, operands_;
  decoded& out_;
};

}  // namespace

void find_form(const opcode& code, std::span<const operand> sources, std::span<const operand> all,
               decoded& out) {
  form_finder(code, sources, all, out).run();
}

}  // namespace ptxlab::sass
