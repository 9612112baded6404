// SPDX-License-Identifier: Apache-2.0
// ptxlab check: expectations against facts.
#include <fmt/format.h>

#include <fstream>

#include "analysis/verdict/evaluate.hpp"
#include "analysis/verdict/scan.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/declaration_check.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

using verdict::outcome;

struct check_options : build_options {
  std::vector<std::string> expressions;
  std::string kernel = "*";
  bool quiet = false;
};

bool is_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char head[4096];
  in.read(head, sizeof head);
  return std::find(head, head + in.gcount(), '\0') == head + in.gcount();
}

/// Where the expectations of one input come from: its own EXPECT lines, its declaration, --expect.
std::vector<verdict::expectation> expectations_of(const inspected& i, const check_options& o) {
  std::vector<verdict::expectation> all;
  if (is_text(i.path)) all = verdict::scan_file(i.path);
  if (i.declared != nullptr)
    for (const kernels::variant& v : i.declared->what.variants)
      for (const std::string_view clauses : v.must)
        all.push_back(verdict::parse_clauses(clauses, std::string(v.symbol), {i.path, 0, 1}));
  for (const std::string& e : o.expressions)
    all.push_back(verdict::parse_clauses(e, o.kernel, {"--expect", 0, 1}));
  return all;
}

void show(const verdict::result& r, const std::string& arch) {
  const std::string place = r.line > 0 ? fmt::format("{}:{}", r.file, r.line) : r.file;
  fmt::print("{}: {} ({}): {}: {}\n", verdict::name(r.what), r.kernel, arch, place, r.expression);
  if (!r.evidence.empty()) fmt::print("    {}\n", r.evidence);
}

struct tally {
  int pass = 0, fail = 0, doubtful = 0, skipped = 0;
  void add(outcome o) {
    ++(o == outcome::pass      ? pass
       : o == outcome::fail    ? fail
       : o == outcome::skipped ? skipped
                               : doubtful);
  }
};

int check(const check_options& o) {
  tally t;
  for (const inspected& i : session(o).inspect_all()) {
    std::vector<verdict::result> results = verdict::evaluate(expectations_of(i, o), i.report);
    if (i.declared != nullptr) {
      auto more = check_declaration(*i.declared, i.report, i.path);
      results.insert(results.end(), more.begin(), more.end());
      more = check_timing(*i.declared, i.timed, i.path);
      results.insert(results.end(), more.begin(), more.end());
    }
    for (const verdict::result& r : results) {
      t.add(r.what);
      if (!o.quiet || r.what == outcome::fail || r.what == outcome::not_trustworthy)
        show(r, i.report.arch);
    }
  }
  if (t.pass + t.fail + t.doubtful + t.skipped == 0)
    throw error("nothing to check: no EXPECT line, no declaration and no --expect");
  fmt::print("{} passed, {} failed, {} not trustworthy, {} skipped\n", t.pass, t.fail, t.doubtful,
             t.skipped);
  if (t.fail + t.doubtful > 0) return exit_failed;
  return t.pass == 0 ? exit_nothing_ran : exit_fine;
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("check", "Hold expectations against the facts");
  auto o = std::make_shared<check_options>();
  add_build_options(*sub, *o);
  sub->add_option("--expect", o->expressions,
                  "clauses, such as \"registers <= 64; no loop\"\n(docs/EXPECTATIONS.md)")
      ->type_name("CLAUSES");
  sub->add_option("--kernel", o->kernel, "kernels that --expect speaks of: a name\nor a glob")
      ->type_name("GLOB");
  sub->add_flag("--quiet", o->quiet, "only what does not pass, and the sum");
  sub->footer(
      "Example: ptxlab check spin.cu --kernel wait \\\n"
      "           --expect \"loop polls; strength >= volatile\"\n"
      "Exit: 0 all pass, 1 one fails or cannot be trusted, 77 all were skipped.");
  sub->callback([o, &code] { code = check(*o); });
}

const command_registration registered({"check", add});

}  // namespace
}  // namespace ptxlab::driver
