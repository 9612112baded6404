// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "ptx/flow/graph.hpp"
#include "ptx/flow/post_dominators.hpp"
#include "ptx/machine/builder.hpp"
#include "ptx/machine/operations/widths.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/spelling.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/lower.hpp"

namespace ptxlab::machine {
namespace {

using ptx::operand_kind;

/// The rows of each base opcode with their patterns read.
struct indexed_row {
  const row* what;
  std::vector<group> pattern;
};
const std::unordered_multimap<std::string_view, indexed_row>& index() {
  static const auto all = [] {
    std::unordered_multimap<std::string_view, indexed_row> out;
    // Within a base the last one inserted comes first: go backwards.
    const std::vector<row>& table = operation_table();
    for (auto r = table.rbegin(); r != table.rend(); ++r)
      out.emplace(r->base, indexed_row{&*r, read_pattern(r->pattern)});
    return out;
  }();
  return all;
}

/// What an opcode's spelling means, looked up once per spelling of a module.
struct meaning {
  const row* what = nullptr;
  choice chosen;
  std::string why_not;
};

meaning look_up(const ptx::opcode& op) {
  meaning out;
  const auto [first, last] = index().equal_range(op.base);
  if (first == last) {
    out.why_not = fmt::format("the machine has no {}", op.base);
    return out;
  }
  std::string_view left;
  for (auto it = first; it != last; ++it) {
    std::string_view over;
    if (match(it->second.pattern, op, out.chosen, over)) {
      out.what = it->second.what;
      return out;
    }
    if (left.empty()) left = over;
  }
  out.why_not = left.empty() ? fmt::format("{} needs another modifier", op.text)
                             : fmt::format("the machine's {} has no .{} here", op.base, left);
  return out;
}

class decoder {
 public:
  decoder(const ptx::module& m, const symbol_address& addresses) : p_(m, addresses) {
    for (std::uint32_t i = 0; i < m.functions.size(); ++i)
      p_.function_number.emplace(m.functions[i].name, i);
    for (const std::string_view t : m.texts)
      for (ptx::variable& v : ptx::read_variables(t, m.name))
        if (v.space == "shared") p_.shared_variables.emplace(v.name, v);
    meanings_.resize(m.opcodes.size());
    known_.resize(m.opcodes.size());
  }

  decoded run(std::string_view kernel) {
    const ptx::function* const f = p_.m.find(kernel);
    if (f == nullptr || !f->has_body || !f->entry)
      throw error(fmt::format("{} has no kernel '{}'", p_.m.name, kernel));
    p_.out.name = kernel;
    p_.out.exact_threads = f->header.find(".reqntid") != f->header.npos;
    refuse_clusters(*f);
    p_.out.max_threads = f->max_threads.value_or(0);
    for (const ptx::parameter& q : f->params) {
      p_.out.parameters.push_back({std::string(q.name), q.offset, q.bytes});
      p_.out.parameter_bytes = std::max(p_.out.parameter_bytes, q.offset + q.bytes);
    }
    if (p_.out.parameter_bytes > parameter_space_bytes)
      throw error(
          fmt::format("{} has more than {} bytes of parameters", kernel, parameter_space_bytes));
    p_.routine(kernel);
    add_functions_with_addresses();
    place_shared_variables();
    for (std::uint32_t r = 0; r < p_.routines.size(); ++r) routine(r);
    for (const auto& [name, number] : p_.routine_of)
      if (const auto it = p_.function_number.find(name); it != p_.function_number.end())
        p_.out.addresses.emplace_back(function_base + 16 * std::uint64_t{it->second}, number);
    find_recursion();
    decoded out;
    out.missing = std::move(missing_);
    out.unset_registers = std::move(unset_);
    out.code = std::make_shared<program>(std::move(p_.out));
    return out;
  }

 private:
  /// A cluster is one block here: a kernel that needs more of them is not run.
  void refuse_clusters(const ptx::function& f) {
    const std::size_t at = f.header.find(".reqnctapercluster");
    if (at == f.header.npos) return;
    std::uint64_t blocks = 1;
    for (std::size_t i = at + 18; i < f.header.size() && f.header[i] != '.';) {
      std::size_t end = i;
      while (end < f.header.size() && std::isdigit(static_cast<unsigned char>(f.header[end])) != 0)
        ++end;
      if (end > i)
        blocks *= std::stoul(std::string(f.header.substr(i, std::min<std::size_t>(end - i, 9))));
      i = end > i ? end : i + 1;
    }
    if (blocks == 1) return;
    site where;
    where.opcode = ".reqnctapercluster";
    where.function = f.name;
    where.ptx_line = f.line;
    missing_.push_back({where, "the machine has no clusters of several blocks"});
  }

  /// Functions that a call through a pointer may reach because a variable holds their address.
  void add_functions_with_addresses() {
    const auto through_pointer = [&](const ptx::function& f) {
      return std::any_of(f.instructions.begin(), f.instructions.end(), [&](const auto& in) {
        bool found = false;
        if (p_.m.op(in).what == flow::kind::call)
          ptx::for_each_operand(f, in, [&](std::uint32_t o) {
            found = found || f.operands[o].kind == operand_kind::reg;
          });
        return found;
      });
    };
    if (!std::any_of(p_.m.functions.begin(), p_.m.functions.end(), through_pointer)) return;
    for (const std::string_view t : p_.m.texts)
      for (const ptx::variable& v : ptx::read_variables(t, p_.m.name))
        for (const ptx::initial_value& x : v.initial)
          if (p_.function_number.contains(x.symbol)) {
            p_.routine(x.symbol);
            p_.out.recursive = true;
          }
  }

  /// Static variables first, so that dynamic shared memory lies behind all of them: those of every
  /// function that may be called from here.
  void place_shared_variables() {
    for (std::uint32_t r = 0; r < p_.routines.size(); ++r) {
      const ptx::function& f = *p_.routines[r];
      for (const ptx::operand& o : f.operands) {
        if (o.kind != operand_kind::symbol && o.kind != operand_kind::expression) continue;
        std::string_view name = p_.m.text(o);
        name = name.substr(0, name.find_first_of("+ "));
        if (const auto it = p_.shared_variables.find(name);
            it != p_.shared_variables.end() && it->second.sized)
          p_.shared_offset(name);
        if (p_.function_number.contains(name)) p_.routine(name);
      }
      std::map<std::string_view, std::uint32_t> places;
      for (const std::string_view t : f.texts)
        for (const ptx::variable& v : ptx::read_variables(t, p_.m.name)) {
          if (v.space != "shared" || !v.sized) continue;
          std::uint32_t& used = p_.out.shared_bytes;
          used = (used + v.align - 1) / v.align * v.align;
          places[v.name] = used;
          p_.out.shared.push_back({std::string(v.name), used, static_cast<std::uint32_t>(v.bytes)});
          used += static_cast<std::uint32_t>(v.bytes);
        }
      shared_of_.push_back(std::move(places));
    }
  }

  void declare(function_builder& b, routine& r) {
    for (const std::string_view t : b.f->texts)
      for (const ptx::variable& v : ptx::read_variables(t, p_.m.name)) {
        if (v.space == "local") {
          r.local_bytes = (r.local_bytes + v.align - 1) / v.align * v.align;
          b.local_at[v.name] = r.local_bytes;
          r.local_bytes += static_cast<std::uint32_t>(v.bytes);
        } else if (v.space == "param") {
          add_parameter(b, v.name, static_cast<std::uint32_t>(v.bytes));
        } else if (v.space == "shared" && !v.sized) {
          b.shared_at[v.name] = (p_.out.shared_bytes + 15) / 16 * 16;
        }
      }
    r.local_bytes = (r.local_bytes + 15) / 16 * 16;
  }
  static parameter_range add_parameter(function_builder& b, std::string_view name,
                                       std::uint32_t bytes) {
    // Each call sequence declares its own "retval0", of its own size, in its own scope. None is
    // used while another is, so they share the largest.
    if (const auto it = b.params.find(name); it != b.params.end() && it->second.bytes >= bytes)
      return it->second;
    const std::uint32_t at = (b.param_bytes + 15) / 16 * 16;
    b.param_bytes = at + bytes;
    b.params[name] = {at, bytes};
    return {at, bytes};
  }

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
    if (number < shared_of_.size()) b.shared_at = shared_of_[number];
    for (const ptx::parameter& q : f.params) {
      if (f.entry)
        b.params[q.name] = {q.offset, q.bytes};
      else
        r.formals.push_back(add_parameter(b, q.name, q.bytes));
    }
    for (const ptx::parameter& q : f.results)
      r.results.push_back(add_parameter(b, q.name, q.bytes));
    declare(b, r);
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

  void find_recursion() {
    // Depth-first over direct calls, by routine.
    std::vector<std::vector<std::uint32_t>> to(p_.out.routines.size());
    for (std::size_t r = 0; r < p_.out.routines.size(); ++r) {
      const std::size_t end =
          r + 1 < p_.out.routines.size() ? p_.out.routines[r + 1].first_step : p_.out.steps.size();
      for (std::size_t i = p_.out.routines[r].first_step; i < end; ++i) {
        const step& s = p_.out.steps[i];
        if (p_.out.sites[s.site].opcode.starts_with("call") && s.counts && s.a == no_slot &&
            static_cast<std::size_t>(s.imm) < p_.out.calls.size())
          if (const std::uint32_t callee = p_.out.calls[static_cast<std::size_t>(s.imm)].routine;
              callee != 0xffffffff)
            to[r].push_back(callee);
      }
    }
    std::vector<int> state(to.size());
    const std::function<bool(std::uint32_t)> circle = [&](std::uint32_t r) {
      state[r] = 1;
      for (const std::uint32_t n : to[r])
        if (state[n] == 1 || (state[n] == 0 && circle(n))) return true;
      state[r] = 2;
      return false;
    };
    if (circle(0)) p_.out.recursive = true;
  }

  program_builder p_;
  std::vector<unsupported> missing_;
  std::vector<std::string> unset_;
  std::vector<std::map<std::string_view, std::uint32_t>> shared_of_;
  std::vector<meaning> meanings_;
  std::vector<bool> known_;
};

}  // namespace

decoded decode(const ptx::module& m, std::string_view kernel, const symbol_address& address_of) {
  return decoder(m, address_of).run(kernel);
}

}  // namespace ptxlab::machine
