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
  worker(std::filesystem::path plan_folder, int device);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Starts the process if there is none. Throws ptxlab::error with what it said where it cannot
  /// use the GPU.
  const greeting& start();
  /// Measures one point; kills the process where no answer comes within `deadline`. Throws
  /// ptxlab::error only where no process can be started.
  answer ask(const std::string& id, const axes& at, std::chrono::milliseconds deadline);

 private:
  void stop();
  enum class reading { line, late, closed };
  reading read_line(std::string& out, std::chrono::milliseconds deadline);

  std::filesystem::path plan_;
  int device_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string pending_;
  greeting greeting_;
};

/// The worker's side: serves requests from standard input until it is closed. The exit code.
int serve(const std::filesystem::path& plan_folder, int device);

}  // namespace ptxlab::bench
