// SPDX-License-Identifier: Apache-2.0
#include "driver/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "analysis/inspect/inspect.hpp"
#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/jobs.hpp"
#include "analysis/toolchain/process.hpp"
#include "driver/bench/gate.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

namespace fs = std::filesystem;

toolchain::cache open_cache(const build_options& o) {
  if (o.no_cache) return {};
  const fs::path folder = toolchain::cache::default_folder(toolchain::own_executable());
  return folder.empty() ? toolchain::cache() : toolchain::cache(folder);
}

/// Architecture of a source when nobody names one: the one the expectations are written for.
constexpr const char* default_arch = "sm_90";

bool is_source(const std::string& path) {
  return fs::path(path).extension() == ".cu";
}

/// One line that is rewritten in place, on a terminal only.
class progress_line {
 public:
  progress_line() : shown_(isatty(STDERR_FILENO) != 0) {}
  ~progress_line() {
    if (shown_ && drawn_) fmt::print(stderr, "\r\033[K");
  }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void operator()(std::size_t done, std::size_t all) {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[Kbuilding: {} of {} steps", done, all);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  bool shown_, drawn_ = false;
};

/// Writes what was built of one input. Pieces of a container are told apart by their member's name.
void keep_products(const fs::path& folder, const toolchain::build& b) {
  const fs::path place = folder / (b.arch.empty() ? "unknown" : b.arch);
  std::error_code code;
  fs::create_directories(place, code);
  if (code) throw error(fmt::format("{}: {}", place.string(), code.message()));
  std::string name = b.input.stem().string();
  if (!b.member.empty()) name += "." + fs::path(b.member).stem().string();
  const auto put = [&](const char* extension, const toolchain::product& p) {
    if (p.text) toolchain::write_file(place / (name + extension), *p.text);
  };
  put(".ptx", b.ptx);
  put(".debug.ptx", b.unoptimised_ptx);
  put(".cubin", b.cubin);
  put(".log", b.ptxas_log);
  put(".sass", b.sass_text);
}

}  // namespace

const kernels::entry* declaration_of(const std::string& path) {
  std::error_code ignored;
  const std::string full = fs::weakly_canonical(path, ignored).generic_string();
  for (const kernels::entry& e : kernels::catalogue()) {
    if (full.size() > e.path.size() && full.ends_with(e.path) &&
        full[full.size() - e.path.size() - 1] == '/')
      return &e;
  }
  return nullptr;
}

session::session(const build_options& options)
    : options_(options),
      cache_(open_cache(options)),
      tools_(toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()), cache_)) {}

std::vector<built> session::build_all() const {
  const toolchain::interrupt_scope interrupts;
  const std::vector<std::string> user_flags = toolchain::split_flags(options_.nvcc_flags);
  toolchain::check_flags(user_flags);
  std::vector<toolchain::request> requests;
  std::vector<const kernels::entry*> declared;
  for (const std::string& file : options_.files) {
    const kernels::entry* e = declaration_of(file);
    std::vector<std::string> archs = options_.archs;
    if (archs.empty()) archs.push_back(is_source(file) ? default_arch : "");
    for (const std::string& arch : archs) {
      toolchain::request r;
      r.file = file;
      r.arch = arch;
      r.unoptimised = options_.unoptimised;
      if (e != nullptr) {
        const std::string full = fs::weakly_canonical(file).generic_string();
        r.nvcc_flags.push_back("-I" + full.substr(0, full.size() - e->path.size() - 1));
        for (auto& f : toolchain::split_flags(e->what.nvcc_flags))
          r.nvcc_flags.push_back(std::move(f));
      }
      if (is_source(file))
        r.nvcc_flags.insert(r.nvcc_flags.end(), user_flags.begin(), user_flags.end());
      requests.push_back(std::move(r));
      declared.push_back(e);
    }
  }

  std::vector<toolchain::result> results;
  {
    progress_line progress;
    toolchain::options how;
    how.progress = [&](std::size_t done, std::size_t all) { progress(done, all); };
    results = toolchain::build_all(tools_, cache_, requests, how);
  }
  for (const toolchain::result& r : results)
    if (!r.failure.empty()) throw error(r.failure);

  std::vector<built> out;
  for (std::size_t i = 0; i < results.size(); ++i)
    for (toolchain::build& b : results[i].builds) {
      if (!options_.keep.empty()) keep_products(options_.keep, b);
      out.push_back({requests[i].file.string(), declared[i], std::move(b)});
    }
  return out;
}

std::vector<inspected> session::inspect_all() const {
  const std::vector<built> builds = build_all();
  std::vector<inspected> out(builds.size());
  toolchain::job_pool pool;
  for (std::size_t i = 0; i < builds.size(); ++i)
    pool.add([this, &out, &builds, i] {
      const built& b = builds[i];
      std::vector<std::string> flags = toolchain::split_flags(options_.nvcc_flags);
      if (b.declared != nullptr)
        for (auto& f : toolchain::split_flags(b.declared->what.nvcc_flags))
          flags.push_back(std::move(f));
      out[i] = {b.path, b.declared, inspect::inspect(b.build, tools_, flags), {}};
      if (b.declared != nullptr) out[i].timed = bench::judge_all(*b.declared, b.build);
    });
  pool.wait();
  return out;
}

fs::path project_root() {
  const char* named = std::getenv("PTXLAB_ROOT");
  if (named != nullptr && *named != '\0') return named;
  for (fs::path p = toolchain::own_executable().parent_path(); p != p.parent_path();
       p = p.parent_path())
    if (std::error_code ignored; fs::exists(p / "kernels" / "kernel.hpp", ignored)) return p;
  return fs::current_path();
}

}  // namespace ptxlab::driver
