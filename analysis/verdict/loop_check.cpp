// SPDX-License-Identifier: Apache-2.0
// Quantifiers and properties over loops, three-valued.
#include "analysis/verdict/loop_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/verdict/strength.hpp"

namespace ptxlab::verdict {

namespace {

constexpr std::size_t most_listed = 6;

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// `d.file` and, without it, the input itself. Loops of an input that is no source can only come
/// from other files, so there any file fits.
bool file_fits(const loop_demand& d, const std::string& file, const std::string& input) {
  if (!d.file.empty()) return file == d.file || base_name(file) == d.file;
  return file.empty() || !input.ends_with(".cu") || base_name(file) == base_name(input);
}

std::string describe_line(const std::string& file, std::optional<int> line,
                          const std::string& input) {
  if (!line) return "line ?";
  const bool elsewhere = !file.empty() && base_name(file) != base_name(input);
  return fmt::format("line {}{}", *line, elsewhere ? " of " + base_name(file) : "");
}

std::string describe_loop(const facts::loop& l, const std::string& input) {
  std::string out = fmt::format("{} {} exit {} trip {}", l.id, describe_line(l.file, l.line, input),
                                l.exit, l.trip ? std::to_string(*l.trip) : "?");
  for (const facts::poll& p : l.polls) {
    out +=
        fmt::format(" poll {} {} {}{}", p.space, p.width, p.strength, p.acquire ? " acquire" : "");
  }
  return out;
}

/// A loop that may meet the demand, in order of the program or of the source.
struct candidate {
  std::string description;
  std::string file;
  std::optional<int> line;
  judgement fits;
};

judgement any_of(const std::vector<candidate>& all, const std::string& where) {
  judgement out{truth::no, ""};
  for (const candidate& c : all) out.value = std::max(out.value, c.fits.value);
  std::size_t listed = 0, more = 0;
  for (const candidate& c : all) {
    if (c.fits.value != out.value) continue;
    if (out.value == truth::yes) return {truth::yes, where + " " + c.description};
    if (listed == most_listed) {
      ++more;
      continue;
    }
    out.evidence += listed++ == 0 ? "" : ", ";
    out.evidence += fmt::format("{} ({})", c.description, c.fits.evidence);
  }
  if (more > 0) out.evidence += fmt::format(" and {} more", more);
  out.evidence =
      fmt::format("{} {}: {}", where, out.value == truth::no ? "has no such loop" : "does not tell",
                  out.evidence);
  return out;
}

judgement each_of(const std::vector<candidate>& all, const std::string& where) {
  std::vector<judgement> parts;
  for (const candidate& c : all) {
    const bool holds = c.fits.value == truth::yes;
    parts.push_back({c.fits.value, fmt::format("{} {}{}", where, c.description,
                                               holds ? "" : " (" + c.fits.evidence + ")")});
  }
  return all_of(parts);
}

std::string list(const std::vector<candidate>& all) {
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), most_listed); ++i) {
    out += (i == 0 ? "" : ", ") + all[i].description;
  }
  return all.size() > most_listed ? fmt::format("{} and {} more", out, all.size() - most_listed)
                                  : out;
}

/// Applies selector and quantifier. `where` says what holds the loops: "sass".
judgement quantify(const loop_demand& d, std::vector<candidate> all, const std::string& where,
                   const std::string& input) {
  if (d.which == loop_demand::quantity::none) {
    return decided(all.empty(), all.empty() ? fmt::format("{} has no loop", where)
                                            : fmt::format("{} has {}", where, list(all)));
  }
  if (all.empty()) return decided(false, fmt::format("{} has no loop", where));
  if (d.which == loop_demand::quantity::every) return each_of(all, where);
  const std::string seen = list(all);
  if (d.nth) {
    const auto n = static_cast<std::size_t>(*d.nth);
    if (n > all.size()) return decided(false, fmt::format("{} has no loop {}: {}", where, n, seen));
    all = {all[n - 1]};
  }
  if (d.line) {
    std::erase_if(all, [&](const candidate& c) {
      return c.line && (*c.line != *d.line || !file_fits(d, c.file, input));
    });
    for (candidate& c : all) {
      if (!c.line) c.fits = all_of({c.fits, cannot_tell("its line is not known")});
    }
    if (all.empty()) {
      return decided(false, fmt::format("{} has no loop on line {}: {}", where, *d.line, seen));
    }
  }
  return any_of(all, where);
}

judgement check_poll(const poll_demand& d, const facts::poll& p) {
  switch (d.what) {
    case poll_demand::kind::strength:
      return check_strength(p, d.op, d.word);
    case poll_demand::kind::acquire:
      return check_acquire(p);
    case poll_demand::kind::width:
      if (p.width <= 0) return cannot_tell("poll width is not known");
      return decided(holds(p.width, d.op, d.number), fmt::format("poll width is {}", p.width));
    case poll_demand::kind::space:
      break;
    case poll_demand::kind::number:
      return cannot_tell("not a demand on one poll");
  }
  const bool known = p.space == "global" || p.space == "shared" || p.space == "local";
  if (!known && !(p.space == "generic" && d.word == "generic")) {
    return cannot_tell(fmt::format("poll space is {}", p.space.empty() ? "not known" : p.space));
  }
  const judgement same = decided(p.space == d.word, fmt::format("poll space is {}", p.space));
  return d.op == compare::eq ? same : negate(same);
}

judgement check_polls(const poll_demand& d, const facts::loop& l) {
  if (d.what == poll_demand::kind::number) {
    return decided(holds(static_cast<double>(l.polls.size()), d.op, d.number),
                   fmt::format("polls is {}", l.polls.size()));
  }
  if (l.polls.empty()) return decided(false, "it polls nothing");
  std::vector<judgement> parts;
  for (const facts::poll& p : l.polls) parts.push_back(check_poll(d, p));
  return all_of(parts);
}

/// What one loop shows at one stage.
judgement check_shape(const loop_demand& d, const facts::loop& l) {
  std::vector<judgement> parts;
  if (d.polls)
    parts.push_back(decided(!l.polls.empty(), l.polls.empty() ? "it polls nothing" : ""));
  if (!d.exit.empty()) {
    parts.push_back(l.exit.empty() ? cannot_tell("its exit is not known")
                                   : decided(l.exit == d.exit, "exit is " + l.exit));
  }
  for (const trip_demand& t : d.trips) {
    parts.push_back(l.trip ? decided(holds(static_cast<double>(*l.trip), t.op, t.number),
                                     fmt::format("trip is {}", *l.trip))
                           : cannot_tell("its trip count is not known"));
  }
  for (const poll_demand& p : d.on_polls) parts.push_back(check_polls(p, l));
  return all_of(parts);
}

judgement check_stage(const loop_demand& d, const facts::stage& s, const std::string& name,
                      const std::string& input) {
  if (std::string why = not_seen(s, name); !why.empty()) return cannot_tell(std::move(why));
  if (std::string why = flow_unclear(s, name); !why.empty()) return cannot_tell(std::move(why));
  std::vector<candidate> all;
  for (const facts::loop& l : s.loops) {
    all.push_back({describe_loop(l, input), l.file, l.line, check_shape(d, l)});
  }
  judgement out = quantify(d, std::move(all), name, input);
  if (s.unknown_instructions > 0) {
    out.evidence +=
        fmt::format(" ({} instructions of {} are not understood)", s.unknown_instructions, name);
    // One of them may branch back: that there is no loop cannot be told then.
    if (d.which == loop_demand::quantity::none && out.value == truth::yes)
      out.value = truth::unknown;
  }
  return out;
}

std::string describe_row(const facts::loop_verdict& v, const std::string& input) {
  std::string out = fmt::format("loop {} {}", describe_line(v.file, v.line, input), v.verdict);
  if (!v.lost_in.empty()) out += " in " + v.lost_in;
  if (v.factor) out += fmt::format(" by {}", *v.factor);
  if (v.full) out += " full";
  if (v.peeled) out += " peeled";
  return out;
}

judgement check_verdict(const verdict_demand& d, const facts::loop_verdict& v) {
  if (v.verdict.empty() || v.verdict == "unknown") {
    return cannot_tell(v.evidence.empty() ? "its verdict is unknown"
                                          : "its verdict is unknown: " + v.evidence.front());
  }
  if (v.verdict != d.verdict) return decided(false, "verdict is " + v.verdict);
  std::vector<judgement> parts;
  if (!d.lost_in.empty()) {
    parts.push_back(v.lost_in.empty() ? cannot_tell("which compiler did it is not known")
                                      : decided(v.lost_in == d.lost_in, "lost in " + v.lost_in));
  }
  if (d.factor) {
    parts.push_back(v.factor
                        ? decided(*v.factor == *d.factor, fmt::format("factor is {}", *v.factor))
                        : cannot_tell("its factor is not known"));
  }
  if (d.full) parts.push_back(decided(v.full, "a loop is left"));
  if (d.peeled) parts.push_back(decided(v.peeled, "it is not peeled"));
  return all_of(parts);
}

/// The loop that a source loop became at one stage.
judgement check_partner(const loop_demand& d, const facts::loop_verdict& v, const facts::stage& s,
                        const std::optional<std::string>& id, const std::string& name) {
  if (std::string why = not_seen(s, name); !why.empty()) return cannot_tell(std::move(why));
  if (!id) {
    if (v.verdict.empty() || v.verdict == "unknown") {
      return cannot_tell(fmt::format("its loop in {} is not known", name));
    }
    return decided(false, fmt::format("it has no loop in {}", name));
  }
  const auto l = std::find_if(s.loops.begin(), s.loops.end(),
                              [&](const facts::loop& each) { return each.id == *id; });
  if (l == s.loops.end()) return cannot_tell(fmt::format("{} has no loop called {}", name, *id));
  judgement j = check_shape(d, *l);
  if (!j.evidence.empty()) j.evidence = fmt::format("{} {}: {}", name, *id, j.evidence);
  return j;
}

judgement check_source(const loop_demand& d, const facts::kernel& k, stage_choice stage,
                       const std::string& input) {
  for (const auto& [s, name] : {std::pair(&k.ptx, "ptx"), std::pair(&k.sass, "sass")}) {
    std::string why = s->known ? flow_unclear(*s, name) : "";
    if (!why.empty()) return cannot_tell(std::move(why));
  }
  const bool no_loop_anywhere = not_seen(k.ptx, "ptx").empty() && k.ptx.loops.empty() &&
                                not_seen(k.sass, "sass").empty() && k.sass.loops.empty();
  // Without a source nobody could list its loops, and an empty list says nothing.
  if (k.loops.empty() && !(no_loop_anywhere && input.ends_with(".cu"))) {
    return cannot_tell("no loop of the source was followed through the stages");
  }
  std::vector<candidate> all;
  for (const facts::loop_verdict& v : k.loops) {
    std::vector<judgement> parts{check_verdict(*d.verdict, v)};
    if (d.asks_stage() && stage != stage_choice::sass) {
      parts.push_back(check_partner(d, v, k.ptx, v.ptx_loop, "ptx"));
    }
    if (d.asks_stage() && stage != stage_choice::ptx) {
      parts.push_back(check_partner(d, v, k.sass, v.sass_loop, "sass"));
    }
    all.push_back({describe_row(v, input), v.file, v.line, all_of(parts)});
  }
  return quantify(d, std::move(all), "the source", input);
}

}  // namespace

std::string not_seen(const facts::stage& s, const std::string& name) {
  if (!s.known)
    return fmt::format("{} is unknown: {}", name, s.reason.empty() ? "not seen" : s.reason);
  if (s.instructions == 0) return fmt::format("{} is empty", name);
  return "";
}

std::string flow_unclear(const facts::stage& s, const std::string& name) {
  if (s.irreducible) return fmt::format("{} has a region that is no natural loop", name);
  if (s.unknown_branches)
    return fmt::format("{} has an indirect branch with unknown targets", name);
  return "";
}

judgement check_loops(const loop_demand& d, const facts::kernel& k, stage_choice stage,
                      const std::string& input) {
  if (d.verdict) return check_source(d, k, stage, input);
  std::vector<judgement> parts;
  if (stage != stage_choice::sass) parts.push_back(check_stage(d, k.ptx, "ptx", input));
  if (stage != stage_choice::ptx) parts.push_back(check_stage(d, k.sass, "sass", input));
  return all_of(parts);
}

}  // namespace ptxlab::verdict
