// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/lower.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>

#include "analysis/sass/decode.hpp"

namespace ptxlab::sass {
namespace {

using flow::kind;
using flow::transfer;
using register_set = std::bitset<register_ids>;

// Registers that a callee may change under the ABI: what `nvdisasm -plr` shows as defined by an
// indirect call (sm_75 to sm_121, CUDA 13.0).
register_set abi_clobbers() {
  register_set s;
  for (unsigned r = 0; r < 16; ++r)
    if (r != 1) s.set(gpr(r));                       // R1 is the stack pointer
  for (unsigned r = 20; r < 22; ++r) s.set(gpr(r));  // the return address
  for (unsigned r = 0; r < 36; ++r) s.set(uniform(r));
  for (unsigned p = 0; p < 7; ++p) {
    s.set(predicate_register(p));
    s.set(make_id(register_file::uniform_predicate, p));
  }
  return s;
}

// Name of the function that a CALL or JMP names, empty for one through a register.
std::string_view called_name(const module& m, const instruction& i) {
  operand_list storage;
  const auto operands = parse_operands(m.operands(i), storage);
  if (operands.empty() || operands[0].kind != operand_kind::other) return {};
  return operands[0].text;
}

struct call_effect {
  register_set reads;  ///< before being written, in program order
  register_set writes;
};

/// Effects of callees, found once each.
class call_effects {
 public:
  explicit call_effects(const module& m) : module_(m) {}

  const call_effect& of(const instruction& call) {
    const std::uint32_t callee = module_.find(called_name(module_, call));
    return callee == none ? unknown() : of_function(callee);
  }

 private:
  const call_effect& unknown() {
    if (unknown_.writes.none()) {
      unknown_.writes = abi_clobbers();
      for (unsigned r = 4; r < 16; ++r) unknown_.reads.set(gpr(r));  // arguments
    }
    return unknown_;
  }

  const call_effect& of_function(std::uint32_t index) {
    const auto it = known_.find(index);
    if (it != known_.end()) return it->second;
    if (known_.size() >= max_functions) return unknown();
    known_[index] = unknown();  // what a recursive call sees
    call_effect e;
    register_set restored;  // last written by a reload from the stack: the caller's value again
    decoded d;
    for (const instruction& i : module_.functions[index].instructions) {
      decode(module_, i, d);
      const bool reload =
          module_.code_of(i).base == "LDL" && d.op.address_reads == 1 && d.reads[0] == gpr(1);
      for (const register_id r : d.writes) restored.set(r, reload);
      for (const register_id r : d.reads)
        if (!e.writes[r]) e.reads.set(r);
      for (const register_id r : d.writes) e.writes.set(r);
      if (d.op.what == kind::call) {
        const call_effect inner = of(i);
        e.reads |= inner.reads & ~e.writes;
        e.writes |= inner.writes;
      }
    }
    e.writes &= ~restored;
    return known_[index] = e;
  }

  static constexpr std::size_t max_functions = 256;
  const module& module_;
  std::map<std::uint32_t, call_effect> known_;
  call_effect unknown_;
};

class lowering {
 public:
  lowering(const module& m, const function& f) : module_(m), function_(f), effects_(m) {
    dense_.fill(flow::nowhere);
  }

  flow::code run() {
    const auto n = static_cast<std::uint32_t>(function_.instructions.size());
    out_.ops.reserve(n);
    out_.regs.reserve(std::size_t{n} * 4);
    for (std::uint32_t i = 0; i < n; ++i) {
      const instruction& ins = function_.instructions[i];
      decode(module_, ins, decoded_);
      if (decoded_.op.what == kind::call) add_call_effect(ins);
      decoded_.op.where = i;
      transfer_of(i, ins);
      append();
    }
    trap_falls_through();
    std::sort(out_.indirect_targets.begin(), out_.indirect_targets.end());
    return std::move(out_);
  }

 private:
  void add_call_effect(const instruction& ins) {
    const call_effect& e = effects_.of(ins);
    for (unsigned r = 0; r < register_ids; ++r) {
      // The guard stays last among the reads.
      if (e.reads[r]) decoded_.reads.insert(decoded_.reads.begin(), static_cast<register_id>(r));
      if (e.writes[r]) decoded_.writes.push_back(static_cast<register_id>(r));
    }
  }

  void transfer_of(std::uint32_t index, const instruction& ins) {
    const opcode& code = module_.code_of(ins);
    flow::op& op = decoded_.op;
    unseen_condition_ = code.how.condition_unseen;
    switch (op.then) {
      case transfer::jump:
        jump(ins);
        break;
      case transfer::indirect:
        for (const auto& [from, to] : function_.jump_tables)
          if (from == index) out_.indirect_targets.emplace_back(from, to);
        break;
      case transfer::leave:
        break;
      case transfer::next:
        if (code.base == "BSYNC") converge(index, ins);
        break;
    }
  }

  // A predicate among the operands is a second condition: "@!P0 BRA P1,0x70", "BRA.U !UP0,0x70".
  void jump(const instruction& ins) {
    flow::op& op = decoded_.op;
    operand_list storage;
    for (const operand& o : parse_operands(module_.operands(ins), storage)) {
      if (o.kind != operand_kind::reg) continue;
      if (o.reg.is_predicate() && o.reg.zero && !o.reg.altered) continue;  // PT
      if (op.guarded || !o.reg.is_predicate()) {
        unseen_condition_ |= op.guarded;
      } else {
        op.guard_negated = o.reg.altered;
      }
      op.guarded = true;
    }
    if (unseen_condition_) op.guarded = true;
    op.target = ins.target == none ? flow::nowhere : ins.target;
    if (ins.target != none) return;
    operand_list again;
    const auto operands = parse_operands(module_.operands(ins), again);
    // A jump to another function, or to an address outside of this one, is a tail call.
    if (!operands.empty() && (operands.back().kind == operand_kind::other ||
                              operands.back().kind == operand_kind::integer)) {
      op.then = transfer::leave;
      op.what = kind::call;
    }
  }

  // BSYNC waits for the lanes named by BSSY and goes on at BSSY's target, which in all code seen is
  // the next instruction. Should it ever be elsewhere, those targets are followed instead.
  void converge(std::uint32_t index, const instruction& ins) {
    const std::string_view barrier = module_.operands(ins);
    bool next = false, any = false;
    if (!bsync_targets_.contains(barrier)) {
      auto& targets = bsync_targets_[barrier];
      for (const instruction& i : function_.instructions)
        if (module_.code_of(i).base == "BSSY" && i.target != none &&
            module_.operands(i).substr(0, module_.operands(i).find(',')) == barrier)
          targets.push_back(i.target);
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    }
    for (const std::uint32_t t : bsync_targets_[barrier]) {
      any = true;
      next |= t == index + 1;
    }
    if (next || !any) return;
    decoded_.op.then = transfer::indirect;
    for (const std::uint32_t t : bsync_targets_[barrier])
      out_.indirect_targets.emplace_back(index, t);
  }

  // `trap` and `brkpt` both become BPT.TRAP. ptxas emits no dead code but padding, so a trap whose
  // successor nothing else reaches was a breakpoint, and goes on.
  void trap_falls_through() {
    const auto n = static_cast<std::uint32_t>(out_.ops.size());
    std::vector<bool> reached(n + 1, false);
    for (const flow::op& o : out_.ops)
      if (o.then == transfer::jump && o.target < n) reached[o.target] = true;
    for (const auto& [from, to] : out_.indirect_targets) reached[to] = true;
    for (const instruction& i : function_.instructions)
      if (i.target != none) reached[i.target] = true;
    for (std::uint32_t i = 0; i + 1 < n; ++i) {
      if (module_.code_of(function_.instructions[i]).base != "BPT") continue;
      const opcode& next = module_.code_of(function_.instructions[i + 1]);
      if (out_.ops[i].then == transfer::leave && !reached[i + 1] && next.base != "NOP")
        out_.ops[i].then = transfer::next;
    }
  }

  void append() {
    flow::op& op = decoded_.op;
    op.first_reg = static_cast<std::uint32_t>(out_.regs.size());
    op.reads = static_cast<std::uint16_t>(decoded_.reads.size());
    op.writes = static_cast<std::uint16_t>(decoded_.writes.size());
    for (const register_id r : decoded_.reads) out_.regs.push_back(number(r));
    if (unseen_condition_) {
      // The state of the warp decides, or two predicates together: a register that nothing writes
      // stands for it, last, so that nobody takes one predicate for the whole condition.
      out_.regs.push_back(number(register_ids));
      ++op.reads;
      unseen_condition_ = false;
    }
    for (const register_id r : decoded_.writes) out_.regs.push_back(number(r));
    out_.ops.push_back(op);
  }

  flow::reg number(unsigned r) {
    if (dense_[r] == flow::nowhere) dense_[r] = out_.reg_count++;
    return dense_[r];
  }

  const module& module_;
  const function& function_;
  call_effects effects_;
  decoded decoded_;
  flow::code out_;
  bool unseen_condition_ = false;
  std::array<flow::reg, register_ids + 1> dense_{};
  std::map<std::string_view, std::vector<std::uint32_t>> bsync_targets_;
};

}  // namespace

flow::code lower(const module& m, const function& f) {
  return lowering(m, f).run();
}

std::vector<std::uint32_t> callees(const module& m, const function& f) {
  std::vector<std::uint32_t> out;
  for (const instruction& i : f.instructions) {
    if (m.code_of(i).how.what != kind::call) continue;
    const std::uint32_t callee = m.find(called_name(m, i));
    if (callee != none) out.push_back(callee);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool calls_unknown(const module& m, const function& f) {
  return std::any_of(f.instructions.begin(), f.instructions.end(), [&](const instruction& i) {
    return m.code_of(i).how.what == kind::call && m.find(called_name(m, i)) == none;
  });
}

}  // namespace ptxlab::sass
