// SPDX-License-Identifier: Apache-2.0
// analyse_ptx(): from a parsed module to the code of one kernel with its places.
#include <algorithm>
#include <unordered_map>

#include "analysis/facts/stage_code.hpp"
#include "ptx/text/lower.hpp"
#include "ptx/text/origin.hpp"
#include "ptx/text/printer.hpp"

namespace ptxlab::facts {
namespace {

constexpr std::size_t most_functions = 256;  // chains of calls can be exponentially many
constexpr std::size_t deepest_call = 24;

class ptx_stage {
 public:
  ptx_stage(const ptx::module& m, site_table& sites) : m_(m), sites_(sites) {}

  stage_code run(const ptx::function& entry) {
    add(entry, no_site);
    return std::move(out_);
  }

 private:
  void add(const ptx::function& f, site parent) {
    if (!f.has_body || out_.functions.size() >= most_functions || chain_.size() >= deepest_call)
      return;
    if (std::find(chain_.begin(), chain_.end(), &f) != chain_.end()) return;  // recursion
    chain_.push_back(&f);
    const std::size_t index = out_.functions.size();
    out_.functions.emplace_back(ptx::lower(m_, f)).name = std::string(f.name);
    fill(out_.functions[index], f, parent);
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i) {
      const ptx::instruction& in = f.instructions[i];
      if (!m_.op(in).known) ++out_.unknown_instructions;
      if (m_.op(in).what != flow::kind::call) continue;
      const ptx::function* callee = callee_of(f, in);
      const std::size_t next = out_.functions.size();
      if (callee == nullptr) continue;
      add(*callee, out_.functions[index].origins[i].where);
      if (next == out_.functions.size()) continue;
      out_.functions[next].caller = static_cast<std::uint32_t>(index);
      out_.functions[next].call_op = i;
    }
    chain_.pop_back();
  }

  const ptx::function* callee_of(const ptx::function& f, const ptx::instruction& in) const {
    const ptx::function* found = nullptr;
    ptx::for_each_operand(f, in, [&](std::uint32_t o) {
      if (found == nullptr && f.operands[o].kind == ptx::operand_kind::symbol)
        found = m_.find(m_.text(f.operands[o]));
    });
    return found;
  }

  void fill(stage_function& out, const ptx::function& f, site parent) {
    std::vector<site> places(f.locations.size(), no_site);
    std::unordered_map<std::uint32_t, std::uint32_t> opcode_numbers;
    out.origins.resize(out.code.ops.size());
    out.opcode.assign(out.code.ops.size(), flow::nowhere);
    for (std::size_t i = 0; i < out.code.ops.size(); ++i) {
      const std::uint32_t where = out.code.ops[i].where;
      if (where == ptx::nothing) continue;
      const ptx::instruction& in = f.instructions[where];
      out.origins[i] = {place(f, in.location, parent, places), no_site, in.line, in.in_asm};
      const auto [it, inserted] =
          opcode_numbers.try_emplace(in.opcode, static_cast<std::uint32_t>(out.opcodes.size()));
      if (inserted) out.opcodes.emplace_back(m_.op(in).text);
      out.opcode[i] = it->second;
    }
    for (std::uint32_t i = 0; i < out.code.ops.size(); ++i) {
      const flow::op& o = out.code.ops[i];
      const bool memory = o.what == flow::kind::load || o.what == flow::kind::store ||
                          o.what == flow::kind::atomic || o.what == flow::kind::reduction;
      if (memory && o.memory != flow::space::param)
        out.addresses[i] = ptx::address_origin(m_, f, out.code, out.definitions, i);
    }
    const auto show = [&](std::uint32_t i) {
      if (out.code.ops[i].where != ptx::nothing)
        out.shown[i] = ptx::print(m_, f, f.instructions[out.code.ops[i].where]);
    };
    for (const flow::loop_facts& l : out.loops) {
      for (const std::uint32_t i : l.polls) show(i);
      for (const std::uint32_t i : l.exits) show(i);
    }
  }

  site place(const ptx::function& f, std::uint32_t location, site parent,
             std::vector<site>& places) {
    if (location == ptx::nothing) return no_site;
    if (places[location] != no_site) return places[location];
    const ptx::location& l = f.locations[location];
    const bool inlined = l.parent != ptx::nothing && l.parent < location;
    const site up = inlined ? place(f, l.parent, parent, places) : parent;
    if (l.line == 0) return up;  // nvcc's own code: at best it stands for the call
    return places[location] = sites_.number(up, m_.file(l.file), l.line, l.column);
  }

  const ptx::module& m_;
  site_table& sites_;
  stage_code out_;
  std::vector<const ptx::function*> chain_;
};

}  // namespace

stage_code analyse_ptx(const ptx::module& m, const ptx::function& entry, site_table& sites) {
  return ptx_stage(m, sites).run(entry);
}

}  // namespace ptxlab::facts
