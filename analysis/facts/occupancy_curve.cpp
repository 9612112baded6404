// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/occupancy_curve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/res_usage.hpp"

namespace ptxlab::facts {
namespace {

constexpr int warp = 32;
constexpr std::int64_t register_step = 8, shared_step = 4096;

/// "sm_90" of "sm_90a".
std::optional<architecture> find_architecture(const std::string& arch) {
  const auto number = sm_number(arch);
  if (!number) return {};
  const std::string plain = fmt::format("sm_{}", *number);
  for (architecture& a : architectures())
    if (a.name == plain) return std::move(a);
  return {};
}

occupancy_table ask(const occupancy_question& q, const std::vector<int>& sizes) {
  return compute_occupancy(q.uses, q.arch, q.max_threads, q.dynamic_shared_bytes, sizes);
}

}  // namespace

resources uses_of(std::int64_t registers, std::int64_t shared_bytes) {
  resources out;
  out.registers = registers;
  out.shared_bytes = shared_bytes;
  out.barriers = 1;
  return out;
}

const char* name(occupancy_axis a) {
  switch (a) {
    case occupancy_axis::block:
      return "threads";
    case occupancy_axis::registers:
      return "registers";
    case occupancy_axis::shared:
      return "shared";
  }
  return "?";
}

std::optional<occupancy> occupancy_at(const occupancy_question& q) {
  occupancy_table t = ask(q, {q.block_threads});
  if (t.rows.empty()) return {};
  return std::move(t.rows.front());
}

occupancy_curve curve_of(const occupancy_question& q, occupancy_axis over) {
  occupancy_curve out;
  const auto arch = find_architecture(q.arch);
  if (over == occupancy_axis::block || !arch) {
    std::vector<int> sizes;
    for (int t = warp; t <= (arch ? arch->block_threads : warp); t += warp) sizes.push_back(t);
    occupancy_table t = ask(q, sizes);
    for (occupancy& o : t.rows) out.points.push_back({o.block_threads, std::move(o)});
    out.notes = std::move(t.notes);
    return out;
  }
  const auto add = [&](std::int64_t at, const occupancy_question& changed) {
    occupancy_table t = ask(changed, {q.block_threads});
    for (occupancy& o : t.rows) out.points.push_back({at, std::move(o)});
    for (std::string& note : t.notes)
      if (std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end())
        out.notes.push_back(std::move(note));
  };
  occupancy_question changed = q;
  if (over == occupancy_axis::registers) {
    for (std::int64_t r = register_step; r <= arch->thread_registers; r += register_step) {
      changed.uses.registers = r;
      add(r, changed);
    }
    return out;
  }
  const std::int64_t fixed = q.uses.shared_bytes.value_or(0);
  for (std::int64_t s = fixed; s <= arch->block_shared_bytes; s += shared_step) {
    changed.dynamic_shared_bytes = s - fixed;
    add(s, changed);
  }
  return out;
}

}  // namespace ptxlab::facts
