// SPDX-License-Identifier: Apache-2.0
// ptxlab list: the catalogue of kernels that come with the program.
#include <fmt/format.h>

#include "analysis/facts/table.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "kernels/kernel.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

void list(const std::string& filter) {
  facts::table t({{"identifier"}, {"what it is", false, true}});
  std::vector<std::string> names;
  bool any = false;
  for (const kernels::entry& e : kernels::catalogue()) {
    bool headed = false;
    for (const kernels::variant& v : e.what.variants) {
      const std::string id = fmt::format("{}/{}", e.id, v.symbol);
      names.push_back(id);
      names.emplace_back(v.symbol);
      if (id.find(filter) == std::string::npos) continue;
      if (!headed) t.heading(std::string(e.what.question));
      headed = any = true;
      t.row({"  " + id, std::string(v.says)});
    }
  }
  if (!any)
    throw error(fmt::format("no kernel fits '{}'{}", filter, verdict::suggestion(filter, names)));
  fmt::print("{}", t.str(page_of_output()));
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("list", "The kernels that come with the program");
  auto filter = std::make_shared<std::string>();
  sub->add_option("FILTER", *filter, "part of an identifier family/name/variant")->type_name("");
  sub->footer("Example: ptxlab list barrier/");
  sub->callback([filter, &code] {
    list(*filter);
    code = exit_fine;
  });
}

const command_registration registered({"list", add});

}  // namespace
}  // namespace ptxlab::driver
