// SPDX-License-Identifier: Apache-2.0
// Control flow: PTX ISA 9.0, "Control Flow Instructions", nanosleep, trap, and the functions that a
// kernel calls and the machine answers: vprintf, malloc, free, __assertfail.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/operations/print.hpp"
#include "ptx/machine/operations/widths.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

/// imm: the step jumped to, aux: where lanes that part meet again.
void branch(const step& s, context& c) {
  const auto to = static_cast<std::uint32_t>(s.imm);
  if (c.mask != c.whole) {
    c.asks = request::diverge;
    c.taken = c.mask;
    c.target = to;
    c.meet = s.aux;
    return;
  }
  if (to < c.pc) c.asks = request::back;
  c.pc = to;
}
void build_bra(instruction_builder& b, const choice&) {
  if (b.count() != 1 || b.instruction().target == ptx::nothing) b.fail("a label is expected");
  step& s = b.add(branch);
  s.imm = b.instruction().target;  // decode turns labels into steps
}

/// brx.idx: the lanes with the first lane's index go, the others come here again.
void branch_by_index(const step& s, context& c) {
  const auto* const index = c.at<std::uint32_t>(s.a);
  const auto first = static_cast<unsigned>(__builtin_ctz(c.mask));
  const auto& to = c.in->code().tables[static_cast<std::size_t>(s.imm)].steps;
  if (index[first] >= to.size())
    throw fault{fault::kind::undefined,
                fmt::format("brx.idx with index {} of {} labels", index[first], to.size()), first};
  lane_mask same = 0;
  each_active(c,
              [&](unsigned i) { same |= static_cast<lane_mask>(index[i] == index[first]) << i; });
  const std::uint32_t target = to[index[first]];
  if (same == c.whole) {
    if (target < c.pc) c.asks = request::back;
    c.pc = target;
    return;
  }
  c.asks = request::diverge;
  c.taken = same;
  c.target = target;
  c.meet = s.aux;
  --c.pc;
}
void build_brx(instruction_builder& b, const choice&) {
  if (b.count() != 2 || b.instruction().guard != ptx::nothing)
    b.fail("an index and a table are expected");
  const auto table = b.function().tables.find(b.text(b.operand(1)));
  if (table == b.function().tables.end()) b.fail("the table of labels is not known");
  const slot a = b.source(0, type::u32);
  step& s = b.add(branch_by_index);
  s.a = a;
  s.imm = table->second;
}

void leave(const step&, context& c) {
  c.asks = request::leave;
}
void finish(const step&, context& c) {
  c.asks = request::finish;
}
void build_ret(instruction_builder& b, const choice&) {
  b.add(leave);
}
void build_exit(instruction_builder& b, const choice&) {
  b.add(finish);
}
void trap(const step&, context& c) {
  throw fault{fault::kind::trap, "the kernel executed trap",
              static_cast<unsigned>(__builtin_ctz(c.mask))};
}
void build_trap(instruction_builder& b, const choice&) {
  b.add(trap);
}
void sleep(const step&, context& c) {
  c.asks = request::yield;
}
void build_nanosleep(instruction_builder& b, const choice&) {
  if (b.count() != 1) b.fail("one operand is expected");
  b.source(0, type::u32);
  b.add(sleep);
}
void no_step(const step&, context&) {}
void build_nothing(instruction_builder& b, const choice&) {
  b.add(no_step);
}

// --- calls ---------------------------------------------------------------------------------------

/// imm: the call_site; its routine is known.
void call(const step& s, context& c) {
  c.asks = request::call;
  c.taken = c.mask;
  c.target = c.in->code().calls[static_cast<std::size_t>(s.imm)].routine;
  c.meet = static_cast<std::uint32_t>(s.imm);
}
/// a: addresses of functions. The lanes with the first lane's target go first.
void call_indirect(const step& s, context& c) {
  const auto* const to = c.at<std::uint64_t>(s.a);
  const auto first = static_cast<unsigned>(__builtin_ctz(c.mask));
  lane_mask same = 0;
  each_active(c, [&](unsigned i) { same |= static_cast<lane_mask>(to[i] == to[first]) << i; });
  const std::uint32_t routine = c.in->code().routine_at(to[first]);
  if (routine == 0xffffffff)
    throw fault{
        fault::kind::undefined,
        fmt::format("a call through address {:#x}, which is no function of the program", to[first]),
        first};
  c.asks = request::call;
  c.taken = same;
  c.target = routine;
  c.meet = static_cast<std::uint32_t>(s.imm);
}

/// Bytes of the activation's parameters for one lane.
std::byte* parameter(const step& s, const context& c, unsigned lane, const parameter_range& r) {
  return c.at<std::byte>(s.b) + std::size_t{lane} * s.e + r.offset;
}
template <class T>
T argument(const step& s, const context& c, unsigned lane, std::size_t k) {
  const call_site& site = c.in->code().calls[static_cast<std::size_t>(s.imm)];
  T v{};
  if (k < site.actuals.size())
    std::memcpy(&v, parameter(s, c, lane, site.actuals[k]),
                std::min<std::size_t>(sizeof v, site.actuals[k].bytes));
  return v;
}
template <class T>
void give_back(const step& s, const context& c, unsigned lane, T v) {
  const call_site& site = c.in->code().calls[static_cast<std::size_t>(s.imm)];
  if (!site.results.empty())
    std::memcpy(parameter(s, c, lane, site.results[0]), &v,
                std::min<std::size_t>(sizeof v, site.results[0].bytes));
}

/// vprintf(format, arguments): lanes in order, so that the output is reproducible.
void call_vprintf(const step& s, context& c) {
  each_active(c, [&](unsigned i) {
    const std::string text = formatted(*c.in, i, argument<std::uint64_t>(s, c, i, 0),
                                       argument<std::uint64_t>(s, c, i, 1));
    c.in->in().in().printed() += text;
    give_back(s, c, i, static_cast<std::uint32_t>(text.size()));
  });
  c.in->in().in().changed();
}
void call_malloc(const step& s, context& c) {
  grid& g = c.in->in().in();
  each_active(c, [&](unsigned i) {
    const auto bytes = argument<std::uint64_t>(s, c, i, 0);
    const std::uint64_t room = g.device().capacity() - g.device().used();
    give_back(s, c, i,
              bytes + 512 > room ? address{0} : g.device().allocate(bytes, "malloc in the kernel"));
  });
  g.changed();
}
void call_free(const step& s, context& c) {
  grid& g = c.in->in().in();
  each_active(c, [&](unsigned i) {
    const auto at = argument<std::uint64_t>(s, c, i, 0);
    if (at == 0) return;
    const allocation* const a = g.device().find(at);
    if (a == nullptr || a->begin != at || !a->live)
      throw fault{fault::kind::freed, "free of " + g.device().explain(at, 1), i};
    g.device().release(at);
  });
  g.changed();
}
/// __assertfail(message, file, line, function, size of a character)
void call_assertfail(const step& s, context& c) {
  const auto i = static_cast<unsigned>(__builtin_ctz(c.mask));
  const auto text = [&](std::size_t k) {
    return string_at(*c.in, i, argument<std::uint64_t>(s, c, i, k));
  };
  throw fault{fault::kind::assertion,
              fmt::format("assertion `{}' failed in {}, {}:{}", text(0), text(3), text(1),
                          argument<std::uint32_t>(s, c, i, 2)),
              i};
}

run_function builtin(std::string_view name) {
  if (name == "vprintf") return call_vprintf;
  if (name == "malloc") return call_malloc;
  if (name == "free") return call_free;
  if (name == "__assertfail") return call_assertfail;
  return nullptr;
}

/// The ranges of the .param variables that a group of a call names.
std::vector<parameter_range> ranges(instruction_builder& b, std::size_t group) {
  std::vector<parameter_range> out;
  for (const std::uint32_t child : b.children(group)) {
    const auto it = b.function().params.find(b.text(b.at(child)));
    if (it == b.function().params.end())
      b.fail(fmt::format("'{}' is no .param variable", b.text(b.at(child))));
    out.push_back(it->second);
  }
  return out;
}

void build_call(instruction_builder& b, const choice&) {
  std::size_t at = 0;
  call_site site;
  if (b.operand(0).kind == ptx::operand_kind::group) site.results = ranges(b, at++);
  const ptx::operand& callee = b.operand(at);
  const std::string_view name = b.text(callee);
  if (at + 1 < b.count() && b.operand(at + 1).kind == ptx::operand_kind::group)
    site.actuals = ranges(b, at + 1);
  program_builder& p = b.whole();
  run_function run = call;
  slot through = no_slot;
  if (callee.kind == ptx::operand_kind::reg) {
    run = call_indirect;
    through = b.source(callee, type::u64);
  } else {
    site.routine = p.routine(name);
    if (site.routine == 0xffffffff) {
      run = builtin(name);
      if (run == nullptr)
        b.fail(name.starts_with("__cudaCDP2") || name.starts_with("cudaLaunchDevice")
                   ? fmt::format("{}: launches from the device are not supported", name)
                   : fmt::format("function {} has no body", name));
    }
  }
  if (run != call && run != call_indirect) p.out.calls_machine = true;
  p.out.calls.push_back(std::move(site));
  step& s = b.add(run);
  s.a = through;
  s.imm = static_cast<std::int64_t>(p.out.calls.size() - 1);
  s.b = b.function().param_slot;
  s.e = b.function().param_bytes;
}

const std::array table = {
    row{"bra", "uni?", "label", nullptr, nullptr, build_bra},
    row{"brx", "idx uni?", "a, table", nullptr, nullptr, build_brx},
    row{"call", "uni?", "(result), function, (parameters)", nullptr, nullptr, build_call,
        "with .param variables; vprintf, malloc, free, __assertfail are the machine's"},
    row{"ret", "uni?", "", nullptr, nullptr, build_ret},
    row{"exit", "", "", nullptr, nullptr, build_exit},
    row{"trap", "", "", nullptr, nullptr, build_trap, "ends the launch"},
    row{"brkpt", "", "", nullptr, nullptr, build_trap, "ends the launch"},
    row{"nanosleep", "t:u32", "a", nullptr, nullptr, build_nanosleep, "lets others run"},
    row{"pmevent", "mask?", "a", nullptr, nullptr, build_nothing, "does nothing"},
    row{"griddepcontrol", "what:launch_dependents|wait", "", nullptr, nullptr, build_nothing,
        "does nothing: launches follow each other"},
};

}  // namespace

run_function return_step() {
  return leave;
}

rows control_rows() {
  return table;
}

}  // namespace ptxlab::machine
