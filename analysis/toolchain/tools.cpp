// SPDX-License-Identifier: Apache-2.0
// Looking through folders in order; the first program that answers to --version wins.
#include "analysis/toolchain/tools.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && access(path.c_str(), X_OK) == 0;
}

std::string variable_of(const std::string& tool_name) {
  std::string name = "PTXLAB_" + tool_name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return name;
}

// Subfolders of `parent` whose names start with `prefix`, the one with the highest number first.
std::vector<fs::path> numbered_folders(const fs::path& parent, const std::string& prefix) {
  std::vector<std::pair<double, fs::path>> found;
  std::error_code code;
  for (fs::directory_iterator it(parent, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    // "3.11" comes after "3.9": compare the part behind the point as a number of its own.
    const std::string number = name.substr(prefix.size());
    const auto point = number.find('.');
    const double major = std::atof(number.substr(0, point).c_str());
    const double minor =
        point == std::string::npos ? 0 : std::atof(number.substr(point + 1).c_str());
    found.emplace_back(major * 1000 + minor, it->path());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return b < a; });
  std::vector<fs::path> folders;
  for (auto& [number, path] : found) folders.push_back(std::move(path));
  return folders;
}

std::vector<fs::path> split_path(const std::string& list) {
  std::vector<fs::path> folders;
  std::istringstream stream(list);
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (!folder.empty()) folders.emplace_back(folder);
  }
  return folders;
}

void ask_version(tool& found, const cache& store) {
  const digest key = hasher()
                         .add("version")
                         .add(found.name)
                         .add(file_stamp(fs::weakly_canonical(found.path)))
                         .finish();
  std::string text;
  if (const auto known = store.find(key); known && known->contains("out")) {
    text = known->at("out");
  } else {
    try {
      const outcome answer = run({.argv = {found.path.string(), "--version"},
                                  .timeout = std::chrono::seconds(20),
                                  .output_limit_bytes = 1 << 20});
      if (!answer.ok()) {
        found.problem = fmt::format("{} --version: {}", found.path.string(), answer.ending());
        return;
      }
      text = answer.out + answer.err;
      store.store(key, {{"out", text}});
    } catch (const error& problem) {
      found.problem = problem.what();
      return;
    }
  }
  found.version = parse_version(text);
  if (found.version.empty()) {
    found.problem = fmt::format("{} --version does not tell a version", found.path.string());
  }
}

fs::path include_folder_of(const fs::path& nvcc) {
  if (nvcc.empty()) return {};
  std::error_code code;
  for (const fs::path& program : {nvcc, fs::canonical(nvcc, code)}) {
    const fs::path root = program.parent_path().parent_path();
    for (const char* folder : {"include", "targets/x86_64-linux/include"}) {
      if (fs::exists(root / folder / "cuda_occupancy.h", code)) return root / folder;
    }
  }
  return {};
}

std::string parts_of(const fs::path& nvcc) {
  std::string stamps;
  std::error_code code;
  const fs::path root = fs::weakly_canonical(nvcc, code).parent_path().parent_path();
  for (const char* part :
       {"nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc", "bin/cudafe++", "bin/nvcc.profile"}) {
    stamps += file_stamp(root / part) + "\n";
  }
  return stamps;
}

}  // namespace

places places::of(const fs::path& executable) {
  places where;
  where.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
  };
  const fs::path folder = executable.parent_path();
  if (fs::exists(folder / "toolkit/bin"))  // the toolkit that the set-up chose
    where.environment_folders.push_back(folder / "toolkit/bin");
  for (const fs::path& venv : {folder / "venv", folder.parent_path() / "lib/ptxlab/venv"}) {
    where.environment_folders.push_back(venv / "bin");
    for (const fs::path& python : numbered_folders(venv / "lib", "python")) {
      for (const fs::path& toolkit : numbered_folders(python / "site-packages/nvidia", "cu")) {
        if (fs::exists(toolkit / "bin")) where.environment_folders.push_back(toolkit / "bin");
      }
    }
  }
  where.path_folders = split_path(where.variable("PATH").value_or(""));
  where.usual_folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path& llvm : numbered_folders("/usr/lib", "llvm-")) {
    where.usual_folders.push_back(llvm / "bin");
  }
  return where;
}

fs::path own_executable() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code);
}

tool find_tool(const std::string& name, const places& where, const cache& store,
               const std::vector<fs::path>& first) {
  tool found{.name = name, .path = {}, .version = {}, .problem = {}};
  const std::string variable = variable_of(name);
  if (const auto wanted = where.variable ? where.variable(variable) : std::nullopt) {
    if (!is_program(*wanted)) {
      found.problem = fmt::format("{}={} is not a program", variable, *wanted);
      return found;
    }
    found.path = fs::absolute(*wanted);
    ask_version(found, store);
    return found;
  }
  for (const auto* folders :
       {&first, &where.environment_folders, &where.path_folders, &where.usual_folders}) {
    for (const fs::path& folder : *folders) {
      if (!is_program(folder / name)) continue;
      tool candidate{
          .name = name, .path = fs::absolute(folder / name), .version = {}, .problem = {}};
      ask_version(candidate, store);
      if (candidate.usable()) return candidate;
      if (found.path.empty()) found = candidate;  // what is said if none is better
    }
  }
  if (found.path.empty()) found.problem = fmt::format("{} was not found", name);
  return found;
}

toolset find_toolset(const places& where, const cache& store) {
  toolset set;
  set.nvcc = find_tool("nvcc", where, store);
  std::vector<fs::path> beside;
  if (set.nvcc.usable()) {
    std::error_code code;
    beside = {set.nvcc.path.parent_path(), fs::canonical(set.nvcc.path, code).parent_path()};
  }
  set.ptxas = find_tool("ptxas", where, store, beside);
  set.nvdisasm = find_tool("nvdisasm", where, store);
  set.cuobjdump = find_tool("cuobjdump", where, store);
  set.include_folder = include_folder_of(set.nvcc.path);
  if (set.include_folder.empty()) set.include_folder = include_folder_of(set.ptxas.path);
  if (set.nvcc.usable()) set.nvcc_parts = parts_of(set.nvcc.path);
  return set;
}

std::string parse_version(std::string_view text) {
  const auto number_at = [&](std::size_t at) {
    const auto end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string number(text.substr(at, std::min<std::size_t>(end - at, 32)));
    while (number.ends_with('.')) number.pop_back();
    return number.starts_with('.') ? std::string() : number;
  };
  // NVIDIA's "V13.0.88"; a capital V within a word is none.
  for (auto at = text.find('V'); at != std::string_view::npos; at = text.find('V', at + 1)) {
    if (at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0) continue;
    const std::string number = number_at(at + 1);
    if (std::count(number.begin(), number.end(), '.') == 2) return number;
  }
  for (const std::string_view before : {"LLVM version ", "lit "}) {
    const auto at = text.find(before);
    // lit's name opens its line; "split 4" is not lit.
    if (at == std::string_view::npos || (before == "lit " && at != 0)) continue;
    if (const auto number = number_at(at + before.size()); !number.empty()) return number;
  }
  return {};
}

std::vector<std::string> architectures(const tool& nvcc) {
  std::vector<std::string> names;
  if (!nvcc.usable()) return names;
  try {
    const outcome answer =
        run({.argv = {nvcc.path.string(), "--list-gpu-code"}, .timeout = std::chrono::seconds(20)});
    if (!answer.ok()) return names;
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("sm_")) names.push_back(line);
    }
  } catch (const error&) {
    return {};
  }
  const auto number = [](const std::string& name) { return std::atoi(name.c_str() + 3); };
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return number(a) < number(b); });
  return names;
}

std::string unknown_architecture(const std::string& arch, const tool& nvcc) {
  std::string text = fmt::format("unknown architecture '{}'", arch);
  const auto known = architectures(nvcc);
  if (known.empty()) return text + "; expected sm_NN";
  text += fmt::format("; nvcc {} knows", nvcc.version);
  for (const std::string& name : known) text += " " + name;
  return text;
}

}  // namespace ptxlab::toolchain
