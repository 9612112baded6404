// SPDX-License-Identifier: Apache-2.0
// One small kernel goes through all compilers and disassemblers; FileCheck has to say yes, no, and
// that it does not know an option. Nothing here comes from the cache.
#include "analysis/toolchain/doctor.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/toolchain/build.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/message.hpp"
#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr const char* probe_source = R"(extern "C" __global__ void ptxlab_probe(int *cell) {
  *cell = *cell + 1;
}
)";

constexpr const char* get_toolkit =
    "CUDA toolkit on PATH, or `make setup`, which takes it from PyPI; or PTXLAB_NVCC=/path/to/nvcc";
constexpr const char* get_binary_tool = "`make setup`, or PTXLAB_{}=/path/to/{}";

check check_of(const tool& found, std::string lost_without, std::string how_to_get) {
  return {.name = found.name,
          .path = found.path,
          .version = found.version,
          .ok = false,
          .detail = found.problem,
          .lost_without = std::move(lost_without),
          .how_to_get = std::move(how_to_get)};
}

void conclude(check& one, bool ok, const std::string& good, const std::string& bad) {
  one.ok = ok;
  one.detail = ok ? good : bad;
}

// nvdisasm's JSON: [header object with SchemaVersion, [function objects with function-name and
// sass-instructions, ...]], as version 13.2.78 writes it.
std::string schema_problem(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return "does not print JSON";
  if (!json.is_array() || json.size() < 2 || !json[0].is_object() || !json[1].is_array()) {
    return "prints JSON of an unknown form";
  }
  if (!json[0].contains("SchemaVersion")) return "prints JSON without SchemaVersion";
  for (const auto& function : json[1]) {
    if (!function.is_object() || function.value("function-name", "") != "ptxlab_probe") continue;
    const auto code = function.find("sass-instructions");
    if (code != function.end() && code->is_array() && !code->empty()) return "";
    return "prints a function without sass-instructions";
  }
  return "prints JSON without the function it was given";
}

std::vector<check> check_compilers(const toolset& tools) {
  check nvcc = check_of(tools.nvcc, "CUDA source cannot be read: only .ptx, .cubin and binaries",
                        get_toolkit);
  check ptxas =
      check_of(tools.ptxas, "no machine code of .cu and .ptx: PTX stage only", get_toolkit);
  check nvdisasm =
      check_of(tools.nvdisasm, "no SASS: verdicts about machine code are not trustworthy",
               fmt::format(get_binary_tool, "NVDISASM", "nvdisasm"));
  check cuobjdump = check_of(tools.cuobjdump,
                             "no second opinion on resources; fat binaries, objects and programs "
                             "cannot be read",
                             fmt::format(get_binary_tool, "CUOBJDUMP", "cuobjdump"));
  // ptxas and the two after it can be judged without nvcc, by a kernel in PTX.
  const temporary_folder folder;
  const cache none;
  result made;
  if (tools.nvcc.usable()) {
    write_file(folder.path() / "ptxlab_probe.cu", probe_source);
    const request asked{.file = folder.path() / "ptxlab_probe.cu", .arch = "", .nvcc_flags = {}};
    made = build_all(tools, none, {asked})[0];
    const bool compiled = made.failure.empty();
    conclude(nvcc, compiled && made.builds[0].ptx.text.has_value(), "compiles a kernel to PTX",
             made.failure);
    if (compiled && !made.builds[0].unoptimised_ptx.text) {
      conclude(nvcc, false, "", "without optimisation: " + made.builds[0].unoptimised_ptx.problem);
    }
  } else if (tools.ptxas.usable()) {
    write_file(folder.path() / "ptxlab_probe.ptx",
               ".version 7.0\n.target sm_75\n.address_size 64\n"
               ".visible .entry ptxlab_probe()\n{\n\tret;\n}\n");
    const request asked{.file = folder.path() / "ptxlab_probe.ptx", .arch = "", .nvcc_flags = {}};
    made = build_all(tools, none, {asked})[0];
  }
  const build seen = made.builds.empty() ? build{} : std::move(made.builds[0]);
  const std::string no_cubin = "could not be tried: there is no cubin";
  if (tools.ptxas.usable()) {
    conclude(ptxas, seen.cubin.text && holds_code(*seen.cubin.text), "assembles that PTX",
             made.failure.empty() ? "could not be tried: there is no PTX" : made.failure);
  }
  if (tools.nvdisasm.usable()) {
    std::string problem = seen.cubin.text ? seen.sass_json.problem : no_cubin;
    if (problem.empty()) problem = schema_problem(*seen.sass_json.text);
    if (problem.empty()) problem = seen.sass_text.problem;
    conclude(nvdisasm, problem.empty(), "prints JSON in the form known, and text with lines",
             problem);
  }
  if (tools.cuobjdump.usable()) {
    const bool told =
        seen.resource_usage.text && seen.resource_usage.text->find("REG:") != std::string::npos;
    std::string problem = seen.cubin.text ? seen.resource_usage.problem : no_cubin;
    if (problem.empty()) problem = "-res-usage prints no registers";
    conclude(cuobjdump, told, "tells the resources of that cubin", problem);
  }
  return {nvcc, ptxas, nvdisasm, cuobjdump};
}

check check_headers(const toolset& tools) {
  check one{.name = "cuda_occupancy.h",
            .path = tools.include_folder,
            .version = {},
            .ok = !tools.include_folder.empty(),
            .detail = "found beside the toolkit",
            .lost_without = "occupancy is not computed when ptxlab is built",
            .how_to_get = get_toolkit};
  if (!one.ok) one.detail = "not found beside nvcc or ptxas";
  return one;
}

int exit_code_of(const tool& program, const std::vector<std::string>& options) {
  command call{.argv = {program.path.string()}, .timeout = std::chrono::seconds(60)};
  call.argv.insert(call.argv.end(), options.begin(), options.end());
  const outcome done = run(call);
  return done.signal != 0 || done.timed_out ? -1 : done.exit_code;
}

check check_filecheck(const tool& found) {
  check one = check_of(found, "CHECK lines in kernels cannot be tested (make check)",
                       "Debian package llvm, or PTXLAB_FILECHECK=/path/to/FileCheck");
  if (!found.usable()) return one;
  const temporary_folder folder;
  const std::string input = (folder.path() / "input").string();
  const std::string yes = (folder.path() / "yes").string(), no = (folder.path() / "no").string();
  write_file(input, "registers 6\nsame 6\n");
  // A numeric variable is what a clone in another language is most likely to lack.
  write_file(yes, "CHECK: registers [[#COUNT:]]\nCHECK-NEXT: same [[#COUNT]]\n");
  write_file(no, "CHECK: registers [[#COUNT:]]\nCHECK-NEXT: same [[#COUNT+1]]\n");
  try {
    if (exit_code_of(found, {yes, "--input-file", input}) != 0) {
      conclude(one, false, "", "does not match what it should match");
    } else if (exit_code_of(found, {no, "--input-file", input}) <= 0) {
      conclude(one, false, "", "matches what it should not match");
    } else if (exit_code_of(found, {yes, "--input-file", input, "--ptxlab-no-such-option"}) <= 0) {
      conclude(one, false, "",
               "accepts an option that does not exist: a clone, not LLVM's FileCheck");
    } else {
      conclude(one, true, "matches, fails and refuses as it should", "");
    }
  } catch (const error& problem) {
    if (interrupt_scope::interrupted()) throw;
    conclude(one, false, "", problem.what());
  }
  return one;
}

// The Python package of the same name tells no LLVM version, so that its problem needs a hint.
tool find_filecheck(const places& where) {
  tool found = find_tool("FileCheck", where);
  if (!found.path.empty() && !found.usable()) {
    found.problem += ": LLVM's FileCheck does; this may be a clone";
  }
  return found;
}

check check_lit(const tool& found) {
  check one = check_of(found, "the test suites cannot be run (make check)",
                       "`make setup`, or PTXLAB_LIT=/path/to/lit");
  if (!found.usable()) return one;
  const temporary_folder folder;
  write_file(folder.path() / "lit.cfg.py",
             "import lit.formats\nconfig.name = 'probe'\nconfig.suffixes = ['.test']\n"
             "config.test_format = lit.formats.ShTest(False)\n");
  write_file(folder.path() / "good.test", "RUN: true\n");
  try {
    const bool passes = exit_code_of(found, {folder.path().string()}) == 0;
    write_file(folder.path() / "bad.test", "RUN: false\n");
    const bool fails = exit_code_of(found, {folder.path().string()}) > 0;
    conclude(one, passes && fails, "runs a test that passes and one that fails",
             passes ? "passes a test that must fail" : "fails a test that must pass");
  } catch (const error& problem) {
    if (interrupt_scope::interrupted()) throw;
    conclude(one, false, "", problem.what());
  }
  return one;
}

check check_cache(const fs::path& folder) {
  check one{.name = "cache",
            .path = folder,
            .version = {},
            .ok = false,
            .detail = {},
            .lost_without = "every build runs the compilers again",
            .how_to_get = "PTXLAB_CACHE=/a/writable/folder"};
  if (folder.empty()) {
    one.detail = "no place for it: neither PTXLAB_CACHE, XDG_CACHE_HOME nor HOME is set";
    return one;
  }
  try {
    conclude(one, cache(folder).enabled(), "can be written", "");
  } catch (const error& problem) {
    one.detail = problem.what();
  }
  return one;
}

check check_gpu() {
  const fs::path device = "/dev/nvidiactl";
  std::error_code code;
  const bool there = fs::exists(device, code);
  return {
      .name = "GPU",
      .path = there ? device : fs::path(),
      .version = {},
      .ok = there,
      .detail = there ? "the driver's device file is there; whether it works, `ptxlab bench` tells"
                      : "no device file of the driver",
      .lost_without = "nothing can be launched or measured; inspecting needs no GPU",
      .how_to_get = "a machine with an NVIDIA GPU and driver"};
}

}  // namespace

std::vector<check> doctor(const places& where, const fs::path& cache_folder) {
  const interrupt_scope scope;
  const toolset tools = find_toolset(where);
  std::vector<check> all = check_compilers(tools);
  all.push_back(check_headers(tools));
  all.push_back(check_filecheck(find_filecheck(where)));
  all.push_back(check_lit(find_tool("lit", where)));
  all.push_back(check_cache(cache_folder));
  all.push_back(check_gpu());
  return all;
}

}  // namespace ptxlab::toolchain
