// SPDX-License-Identifier: Apache-2.0
// Running one external program: no shell, both outputs captured, a deadline, and no child left
// behind, whether by a timeout or by an interrupt of this program.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ptxlab::toolchain {

struct command {
  std::vector<std::string> argv;            ///< argv[0] is a path, or a name looked up in PATH
  std::filesystem::path folder = {};        ///< working folder; empty: this program's own
  std::vector<std::string> variables = {};  ///< "NAME=value", on top of the environment inherited
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  std::size_t output_limit_bytes = std::size_t{2} << 30;  ///< of each stream
  bool inherit_input = false;                             ///< else standard input is /dev/null
};

struct outcome {
  int exit_code = -1;       ///< meaningful only if `signal` is 0
  int signal = 0;           ///< that ended the program, else 0
  bool timed_out = false;   ///< killed at the deadline
  bool overflowed = false;  ///< killed because it wrote more than the limit
  std::string out, err;
  double wall_s = 0;

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out && !overflowed; }
  /// How it ended, for a message: "exit code 3", "signal 11", "no end after 600 s", ...
  std::string ending() const;
};

/// Runs `what` to its end in a process group of its own and kills that whole group at the deadline,
/// at the output limit, and once the program itself has ended. Throws error if it cannot be
/// started, or if this program was interrupted (SIGINT, SIGTERM, SIGHUP) meanwhile.
outcome run(const command& what);

/// While at least one of these lives, SIGINT, SIGTERM and SIGHUP kill all children first, let
/// `run` throw so that the stack unwinds, and are raised again when the outermost one is destroyed.
/// Declare it before whatever has to be cleaned up after an interrupt.
class interrupt_scope {
 public:
  interrupt_scope();
  ~interrupt_scope();
  interrupt_scope(const interrupt_scope&) = delete;
  interrupt_scope& operator=(const interrupt_scope&) = delete;

  /// True once a signal has come within the outermost scope.
  static bool interrupted();
};

}  // namespace ptxlab::toolchain
