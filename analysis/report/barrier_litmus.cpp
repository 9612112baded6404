// SPDX-License-Identifier: Apache-2.0
// What one block saw of another's writes across a barrier, and what follows for the barrier.
#include <fmt/format.h>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// As in the kernel files; the first is the barrier itself.
struct program {
  const char* variant;
  const char* says;
};
constexpr program programs[] = {{"litmus", "as it is"},
                                {"litmus_no_release", "without its release"},
                                {"litmus_no_acquire", "without its acquire"},
                                {"litmus_narrow", "with scope cta"}};

void add_trouble(litmus_count& out, const results::row& r) {
  const std::string why = fmt::format("{} ({}): {}", results::name(r.state), axes_text(r.axes),
                                      r.reason.empty() ? "no reason given" : r.reason);
  if (out.trouble.empty()) out.trouble = why;
}

void add_row(litmus_count& out, const results::row& r, const std::string& quantity) {
  const auto seen = total(r);
  if (!seen) {
    add_trouble(out, r);
    return;
  }
  if (quantity == "observed") ++out.points;
  (quantity == "observed"     ? out.reads
   : quantity == "stale"      ? out.stale
   : quantity == "stale next" ? out.stale_next
   : quantity == "early"      ? out.early
                              : out.both) += *seen;
}

line line_of(const std::string& name, const program& p, const std::optional<litmus_count>& n,
             const evidence_row* facts) {
  line out;
  out.cells = {name, p.says};
  if (!n) {
    for (int i = 0; i < 6; ++i) out.cells.emplace_back(i == 0 ? not_measured_text : absent);
  } else {
    for (const double v : {n->points, n->reads, n->stale, n->stale_next, n->both, n->early})
      out.cells.push_back(fixed(v, 0));
    if (!n->trouble.empty()) out.notes.push_back(n->trouble);
  }
  out.cells.push_back(facts == nullptr || !facts->tried() ? "not run"
                      : facts->ending != "finished"       ? facts->ending
                      : facts->races == "none"            ? "no race"
                                                          : facts->races);
  return out;
}

}  // namespace

std::string litmus_count::text() const {
  if (reads <= 0) return "no read counted";
  return fmt::format("{:.0f} of {:.0f}", forbidden(), reads);
}

std::string litmus_count::bound() const {
  if (reads <= 0 || forbidden() > 0) return absent;
  return fmt::format("below {:.1e}", 3 / reads);
}

std::optional<litmus_count> litmus_of(const section& s, const std::string& id) {
  std::optional<litmus_count> out;
  for (const measurement& m : s.measurements) {
    const results::row& first = m.row();
    if (first.id != id) continue;
    if (!out) out.emplace();
    // What was counted speaks for itself; what has no count is told.
    if (!m.ok() && !total(first)) add_trouble(*out, first);
    const std::string& q = first.quantity;
    if (q != "observed" && q != "stale" && q != "stale next" && q != "early" && q != "stale both")
      continue;
    if (!m.ok() && !total(first)) continue;
    for (const results::row* r : m.runs) add_row(*out, *r, q);
  }
  return out;
}

const evidence_row* facts_of(const evidence& known, const std::string& name) {
  const evidence_row* first = nullptr;
  for (const char* variant : {"litmus", "transform"}) {
    const evidence_row* r = known.find(barrier_id(name, variant));
    if (r != nullptr && r->tried()) return r;
    if (first == nullptr) first = r;
  }
  return first;
}

judgement judge(const topic_context& c, const std::string& name) {
  const evidence_row* facts = facts_of(c.known, name);
  const auto seen = litmus_of(c.of, barrier_id(name, "litmus"));
  const auto no = [](std::string why) { return judgement{soundness::no, std::move(why)}; };
  if (seen && seen->forbidden() > 0) return no("forbidden values seen: " + seen->text());
  if (facts != nullptr && !facts->waits.empty() && facts->waits != "-" && !facts->kept())
    return no("its wait in SASS: " + facts->waits);
  if (facts != nullptr && facts->tried() && !facts->clean())
    return no(facts->ending != "finished" ? "on the PTX machine: " + facts->ending
              : facts->has_wrong()        ? "wrong on the PTX machine: " + facts->wrong
                                          : "races on the PTX machine: " + facts->races);
  std::string missing;
  const auto lacks = [&](const std::string& what) {
    missing += (missing.empty() ? "" : "; ") + what;
  };
  if (facts == nullptr || !facts->tried()) lacks("not run on the PTX machine");
  if (facts == nullptr || !facts->kept()) lacks("no verdict on its wait");
  if (!seen || seen->reads <= 0) lacks("no litmus count");
  if (seen && !seen->trouble.empty()) lacks("litmus " + seen->trouble);
  return {missing.empty() ? soundness::yes : soundness::unknown, missing};
}

std::vector<table> litmus_tables(const topic_context& c) {
  table out{"Litmus: what a block read of another's write across the barrier",
            {{"barrier"},
             {"", false, true},
             {"points", true, false, 3},
             {"reads", true},
             {"stale", true},
             {"a round later", true, false, 2},
             {"both stale", true, false, 2},
             {"early", true},
             {"the machine", false, true, 1}},
            {}};
  for (const std::string& name : barriers_of(c.of))
    for (const program& p : programs) {
      const std::string id = barrier_id(name, p.variant);
      const auto n = litmus_of(c.of, id);
      const evidence_row* facts = c.known.find(id);
      // A mutant that nobody has written is not missing.
      if (p.variant != programs[0].variant && !n && facts == nullptr) continue;
      out.lines.push_back(line_of(name, p, n, facts));
    }
  return {out};
}

std::vector<table> compiler_tables(const topic_context& c) {
  table out{"What the compilers left of each barrier, and what the PTX machine says of it",
            {{"kernel"},
             {"its wait, in SASS", false, true},
             {"on the machine", false, true},
             {"races", false, true},
             {"wrong elements", false, true, 2},
             {"SASS", false, true, 1}},
            {}};
  const auto shown = [](const std::string& text) { return text.empty() ? "not run" : text; };
  constexpr std::string_view family = "barrier/";
  for (const evidence_row& r : c.known.all())
    out.lines.push_back({{r.id.starts_with(family) ? r.id.substr(family.size()) : r.id,
                          r.waits.empty() ? absent : r.waits, shown(r.ending), shown(r.races),
                          shown(r.wrong), r.sass.empty() ? absent : r.sass},
                         {}});
  return {out};
}

}  // namespace ptxlab::report
