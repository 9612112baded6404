// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/facts_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ptxlab::facts {
namespace {

template <typename... T>
void line(std::string& out, fmt::format_string<T...> format, T&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<T>(args)...);
  out += '\n';
}

template <typename T>
std::string or_unknown(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "?";
}

std::string place(const std::string& file, const std::optional<int>& at, const report& r) {
  std::string out = fmt::format("line {}", or_unknown(at));
  if (!file.empty() && file != r.input) out += fmt::format(" of {}", file);
  return out;
}

void stage_lines(std::string& out, const char* name, const stage& s, const report& r) {
  if (!s.known) return line(out, "  {} unknown: {}", name, s.reason);
  line(out, "  {} instructions {}", name, s.instructions);
  if (s.unknown_instructions > 0)
    line(out, "  {} unknown-instructions {}", name, s.unknown_instructions);
  if (s.irreducible) line(out, "  {} irreducible", name);
  if (s.unknown_branches) line(out, "  {} unknown-branches", name);
  for (const auto& [opcode, times] : s.opcodes) line(out, "  {} opcode {} {}", name, opcode, times);
  for (const loop& l : s.loops) {
    line(out,
         "  {} loop {} {} depth {} exit {} instructions {} stores {} barriers {} fences {} calls "
         "{} trip {}",
         name, l.id, place(l.file, l.line, r), l.depth, l.exit, l.instructions, l.stores,
         l.barriers, l.fences, l.calls, or_unknown(l.trip));
    for (const poll& p : l.polls)
      line(out, "  {} loop {} poll {} {} {} {}{}", name, l.id, p.space, p.width, p.strength,
           p.address, p.acquire ? " acquire" : "");
  }
}

}  // namespace

std::vector<std::pair<std::string_view, count>> resource_list(const resources& r) {
  return {{"registers", r.registers},
          {"stack_bytes", r.stack_bytes},
          {"spill_store_bytes", r.spill_store_bytes},
          {"spill_load_bytes", r.spill_load_bytes},
          {"cumulative_stack_bytes", r.cumulative_stack_bytes},
          {"shared_bytes", r.shared_bytes},
          {"local_bytes", r.local_bytes},
          {"constant_bytes", r.constant_bytes},
          {"barriers", r.barriers},
          {"textures", r.textures},
          {"surfaces", r.surfaces},
          {"samplers", r.samplers}};
}

std::string verdict_text(const loop_verdict& v) {
  std::string out = v.verdict;
  if (!v.lost_in.empty()) out += fmt::format(" in {}", v.lost_in);
  if (v.factor) out += fmt::format(" by {}", *v.factor);
  if (v.full) out += " full";
  if (v.peeled) out += " peeled";
  return out;
}

std::string facts_format(const report& r) {
  std::string out;
  line(out, "input {}", r.input);
  line(out, "arch {}", r.arch);
  for (const std::string& n : r.notes) line(out, "note {}", n);
  for (const kernel& k : r.kernels) {
    line(out, "kernel {}", k.name);
    line(out, "  entry {}", k.entry ? "yes" : "no");
    if (k.max_threads) line(out, "  max_threads {}", *k.max_threads);
    auto resources = resource_list(k.res);
    std::sort(resources.begin(), resources.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [name, value] : resources)
      line(out, "  resource {} {}", name, or_unknown(value));
    if (k.res.recursive) line(out, "  recursive");
    for (const occupancy& o : k.occ)
      line(out, "  occupancy {} blocks {} warps {} limiter {}", o.block_threads, o.blocks_per_sm,
           o.warps_per_sm, o.limiter);
    stage_lines(out, "ptx", k.ptx, r);
    stage_lines(out, "sass", k.sass, r);
    for (const loop_verdict& v : k.loops)
      line(out, "  loop {} {}", place(v.file, v.line, r), verdict_text(v));
    for (const finding& f : k.findings)
      line(out, "  finding {} {} {} {}: {}", f.id, f.severity, f.stage, place(f.file, f.line, r),
           f.text);
  }
  return out;
}

}  // namespace ptxlab::facts
