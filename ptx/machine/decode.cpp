// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ptx/flow/graph.hpp"
#include "ptx/flow/post_dominators.hpp"
#include "ptx/machine/builder.hpp"
#include "ptx/machine/cluster_shape.hpp"
#include "ptx/machine/meaning.hpp"
#include "ptx/machine/operations/widths.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/lower.hpp"

namespace ptxlab::machine {
namespace {

class decoder {
 public:
  decoder(const ptx::module& m, const symbol_address& addresses)
      : p_(m, addresses), meanings_(m.opcodes.size()), known_(m.opcodes.size()) {}

  decoded run(std::string_view kernel) {
    const ptx::function* const f = p_.m.find(kernel);
    if (f == nullptr || !f->has_body || !f->entry)
      throw error(fmt::format("{} has no kernel '{}'", p_.m.name, kernel));
    p_.out.name = kernel;
    p_.out.exact_threads = f->header.find(".reqntid") != f->header.npos;
    p_.out.clusters = read_cluster_directives(f->header);
    p_.out.max_threads = f->max_threads.value_or(0);
    for (const ptx::parameter& q : f->params) {
      p_.out.parameters.push_back({std::string(q.name), q.offset, q.bytes});
      p_.out.parameter_bytes = std::max(p_.out.parameter_bytes, q.offset + q.bytes);
    }
    if (p_.out.parameter_bytes > parameter_space_bytes)
      throw error(
          fmt::format("{} has more than {} bytes of parameters", kernel, parameter_space_bytes));
    p_.routine(kernel);
    p_.add_functions_with_addresses();
    p_.place_shared_variables();
    for (std::uint32_t r = 0; r < p_.routines.size(); ++r) routine(r);
    for (const auto& [name, number] : p_.routine_of)
      if (const auto it = p_.function_number.find(name); it != p_.function_number.end())
        p_.out.addresses.emplace_back(function_base + 16 * std::uint64_t{it->second}, number);
    p_.find_recursion();
    decoded out;
    out.missing = std::move(missing_);
    out.unset_registers = std::move(unset_);
    out.code = std::make_shared<program>(std::move(p_.out));
    return out;
  }

 private:
  void routine(std::uint32_t number) {
    const ptx::function& f = *p_.routines[number];
    function_builder b;
    b.f = &f;
    b.number = number;
    b.entry = f.entry;
    b.places = place_registers(p_.m, f);
    for (const std::uint32_t r : b.places.unset) unset_.push_back(register_name(f, r));
    machine::routine r;
    r.name = f.name;
    if (number < p_.shared_of.size()) b.shared_at = p_.shared_of[number];
    for (const ptx::parameter& q : f.params) {
      if (f.entry)
        b.params[q.name] = {q.offset, q.bytes};
      else
        r.formals.push_back(b.add_parameter(q.name, q.bytes));
    }
    for (const ptx::parameter& q : f.results) r.results.push_back(b.add_parameter(q.name, q.bytes));
    b.declare(p_, r);
    b.param_bytes = (b.param_bytes + 15) / 16 * 16;
    for (const ptx::indirect_table& t : f.tables) {
      b.tables[t.name] = static_cast<std::uint32_t>(p_.out.tables.size());
      p_.out.tables.emplace_back();
    }
    // Parameter bytes lie behind the registers; temporaries behind them, as many as it takes.
    b.param_slot = b.places.slots;
    const std::uint32_t param_slots = (b.param_bytes * warp_lanes + slot_bytes - 1) / slot_bytes;
    b.places.slots += param_slots;
    r.first_step = static_cast<std::uint32_t>(p_.out.steps.size());
    instructions(b);
    r.param_at = b.param_slot;
    r.slots = b.places.slots + b.most_temporaries;
    r.param_bytes = b.param_bytes;
    p_.out.routines[number] = std::move(r);
  }

  void instructions(function_builder& b) {
    const ptx::function& f = *b.f;
    const auto first = static_cast<std::uint32_t>(p_.out.steps.size());
    std::vector<std::uint32_t> step_of(f.instructions.size() + 1, first);
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i) {
      step_of[i] = static_cast<std::uint32_t>(p_.out.steps.size());
      one(b, f.instructions[i]);
    }
    step_of[f.instructions.size()] = static_cast<std::uint32_t>(p_.out.steps.size());
    end_of_body(f);
    resolve_branches(b, step_of);
  }

  void one(function_builder& b, const ptx::instruction& in) {
    const auto number = static_cast<std::uint32_t>(p_.out.sites.size());
    p_.out.sites.push_back(site_of(*b.f, in));
    const std::size_t before = p_.out.steps.size();
    const meaning& m = meaning_of(in.opcode);
    try {
      if (m.what == nullptr) throw not_supported{m.why_not};
      instruction_builder i(p_, b, in, number);
      if (m.what->build != nullptr)
        m.what->build(i, m.chosen);
      else
        i.plain(*m.what, m.chosen);
      i.finish();
    } catch (const not_supported& e) {
      missing_.push_back({p_.out.sites.back(), e.reason});
      p_.out.steps.resize(before);
    } catch (const error& e) {
      missing_.push_back({p_.out.sites.back(), e.what()});
      p_.out.steps.resize(before);
    }
  }

  /// A body may end without a ret.
  void end_of_body(const ptx::function& f) {
    site end;
    end.opcode = "ret";
    end.function = f.name;
    p_.out.sites.push_back(end);
    step s;
    s.run = return_step();
    s.site = static_cast<std::uint32_t>(p_.out.sites.size() - 1);
    s.counts = false;
    p_.out.steps.push_back(s);
  }

  /// Labels become steps, and each branch learns where the lanes that part meet.
  void resolve_branches(function_builder& b, const std::vector<std::uint32_t>& step_of) {
    const ptx::function& f = *b.f;
    const flow::code code = ptx::lower(p_.m, f);
    const flow::graph g(code);
    const std::vector<std::uint32_t> meets = flow::post_dominators(g);
    for (std::uint32_t i = 0; i < f.instructions.size(); ++i) {
      const ptx::opcode& op = p_.m.op(f.instructions[i]);
      const bool jumps = op.then == flow::transfer::jump,
                 table = op.then == flow::transfer::indirect;
      if ((!jumps && !table) || step_of[i + 1] == step_of[i]) continue;
      step& s = p_.out.steps[step_of[i + 1] - 1];
      const std::uint32_t at = g.block_of(i);
      const std::uint32_t meet = at == flow::nowhere ? flow::nowhere : meets[at];
      s.aux = meet == flow::nowhere
                  ? program::at_return
                  : step_of[std::min<std::size_t>(g[meet].begin, f.instructions.size())];
      if (jumps) s.imm = step_of[f.labels[static_cast<std::size_t>(s.imm)].instruction];
    }
    for (const ptx::indirect_table& t : f.tables) {
      auto& steps = p_.out.tables[b.tables.at(t.name)].steps;
      for (const std::string_view name : t.labels)
        for (const ptx::label& l : f.labels)
          if (l.name == name) {
            steps.push_back(step_of[l.instruction]);
            break;
          }
    }
  }

  site site_of(const ptx::function& f, const ptx::instruction& in) const {
    site s;
    s.opcode = p_.m.op(in).text;
    s.function = f.name;
    s.ptx_line = in.line;
    if (in.location == ptx::nothing) return s;
    // What is inlined from a header is reported where the kernel's own file calls it.
    const std::uint32_t own = f.locations.front().file;
    std::uint32_t at = in.location;
    while (f.locations[at].file != own && f.locations[at].parent != ptx::nothing)
      at = f.locations[at].parent;
    const ptx::location& l = f.locations[f.locations[at].file == own ? at : in.location];
    s.file = p_.m.file(l.file);
    s.line = l.line;
    return s;
  }

  const meaning& meaning_of(std::uint32_t opcode) {
    if (!known_[opcode]) {
      meanings_[opcode] = look_up(p_.m.opcodes[opcode]);
      known_[opcode] = true;
    }
    return meanings_[opcode];
  }

  static std::string register_name(const ptx::function& f, std::uint32_t number) {
    for (const ptx::register_range& r : f.registers)
      if (number - r.first < r.count)
        return r.numbered ? fmt::format("{}{}", r.prefix, number - r.first) : std::string(r.prefix);
    return "?";
  }

  program_builder p_;
  std::vector<unsupported> missing_;
  std::vector<std::string> unset_;
  std::vector<meaning> meanings_;  ///< by opcode, if known_: looked up once per spelling
  std::vector<bool> known_;
};

}  // namespace

decoded decode(const ptx::module& m, std::string_view kernel, const symbol_address& address_of) {
  return decoder(m, address_of).run(kernel);
}

}  // namespace ptxlab::machine
