// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ptx/machine/operations/approximate.hpp"
#include "ptx/machine/operations/widths.hpp"

namespace ptxlab::machine {

using ptx::operand_kind;

instruction_builder::instruction_builder(program_builder& p, function_builder& f,
                                         const ptx::instruction& in, std::uint32_t site)
    : p_(p), f_(f), in_(in), site_(site), first_step_(p.out.steps.size()) {
  ptx::for_each_operand(*f.f, in, [&](std::uint32_t o) { operands_.push_back(o); });
  f_.temporaries = 0;
}

const ptx::operand& instruction_builder::operand(std::size_t i) const {
  if (i >= operands_.size()) fail(fmt::format("operand {} is missing", i + 1));
  return f_.f->operands[operands_[i]];
}

std::vector<std::uint32_t> instruction_builder::children(std::size_t i) const {
  std::vector<std::uint32_t> out;
  ptx::for_each_child(f_.f->operands, operands_.at(i), [&](std::uint32_t c) { out.push_back(c); });
  return out;
}

std::optional<std::int64_t> instruction_builder::integer(std::size_t i) const {
  const ptx::operand& o = operand(i);
  if (o.kind != operand_kind::integer) return std::nullopt;
  return ptx::integer_value(text(o), o.minus);
}

unsigned instruction_builder::register_bits(const ptx::operand& o) const {
  if (o.kind != operand_kind::reg) return 0;
  const std::optional<type> t = type_named(f_.f->register_type(o.value));
  return t ? bits(*t) : 0;
}

// --- steps ---------------------------------------------------------------------------------------

step& instruction_builder::add(run_function run) {
  step s;
  s.run = run;
  s.site = site_;
  s.counts = false;
  if (in_.guard != ptx::nothing) {
    s.guard = f_.places.at[in_.guard];
    s.guard_negated = in_.guard_negated;
  }
  p_.out.steps.push_back(s);
  return p_.out.steps.back();
}

slot instruction_builder::temporary(unsigned element_bytes) {
  const slot at = f_.places.slots + f_.temporaries;
  f_.temporaries += std::max(1U, element_bytes * warp_lanes / slot_bytes);
  f_.most_temporaries = std::max(f_.most_temporaries, f_.temporaries);
  return at;
}

std::uint32_t instruction_builder::list(std::vector<slot> slots) {
  p_.out.lists.push_back({std::move(slots)});
  return static_cast<std::uint32_t>(p_.out.lists.size() - 1);
}

void instruction_builder::finish() {
  for (const late_extension& e : late_) {
    step& s = add(extension(bits(e.t), e.to_bits, is_signed(e.t)));
    s.a = e.from;
    s.d = e.to;
  }
  if (p_.out.steps.size() == first_step_) fail("nothing to run");
  p_.out.steps.back().counts = true;
}

// --- plain operations ----------------------------------------------------------------------------

void instruction_builder::plain(const row& r, const choice& c) {
  const run_function run = r.select(c);
  if (run == nullptr) fail("these modifiers do not go together");
  const fit fits = r.base == "cvt" ? fit::wider : fit::exact;
  const std::size_t less = r.operands.find('<');
  const std::string_view sources = r.operands.substr(less + 1);
  std::size_t i = 0;
  // Sources first: a result may be put where a source was.
  slot at[4] = {no_slot, no_slot, no_slot, no_slot};
  std::uint32_t aux = r.aux != nullptr ? r.aux(c) : 0;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const std::size_t index = k + 1;
    if (sources[k] == 'q') {
      const bool wanted = aux != 0;
      if (wanted != (index < count())) fail("a predicate and its operator belong together");
      if (!wanted) continue;
      at[k] = source(index, type::pred);
      ++i;
      continue;
    }
    at[k] = source(index, operand_type(sources[k], c), fits);
    ++i;
  }
  if (i + 1 != count()) fail(fmt::format("{} operands, where {} are expected", count(), i + 1));
  slot d = no_slot, q = no_slot;
  if (r.operands[0] == 'P' && operand(0).kind == operand_kind::pair) {
    const auto both = children(0);
    if (both.size() != 2) fail("more than two predicates");
    d = result(this->at(both[0]), type::pred);
    q = result(this->at(both[1]), type::pred);
  } else {
    d = result(0, operand_type(r.operands[0], c), fits);
  }
  step& s = add(run);
  s.aux = aux;
  s.d = d;
  s.a = at[0];
  s.b = at[1];
  s.c = at[2];
  s.e = r.operands[0] == 'P' ? q : at[3];
  let_approximate(s, p_.m.op(in_));
}

}  // namespace ptxlab::machine
