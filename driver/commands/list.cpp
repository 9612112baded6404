// SPDX-License-Identifier: Apache-2.0
// ptxlab list: the catalogue of kernels that come with the program.
#include <fmt/format.h>

#include "driver/commands/command.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::driver {
namespace {

void list(const std::string& filter) {
  for (const kernels::entry& e : kernels::catalogue()) {
    bool headed = false;
    for (const kernels::variant& v : e.what.variants) {
      const std::string id = fmt::format("{}/{}", e.id, v.symbol);
      if (id.find(filter) == std::string::npos) continue;
      if (!headed) fmt::print("{}  {}\n", e.id, e.what.question);
      headed = true;
      fmt::print("  {:<40} {}\n", id, v.says);
    }
  }
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("list", "The kernels that come with the program");
  auto filter = std::make_shared<std::string>();
  sub->add_option("FILTER", *filter, "part of an identifier family/name/variant");
  sub->footer("Example: ptxlab list barrier/");
  sub->callback([filter, &code] {
    list(*filter);
    code = exit_fine;
  });
}

const command_registration registered({"list", add});

}  // namespace
}  // namespace ptxlab::driver
