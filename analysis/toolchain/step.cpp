// SPDX-License-Identifier: Apache-2.0
// Keys hold everything that may change a step's result: the tool, its options, its input, and for
// nvcc the variables it obeys. Only successes are kept.
#include "analysis/toolchain/step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/message.hpp"
#include "analysis/toolchain/process.hpp"

namespace ptxlab::toolchain {
namespace {

namespace fs = std::filesystem;
using system_time = std::chrono::system_clock;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// nvcc takes the first gcc in PATH to preprocess with, unless told otherwise.
std::string host_compiler_stamp() {
  const std::string chosen = variable("NVCC_CCBIN");
  if (!chosen.empty()) return file_stamp(chosen);
  std::string list = variable("PATH");
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const fs::path candidate = fs::path(list.substr(begin, end - begin)) / "gcc";
    std::error_code code;
    if (fs::exists(candidate, code)) return file_stamp(fs::canonical(candidate, code));
    begin = end + 1;
  }
  return "no gcc";
}

hasher& add_all(hasher& hash, const std::vector<std::string>& parts) {
  for (const auto& part : parts) hash.add(part);
  return hash.add("end");
}

std::string identity(const tool& program) {
  return program.name + " " + program.version + " " +
         file_stamp(fs::weakly_canonical(program.path));
}

bool take(step& result, const std::optional<record>& known) {
  if (!known || !known->contains("output") || !known->contains("log")) return false;
  result.output = known->at("output");
  result.log = known->at("log");
  result.ok = result.cached = true;
  return true;
}

// In front of a compiler's text that does not begin with the file it is about.
std::string with_name(const std::string& name, std::string cause) {
  if (cause.empty()) return cause;
  return cause.starts_with(name) ? cause : name + ": " + cause;
}

std::vector<std::string> arch_option(const std::string& arch) {
  return arch.empty() ? std::vector<std::string>{} : std::vector<std::string>{"-arch=" + arch};
}

digest nvcc_key(const workshop& shop, const source& what, const std::vector<std::string>& options) {
  hasher hash;
  hash.add("nvcc").add(identity(shop.tools.nvcc)).add(shop.tools.nvcc_parts);
  // What it writes names its headers by this path; loops of two stages are matched by such names.
  hash.add(shop.tools.nvcc.path.string());
  hash.add(shop.surroundings).add(fs::absolute(what.path).string()).add(what.content);
  add_all(hash, options);
  // Relative paths among the options mean another file in another folder.
  if (!what.flags.empty()) hash.add(fs::current_path().string());
  for (std::size_t at = 0; at + 1 < what.flags.size(); ++at) {
    if (what.flags[at] == "-ccbin" || what.flags[at] == "--compiler-bindir") {
      hash.add(file_stamp(what.flags[at + 1]));
    }
  }
  return hash.finish();
}

std::string nvcc_failure(const workshop& shop, const source& what, const outcome& done,
                         const std::string& written) {
  const std::string name = what.path.string();
  const std::string printed = done.err + done.out;
  if (done.signal != 0 || done.timed_out || done.overflowed) {
    return fmt::format("{}: nvcc: {}", name, done.ending());
  }
  if (printed.find("Unsupported gpu architecture") != std::string::npos) {
    return name + ": " + unknown_architecture(what.arch, shop.tools.nvcc);
  }
  // nvcc runs ptxas over its own PTX and leaves that in place if ptxas does not like it.
  if (printed.find("ptxas ") != std::string::npos && !written.empty()) {
    return ptxas_cause(printed, written, name, true);
  }
  const std::string cause =
      compiler_cause(printed, {{fs::absolute(what.path).lexically_normal().string(), name}});
  return with_name(name, cause.empty() ? "nvcc: " + done.ending() : cause);
}

std::string read_if_there(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) ? read_file(path) : std::string();
}

std::vector<std::string> absolute_all(std::vector<std::string> paths) {
  for (auto& path : paths) path = fs::absolute(path).string();
  return paths;
}

}  // namespace

workshop::workshop(const toolset& own_tools, const cache& own_store,
                   std::chrono::milliseconds own_timeout)
    : tools(own_tools), store(own_store), timeout(own_timeout) {
  trusted = {"/usr/include", "/usr/lib"};
  if (!tools.include_folder.empty()) {
    std::error_code code;
    trusted.push_back(tools.include_folder.string());
    trusted.push_back(tools.include_folder.parent_path().string());
    trusted.push_back(fs::canonical(tools.include_folder, code).string());
  }
  for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CUDA_HOME", "CUDA_PATH"}) {
    surroundings += fmt::format("{}={}\n", name, variable(name));
  }
  surroundings += host_compiler_stamp();
}

step compile_ptx(const workshop& shop, const source& what, front_end how, const fs::path& folder) {
  std::vector<std::string> options = {"-ptx"};
  step result;
  switch (how) {
    case front_end::optimised:
      result.name = "nvcc -ptx";
      options.push_back("-lineinfo");
      break;
    case front_end::debug:
      result.name = "nvcc -G -ptx";
      options.push_back("-G");
      break;
    case front_end::unoptimised:
      result.name = "nvcc -Xcicc -O0 -ptx";
      options.insert(options.end(), {"-lineinfo", "-Xcicc", "-O0"});
      break;
  }
  for (const auto& option : arch_option(what.arch)) options.push_back(option);
  options.insert(options.end(), what.flags.begin(), what.flags.end());

  const bool keep = shop.store.enabled() && !reads_options_file(what.flags);
  const digest key = nvcc_key(shop, what, options);
  if (keep && take(result, shop.store.find_with_files(key))) return result;

  const std::string stem = (folder / fmt::format("front{}", static_cast<int>(how))).string();
  command call{.argv = {shop.tools.nvcc.path.string()}};
  call.argv.insert(call.argv.end(), options.begin(), options.end());
  call.argv.insert(call.argv.end(), {"-MD", "-MF", stem + ".d", "-o", stem + ".ptx", "-x", "cu",
                                     fs::absolute(what.path).lexically_normal().string()});
  call.variables = {"TMPDIR=" + folder.string()};  // what a killed nvcc leaves goes with the folder
  call.timeout = shop.timeout;
  const auto begun = system_time::now();
  const outcome done = run(call);
  result.seconds = done.wall_s;
  result.log = done.err + done.out;
  result.output = read_if_there(stem + ".ptx");
  result.ok = done.ok() && !result.output.empty();
  if (!result.ok) {
    result.failure = nvcc_failure(shop, what, done, result.output);
    return result;
  }
  const auto files = absolute_all(parse_dependency_rule(read_if_there(stem + ".d")));
  if (keep && !files.empty()) {
    shop.store.store_with_files(key, files, shop.trusted, begun,
                                {{"output", result.output}, {"log", result.log}});
  }
  return result;
}

step find_ptxas_flags(const workshop& shop, const source& what) {
  step result;
  result.name = "nvcc -dryrun";
  std::vector<std::string> options = {"-dryrun", "-cubin", "-lineinfo"};
  for (const auto& option : arch_option(what.arch)) options.push_back(option);
  options.insert(options.end(), what.flags.begin(), what.flags.end());
  // The answer depends on the options alone; nvcc does not read the source for it.
  hasher hash;
  hash.add("dryrun").add(identity(shop.tools.nvcc)).add(shop.tools.nvcc_parts);
  const digest key = add_all(hash.add(shop.surroundings), options).finish();
  const bool keep = shop.store.enabled() && !reads_options_file(what.flags);
  if (keep && take(result, shop.store.find(key))) return result;

  command call{.argv = {shop.tools.nvcc.path.string()}, .timeout = shop.timeout};
  call.argv.insert(call.argv.end(), options.begin(), options.end());
  call.argv.insert(call.argv.end(),
                   {"-o", "/dev/null", "-x", "cu", fs::absolute(what.path).string()});
  const outcome done = run(call);
  result.seconds = done.wall_s;
  result.ok = done.ok();
  if (!result.ok) {
    result.failure = nvcc_failure(shop, what, done, "");
    return result;
  }
  // Quoted, so that an option with blanks in it stays one word.
  for (const auto& flag : ptxas_flags_of_dryrun(done.err + done.out)) {
    result.output += fmt::format("\"{}\"\n", flag);
  }
  if (keep) shop.store.store(key, {{"output", result.output}, {"log", ""}});
  return result;
}

step assemble(const workshop& shop, const assembly& what, const fs::path& folder) {
  step result;
  result.name = "ptxas";
  std::vector<std::string> options = {"-v", "-lineinfo", "-arch=" + what.arch};
  options.insert(options.end(), what.flags.begin(), what.flags.end());
  hasher hash;
  hash.add("ptxas").add(identity(shop.tools.ptxas));
  const digest key = add_all(hash, options).add(what.ptx).finish();
  if (take(result, shop.store.find(key))) return result;

  const std::string input = (folder / "input.ptx").string();
  const std::string output = (folder / "output.cubin").string();
  write_file(input, what.ptx);
  command call{.argv = {shop.tools.ptxas.path.string()}};
  call.argv.insert(call.argv.end(), options.begin(), options.end());
  call.argv.insert(call.argv.end(), {input, "-o", output});
  call.variables = {"TMPDIR=" + folder.string()};
  call.timeout = shop.timeout;
  const outcome done = run(call);
  result.seconds = done.wall_s;
  result.log = done.err + done.out;
  result.output = read_if_there(output);
  result.ok = done.ok() && !result.output.empty();
  if (result.ok) {
    shop.store.store(key, {{"output", result.output}, {"log", result.log}});
    return result;
  }
  const std::string reason =
      ptxas_explanation(result.log, what.ptx, what.arch, shop.tools.ptxas.version);
  if (done.signal != 0 || done.timed_out || done.overflowed || result.log.empty()) {
    result.failure = fmt::format("{}: ptxas: {}", what.name, done.ending());
  } else if (result.log.find("is not defined for option 'gpu-name'") != std::string::npos) {
    result.failure = what.name + ": " + unknown_architecture(what.arch, shop.tools.nvcc);
  } else if (!reason.empty()) {
    result.failure = what.name + ": " + reason;
  } else {
    result.failure = ptxas_cause(result.log, what.ptx, what.name, what.generated);
  }
  return result;
}

step inspect_cubin(const workshop& shop, const tool& program, std::vector<std::string> options,
                   const fs::path& path, std::string_view cubin) {
  step result;
  result.name = fmt::format("{} {}", program.name, fmt::join(options, " "));
  if (!program.usable()) {
    result.failure = program.problem;
    return result;
  }
  hasher hash;
  hash.add("inspect").add(identity(program));
  const digest key = add_all(hash, options).add(cubin).finish();
  if (take(result, shop.store.find(key))) return result;
  command call{.argv = {program.path.string()}, .timeout = shop.timeout};
  call.argv.insert(call.argv.end(), options.begin(), options.end());
  call.argv.push_back(path.string());
  const outcome done = run(call);
  result.seconds = done.wall_s;
  result.output = done.out;
  result.log = done.err;
  result.ok = done.ok() && !result.output.empty();
  if (result.ok) {
    shop.store.store(key, {{"output", result.output}, {"log", result.log}});
    return result;
  }
  const std::string cause = compiler_cause(done.err, {{path.string(), path.filename().string()}});
  result.failure = result.name + ": " + (done.ok() ? "printed nothing" : done.ending());
  if (!cause.empty()) result.failure += ": " + cause;
  return result;
}

}  // namespace ptxlab::toolchain
