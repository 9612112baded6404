// SPDX-License-Identifier: Apache-2.0
// ptxlab doctor: is every tool there, and does it work.
#include "analysis/toolchain/doctor.hpp"

#include <fmt/format.h>

#include "driver/commands/command.hpp"

namespace ptxlab::driver {
namespace {

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("doctor", "Every tool: where, which version, does it work");
  sub->footer(
      "Example: ptxlab doctor\nExit: 0 all is well (a GPU is not asked for), 1 a tool is missing.");
  sub->callback([&code] {
    const auto self = toolchain::own_executable();
    const auto checks =
        toolchain::doctor(toolchain::places::of(self), toolchain::cache::default_folder(self));
    bool all_well = true;
    for (const toolchain::check& c : checks) {
      std::string line = fmt::format("{:<4} {:<17} {:<9} {}", c.ok ? "ok" : "--", c.name, c.version,
                                     c.path.string());
      line.erase(line.find_last_not_of(' ') + 1);
      fmt::print("{}\n", line);
      if (!c.detail.empty()) fmt::print("       {}\n", c.detail);
      if (c.ok) continue;
      if (!c.lost_without.empty()) fmt::print("       without it: {}\n", c.lost_without);
      if (!c.how_to_get.empty()) fmt::print("       get it: {}\n", c.how_to_get);
      all_well = all_well && c.name == "GPU";
    }
    code = all_well ? exit_fine : exit_failed;
  });
}

const command_registration registered({"doctor", add});

}  // namespace
}  // namespace ptxlab::driver
