// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace ptxlab::ptx {
namespace {

using flow::form;
using flow::kind;

class lowering {
 public:
  lowering(const module& m, const function& f) : m_(m), f_(f) {}

  flow::code run() {
    out_.reg_count = f_.register_count;
    name_call_parameters();
    out_.ops.reserve(f_.instructions.size() + 1);
    out_.regs.reserve(f_.instructions.size() * 3);
    for (std::uint32_t i = 0; i < f_.instructions.size(); ++i) instruction_at(i);
    add_end();
    return std::move(out_);
  }

 private:
  // --- values passed through .param variables of calls ----------------------------------------

  void name_call_parameters() {
    for (const instruction& i : f_.instructions) {
      if (m_.op(i).what != kind::call) continue;
      for_each_operand(f_, i, [&](std::uint32_t o) {
        if (f_.operands[o].kind != operand_kind::group) return;
        for_each_child(f_.operands, o, [&](std::uint32_t c) {
          if (f_.operands[c].kind == operand_kind::symbol)
            call_names_.try_emplace(m_.text(f_.operands[c]));
        });
      });
    }
    if (call_names_.empty()) return;
    for (const instruction& i : f_.instructions) {
      const opcode& op = m_.op(i);
      if (op.memory != flow::space::param) continue;
      for_each_operand(f_, i, [&](std::uint32_t o) { parameter_slot(o); });
    }
  }

  /// The register standing for `[param0+8]`, or `nothing` if that is no parameter of a call.
  std::uint32_t parameter_slot(std::uint32_t address) {
    if (f_.operands[address].kind != operand_kind::address) return nothing;
    const operand& base = f_.operands[address + 1];
    if (f_.operands[address].children == 0 || base.kind != operand_kind::symbol) return nothing;
    const auto it = call_names_.find(m_.text(base));
    if (it == call_names_.end()) return nothing;
    const std::string_view offset =
        f_.operands[address].children > 1 ? m_.text(f_.operands[address + 2]) : "0";
    for (const auto& [text, number] : it->second)
      if (text == offset) return number;
    it->second.emplace_back(offset, out_.reg_count);
    return out_.reg_count++;
  }

  // --- one instruction --------------------------------------------------------------------------

  void instruction_at(std::uint32_t index) {
    const instruction& in = f_.instructions[index];
    const opcode& op = m_.op(in);
    flow::op o;
    o.what = op.what;
    o.then = op.then;
    o.shape = op.shape;
    o.rel = op.rel;
    o.memory = op.memory;
    o.ordering = op.ordering;
    o.reach = op.reach;
    o.width_bits = op.width_bits;
    o.unsigned_compare = op.unsigned_compare;
    o.where = index;
    o.first_reg = static_cast<std::uint32_t>(out_.regs.size());
    if (op.then == flow::transfer::jump && in.target != nothing)
      o.target = f_.labels[in.target].instruction;
    if (op.then == flow::transfer::indirect) indirect(index);

    written_.clear();
    address_.clear();
    values_.clear();
    if (op.writes == result::call) {
      call_operands(in);
    } else {
      plain_operands(in, op, o);
    }
    o.address_reads = static_cast<std::uint16_t>(address_.size());
    for (const auto r : address_) out_.regs.push_back(r);
    for (const auto r : values_) out_.regs.push_back(r);
    if (in.guard != nothing) {
      o.guarded = true;
      o.guard_negated = in.guard_negated;
      out_.regs.push_back(in.guard);
    }
    o.reads = static_cast<std::uint16_t>(out_.regs.size() - o.first_reg);
    for (const auto r : written_) out_.regs.push_back(r);
    o.writes = static_cast<std::uint16_t>(written_.size());
    shape(in, op, o);
    out_.ops.push_back(o);
  }

  void plain_operands(const instruction& in, const opcode& op, flow::op& o) {
    std::uint32_t position = 0;
    const bool parameter = op.memory == flow::space::param && !call_names_.empty();
    for_each_operand(f_, in, [&](std::uint32_t index) {
      const operand& x = f_.operands[index];
      const bool destination =
          position == 0 && op.writes == result::first && x.kind != operand_kind::address;
      ++position;
      if (parameter && x.kind == operand_kind::address) {
        const std::uint32_t slot = parameter_slot(index);
        if (slot != nothing) (op.what == kind::store ? written_ : values_).push_back(slot);
        if (slot != nothing) return;
      }
      if (destination) {
        collect(index, written_, o);
        if (!op.known) collect(index, values_, o);
      } else {
        collect(index, x.kind == operand_kind::address ? address_ : values_, o);
      }
    });
  }

  void call_operands(const instruction& in) {
    bool callee_seen = false;
    for_each_operand(f_, in, [&](std::uint32_t index) {
      const operand& x = f_.operands[index];
      if (x.kind != operand_kind::group) {
        callee_seen = true;
        if (x.kind == operand_kind::reg) values_.push_back(x.value);
        return;
      }
      for_each_child(f_.operands, index, [&](std::uint32_t c) {
        auto& list = callee_seen ? values_ : written_;
        const operand& child = f_.operands[c];
        if (child.kind == operand_kind::reg) list.push_back(child.value);
        const auto it = call_names_.find(m_.text(child));
        if (it == call_names_.end()) return;
        for (const auto& [offset, number] : it->second) list.push_back(number);
      });
    });
  }

  /// All registers of an operand and its children; special registers set the op's properties.
  void collect(std::uint32_t index, std::vector<std::uint32_t>& into, flow::op& o) {
    const std::uint32_t end = index + 1 + f_.operands[index].children;
    for (std::uint32_t i = index; i < end; ++i) {
      const operand& x = f_.operands[i];
      if (x.kind == operand_kind::reg) {
        if (into.size() < 0xfff) into.push_back(x.value);
      } else if (x.kind == operand_kind::special) {
        const std::string_view name = m_.text(x);
        if (name.substr(0, 6) == "%clock" || name.substr(0, 12) == "%globaltimer")
          o.what = kind::clock;
        if (name.substr(0, 5) == "%tid." || name == "%tid" || name.substr(0, 7) == "%laneid" ||
            name.substr(0, 9) == "%lanemask")
          o.lane_dependent = true;
      }
    }
  }

  /// Keeps the form only where the operands fit it: one register, at most one constant.
  void shape(const instruction& in, const opcode& op, flow::op& o) {
    if (op.base == "sub" && !op.has("cc") && !op.has("sat") && !op.modifiers.empty() &&
        (op.modifiers.back()[0] == 's' || op.modifiers.back()[0] == 'u'))
      o.shape = form::add;
    if (o.shape == form::other || o.shape == form::select) return;
    const form wanted = o.shape;
    o.shape = form::other;
    if (o.writes != 1) return;
    std::uint32_t registers = 0, constants = 0, others = 0, position = 0;
    bool constant_last = false;
    std::int64_t value = 0;
    for_each_operand(f_, in, [&](std::uint32_t index) {
      if (position++ == 0) return;
      const operand& x = f_.operands[index];
      const auto v =
          x.kind == operand_kind::integer ? integer_value(m_.text(x), x.minus) : std::nullopt;
      if (x.kind == operand_kind::reg && !x.negated && !x.minus) {
        ++registers;
        constant_last = false;
      } else if (v) {
        ++constants;
        value = *v;
        constant_last = true;
      } else {
        ++others;
      }
    });
    if (others != 0) return;
    const bool is_sub = op.base == "sub";
    if (wanted == form::move || wanted == form::negate_predicate) {
      if (registers + constants != 1) return;
    } else if (registers != 1 || constants != 1 ||
               (!constant_last && (is_sub || wanted == form::compare))) {
      return;
    }
    o.shape = wanted;
    o.has_immediate = constants == 1;
    o.immediate = is_sub ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value)) : value;
  }

  /// What each .branchtargets table names; a table that names nothing stands for none.
  void read_tables() {
    std::unordered_multimap<std::string_view, std::uint32_t> labels;
    for (const label& l : f_.labels) labels.emplace(l.name, l.instruction);
    tables_[{}];
    for (const indirect_table& t : f_.tables)
      for (const std::string_view name : t.labels)
        for (auto [it, end] = labels.equal_range(name); it != end; ++it)
          tables_[t.name].insert(it->second);
  }

  void indirect(std::uint32_t index) {
    const instruction& in = f_.instructions[index];
    std::string_view table;
    for_each_operand(f_, in, [&](std::uint32_t o) {
      if (f_.operands[o].kind == operand_kind::symbol) table = m_.text(f_.operands[o]);
    });
    if (tables_.empty()) read_tables();
    const std::set<std::uint32_t>& targets = tables_[table];
    for (const std::uint32_t t : targets) out_.indirect_targets.emplace_back(index, t);
  }

  /// A branch to a label behind the last instruction needs an operation to go to.
  void add_end() {
    const auto n = static_cast<std::uint32_t>(f_.instructions.size());
    bool needed = n == 0;
    for (const flow::op& o : out_.ops) needed |= o.target == n;
    for (const auto& [from, to] : out_.indirect_targets) needed |= to == n;
    if (!needed) return;
    flow::op end;
    end.then = flow::transfer::leave;
    end.where = nothing;
    end.first_reg = static_cast<std::uint32_t>(out_.regs.size());
    out_.ops.push_back(end);
  }

  const module& m_;
  const function& f_;
  flow::code out_;
  std::vector<std::uint32_t> written_, address_, values_;
  std::unordered_map<std::string_view, std::set<std::uint32_t>> tables_;
  /// Name of a call's .param variable -> its offsets and the registers that stand for them.
  std::unordered_map<std::string_view, std::vector<std::pair<std::string_view, std::uint32_t>>>
      call_names_;
};

}  // namespace

flow::code lower(const module& m, const function& f) {
  return lowering(m, f).run();
}

}  // namespace ptxlab::ptx
