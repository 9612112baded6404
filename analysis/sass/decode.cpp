// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/decode.hpp"

#include <algorithm>
#include <bit>

#include "analysis/sass/counting_form.hpp"

namespace ptxlab::sass {
namespace {

using flow::kind;
using flow::space;

class decoding {
 public:
  decoding(const module& m, const instruction& i, decoded& out)
      : code_(m.code_of(i)), rule_(code_.how), out_(out) {
    operands_ = parse_operands(m.operands(i), storage_);
  }

  void run(const predicate& guard) {
    start();
    results();
    for (const operand& o : rest())
      if (o.kind == operand_kind::memory || o.kind == operand_kind::constant) addresses(o);
    out_.op.address_reads = static_cast<std::uint16_t>(out_.reads.size());
    sources();
    special_cases();
    find_form(code_, rest(), operands_, out_);
    if (!guard.always()) {
      out_.op.guarded = true;
      out_.op.guard_negated = guard.negated;
      if (guard.index != 7)
        out_.reads.push_back(
            make_id(guard.uniform ? register_file::uniform_predicate : register_file::predicate,
                    guard.index));
    }
  }

 private:
  void start() {
    out_.op = flow::op{};
    out_.reads.clear();
    out_.writes.clear();
    out_.known = rule_.known;
    out_.op.what = rule_.what;
    out_.op.then = rule_.then;
    out_.op.memory = rule_.memory;
    out_.op.ordering = rule_.ordering;
    out_.op.reach = rule_.reach;
    out_.op.width_bits = rule_.width_bits;
    out_.op.unsigned_compare = rule_.unsigned_compare;
  }

  std::span<const operand> rest() const { return operands_.subspan(results_); }
  bool plain_register(std::size_t at) const {
    return at < operands_.size() && operands_[at].kind == operand_kind::reg &&
           !operands_[at].reg.altered;
  }
  bool plain_predicate(std::size_t at) const {
    return plain_register(at) && operands_[at].reg.is_predicate();
  }

  void read(const register_use& r, unsigned count = 1) { add(out_.reads, r, count); }
  void write(const register_use& r, unsigned count = 1) { add(out_.writes, r, count); }
  static void add(std::vector<register_id>& to, const register_use& r, unsigned count) {
    if (r.zero) return;
    const bool vector = r.file == register_file::gpr || r.file == register_file::uniform;
    for (unsigned n = 0; n < (vector ? count : 1) && r.index + n < 255; ++n)
      to.push_back(static_cast<register_id>(r.id() + n));
  }

  // Sets results_ to the number of leading operands that are written, and records the writes.
  void results() {
    std::size_t at = 0;
    const auto take = [&](unsigned count) { write(operands_[at++].reg, count); };
    switch (rule_.shape) {
      case layout::sink:
        break;
      case layout::one_predicate:
        if (plain_predicate(at)) take(1);
        break;
      case layout::two_predicates:
        while (at < 2 && plain_predicate(at)) take(1);
        break;
      case layout::to_predicates:
        at = std::min<std::size_t>(1, operands_.size());
        break;
      case layout::from_predicates:
      case layout::result:
      case layout::two_registers:
        while (plain_predicate(at) && at < 2) take(1);
        if (exchange_of_predicates(at)) break;
        if (plain_register(at) && !plain_predicate(at)) take(texture_regs(0));
        if (rule_.shape == layout::two_registers && plain_register(at)) take(texture_regs(1));
        for (unsigned n = 0; n < rule_.trailing && plain_predicate(at); ++n) take(1);
        break;
    }
    results_ = at;
  }

  // "VOTE.ALL P0,P1" has no register: only its first predicate is a result.
  bool exchange_of_predicates(std::size_t& at) {
    if ((code_.base != "VOTE" && code_.base != "VOTEU") || at == 0) return false;
    if (at == 2) {
      at = 1;
      if (!operands_[1].reg.zero) out_.writes.pop_back();
    }
    return true;
  }

  // Registers of one half of the data. Texture reads name the components by a mask, which is left
  // out where all four are read.
  unsigned texture_regs(int half) const {
    if (rule_.shape != layout::two_registers || rule_.memory != space::texture)
      return rule_.result_regs;
    std::int64_t mask = 0xf;
    const operand& last = operands_.back();
    if (last.kind == operand_kind::integer && dimensions(operands_[operands_.size() - 2].text) != 0)
      mask = last.value & 0xf;
    int count = std::popcount(static_cast<std::uint64_t>(mask));
    if (code_.has("F16")) count = (count + 1) / 2;
    // The second register named holds the first two components.
    return static_cast<unsigned>(half == 1 ? std::min(count, 2) : std::max(count - 2, 0));
  }

  void addresses(const operand& o) {
    const bool first = &o == first_memory();
    space where = rule_.memory;
    if (code_.base == "LDGSTS") where = first ? space::shared : space::global;
    const bool far = where == space::global || where == space::generic || code_.base == "CCTL" ||
                     code_.base == "QSPC";
    if (where == space::texture) {
      for (int n = 0; n < o.parts; ++n) read(o.address[n], coordinates());
      return;
    }
    const bool with_uniform = o.parts > 1;
    for (int n = 0; n < o.parts; ++n) {
      const register_use& r = o.address[n];
      bool wide = r.wide || (far && !r.narrow && !(with_uniform && r.file == register_file::gpr));
      if (code_.base.starts_with("UBLK")) wide = first || code_.modifiers[0] == "S";
      read(r, o.kind == operand_kind::memory && wide ? 2 : 1);
    }
  }

  const operand* first_memory() const {
    for (const operand& o : operands_)
      if (o.kind == operand_kind::memory) return &o;
    return nullptr;
  }

  static unsigned dimensions(std::string_view word) {
    if (word == "1D") return 1;
    if (word == "2D" || word == "ARRAY_1D") return 2;
    if (word == "3D" || word == "ARRAY_2D" || word == "CUBE") return 3;
    return word == "ARRAY_CUBE" ? 4 : 0;
  }

  unsigned coordinates() const {
    for (const std::string_view m : code_.modifiers)
      if (dimensions(m) != 0) return dimensions(m);
    for (const operand& o : operands_)
      if (dimensions(o.text) != 0) return dimensions(o.text);
    return 4;
  }

  // Texture reads name two registers of input: coordinates, then what is left (level, derivatives).
  // With .SCR the first holds at most two values.
  unsigned texture_input(std::size_t position) const {
    const unsigned total = coordinates() + (code_.has("LL") || code_.has("LB") ? 1 : 0);
    if (code_.base == "TXD" && position == 1) return 2 * coordinates();
    if (!code_.has("SCR")) return position == 0 ? coordinates() : 1;
    return position == 0 ? std::min(total, 2u) : total > 2 ? total - 2 : 1;
  }

  void sources() {
    std::size_t position = 0;
    for (const operand& o : rest()) {
      if (o.has_descriptor) read(o.descriptor, 2);
      if (o.kind == operand_kind::memory) continue;
      const std::size_t p = std::min<std::size_t>(position, 3);
      if (o.kind == operand_kind::reg) read(o.reg, source_regs(o.reg, position == 0 ? 0 : p));
      if (o.kind != operand_kind::reg || !o.reg.is_predicate()) ++position;
    }
  }

  unsigned source_regs(const register_use& r, std::size_t position) const {
    if (rule_.memory == space::texture && rule_.what == kind::load) {
      if (r.file == register_file::uniform) return code_.base == "SULD" ? 1 : 2;  // the handle
      return texture_input(position);
    }
    if (code_.base == "SUST" && r.file == register_file::uniform) return 1;
    if (code_.base == "CALL" || code_.base == "RET" || code_.base == "BRX" || code_.base == "JMX" ||
        code_.base == "BRXU" || code_.base == "JMXU")
      return 2;
    if (code_.base == "UBLKCP" || code_.base == "UBLKRED") return 1;
    return r.wide && rule_.what == kind::plain ? 2 : rule_.source_regs[position];
  }

  void special_cases() {
    if (rule_.shape == layout::from_predicates || rule_.shape == layout::to_predicates) masked();
    if (code_.base == "BSSY" && !out_.writes.empty()) return;
    if (code_.base == "BREAK" && !operands_.empty()) write(operands_[0].reg);
    const bool reads_special = code_.base == "CS2R" || code_.base == "S2R" ||
                               code_.base == "S2UR" || code_.base == "CS2UR";
    if (reads_special && !operands_.empty()) special_register(operands_.back().text);
    if (out_.op.what == kind::atomic && out_.writes.empty() && code_.base != "SYNCS")
      out_.op.what = kind::reduction;
    if (code_.base == "UBLKCP" && !code_.modifiers.empty() && code_.modifiers[0] == "S")
      out_.op.memory = space::shared;
  }

  void special_register(std::string_view name) {
    out_.op.lane_dependent =
        name.starts_with("SR_TID") || name == "SR_LANEID" || name.ends_with("MASK");
    if (name.starts_with("SR_CLOCK") || name.starts_with("SR_GLOBALTIMER"))
      out_.op.what = kind::clock;
  }

  // R2P PR,R0,0x7f writes the predicates of the mask, P2R R0,PR,RZ,0x7f reads them.
  void masked() {
    if (operands_.empty() || operands_.back().kind != operand_kind::integer) return;
    const bool to = rule_.shape == layout::to_predicates;
    const auto file =
        code_.base[0] == 'U' ? register_file::uniform_predicate : register_file::predicate;
    for (unsigned n = 0; n < 7; ++n)
      if ((operands_.back().value >> n) & 1)
        (to ? out_.writes : out_.reads).push_back(make_id(file, n));
  }

  const opcode& code_;
  const rule& rule_;
  decoded& out_;
  operand_list storage_;
  std::span<const operand> operands_;
  std::size_t results_ = 0;
};

}  // namespace

void decode(const module& m, const instruction& i, decoded& out) {
  decoding(m, i, out).run(i.guard);
}

}  // namespace ptxlab::sass
