// SPDX-License-Identifier: Apache-2.0
// posix_spawn, two pipes, one poll loop; and the table of live process groups which the signal
// handler may read at any time.
#include "analysis/toolchain/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

using steady = std::chrono::steady_clock;

constexpr std::array<int, 3> handled_signals = {SIGINT, SIGTERM, SIGHUP};

// Only lock-free atomics: the handler reads both.
std::array<std::atomic<pid_t>, 512> live_groups{};
std::atomic<int> caught_signal{0};

void kill_children_and_remember(int number) {
  const int saved_errno = errno;
  for (const auto& group : live_groups) {
    if (const pid_t id = group.load(); id > 0) kill(-id, SIGKILL);
  }
  if (caught_signal.exchange(number) != 0) {  // the second time: do not insist on tidying up
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = saved_errno;
}

std::mutex scope_mutex;
int scope_depth = 0;
std::array<struct sigaction, handled_signals.size()> former_actions{};

[[noreturn]] void fail(const command& what, const std::string& reason) {
  throw error(fmt::format("cannot run {}: {}", what.argv.empty() ? "" : what.argv[0], reason));
}

struct descriptor {
  int fd = -1;
  descriptor() = default;
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() { close(); }
  void close() {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

struct spawn_settings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  spawn_settings() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  spawn_settings(const spawn_settings&) = delete;
  spawn_settings& operator=(const spawn_settings&) = delete;
  ~spawn_settings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

std::vector<char*> merged_environment(const std::vector<std::string>& variables) {
  std::vector<char*> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& own) {
      return std::strncmp(*entry, own.c_str(), own.find('=') + 1) == 0;
    });
    if (!replaced) merged.push_back(*entry);
  }
  for (const auto& own : variables) merged.push_back(const_cast<char*>(own.c_str()));
  merged.push_back(nullptr);
  return merged;
}

pid_t spawn(const command& what, int out, int err) {
  spawn_settings settings;
  if (!what.inherit_input) {
    posix_spawn_file_actions_addopen(&settings.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&settings.files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, err, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&settings.files, STDERR_FILENO + 1);
  if (!what.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&settings.files, what.folder.c_str());
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> argv;
  for (const auto& word : what.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  auto environment = merged_environment(what.variables);
  pid_t child = 0;
  const int code = posix_spawnp(&child, argv[0], &settings.files, &settings.attributes, argv.data(),
                                environment.data());
  if (code != 0) fail(what, std::strerror(code));
  return child;
}

// A child from start to reaping. Its group stands in `live_groups` for just as long as the number
// cannot belong to anybody else.
class child {
 public:
  child(const command& what, int out, int err) : id_(spawn(what, out, err)) {
    for (auto& group : live_groups) {
      pid_t free = 0;
      if (group.compare_exchange_strong(free, id_)) {
        slot_ = &group;
        break;
      }
    }
    // A signal that came between the spawn and the entry above did not see this child.
    if (slot_ == nullptr || caught_signal.load() != 0) kill_group();
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child() { reap(nullptr); }

  void kill_group() const { kill(-id_, SIGKILL); }

  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == id_;
  }

  void reap(outcome* result) {
    if (reaped_) return;
    kill_group();  // whatever the program left behind; itself, if it still runs
    int status = 0;
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    if (slot_ != nullptr) slot_->store(0);
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    if (result == nullptr) return;
    if (WIFEXITED(status)) result->exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result->signal = WTERMSIG(status);
  }

 private:
  pid_t id_;
  std::atomic<pid_t>* slot_ = nullptr;
  bool reaped_ = false;
};

// Takes what is there to read; closes the descriptor at the end of the stream.
void drain(descriptor& from, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(from.fd, buffer.data(), buffer.size());
  if (got > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    from.close();
  }
}

// Reads both streams until both end. A descendant that keeps a pipe open after the program's own
// end does not hold us up: the streams count as ended after a quiet moment.
void collect(const command& what, child& program, descriptor& out, descriptor& err,
             steady::time_point deadline, outcome& result) {
  constexpr int quiet_ms = 20;
  while (out.fd >= 0 || err.fd >= 0) {
    std::array<pollfd, 2> watched = {pollfd{out.fd, POLLIN, 0}, pollfd{err.fd, POLLIN, 0}};
    const int ready = poll(watched.data(), watched.size(), quiet_ms);
    if (ready > 0 && watched[0].revents != 0) drain(out, result.out);
    if (ready > 0 && watched[1].revents != 0) drain(err, result.err);
    if (std::max(result.out.size(), result.err.size()) > what.output_limit_bytes) {
      result.overflowed = true;
      return;
    }
    if (steady::now() >= deadline) {
      result.timed_out = true;
      return;
    }
    if (ready == 0 && program.ended()) return;
  }
  while (!program.ended()) {
    if (steady::now() >= deadline) {
      result.timed_out = true;
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

std::string outcome::ending() const {
  if (timed_out) return fmt::format("no end after {:.0f} s", wall_s);
  if (overflowed) return "too much output";
  if (signal != 0) return fmt::format("ended by signal {}", signal);
  return fmt::format("exit code {}", exit_code);
}

outcome run(const command& what) {
  if (what.argv.empty()) throw error("cannot run an empty command");
  const interrupt_scope scope;
  if (interrupt_scope::interrupted()) throw error("interrupted");
  descriptor out_read, out_write, err_read, err_write;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(what, std::strerror(errno));
  out_read.fd = ends[0], out_write.fd = ends[1];
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(what, std::strerror(errno));
  err_read.fd = ends[0], err_write.fd = ends[1];

  const auto start = steady::now();
  outcome result;
  child program(what, out_write.fd, err_write.fd);
  out_write.close();
  err_write.close();
  collect(what, program, out_read, err_read, start + what.timeout, result);
  program.reap(&result);
  result.wall_s = std::chrono::duration<double>(steady::now() - start).count();
  if (interrupt_scope::interrupted()) throw error("interrupted");
  return result;
}

interrupt_scope::interrupt_scope() {
  const std::scoped_lock lock(scope_mutex);
  if (scope_depth++ > 0) return;
  caught_signal.store(0);
  struct sigaction action {};
  action.sa_handler = kill_children_and_remember;
  for (std::size_t i = 0; i < handled_signals.size(); ++i) {
    sigaction(handled_signals[i], nullptr, &former_actions[i]);
    // Whoever started us with the signal ignored (nohup) wants it ignored.
    if (former_actions[i].sa_handler != SIG_IGN) sigaction(handled_signals[i], &action, nullptr);
  }
}

interrupt_scope::~interrupt_scope() {
  int number = 0;
  {
    const std::scoped_lock lock(scope_mutex);
    if (--scope_depth > 0) return;
    for (std::size_t i = 0; i < handled_signals.size(); ++i) {
      sigaction(handled_signals[i], &former_actions[i], nullptr);
    }
    number = caught_signal.exchange(0);
  }
  if (number != 0) raise(number);
}

bool interrupt_scope::interrupted() {
  return caught_signal.load() != 0;
}

}  // namespace ptxlab::toolchain
