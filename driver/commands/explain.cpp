// SPDX-License-Identifier: Apache-2.0
// ptxlab explain: what a finding means, why it matters, what to do; and which PTX the machine runs.
#include <fmt/format.h>

#include "analysis/facts/rules.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/commands/command.hpp"
#include "ptx/machine/table_text.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

void print(const facts::rule& r) {
  fmt::print("## {} ({})\n\n{}\n\n**Why it matters.** {}\n\n**What to do.** {}\n", r.id, r.severity,
             r.what, r.why, r.remedy);
}

void explain(const std::string& id) {
  if (!id.empty()) {
    if (const facts::rule* r = facts::find_rule(id)) return print(*r);
    std::vector<std::string> names;
    for (const facts::rule& r : facts::rules()) names.emplace_back(r.id);
    throw error(fmt::format("no finding '{}'{}", id, verdict::suggestion(id, names)));
  }
  fmt::print(
      "# Findings\n\nWhat `ptxlab inspect` may find in a kernel, and what to do about it.\n");
  for (const facts::rule& r : facts::rules()) {
    fmt::print("\n");
    print(r);
  }
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("explain", "What a finding means and what to do about it");
  auto id = std::make_shared<std::string>();
  sub->add_option("FINDING", *id, "its identifier; without it, all findings");
  auto ptx = std::make_shared<bool>(false);
  sub->add_flag("--ptx", *ptx, "list the PTX that `run --device cpu` knows");
  sub->footer("Example: ptxlab explain spin-lost");
  sub->callback([id, ptx, &code] {
    if (*ptx && !id->empty()) throw error("--ptx lists instructions: it takes no finding");
    if (*ptx)
      fmt::print("{}", machine::table_text());
    else
      explain(*id);
    code = exit_fine;
  });
}

const command_registration registered({"explain", add});

}  // namespace
}  // namespace ptxlab::driver
