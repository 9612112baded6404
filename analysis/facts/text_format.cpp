// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/text_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/facts/facts_format.hpp"

namespace ptxlab::facts {
namespace {

std::string shown(const count& c) {
  return c ? fmt::format("{}", *c) : "?";
}

std::string line_of(const std::optional<int>& at, const std::string& file, const report& r) {
  std::string out = at ? fmt::format("{}", *at) : "?";
  if (!file.empty() && file != r.input) out += fmt::format(" of {}", file);
  return out;
}

const loop* find(const stage& s, const std::optional<std::string>& id) {
  if (!id) return nullptr;
  for (const loop& l : s.loops)
    if (l.id == *id) return &l;
  return nullptr;
}

std::string poll_text(const poll& p) {
  std::string out = p.strength + (p.acquire ? " acquire" : "");
  if (p.space != "global" && p.space != "generic" && p.strength != p.space) out += " " + p.space;
  return out;
}

/// What a stage holds of a loop: "polls volatile", "counts, 4 copies", "no exit", "no loop"; "?"
/// where no loop was matched and the verdict does not say that there is none.
std::string loop_text(const stage& s, const std::optional<std::string>& id, const loop_verdict& v,
                      const char* compiler) {
  if (!s.known) return "not seen";
  const loop* l = find(s, id);
  const bool copied = v.factor && v.lost_in == compiler;
  const std::string copies = copied ? fmt::format("{} copies", *v.factor) : "";
  if (l == nullptr) return v.verdict == "unknown" ? "?" : copied ? copies : "no loop";
  std::set<std::string> polls;
  for (const poll& p : l->polls) polls.insert(poll_text(p));
  std::string out;
  if (l->exit == "none") out = "no exit";
  if (l->exit == "other") out = "other exit";
  for (const std::string& p : polls) out += (out.empty() ? "polls " : ", ") + p;
  if (l->exit.ends_with("counter"))
    out += fmt::format("{}{}", out.empty() ? "" : ", ",
                       l->trip ? fmt::format("{} times", *l->trip) : "counts");
  return copied ? out + ", " + copies : out;
}

/// A name that fits a column: the middle of a long one is left out.
std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  const std::size_t half = (most - 3) / 2;
  return name.substr(0, most - 3 - half) + "..." + name.substr(name.size() - half);
}

/// The verdict without what the other columns say.
std::string short_verdict(const loop_verdict& v) {
  std::string out = v.verdict;
  if (!v.lost_in.empty()) out += " in " + v.lost_in;
  if (v.peeled) out += ", peeled";
  return out;
}

std::string finding_ids(const kernel& k) {
  std::set<std::string> ids;
  for (const finding& f : k.findings) ids.insert(f.id);
  std::string out;
  for (const std::string& id : ids) out += (out.empty() ? "" : " ") + id;
  return out;
}

std::string toolkit_text(const report& r) {
  std::string out;
  for (const auto& [name, version] : r.toolkit)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, version);
  return out;
}

/// Bytes of spill code, stores and loads together.
std::string spills(const resources& r) {
  if (!r.spill_store_bytes || !r.spill_load_bytes) return "?";
  return fmt::format("{}", *r.spill_store_bytes + *r.spill_load_bytes);
}

/// `text` folded at blanks; the lines after the first stand two columns further in.
void paragraph(std::string& out, const std::string& indent, const std::string& text,
               const page& p) {
  const auto width = static_cast<std::size_t>(std::max(p.columns, 40)) - indent.size() - 2;
  std::string more;
  for (const std::string& piece : fold(text, width)) {
    out += indent + more + piece + "\n";
    more = "  ";
  }
}

void resource_lines(std::string& out, const kernel& k, const page& p) {
  paragraph(out, "  ",
            fmt::format("{} registers, {} barriers, shared {} B, frame {} B, spills {} B stored {} "
                        "B loaded, constants {} B",
                        shown(k.res.registers), shown(k.res.barriers), shown(k.res.shared_bytes),
                        shown(k.res.stack_bytes), shown(k.res.spill_store_bytes),
                        shown(k.res.spill_load_bytes), shown(k.res.constant_bytes)),
            p);
  std::string all;
  for (const occupancy& o : k.occ)
    all += fmt::format("{} {}x{} ({})", all.empty() ? "" : ",", o.blocks_per_sm, o.block_threads,
                       o.limiter);
  if (!all.empty()) paragraph(out, "  ", "per SM, blocks x threads (limiter):" + all, p);
}

void stage_line(std::string& out, const char* name, const stage& s, const page& p) {
  if (!s.known) return paragraph(out, "  ", fmt::format("{}: not seen: {}", name, s.reason), p);
  std::string text = fmt::format("{}: {} instructions, {} loop{}", name, s.instructions,
                                 s.loops.size(), s.loops.size() == 1 ? "" : "s");
  if (s.irreducible) text += ", a region that is no natural loop";
  if (s.unknown_branches) text += ", a branch with unknown targets";
  if (s.unknown_instructions > 0)
    text += fmt::format(", {} instructions not understood", s.unknown_instructions);
  paragraph(out, "  ", text, p);
}

}  // namespace

std::string text_format(const report& r, const page& p) {
  const auto bold = [&](const std::string& t) { return p.colour ? "\033[1m" + t + "\033[0m" : t; };
  std::string out = fmt::format("{} for {}\n", bold(r.input), r.arch);
  paragraph(out, "  ", toolkit_text(r), p);
  for (const std::string& n : r.notes) paragraph(out, "  ", "note: " + n, p);
  if (r.kernels.empty()) out += "  no kernel in it\n";
  for (const kernel& k : r.kernels) {
    out += fmt::format("\n{}", bold(k.name));
    if (k.demangled != k.name) out += fmt::format("  {}", k.demangled);
    out += "\n";
    resource_lines(out, k, p);
    for (const std::string& n : k.res.notes) paragraph(out, "    ", n, p);
    stage_line(out, "PTX", k.ptx, p);
    stage_line(out, "SASS", k.sass, p);
    for (const loop_verdict& v : k.loops) {
      out +=
          fmt::format("  loop at line {}: {}\n", line_of(v.line, v.file, r), bold(verdict_text(v)));
      for (const std::string& e : v.evidence) paragraph(out, "    ", e, p);
    }
    for (const finding& f : k.findings)
      paragraph(out, "  ",
                fmt::format("{}: {} ({}, line {}): {}", f.severity, f.id, f.stage,
                            line_of(f.line, f.file, r), f.text),
                p);
  }
  return out;
}

std::string summary_table(const std::vector<report>& reports, const page& p) {
  const bool wide = p.columns >= 100;  // else the findings get lines of their own
  std::vector<table::column> columns = {{"kernel"},
                                        {"line", true},
                                        {"in PTX", false, true},
                                        {"in SASS", false, true},
                                        {"verdict", false, true},
                                        {"regs", true},
                                        {"spill", true}};
  if (wide) columns.push_back({"findings", false, true});
  table t(columns);
  const auto name_width = static_cast<std::size_t>(std::max(p.columns / 3, 24));
  for (const report& r : reports) {
    t.heading(fmt::format("{} for {}", r.input, r.arch));
    for (const kernel& k : r.kernels) {
      bool first = true;
      const std::string findings = finding_ids(k);
      const auto row = [&](std::string line, std::string ptx, std::string sass,
                           std::string verdict) {
        t.row({first ? "  " + shortened(k.name, name_width) : "", std::move(line), std::move(ptx),
               std::move(sass), std::move(verdict), first ? shown(k.res.registers) : "",
               first ? spills(k.res) : "", first ? findings : ""});
        first = false;
      };
      for (const loop_verdict& v : k.loops)
        row(v.line ? fmt::format("{}", *v.line) : "?", loop_text(k.ptx, v.ptx_loop, v, "nvcc"),
            loop_text(k.sass, v.sass_loop, v, "ptxas"), short_verdict(v));
      if (first)
        row("", k.ptx.known ? "-" : "not seen", k.sass.known ? "-" : "not seen",
            k.ptx.known && k.sass.known ? "no loop" : "-");
      if (!wide && !findings.empty()) t.heading("      " + findings);
    }
  }
  return t.str(p);
}

}  // namespace ptxlab::facts
