// SPDX-License-Identifier: Apache-2.0
// Records golden values. The cubins are made where ptxas is, and run where a GPU is, by the same
// program; it needs nothing but libc there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "ptx/text/error.hpp"
#include "tests/golden/compare.hpp"
#include "tests/golden/cubins.hpp"
#include "tests/golden/files.hpp"
#include "tests/golden/gpu.hpp"
#include "tests/golden/replay.hpp"

namespace ptxlab::golden {
namespace {

namespace fs = std::filesystem;

struct options {
  std::string mode, folder, out, dump_path, commit, ptxas = "ptxas", archive_path;
  std::vector<std::string> skipped;
  part of = part::instructions;
};

/// Numbers of the modules of a part.
std::vector<std::size_t> modules_of(part p) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < module_count(); ++i)
    if (module_part(i) == p) out.push_back(i);
  return out;
}

int prepare(const options& o) {
  const fs::path folder = o.folder;
  fs::create_directories(folder);
  write_file(folder / "toolkit.txt", assembler_version(o.ptxas));
  std::string report;
  for (const std::size_t i : modules_of(o.of)) {
    report += prepare_module(i, folder, o.ptxas);
    fmt::print("module {} of {}\n", i + 1, module_count());
    std::fflush(stdout);
  }
  write_file(folder / fmt::format("refused-{}.txt", name(o.of)), report);
  fmt::print("refused by ptxas:\n{}", report.empty() ? "none\n" : report);
  return report.empty() ? 0 : 1;
}

/// Collects an archive from whoever runs the modules.
int collect(const options& o, archive a,
            const std::function<void(std::size_t, const taker&)>& run_module) {
  std::optional<dump_writer> all;
  if (!o.dump_path.empty()) all.emplace(o.dump_path);
  std::size_t failed = 0, asked = 0;
  for (const std::size_t i : modules_of(o.of)) {
    asked += module_range(i).last - module_range(i).first;
    try {
      run_module(i, [&](const golden_case& c, std::span<const std::uint64_t> words,
                        const std::string& why) {
        if (!why.empty()) {
          ++failed;
          fmt::print("FAILED {}: {}\n", c.name, why);
          return;
        }
        if (!c.only_measured) a.values[c.name] = value_of(c, words);
        if (all) all->add(c, words);
      });
    } catch (const error& e) {
      ++failed;
      fmt::print("FAILED module {}: {}\n", i, e.what());
    }
    if (i % 8 == 7) fmt::print("module {} of {}\n", i + 1, module_count());
    std::fflush(stdout);
  }
  write_file(o.out, to_text(a));
  fmt::print("{} of {} cases recorded in {}, {} failed\n", a.values.size(), asked, o.out, failed);
  return failed == 0 ? 0 : 1;
}

int run_on_gpu(const options& o) {
  gpu g(o.folder, o.skipped);
  archive a;
  const int version = cuda::driver_version();
  char date[11] = {};
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  a.provenance = {
      {"device", g.on().name()},
      {"architecture", g.on().arch()},
      {"date", date},
      {"driver", kernel_driver()},
      {"driver supports CUDA", fmt::format("{}.{}", version / 1000, version % 1000 / 10)},
      {"toolkit", read_file(fs::path(o.folder) / "toolkit.txt")},
      {"commit", o.commit},
      {"generator", std::string(generator_version)}};
  return collect(o, std::move(a), [&](std::size_t i, const taker& t) { g.run_module(i, t); });
}

int run_on_machine(const options& o) {
  archive a;
  a.provenance = {{"device", "the machine itself: proves nothing"},
                  {"commit", o.commit},
                  {"generator", std::string(generator_version)}};
  return collect(o, std::move(a), replay_module);
}

// --- --check, --report
// -----------------------------------------------------------------------------

int check(const options& o, bool page) {
  const archive golden = read_archive(read_file(o.archive_path), o.archive_path);
  std::map<std::string, result_words, std::less<>> full;
  if (!o.dump_path.empty()) full = read_dump(o.dump_path);
  std::vector<approximation_record> records;
  std::size_t wrong = 0, all = 0;
  for (const std::size_t i : modules_of(o.of))
    replay_module(i, [&](const golden_case& c, std::span<const std::uint64_t> words,
                         const std::string& why) {
      ++all;
      const auto at = golden.values.find(c.name);
      if (c.approximate && why.empty() && at != golden.values.end())
        records.push_back(measure(c, at->second.words, words));
      const std::string text = why.empty() ? difference(c, golden, words) : why;
      if (text.empty() || page) return;
      ++wrong;
      fmt::print("{}: {}\n", c.name, text);
      if (const auto f = full.find(c.name); f != full.end() && f->second.size() == words.size()) {
        fmt::print("    {}\n", difference_counts(c, f->second, words));
        for (const std::string& tuple : differing_tuples(c, f->second, words, 4))
          fmt::print("    {}\n", tuple);
      }
    });
  if (page)
    fmt::print("{}", approximation_page(golden, records));
  else
    fmt::print("{} of {} cases differ\n", wrong, all);
  return wrong == 0 ? 0 : 1;
}

constexpr const char* usage =
    "golden_record --prepare DIR [--ptxas PROGRAM]       cubins of all cases\n"
    "golden_record --run DIR --out FILE [--dump FILE] [--commit TEXT] [--skip NAME]...\n"
    "                                                    on a GPU\n"
    "golden_record --from-machine --out FILE [--dump FILE]              on the machine\n"
    "golden_record --check ARCHIVE [--dump FILE]         what differs; with the dump, in which "
    "tuples\n"
    "golden_record --report ARCHIVE                      docs/APPROXIMATE.md\n"
    "    each with [--part instructions|textures|matrices|copies]: one of them, without it the "
    "first\n"
    "golden_record --list                                names of all cases\n"
    "golden_record --show NAME                           its kernel\n";

int run(const std::vector<std::string>& arguments) {
  options o;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size()) throw error(fmt::format("{} needs a value\n{}", a, usage));
      return arguments[++i];
    };
    if (a == "--prepare" || a == "--run")
      o.mode = a, o.folder = value();
    else if (a == "--check" || a == "--report" || a == "--show")
      o.mode = a, o.archive_path = value();
    else if (a == "--from-machine" || a == "--list")
      o.mode = a;
    else if (a == "--out")
      o.out = value();
    else if (a == "--dump")
      o.dump_path = value();
    else if (a == "--commit")
      o.commit = value();
    else if (a == "--part") {
      const std::string text = value();
      const std::optional<part> named = part_named(text);
      if (!named) throw error(fmt::format("'{}' is no part of the cases\n{}", text, usage));
      o.of = *named;
    } else if (a == "--skip")
      o.skipped.push_back(value());
    else if (a == "--ptxas")
      o.ptxas = value();
    else
      throw error(fmt::format("unknown option '{}'\n{}", a, usage));
  }
  if ((o.mode == "--run" || o.mode == "--from-machine") && o.out.empty())
    throw error(fmt::format("{} needs --out\n{}", o.mode, usage));
  if (o.mode == "--prepare") return prepare(o);
  if (o.mode == "--run") return run_on_gpu(o);
  if (o.mode == "--from-machine") return run_on_machine(o);
  if (o.mode == "--check") return check(o, false);
  if (o.mode == "--report") return check(o, true);
  for (std::size_t i = 0; i < cases().size(); ++i) {
    if (o.mode == "--list") fmt::print("{}\n", cases()[i].name);
    if (o.mode == "--show" && cases()[i].name == o.archive_path)
      fmt::print("{}", kernel_text(cases()[i], kernel_name(i)));
  }
  if (o.mode.empty()) throw error(usage);
  return 0;
}

}  // namespace
}  // namespace ptxlab::golden

int main(int argc, char** argv) {
  try {
    return ptxlab::golden::run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fputs(fmt::format("golden_record: {}\n", e.what()).c_str(), stderr);
    return 2;
  }
}
