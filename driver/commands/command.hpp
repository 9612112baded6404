// SPDX-License-Identifier: Apache-2.0
// A subcommand of the program. One file in driver/commands adds one: it registers itself.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ptxlab::driver {

/// Exit codes of the program.
enum exit_code : int {
  exit_fine = 0,
  exit_failed = 1,        ///< an expectation failed or cannot be trusted
  exit_wrong_use = 2,     ///< wrong use, or input that cannot be read
  exit_nothing_ran = 77,  ///< nothing could run here
};

struct command {
  const char* name;
  /// Adds the subcommand's options to `app`; its callback sets `code`.
  void (*add)(CLI::App& app, int& code);
};

/// All commands, sorted by name.
const std::vector<command>& commands();

struct command_registration {
  explicit command_registration(const command& c);
};

}  // namespace ptxlab::driver
