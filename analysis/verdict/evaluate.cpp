// SPDX-License-Identifier: Apache-2.0
// Comparisons and findings against one kernel, and the outcome of a line.
#include "analysis/verdict/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/verdict/condition.hpp"
#include "analysis/verdict/glob.hpp"
#include "analysis/verdict/loop_check.hpp"
#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::verdict {

namespace {

/// "ns::wait<int>" of "void ns::wait<int>(int*)"; the whole if it has another form.
std::string plain_name(const std::string& demangled) {
  if (!demangled.ends_with(')')) return demangled;
  std::size_t end = demangled.size();
  for (int depth = 0; end > 0;) {
    const char c = demangled[--end];
    depth += c == ')' ? 1 : c == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const char c = demangled[i];
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return demangled.substr(begin, end - begin);
}

judgement check_resource(const comparison& c, const facts::resources& res) {
  const facts::count& value = res.*c.field;
  if (!value) return cannot_tell(fmt::format("{} is reported by no tool", c.quantity));
  const bool fits = holds(static_cast<double>(*value), c.op, c.number);
  const bool stack = c.field == &facts::resources::stack_bytes ||
                     c.field == &facts::resources::cumulative_stack_bytes;
  std::string evidence = fmt::format("{} is {}", c.quantity, *value);
  if (!stack || !res.recursive) return decided(fits, std::move(evidence));
  // With recursion the reported size is one level of it: a lower bound.
  const bool above = c.op == compare::ge || c.op == compare::gt;
  const bool below = c.op == compare::le || c.op == compare::lt;
  if ((above && fits) || (below && !fits)) return decided(fits, evidence + " or more");
  return cannot_tell(evidence + " or more: recursion, so that no tool can state the stack size");
}

judgement check_occupancy(const comparison& c, const facts::kernel& k) {
  for (const facts::occupancy& o : k.occ) {
    if (std::to_string(o.block_threads) != c.argument) continue;
    const bool blocks = c.what == comparison::kind::blocks_per_sm;
    const double value = blocks ? o.blocks_per_sm : o.fraction;
    return decided(holds(value, c.op, c.number),
                   fmt::format("{} is {:.6g} (limiter {})", c.quantity, value, o.limiter));
  }
  std::string sizes;
  for (const facts::occupancy& o : k.occ) sizes += fmt::format(" {}", o.block_threads);
  return cannot_tell(sizes.empty()
                         ? std::string("occupancy was not computed")
                         : fmt::format("occupancy was computed for{} threads only", sizes));
}

judgement check_at_stage(const comparison& c, const facts::stage& s, const std::string& name) {
  if (std::string why = not_seen(s, name); !why.empty()) return cannot_tell(std::move(why));
  std::int64_t value = s.instructions;
  std::string parts;
  if (c.what == comparison::kind::loops) {
    if (std::string why = flow_unclear(s, name); !why.empty()) return cannot_tell(std::move(why));
    value = static_cast<std::int64_t>(s.loops.size());
  } else if (c.what == comparison::kind::opcode) {
    value = 0;
    for (const auto& [opcode, times] : s.opcodes) {
      if (!glob_match(c.argument, opcode)) continue;
      value += times;
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", opcode, times);
    }
  }
  return decided(holds(static_cast<double>(value), c.op, c.number),
                 fmt::format("{} {} is {}{}", name, c.quantity, value,
                             parts.empty() ? "" : " (" + parts + ")"));
}

judgement check(const comparison& c, const facts::kernel& k, stage_choice stage) {
  switch (c.what) {
    case comparison::kind::resource:
      return check_resource(c, k.res);
    case comparison::kind::occupancy:
    case comparison::kind::blocks_per_sm:
      return check_occupancy(c, k);
    default:
      break;
  }
  std::vector<judgement> parts;
  if (stage != stage_choice::sass) parts.push_back(check_at_stage(c, k.ptx, "ptx"));
  if (stage != stage_choice::ptx) parts.push_back(check_at_stage(c, k.sass, "sass"));
  return all_of(parts);
}

/// Why the absence of a finding proves nothing; empty if it does. `id` empty means any finding.
std::string absence_unclear(const std::string& id, const facts::kernel& k) {
  for (const auto& [s, name] : {std::pair(&k.ptx, "ptx"), std::pair(&k.sass, "sass")}) {
    if (std::string why = not_seen(*s, name); !why.empty()) return why;
    const bool needs_flow = id.empty() || id.starts_with("spin-") || id == "barrier-divergent";
    if (std::string why = flow_unclear(*s, name); needs_flow && !why.empty()) return why;
  }
  const bool unknown_loop = std::any_of(k.loops.begin(), k.loops.end(), [](const auto& v) {
    return v.verdict.empty() || v.verdict == "unknown";
  });
  if ((id.empty() || id == "spin-lost") && unknown_loop) {
    return "what became of a loop of the source is unknown";
  }
  const bool needs_log = id.empty() || id == "spill" || id == "limit-caused-spill";
  if (needs_log && (!k.res.spill_store_bytes || !k.res.spill_load_bytes)) {
    return "spills are reported by no tool";
  }
  if ((id.empty() || id == "local-array") && !k.res.stack_bytes) {
    return "the stack frame is reported by no tool";
  }
  return "";
}

judgement check(const finding_demand& d, const facts::kernel& k) {
  for (const facts::finding& f : k.findings) {
    const bool counts =
        d.id.empty() ? f.severity == "warning" || f.severity == "error" : f.id == d.id;
    if (!counts) continue;
    const std::string where = f.line ? fmt::format(" line {}", *f.line) : std::string();
    return decided(d.present, fmt::format("finding {} {} {}{}", f.id, f.severity, f.stage, where));
  }
  if (std::string why = absence_unclear(d.id, k); !why.empty()) return cannot_tell(std::move(why));
  return decided(!d.present,
                 d.id.empty() ? std::string("no findings") : fmt::format("no finding {}", d.id));
}

outcome to_outcome(truth t) {
  if (t == truth::unknown) return outcome::not_trustworthy;
  return t == truth::yes ? outcome::pass : outcome::fail;
}

[[noreturn]] void no_such_kernel(const expectation& e, const facts::report& r) {
  std::vector<std::string> names;
  for (const facts::kernel& k : r.kernels) {
    names.push_back(k.name);
    if (!k.demangled.empty()) names.push_back(plain_name(k.demangled));
  }
  throw error(fmt::format("{}: no kernel '{}' in {} for {}{}", describe(e.at), e.kernel, r.input,
                          r.arch,
                          names.empty() ? "; it has no kernels" : suggestion(e.kernel, names)));
}

}  // namespace

const char* name(outcome o) {
  constexpr const char* names[] = {"pass", "fail", "not trustworthy", "skipped"};
  return names[static_cast<std::size_t>(o)];
}

std::vector<const facts::kernel*> subjects(const std::string& pattern, const facts::report& r) {
  std::vector<const facts::kernel*> out;
  for (const facts::kernel& k : r.kernels) {
    const bool named = glob_match(pattern, k.name) ||
                       (!k.demangled.empty() && glob_match(pattern, plain_name(k.demangled)));
    if (named) out.push_back(&k);
  }
  return out;
}

std::vector<result> evaluate(const expectation& e, const facts::report& r) {
  const judgement applied = applies(e.conditions, r);
  if (applied.value != truth::yes) {
    const outcome o = applied.value == truth::no ? outcome::skipped : outcome::not_trustworthy;
    return {{o, e.at.file, e.at.line, e.kernel, e.text, applied.evidence}};
  }
  const auto kernels = subjects(e.kernel, r);
  if (kernels.empty()) no_such_kernel(e, r);
  std::vector<result> out;
  for (const facts::kernel* k : kernels) {
    std::vector<judgement> parts;
    for (const comparison& c : e.comparisons) parts.push_back(check(c, *k, e.stage));
    if (e.loops) parts.push_back(check_loops(*e.loops, *k, e.stage, r.input));
    for (const finding_demand& f : e.findings) parts.push_back(check(f, *k));
    judgement whole = all_of(parts);
    out.push_back({to_outcome(whole.value), e.at.file, e.at.line, k->name, e.text,
                   std::move(whole.evidence)});
  }
  return out;
}

std::vector<result> evaluate(const std::vector<expectation>& all, const facts::report& r) {
  std::vector<result> out;
  for (const expectation& e : all) {
    auto some = evaluate(e, r);
    std::move(some.begin(), some.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace ptxlab::verdict
