// SPDX-License-Identifier: Apache-2.0
// The program: hands the command line to a subcommand, and turns an error into one line and exit 2.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "analysis/verdict/nearest.hpp"
#include "driver/commands/command.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

/// A message as one line per sentence, without control characters that an input smuggled in. A
/// standard error that cannot be written is no reason to crash.
void complain(const char* what) {
  std::string text;
  for (const char* c = what; *c != '\0'; ++c)
    text += (static_cast<unsigned char>(*c) < ' ' && *c != '\n' && *c != '\t') ? '?' : *c;
  std::fputs(fmt::format("ptxlab: {}\n", text).c_str(), stderr);
}

int cannot_write() {
  complain("standard output could not be written");
  return exit_wrong_use;
}

/// What is wrong with the command line: CLI11 says of a misspelt command only that it needs one.
std::string explain(const CLI::ParseError& e, int argc, char** argv) {
  std::vector<std::string> names;
  for (const command& c : commands()) names.emplace_back(c.name);
  const std::string first = argc > 1 ? argv[1] : "-";
  if (first.starts_with('-') || std::find(names.begin(), names.end(), first) != names.end())
    return e.what();
  return fmt::format("no command '{}'{}", first, verdict::suggestion(first, names));
}

int run(int argc, char** argv) {
  CLI::App app{
      "What did nvcc and ptxas make of a kernel? Facts of both stages, verdicts,\n"
      "and tests that keep them true."};
  app.name("ptxlab");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Example: ptxlab inspect kernels/barrier/wait_forms.cu\n"
      "Exit: 0 fine, 1 an expectation failed or cannot be trusted,\n"
      "2 wrong use or unreadable input, 77 nothing could run.");
  int code = exit_fine;
  for (const command& c : commands()) c.add(app, code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    complain(fmt::format("{} (see ptxlab --help)", explain(e, argc, argv)).c_str());
    return exit_wrong_use;
  }
  return code;
}

}  // namespace

}  // namespace ptxlab::driver

int main(int argc, char** argv) {
  try {
    const int code = ptxlab::driver::run(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return ptxlab::driver::cannot_write();
    return code;
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return ptxlab::driver::cannot_write();
    ptxlab::driver::complain(e.what());
    return ptxlab::driver::exit_wrong_use;
  }
}
