// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/cubins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"
#include "tests/golden/files.hpp"

namespace ptxlab::golden {

namespace fs = std::filesystem;

fs::path cubin_of(const fs::path& folder, std::size_t number) {
  return folder / fmt::format("golden_{:03}.cubin", number);
}

std::map<std::size_t, std::string> refused_by(const std::string& ptx, const std::string& messages) {
  std::vector<std::size_t> case_at;  // by line
  std::size_t now = 0;
  for (std::size_t from = 0; from < ptx.size(); from = ptx.find('\n', from) + 1) {
    const std::string_view line = std::string_view(ptx).substr(from, ptx.find('\n', from) - from);
    if (line.starts_with(".visible .entry k")) now = std::stoul(std::string(line.substr(17)));
    case_at.push_back(now);
  }
  std::map<std::size_t, std::string> out;
  for (std::size_t at = messages.find(", line "); at != messages.npos;
       at = messages.find(", line ", at + 1)) {
    const std::size_t line = std::stoul(messages.substr(at + 7));
    const std::size_t end = std::min(messages.find('\n', at), messages.size());
    if (line == 0 || line > case_at.size()) continue;
    out.try_emplace(case_at[line - 1], messages.substr(at + 2, end - at - 2));
  }
  return out;
}

std::string prepare_module(std::size_t number, const fs::path& folder, const std::string& ptxas) {
  const fs::path ptx = folder / fmt::format("golden_{:03}.ptx", number);
  std::vector<std::size_t> left_out;
  std::string report;
  for (;;) {
    const std::string text = module_text(number, left_out);
    write_file(ptx, text);
    const toolchain::outcome done = toolchain::run(
        {.argv = {ptxas, "-arch=sm_90", "-o", cubin_of(folder, number).string(), ptx.string()}});
    if (done.ok()) break;
    const auto refused = refused_by(text, done.err + done.out);
    if (refused.empty())
      throw error(fmt::format("{}: {}: {}", ptx.string(), done.ending(), done.err + done.out));
    for (const auto& [index, why] : refused) {
      left_out.push_back(index);
      report += fmt::format("{}: {}\n", cases()[index].name, why);
    }
  }
  fs::remove(ptx);
  return report;
}

std::string assembler_version(const std::string& ptxas) {
  const toolchain::outcome done = toolchain::run({.argv = {ptxas, "--version"}});
  const std::size_t at = done.out.rfind(", V");
  if (!done.ok() || at == done.out.npos)
    throw error(fmt::format("{} --version: {}", ptxas, done.ending()));
  return "ptxas " + done.out.substr(at + 2, done.out.find('\n', at) - at - 2);
}

}  // namespace ptxlab::golden
