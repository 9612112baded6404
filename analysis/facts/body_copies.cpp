// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/body_copies.hpp"

#include <algorithm>
#include <map>

namespace ptxlab::facts {
namespace {

using flow::kind;
using operation = loop_tree::operation;

std::uint32_t key_of(const stage_function& f, std::uint32_t op, compared_by by) {
  if (by == compared_by::place) return f.origins[op].matched;
  return f.origins[op].ptx_line == 0 ? no_site : f.origins[op].ptx_line;
}

const stage_function& function_of(const loop_tree& t, const operation& o) {
  return t.stage().functions[o.function];
}

/// Whether an operation computes on floating-point numbers, at either stage. The unoptimised build
/// calls its built-ins (fmaf, __fdividef).
bool is_floating(const stage_function& f, std::uint32_t op) {
  if (f.code.ops[op].what == kind::call) return true;
  if (f.code.ops[op].what != kind::plain || f.opcode[op] == flow::nowhere) return false;
  const std::string& text = f.opcodes[f.opcode[op]];
  const bool sass = text[0] >= 'A' && text[0] <= 'Z';
  if (sass) return text[0] == 'F' || text[0] == 'D' || text[0] == 'H' || text.starts_with("MUFU");
  if (text.starts_with("mov.") || text.starts_with("cvt.")) return false;
  return text.find(".f32") != std::string::npos || text.find(".f64") != std::string::npos ||
         text.find("f16") != std::string::npos;
}

bool is_stack_access(const stage_function& f, std::uint32_t op) {
  return loop_tree::is_memory(f.code.ops[op]) && loop_tree::is_stack(f, op);
}

bool is_computation(const stage_function& f, std::uint32_t op) {
  const flow::op& o = f.code.ops[op];
  return o.then == flow::transfer::next && o.shape != flow::form::move;
}

/// Integer operations of two PTX builds are told apart by their opcode, so that the arithmetic of
/// addresses does not count for that of the body; floating-point ones may have been fused.
std::string sort_of(const stage_function& f, std::uint32_t op, compared_by by) {
  if (by == compared_by::ptx_line || !is_computation(f, op) || is_floating(f, op)) return {};
  const std::string& text = f.opcodes[f.opcode[op]];
  return text.substr(0, text.find('.'));
}

/// Neighbouring stack slots are often accessed together: what counts is bits.
std::uint64_t weight(const stage_function& f, std::uint32_t op) {
  return is_stack_access(f, op) ? std::max<std::uint16_t>(f.code.ops[op].width_bits, 8) : 1;
}

/// A body without marked operations: how many of its iterations the busiest place tells of,
/// counting the first of these sorts of operation that it has. An inner loop of constant length
/// that is unrolled too leaves its own number of copies for each.
std::uint64_t iterations_left(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
                              compared_by by) {
  for (const auto counted : {is_floating, is_stack_access, is_computation}) {
    std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> per_iteration, left;
    for (const operation& o : earlier.operations(n)) {
      const stage_function& f = function_of(earlier, o);
      const std::uint32_t key = key_of(f, o.op, by);
      if (key == no_site || !counted(f, o.op)) continue;
      std::uint64_t inner = 1;
      for (std::uint32_t l = earlier.innermost(o.function, o.op); l != n; l = earlier[l].parent)
        inner *= std::min<std::uint64_t>(earlier.loop(l).trip.value_or(1), 1U << 16);
      per_iteration[{key, sort_of(f, o.op, by)}] += inner * weight(f, o.op);
    }
    if (per_iteration.empty()) continue;
    for (const operation& o : later.all()) {
      const stage_function& f = function_of(later, o);
      if (counted(f, o.op)) left[{key_of(f, o.op, by), sort_of(f, o.op, by)}] += weight(f, o.op);
    }
    std::uint64_t best = 0;
    for (const auto& [key, times] : per_iteration)
      if (left.contains(key)) best = std::max(best, left[key] / times);
    if (best > 0) return best;
  }
  return 0;
}

/// How often an operation whose innermost loop is `in` stands for one iteration of loop `n`, with
/// inner loops of constant length unrolled; 0 where an inner loop is left or has no such length.
int times_per_iteration(const loop_tree& earlier, std::uint32_t n, std::uint32_t in,
                        const loop_match& match) {
  std::uint64_t times = 1;
  for (; in != n; in = earlier[in].parent) {
    const auto trip = earlier.loop(in).trip;
    if (!match.of(in).empty() || !trip || *trip == 0 || *trip > 4096) return 0;
    times *= *trip;
    if (times > 4096) return 0;
  }
  return static_cast<int>(times);
}

}  // namespace

bool is_marker(const stage_function& f, std::uint32_t op) {
  const flow::op& o = f.code.ops[op];
  if (loop_tree::is_memory(o)) return !loop_tree::is_stack(f, op);
  return o.what == kind::barrier || o.what == kind::fence || o.what == kind::sleep ||
         o.what == kind::clock || o.what == kind::exchange;
}

body_copies count_copies(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
                         const loop_match& match, compared_by by) {
  using counts = std::map<std::pair<std::uint32_t, kind>, int>;
  counts once, all;
  for (const operation& o : earlier.operations(n)) {
    const stage_function& f = function_of(earlier, o);
    if (!is_marker(f, o.op)) continue;
    const int times = times_per_iteration(earlier, n, earlier.innermost(o.function, o.op), match);
    if (times > 0) once[{key_of(f, o.op, by), f.code.ops[o.op].what}] += times;
  }
  body_copies out;
  if (once.empty()) {
    const auto trip = earlier.loop(n).trip;
    if (trip && *trip >= 2 && *trip < 100000 && 2 * iterations_left(earlier, n, later, by) >= *trip)
      out.everywhere = static_cast<int>(*trip);
    return out;
  }
  std::map<std::uint32_t, counts> per_loop;  // later loop, or nowhere
  for (const operation& o : later.all()) {
    const stage_function& f = function_of(later, o);
    const auto key = std::pair{key_of(f, o.op, by), f.code.ops[o.op].what};
    if (!is_marker(f, o.op) || !once.contains(key)) continue;
    const std::uint32_t in = later.innermost(o.function, o.op);
    const std::uint32_t from = in == flow::nowhere ? flow::nowhere : match.source_of(in);
    if (from != flow::nowhere && !earlier.inside(n, from)) continue;  // a twin's copy
    const bool from_it = from == n;
    ++per_loop[from_it ? in : flow::nowhere][key];
    ++all[key];
  }
  const auto most = [&](const counts& seen, int shared_by) {
    int best = 0;
    for (const auto& [key, times] : seen) best = std::max(best, times / shared_by / once.at(key));
    return best;
  };
  for (const auto& [in, seen] : per_loop) {
    if (in == flow::nowhere) {
      out.outside = most(seen, match.twins(n));
    } else {
      out.in_loop = std::max(out.in_loop, most(seen, 1));
    }
  }
  out.everywhere = std::max(out.in_loop, most(all, match.twins(n)));
  return out;
}

}  // namespace ptxlab::facts
