// SPDX-License-Identifier: Apache-2.0
// The process that owns the GPU. A kernel that never ends, a trap or an illegal address ends it and
// not the run: the harness kills it, starts another and goes on. Both sides talk in lines of JSON.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/results/results.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// What the worker says of its GPU when it has started.
struct greeting {
  std::map<std::string, std::string> device;  ///< fingerprint, NVML's facts included
  std::string driver;
  std::string arch;
  sizes of;
};

/// One measured point, or how it failed.
struct answer {
  std::vector<results::row> rows;
  std::string problem;  ///< empty if there are rows
  bool lost = false;    ///< the process is gone: hang, trap, sticky error
};

/// The harness's side: one worker process, started again when it was lost.
class worker {
 public:
  /// `plan_folder` is what bench::prepare wrote. Nothing is started yet.
  /// A launch that takes longer than `deadline` is given up by the worker itself, which then can
  /// say more than that it was killed.
  worker(std::filesystem::path plan_folder, int device, std::chrono::seconds deadline,
         bool run_refused = false);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Starts the process if there is none. Throws ptxlab::error with what it said where it cannot
  /// use the GPU.
  const greeting& start();
  /// Whether there is a process: none after a point that was lost.
  bool running() const { return process_ > 0; }
  /// Measures one point; kills the process where no answer comes in time. Throws
  /// ptxlab::error only where no process can be started.
  answer ask(const std::string& id, const axes& at);

 private:
  void stop();
  enum class reading { line, late, closed };
  reading read_line(std::string& out, std::chrono::milliseconds deadline);

  std::filesystem::path plan_;
  int device_;
  std::chrono::seconds deadline_;
  bool run_refused_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string pending_;
  greeting greeting_;
};

/// The worker's side: serves requests from standard input until it is closed. The exit code.
int serve(const std::filesystem::path& plan_folder, int device, std::chrono::seconds deadline,
          bool run_refused);

}  // namespace ptxlab::bench
