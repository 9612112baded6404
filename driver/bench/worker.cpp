// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "analysis/toolchain/process.hpp"
#include "analysis/toolchain/tools.hpp"
#include "ptx/text/error.hpp"

extern char** environ;

namespace ptxlab::bench {
namespace {

using json = nlohmann::json;
using steady = std::chrono::steady_clock;

/// A context on a machine with many GPUs takes its time.
constexpr std::chrono::seconds start_deadline{60};

/// A point is a few launches, and what is built for them. Beyond that the worker itself hangs.
constexpr int launches_of_a_point = 5;

void close_both(int (&ends)[2]) {
  for (int& fd : ends)
    if (fd >= 0) close(fd);
}

std::string ending_of(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return "was lost";
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

greeting greeting_of(const json& j) {
  greeting g;
  g.device = j.at("device");
  g.driver = j.at("driver");
  g.arch = j.at("arch");
  g.of.multiprocessors = j.at("multiprocessors");
  g.of.max_block_threads = j.at("max_block_threads");
  g.of.l2_bytes = j.at("l2_bytes");
  g.of.memory_bytes = j.at("memory_bytes");
  return g;
}

}  // namespace

worker::worker(std::filesystem::path plan_folder, int device, std::chrono::seconds deadline,
               bool run_refused)
    : plan_(std::move(plan_folder)),
      device_(device),
      deadline_(deadline),
      run_refused_(run_refused) {
  // Writing to a worker that has died is an answer, not the end of this process.
  signal(SIGPIPE, SIG_IGN);
}

worker::~worker() {
  stop();
}

void worker::stop() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  to_ = from_ = -1;
  pending_.clear();
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = -1;
}

const greeting& worker::start() {
  if (process_ > 0) return greeting_;
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
    close_both(in);
    close_both(out);
    throw error(fmt::format("no pipe for the worker process: {}", std::strerror(errno)));
  }
  std::vector<std::string> arguments = {toolchain::own_executable().string(),
                                        "bench",
                                        "--worker",
                                        "--prepared",
                                        plan_.string(),
                                        "--device",
                                        std::to_string(device_),
                                        "--deadline",
                                        std::to_string(deadline_.count())};
  if (run_refused_) arguments.emplace_back("--run-refused");
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const int status = posix_spawn(&process_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
  if (status != 0) {
    process_ = -1;
    stop();
    throw error(fmt::format("the worker process cannot be started: {}", std::strerror(status)));
  }
  std::string line;
  if (read_line(line, start_deadline) != reading::line) {
    stop();
    throw error("the worker process did not greet: the GPU cannot be used");
  }
  const json said = json::parse(line, nullptr, false);
  if (said.is_discarded() || said.contains("problem")) {
    stop();
    throw error(said.is_discarded() ? "the worker process spoke gibberish"
                                    : said.at("problem").get<std::string>());
  }
  greeting_ = greeting_of(said);
  return greeting_;
}

worker::reading worker::read_line(std::string& out, std::chrono::milliseconds deadline) {
  const auto end = steady::now() + deadline;
  for (;;) {
    if (const auto at = pending_.find('\n'); at != std::string::npos) {
      out = pending_.substr(0, at);
      pending_.erase(0, at + 1);
      return reading::line;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - steady::now()).count();
    if (left <= 0 || toolchain::interrupt_scope::interrupted()) return reading::late;
    pollfd waited{from_, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready < 0 && errno != EINTR) return reading::closed;
    if (ready <= 0) continue;
    char bytes[65536];
    const ssize_t n = read(from_, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return reading::closed;
    pending_.append(bytes, static_cast<std::size_t>(n));
  }
}

answer worker::ask(const std::string& id, const axes& at) {
  const std::chrono::seconds deadline = launches_of_a_point * deadline_;
  start();
  answer out;
  const std::string request = json({{"id", id}, {"axes", at}}).dump() + "\n";
  std::string line;
  reading got = reading::closed;
  if (write(to_, request.data(), request.size()) == static_cast<ssize_t>(request.size()))
    got = read_line(line, deadline);
  if (got == reading::late) {
    out.problem = fmt::format("no end after {} s: killed by the watchdog", deadline.count());
    out.lost = true;
    stop();
    return out;
  }
  const json said = got == reading::line ? json::parse(line, nullptr, false) : json();
  if (!said.is_object()) {
    const pid_t gone = process_;
    process_ = -1;
    kill(gone, SIGKILL);
    out.problem = fmt::format("the worker process {}", ending_of(gone));
    out.lost = true;
    stop();
    return out;
  }
  out.problem = said.value("problem", "");
  out.lost = said.value("lost", false);
  try {
    for (const json& r : said.value("rows", json::array()))
      out.rows.push_back(results::parse_row(r.dump()));
  } catch (const error& e) {
    out.rows.clear();
    out.problem = fmt::format("the worker process gave no row: {}", e.what());
  }
  if (out.lost) stop();
  return out;
}

}  // namespace ptxlab::bench
