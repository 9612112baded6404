// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/options.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "analysis/toolchain/tools.hpp"

namespace ptxlab::driver {

facts::page page_of_output() {
  facts::page p;
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  p.colour = terminal && std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    p.columns = size.ws_col;
  if (const char* set = std::getenv("COLUMNS")) {
    const int n = std::atoi(set);
    if (n >= 40) p.columns = n;
  }
  return p;
}

void add_build_options(CLI::App& app, build_options& o) {
  app.add_option("FILE", o.files,
                 ".cu, .ptx, .cubin, .fatbin, or an object,\n"
                 "library or program with embedded code")
      ->type_name("")
      ->required();
  app.add_option(
         "--arch", o.archs,
         "such as sm_90,sm_80; without it sm_90 for a\nsource, else all that the file holds")
      ->type_name("SM")
      ->delimiter(',');
  app.add_option("--nvcc-flags", o.nvcc_flags,
                 "more options for nvcc, as one word:\n\"-maxrregcount 32\"")
      ->type_name("FLAGS");
  app.add_flag("--no-cache", o.no_cache, "build anew, and keep nothing");
}

std::filesystem::path data_file(const std::string& option, const char* name) {
  namespace fs = std::filesystem;
  if (!option.empty()) return option;
  const fs::path installed =
      toolchain::own_executable().parent_path().parent_path() / "share/ptxlab/data";
  std::error_code code;
  for (const fs::path& folder : {project_root() / "docs/data", installed})
    if (fs::exists(folder / name, code)) return folder / name;
  return {};
}

}  // namespace ptxlab::driver
