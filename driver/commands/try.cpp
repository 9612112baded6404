// SPDX-License-Identifier: Apache-2.0
// ptxlab try: the launches that kernel files declare, on the PTX machine.
#include <fmt/format.h>

#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/run/rehearsal.hpp"
#include "driver/session.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

struct try_options {
  std::vector<std::string> files;
  unsigned seeds = 8;
};

void run(const try_options& o) {
  build_options build;
  build.files = o.files;
  const session s(build);
  bool any = false;
  for (const inspected& i : s.inspect_all()) {
    if (i.declared == nullptr)
      throw error(fmt::format("{}: no kernel file of this project; `ptxlab run` runs any", i.path));
    run::source_options how;
    const std::vector<run::rehearsed> all =
        run::rehearse(*i.declared, run::open_source(i.path, how), i.report, o.seeds);
    if (all.empty()) continue;
    fmt::print("{}{}, each kernel under {} schedules\n{}", any ? "\n" : "", i.declared->id,
               o.seeds + 1, run::rehearsal_table(all, page_of_output()));
    any = true;
  }
  if (!any) throw error("none of these files declares a launch to try");
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("try", "Run kernels of this project as they declare it");
  auto o = std::make_shared<try_options>();
  sub->add_option("FILE", o->files, "kernel files of this project")->type_name("")->required();
  sub->add_option("--seeds", o->seeds, "schedules beside the fair one")
      ->check(CLI::Range(0, 10000))
      ->type_name("N");
  sub->footer(
      "One row for each kernel: how its runs on the PTX machine ended, which elements\n"
      "were wrong, which instructions race, and whether the wait that the PTX has is\n"
      "still in the SASS.\n"
      "Example: ptxlab try kernels/barrier/device_barrier.cu");
  sub->callback([o, &code] {
    run(*o);
    code = exit_fine;
  });
}

const command_registration registered({"try", add});

}  // namespace
}  // namespace ptxlab::driver
