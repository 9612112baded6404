// SPDX-License-Identifier: Apache-2.0
// CUDA sources as PTX that the machine can load, compiled by nvcc and kept in the build's cache.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/toolchain/build.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::machine {

class compiler {
 public:
  /// Why nothing can be compiled here; empty if it can.
  const std::string& problem() const { return tools_.nvcc.problem; }

  static std::filesystem::path root() {
    return std::filesystem::absolute(std::filesystem::path(__FILE__))
        .parent_path()
        .parent_path()
        .parent_path()
        .parent_path();
  }

  /// The PTX of each file, for sm_90; in the files' order. Throws ptxlab::error with nvcc's reason.
  /// `flags`: more options for each, in one text; none for any if it is empty.
  /// The options are those of ptx_corpus_test.cc, so that both share what the cache holds.
  std::vector<std::string> texts(const std::vector<std::filesystem::path>& files,
                                 const std::vector<std::string_view>& flags = {}) const {
    std::vector<toolchain::request> asked;
    for (std::size_t i = 0; i < files.size(); ++i) {
      asked.push_back({.file = files[i],
                       .arch = "sm_90",
                       // As `inspect` has it, so that one build in the cache serves both.
                       .nvcc_flags = {"-I" + root().string()},
                       .unoptimised = false});
      if (flags.empty()) continue;
      std::istringstream words{std::string(flags[i])};
      for (std::string word; words >> word;) asked.back().nvcc_flags.push_back(word);
    }
    std::vector<std::string> out;
    for (const toolchain::result& r : toolchain::build_all(tools_, store_, asked)) {
      if (!r.failure.empty()) throw error(r.failure);
      if (!r.builds.at(0).ptx.text) throw error(r.builds.at(0).ptx.problem);
      out.push_back(*r.builds.at(0).ptx.text);
    }
    return out;
  }
  ptx::module module(const std::filesystem::path& file) const {
    return ptx::parse(texts({file}).front(), file.filename().string());
  }

 private:
  toolchain::temporary_folder scratch_;
  toolchain::toolset tools_ = [] {
    toolchain::toolset t =
        toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
    t.nvdisasm.problem = t.cuobjdump.problem = t.ptxas.problem = "not needed here";
    return t;
  }();
  toolchain::cache store_{std::filesystem::exists(root() / "build") ? root() / "build" / "cache"
                                                                    : scratch_.path() / "cache"};
};

}  // namespace ptxlab::machine
