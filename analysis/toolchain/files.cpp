// SPDX-License-Identifier: Apache-2.0
// Plain system calls, since their errno is the reason a user needs to read.
#include "analysis/toolchain/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* attempt) {
  throw error(fmt::format("{}: {}{}", path.string(), attempt, std::strerror(errno)));
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = write(fd, content.data(), content.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  // O_NONBLOCK: a named pipe without a writer must not hang the program.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail(path, "");
  struct stat info {};
  fstat(fd, &info);
  if (!S_ISREG(info.st_mode)) {
    close(fd);
    throw error(fmt::format("{}: {}", path.string(),
                            S_ISDIR(info.st_mode) ? "is a folder, not a file" : "not a file"));
  }
  std::string content(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const ssize_t got = read(fd, content.data() + have, content.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int code = errno;
      close(fd);
      errno = code;
      fail(path, "");
    }
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  close(fd);
  content.resize(have);
  return content;
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  static std::atomic<unsigned> serial{0};
  const std::string temporary = fmt::format("{}.{}.{}.tmp", path.string(), getpid(), serial++);
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) fail(path, "cannot write: ");
  bool fine = write_all(fd, content);
  int code = errno;
  if (close(fd) != 0 && fine) fine = false, code = errno;
  if (fine && rename(temporary.c_str(), path.c_str()) != 0) fine = false, code = errno;
  if (fine) return;
  unlink(temporary.c_str());
  errno = code;
  fail(path, "cannot write: ");
}

temporary_folder::temporary_folder() {
  const char* base = std::getenv("TMPDIR");
  std::string name = fmt::format("{}/ptxlab-XXXXXX", base != nullptr && *base ? base : "/tmp");
  if (mkdtemp(name.data()) == nullptr) fail(name, "cannot make a temporary folder: ");
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ptxlab::toolchain
