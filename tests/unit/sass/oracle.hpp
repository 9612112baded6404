// SPDX-License-Identifier: Apache-2.0
// Cubins and an nvdisasm for tests that compare the SASS reader with what nvdisasm itself derives.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace ptxlab::sass::oracle {

inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Standard output of a shell command; empty where it failed.
inline std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[65536];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  return pclose(pipe) == 0 ? out : "";
}

/// The nvdisasm to use ($PTXLAB_NVDISASM), or empty.
inline std::string nvdisasm() {
  return environment("PTXLAB_NVDISASM");
}

/// Cubins to compare on: those that $PTXLAB_CUBINS lists (separated by ':'), else breadth.cu beside
/// this file, compiled once for three architectures. `why` says why there are none.
inline const std::vector<std::string>& cubins(std::string& why) {
  static const std::filesystem::path here = std::filesystem::path(__FILE__).parent_path();
  static std::string problem;
  static const std::vector<std::string> list = [] {
    std::vector<std::string> out;
    std::string given = environment("PTXLAB_CUBINS");
    for (given += ':'; !given.empty(); given.erase(0, given.find(':') + 1))
      if (given.find(':') > 0) out.push_back(given.substr(0, given.find(':')));
    if (!out.empty()) return out;
    std::string nvcc = environment("PTXLAB_NVCC");
    if (nvcc.empty()) nvcc = "nvcc";
    const auto folder =
        std::filesystem::temp_directory_path() / fmt::format("ptxlab-sass-{}", ::getpid());
    std::filesystem::create_directories(folder);
    std::string command;
    for (const char* arch : {"sm_75", "sm_90", "sm_120"}) {
      out.push_back((folder / (std::string(arch) + ".cubin")).string());
      command += fmt::format("{} -w -lineinfo -arch={} -cubin -o {} {} >/dev/null 2>&1 & ", nvcc,
                             arch, out.back(), (here / "breadth.cu").string());
    }
    output_of(command + "wait");
    for (const std::string& path : out)
      if (!std::filesystem::exists(path)) problem = nvcc + " made no " + path;
    if (!problem.empty()) out.clear();
    return out;
  }();
  why = problem;
  return list;
}

}  // namespace ptxlab::sass::oracle
