// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/options.hpp"

namespace ptxlab::driver {

void add_build_options(CLI::App& app, build_options& o) {
  app.add_option("FILE", o.files,
                 ".cu, .ptx, .cubin, .fatbin, or an object, library or program with embedded code")
      ->required();
  app.add_option("--arch", o.archs, "architectures, such as sm_90,sm_80 (a source: sm_90)")
      ->delimiter(',');
  app.add_option("--nvcc-flags", o.nvcc_flags,
                 "more options for nvcc, as one word: \"-maxrregcount 32\"");
  app.add_flag("--no-cache", o.no_cache, "build anew, and keep nothing");
}

}  // namespace ptxlab::driver
