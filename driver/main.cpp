// SPDX-License-Identifier: Apache-2.0
// The program: hands the command line to a subcommand, and turns an error into one line and exit 2.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "driver/commands/command.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

/// A message as one line per sentence, without control characters that an input smuggled in.
void complain(const char* what) {
  std::string text;
  for (const char* c = what; *c != '\0'; ++c)
    text += (static_cast<unsigned char>(*c) < ' ' && *c != '\n' && *c != '\t') ? '?' : *c;
  fmt::print(stderr, "ptxlab: {}\n", text);
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
    complain(fmt::format("{} (see ptxlab --help)", e.what()).c_str());
    return exit_wrong_use;
  }
  return code;
}

}  // namespace

}  // namespace ptxlab::driver

int main(int argc, char** argv) {
  try {
    const int code = ptxlab::driver::run(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      ptxlab::driver::complain("standard output could not be written");
      return ptxlab::driver::exit_wrong_use;
    }
    return code;
  } catch (const std::exception& e) {
    ptxlab::driver::complain(e.what());
    return ptxlab::driver::exit_wrong_use;
  }
}
