// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/program_builder.hpp"

#include <algorithm>
#include <functional>

namespace ptxlab::machine {

program_builder::program_builder(const ptx::module& text, const symbol_address& globals)
    : m(text), address_of(globals) {
  for (std::uint32_t i = 0; i < m.functions.size(); ++i)
    function_number.emplace(m.functions[i].name, i);
  for (const std::string_view t : m.texts)
    for (ptx::variable& v : ptx::read_variables(t, m.name))
      if (v.space == "shared") shared_variables.emplace(v.name, v);
}

slot program_builder::constant(unsigned bytes, std::uint64_t bits) {
  if (bytes < 8) bits &= (std::uint64_t{1} << 8 * bytes) - 1;
  const auto [it, fresh] = constants.try_emplace({bytes, bits}, no_slot);
  if (!fresh) return it->second;
  it->second =
      slot_in(bank::constants, static_cast<std::uint32_t>(out.constants.size() / slot_bytes));
  for (unsigned i = 0; i < warp_lanes; ++i)
    for (unsigned k = 0; k < bytes; ++k)
      out.constants.push_back(static_cast<std::byte>(bits >> (8 * k)));
  return it->second;
}

slot program_builder::special(std::string_view name, unsigned bytes) {
  if (const auto it = specials.find(name); it != specials.end()) return it->second;
  const slot at = slot_in(bank::warp, out.warp_slots);
  out.warp_slots += bytes * warp_lanes / slot_bytes;
  specials.emplace(std::string(name), at);
  out.specials.emplace_back(std::string(name), at);
  return at;
}

std::uint32_t program_builder::shared_offset(std::string_view name) {
  if (const auto it = shared_at.find(name); it != shared_at.end()) return it->second;
  const ptx::variable& v = shared_variables.at(name);
  if (!v.sized) {
    // Dynamic shared memory starts behind the static one: decode places that first.
    return (out.shared_bytes + 15) / 16 * 16;
  }
  std::uint32_t& used = out.shared_bytes;
  used = (used + v.align - 1) / v.align * v.align;
  shared_at[name] = used;
  out.shared.push_back({std::string(name), used, static_cast<std::uint32_t>(v.bytes)});
  used += static_cast<std::uint32_t>(v.bytes);
  return shared_at[name];
}

std::uint32_t program_builder::routine(std::string_view name) {
  if (const auto it = routine_of.find(name); it != routine_of.end()) return it->second;
  const ptx::function* const f = m.find(name);
  if (f == nullptr || !f->has_body) return 0xffffffff;
  const auto number = static_cast<std::uint32_t>(routines.size());
  routine_of.emplace(name, number);
  routines.push_back(f);
  out.routines.emplace_back().name = name;
  return number;
}

void program_builder::add_functions_with_addresses() {
  const auto through_pointer = [&](const ptx::function& f) {
    return std::any_of(f.instructions.begin(), f.instructions.end(), [&](const auto& in) {
      bool found = false;
      if (m.op(in).what == flow::kind::call)
        ptx::for_each_operand(f, in, [&](std::uint32_t o) {
          found = found || f.operands[o].kind == ptx::operand_kind::reg;
        });
      return found;
    });
  };
  if (!std::any_of(m.functions.begin(), m.functions.end(), through_pointer)) return;
  for (const std::string_view t : m.texts)
    for (const ptx::variable& v : ptx::read_variables(t, m.name))
      for (const ptx::initial_value& x : v.initial)
        if (function_number.contains(x.symbol)) {
          routine(x.symbol);
          out.recursive = true;
        }
}

void program_builder::place_shared_variables() {
  for (std::uint32_t r = 0; r < routines.size(); ++r) {
    const ptx::function& f = *routines[r];
    for (const ptx::operand& o : f.operands) {
      if (o.kind != ptx::operand_kind::symbol && o.kind != ptx::operand_kind::expression) continue;
      std::string_view name = m.text(o);
      name = name.substr(0, name.find_first_of("+ "));
      if (const auto it = shared_variables.find(name);
          it != shared_variables.end() && it->second.sized)
        shared_offset(name);
      if (function_number.contains(name)) routine(name);
    }
    std::map<std::string_view, std::uint32_t> places;
    for (const std::string_view t : f.texts)
      for (const ptx::variable& v : ptx::read_variables(t, m.name)) {
        if (v.space != "shared" || !v.sized) continue;
        std::uint32_t& used = out.shared_bytes;
        used = (used + v.align - 1) / v.align * v.align;
        places[v.name] = used;
        out.shared.push_back({std::string(v.name), used, static_cast<std::uint32_t>(v.bytes)});
        used += static_cast<std::uint32_t>(v.bytes);
      }
    shared_of.push_back(std::move(places));
  }
}

void program_builder::find_recursion() {
  // Depth-first over direct calls, by routine.
  std::vector<std::vector<std::uint32_t>> to(out.routines.size());
  for (std::size_t r = 0; r < out.routines.size(); ++r) {
    const std::size_t end =
        r + 1 < out.routines.size() ? out.routines[r + 1].first_step : out.steps.size();
    for (std::size_t i = out.routines[r].first_step; i < end; ++i) {
      const step& s = out.steps[i];
      if (out.sites[s.site].opcode.starts_with("call") && s.counts && s.a == no_slot &&
          static_cast<std::size_t>(s.imm) < out.calls.size())
        if (const std::uint32_t callee = out.calls[static_cast<std::size_t>(s.imm)].routine;
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
  if (circle(0)) out.recursive = true;
}

void function_builder::declare(const program_builder& p, routine& r) {
  for (const std::string_view t : f->texts)
    for (const ptx::variable& v : ptx::read_variables(t, p.m.name)) {
      if (v.space == "local") {
        r.local_bytes = (r.local_bytes + v.align - 1) / v.align * v.align;
        local_at[v.name] = r.local_bytes;
        r.local_bytes += static_cast<std::uint32_t>(v.bytes);
      } else if (v.space == "param") {
        add_parameter(v.name, static_cast<std::uint32_t>(v.bytes));
      } else if (v.space == "shared" && !v.sized) {
        shared_at[v.name] = (p.out.shared_bytes + 15) / 16 * 16;
      }
    }
  r.local_bytes = (r.local_bytes + 15) / 16 * 16;
}

parameter_range function_builder::add_parameter(std::string_view name, std::uint32_t bytes) {
  // Each call sequence declares its own "retval0", of its own size, in its own scope. None is
  // used while another is, so they share the largest.
  if (const auto it = params.find(name); it != params.end() && it->second.bytes >= bytes)
    return it->second;
  const std::uint32_t at = (param_bytes + 15) / 16 * 16;
  param_bytes = at + bytes;
  params[name] = {at, bytes};
  return {at, bytes};
}

}  // namespace ptxlab::machine
