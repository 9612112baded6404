// SPDX-License-Identifier: Apache-2.0
// ptxlab inspect: facts of both stages.
#include <fmt/format.h>

#include <regex>

#include "analysis/facts/facts_format.hpp"
#include "analysis/facts/json_format.hpp"
#include "analysis/facts/text_format.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

struct inspect_options : build_options {
  std::string kernel;
  std::string format = "text";
  bool summary = false;
};

/// Keeps the kernels whose name the expression finds. None at all is an error with the nearest.
void select_kernels(std::vector<inspected>& all, const std::string& expression) {
  if (expression.empty()) return;
  std::regex re;
  try {
    re.assign(expression);
  } catch (const std::regex_error&) {
    throw error(fmt::format("--kernel: '{}' is no regular expression", expression));
  }
  std::vector<std::string> names;
  bool any = false;
  for (inspected& i : all) {
    auto& ks = i.report.kernels;
    for (const facts::kernel& k : ks) names.push_back(k.name);
    std::erase_if(ks, [&](const facts::kernel& k) {
      return !std::regex_search(k.name, re) && !std::regex_search(k.demangled, re);
    });
    any |= !ks.empty();
  }
  if (!any)
    throw error(
        fmt::format("no kernel '{}'{}", expression, verdict::suggestion(expression, names)));
}

void print(const inspect_options& o, const std::vector<inspected>& all) {
  std::vector<facts::report> reports;
  for (const inspected& i : all) reports.push_back(i.report);
  if (o.summary) {
    fmt::print("{}", facts::summary_table(reports, page_of_output()));
  } else if (o.format == "json") {
    fmt::print("{}", facts::json_format(reports));
  } else {
    for (const facts::report& r : reports)
      fmt::print("{}", o.format == "facts" ? facts::facts_format(r)
                                           : facts::text_format(r, page_of_output()));
  }
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("inspect", "What both compilers made of each kernel");
  auto o = std::make_shared<inspect_options>();
  add_build_options(*sub, *o);
  sub->add_option("--kernel", o->kernel, "only kernels whose name this regular\nexpression finds")
      ->type_name("RE");
  auto* format = sub->add_option("--format", o->format, "text, facts (for FileCheck) or json");
  format->check(CLI::IsMember({"text", "facts", "json"}))->type_name("FORMAT");
  sub->add_option("--keep", o->keep, "folder for what was built:\nARCH/NAME.ptx .cubin .log .sass")
      ->type_name("DIR");
  sub->add_flag("--summary", o->summary, "one table: a row for each loop of each kernel")
      ->excludes(format);
  sub->footer("Example: ptxlab inspect spin.cu --arch sm_90,sm_80 --kernel wait");
  sub->callback([o, &code] {
    std::vector<inspected> all = session(*o).inspect_all();
    select_kernels(all, o->kernel);
    print(*o, all);
    code = exit_fine;
  });
}

const command_registration registered({"inspect", add});

}  // namespace
}  // namespace ptxlab::driver
