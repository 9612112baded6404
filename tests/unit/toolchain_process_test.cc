// SPDX-License-Identifier: Apache-2.0
// Running programs: what comes back, what is killed, and what an interrupt leaves behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/jobs.hpp"
#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab::toolchain;
using std::chrono::milliseconds;

command shell(const std::string& script) {
  return {.argv = {"/bin/sh", "-c", script}};
}

// A process that has been killed may still be a zombie of somebody else: /proc tells.
bool runs(pid_t id) {
  std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  const auto end = text.rfind(')');
  return end != std::string::npos && end + 2 < text.size() && text[end + 2] != 'Z';
}

bool ends_soon(pid_t id) {
  for (int i = 0; i < 200 && runs(id); ++i) std::this_thread::sleep_for(milliseconds(10));
  return !runs(id);
}

TEST(toolchain_process_test, tells_both_streams_and_the_exit_code) {
  const outcome done = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_EQ(done.signal, 0);
  EXPECT_FALSE(done.ok());
  EXPECT_EQ(done.ending(), "exit code 3");
  EXPECT_TRUE(run(shell("true")).ok());
}

TEST(toolchain_process_test, passes_arguments_without_a_shell) {
  const std::string odd = "a b; $HOME 'q' \"r\" *\\";
  EXPECT_EQ(run({.argv = {"printf", "%s", odd}}).out, odd);
}

TEST(toolchain_process_test, tells_the_signal) {
  const outcome done = run(shell("kill -SEGV $$"));
  EXPECT_EQ(done.signal, SIGSEGV);
  EXPECT_FALSE(done.ok());
  EXPECT_EQ(done.ending(), "ended by signal 11");
}

TEST(toolchain_process_test, drains_both_streams_at_once) {
  // Far more than a pipe holds, first all on stderr, then all on stdout: reading one after the
  // other would stand still.
  const outcome done =
      run(shell("head -c 3000000 /dev/zero >&2; head -c 2000000 /dev/zero; echo end"));
  EXPECT_TRUE(done.ok());
  EXPECT_EQ(done.err.size(), 3000000U);
  EXPECT_EQ(done.out.size(), 2000004U);
}

TEST(toolchain_process_test, input_is_empty) {
  EXPECT_EQ(run(shell("cat; echo end")).out, "end\n");
}

TEST(toolchain_process_test, uses_folder_and_variables) {
  command call = shell("pwd; echo $PTXLAB_TEST_WORD $HOME");
  call.folder = "/";
  call.variables = {"PTXLAB_TEST_WORD=word", "HOME=other"};
  EXPECT_EQ(run(call).out, "/\nword other\n");
}

TEST(toolchain_process_test, a_program_that_is_not_there_is_an_error) {
  try {
    run({.argv = {"/nowhere/nvcc"}});
    FAIL() << "no exception";
  } catch (const ptxlab::error& problem) {
    EXPECT_STREQ(problem.what(), "cannot run /nowhere/nvcc: No such file or directory");
  }
  EXPECT_THROW(run({.argv = {}}), ptxlab::error);
  command call = shell("true");
  call.folder = "/nowhere";
  EXPECT_THROW(run(call), ptxlab::error);
}

TEST(toolchain_process_test, timeout_kills_the_whole_group) {
  command call = shell("sleep 100 & echo $!; sleep 100");
  call.timeout = milliseconds(200);
  const outcome done = run(call);
  EXPECT_TRUE(done.timed_out);
  EXPECT_FALSE(done.ok());
  EXPECT_LT(done.wall_s, 5);
  EXPECT_GE(done.wall_s, 0.2);
  EXPECT_EQ(done.ending().substr(0, 12), "no end after");
  const pid_t grandchild = std::stoi(done.out);
  EXPECT_TRUE(ends_soon(grandchild));
}

TEST(toolchain_process_test, timeout_also_counts_after_the_streams_are_closed) {
  command call = shell("exec >&- 2>&-; sleep 100");
  call.timeout = milliseconds(200);
  const outcome done = run(call);
  EXPECT_TRUE(done.timed_out);
  EXPECT_LT(done.wall_s, 5);
}

TEST(toolchain_process_test, a_descendant_that_keeps_the_pipe_does_not_hold_us_up) {
  const outcome done = run(shell("sleep 100 & echo $!; exit 0"));
  EXPECT_TRUE(done.ok());
  EXPECT_LT(done.wall_s, 5);
  EXPECT_TRUE(ends_soon(std::stoi(done.out)));
}

TEST(toolchain_process_test, output_without_end_is_cut) {
  command call = shell("exec yes");
  call.output_limit_bytes = 1 << 20;
  const outcome done = run(call);
  EXPECT_TRUE(done.overflowed);
  EXPECT_FALSE(done.ok());
  EXPECT_LT(done.out.size(), std::size_t{2} << 20);
}

// The program as a user interrupts it: a forked copy that runs two children in threads.
void expect_interrupt_is_clean(int number) {
  const temporary_folder folder;
  const auto pids = folder.path() / "pids";
  const auto left = folder.path() / "left";
  write_file(pids, "");
  std::filesystem::create_directory(left);
  const pid_t program = fork();
  ASSERT_GE(program, 0);
  if (program == 0) {
    signal(number, SIG_DFL);
    setenv("TMPDIR", left.c_str(), 1);
    try {
      const interrupt_scope scope;
      const temporary_folder to_be_removed;
      job_pool pool(2);
      for (int i = 0; i < 2; ++i) {
        pool.add([&] { run(shell("echo $$ >> '" + pids.string() + "'; sleep 100 & wait")); });
      }
      pool.wait();
    } catch (const ptxlab::error&) {
    }
    _exit(9);  // not reached: the signal is raised again at the end of the scope
  }
  std::vector<pid_t> children;
  for (int i = 0; i < 500 && children.size() < 2; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    children.clear();
    std::ifstream lines(pids);
    for (pid_t id; lines >> id;) children.push_back(id);
  }
  ASSERT_EQ(children.size(), 2U);
  kill(program, number);
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), number);
  for (const pid_t id : children) EXPECT_TRUE(ends_soon(id)) << id;
  EXPECT_TRUE(std::filesystem::is_empty(left)) << "temporary folder left behind";
}

TEST(toolchain_process_test, interrupt_leaves_no_child_and_no_folder) {
  expect_interrupt_is_clean(SIGINT);
  expect_interrupt_is_clean(SIGTERM);
}

TEST(toolchain_process_test, handlers_are_put_back) {
  struct sigaction before {
  }, after{};
  sigaction(SIGINT, nullptr, &before);
  run(shell("true"));
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_FALSE(interrupt_scope::interrupted());
}

TEST(toolchain_jobs_test, jobs_may_add_jobs) {
  job_pool pool(3);
  std::atomic<int> count{0};
  for (int i = 0; i < 20; ++i) {
    pool.add([&] {
      ++count;
      pool.add([&] { ++count; }, true);
    });
  }
  pool.wait();
  EXPECT_EQ(count, 40);
  pool.add([&] { ++count; });
  pool.wait();
  EXPECT_EQ(count, 41);
}

TEST(toolchain_jobs_test, first_exception_comes_out_of_wait) {
  job_pool pool(1);
  std::atomic<int> count{0};
  pool.add([&] {
    pool.add([&] { ++count; });
    throw ptxlab::error("broken");
  });
  EXPECT_THROW(pool.wait(), ptxlab::error);
  EXPECT_EQ(count, 0) << "a job begun after the failure";
}

TEST(toolchain_files_test, reading_says_what_is_wrong) {
  const temporary_folder folder;
  const auto file = folder.path() / "file";
  write_file(file, std::string("a\0b", 3));
  EXPECT_EQ(read_file(file), std::string("a\0b", 3));
  const auto message = [](const std::filesystem::path& path) -> std::string {
    try {
      read_file(path);
    } catch (const ptxlab::error& problem) {
      return problem.what();
    }
    return "no error";
  };
  const std::string at = folder.path().string();
  EXPECT_EQ(message(at + "/none"), at + "/none: No such file or directory");
  EXPECT_EQ(message(at), at + ": is a folder, not a file");
  EXPECT_EQ(message(at + "/file/x"), at + "/file/x: Not a directory");
  EXPECT_EQ(message("/dev/null"), "/dev/null: not a file");
}

TEST(toolchain_files_test, writing_replaces_whole_files_or_nothing) {
  const temporary_folder folder;
  const auto file = folder.path() / "file";
  write_file(file, "old");
  write_file(file, "new");
  EXPECT_EQ(read_file(file), "new");
  EXPECT_THROW(write_file(file / "below", "x"), ptxlab::error);
  EXPECT_THROW(write_file(folder.path(), "x"), ptxlab::error);  // a folder stands there
  const auto count = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  EXPECT_EQ(count, 1) << "a temporary was left behind";
}

TEST(toolchain_files_test, temporary_folders_vanish) {
  std::filesystem::path seen;
  {
    const temporary_folder folder;
    seen = folder.path();
    write_file(seen / "file", "x");
  }
  EXPECT_FALSE(std::filesystem::exists(seen));
}

}  // namespace
