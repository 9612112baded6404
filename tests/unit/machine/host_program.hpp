// SPDX-License-Identifier: Apache-2.0
// A CUDA source compiled whole, host code and all, with forwarded_runtime.cpp in place of
// libcudart, and loaded into this process: its host code runs, and what it launches goes wherever
// the runtime in use sends it.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/process.hpp"
#include "analysis/toolchain/step.hpp"
#include "analysis/toolchain/tools.hpp"
#include "ptx/text/error.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/cuda_runtime.hpp"

namespace ptxlab::machine {

class host_program {
 public:
  /// Compiles a file beside this one, or takes what the cache holds. Throws ptxlab::error with the
  /// reason why it cannot; `problem` says that nothing can be compiled here at all.
  explicit host_program(const char* file) {
    if (!problem().empty()) return;
    const std::filesystem::path made = scratch_.path() / "program.so";
    toolchain::write_file(made, library_of(file));
    library_ = dlopen(made.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw error(dlerror());
  }
  // The library stays: nvcc's host code registers functions to be called at the end.
  host_program(const host_program&) = delete;
  host_program& operator=(const host_program&) = delete;

  const std::string& problem() const { return tools_.nvcc.problem; }

  /// A function with C linkage. Throws ptxlab::error if there is none of that name.
  template <class F>
  F* function(const char* name) const {
    void* const at = dlsym(library_, name);
    if (at == nullptr) throw error(dlerror());
    return reinterpret_cast<F*>(at);
  }
  void use(cuda_runtime* runtime) const { function<decltype(use_runtime)>("use_runtime")(runtime); }

  /// The PTX in the fat binary, which nvcc was told not to compress. Throws ptxlab::error.
  std::string ptx() const {
    // crt/fatbinary_section.h: two words, then the data. What follows is what fatbinary 13.0
    // writes: a header that says how long it is, then one entry, whose header does, too.
    const auto* const wrapper =
        static_cast<const char*>(function<decltype(registered_image)>("registered_image")());
    const char* data = nullptr;
    std::memcpy(&data, wrapper + 8, sizeof data);
    const char* const entry = data + number<std::uint16_t>(data + 6);
    if (number<std::uint32_t>(data) != 0xba55ed50 || number<std::uint16_t>(entry) != 1)
      throw error("the fat binary does not begin with PTX");
    const std::string text(entry + number<std::uint32_t>(entry + 4),
                           number<std::uint64_t>(entry + 8));
    const std::size_t begin = text.find(".version");
    if (begin == text.npos) throw error("the PTX in the fat binary is compressed");
    return text.substr(begin, text.find('\0', begin) - begin);
  }

 private:
  template <class T>
  static T number(const char* at) {
    T out{};
    std::memcpy(&out, at, sizeof out);
    return out;
  }

  std::string library_of(const char* file) const {
    const std::filesystem::path folder = compiler::root() / "tests" / "unit" / "machine";
    const std::string source = folder / file, object = scratch_.path() / "program.o",
                      made = scratch_.path() / "linked.so", rule = scratch_.path() / "program.d",
                      runtime = folder / "forwarded_runtime.cpp";
    // Not unique: static variables of templates are the library's own, whoever else has the same.
    const std::string include = "-I" + compiler::root().string();
    const std::vector<std::string> options = {
        "-std=c++17",   "-w",    "-arch=compute_90", "-code=compute_90",     "--no-compress",
        "-cudart=none", include, "-Xcompiler",       "-fPIC,-fno-gnu-unique"};
    const toolchain::workshop shop(tools_, store_, std::chrono::minutes(10));
    toolchain::hasher hash;
    hash.add("host program").add(tools_.nvcc.version).add(tools_.nvcc_parts);
    hash.add(shop.surroundings);
    hash.add(toolchain::file_stamp(tools_.nvcc.path)).add(source);
    for (const std::string& o : options) hash.add(o);
    const toolchain::digest key = hash.finish();
    if (const auto known = store_.find_with_files(key)) return known->at("output");

    const auto begun = std::chrono::system_clock::now();
    nvcc(options, {"-MD", "-MF", rule, "-c", source, "-o", object});
    nvcc(options, {"-shared", object, runtime, "-o", made});
    std::vector<std::string> files = toolchain::parse_dependency_rule(toolchain::read_file(rule));
    files.insert(files.end(), {runtime, folder / "cuda_runtime.hpp"});
    const std::string out = toolchain::read_file(made);
    store_.store_with_files(key, files, shop.trusted, begun, {{"output", out}});
    return out;
  }
  void nvcc(const std::vector<std::string>& options, const std::vector<std::string>& more) const {
    toolchain::command c{.argv = {tools_.nvcc.path.string()}};
    c.argv.insert(c.argv.end(), options.begin(), options.end());
    c.argv.insert(c.argv.end(), more.begin(), more.end());
    c.variables = {"TMPDIR=" + scratch_.path().string()};
    const toolchain::outcome done = toolchain::run(c);
    if (!done.ok()) throw error("nvcc: " + done.ending() + "\n" + done.err + done.out);
  }

  toolchain::temporary_folder scratch_;
  toolchain::toolset tools_ =
      toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
  toolchain::cache store_{std::filesystem::exists(compiler::root() / "build")
                              ? compiler::root() / "build" / "cache"
                              : scratch_.path() / "cache"};
  void* library_ = nullptr;
};

}  // namespace ptxlab::machine
