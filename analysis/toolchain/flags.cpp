// SPDX-License-Identifier: Apache-2.0
// nvcc knows best which of its options are for ptxas (-maxrregcount, -Xptxas, -rdc, -Ofc, ...), so
// it is asked instead of imitated.
#include "analysis/toolchain/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

struct refusal {
  std::string_view flag;
  std::string_view reason;
};

constexpr std::string_view own_output = "ptxlab chooses phase and output itself";
constexpr std::string_view own_arch = "give the architecture with --arch";
constexpr std::string_view debugging =
    "it turns optimisation off, so that the answer would be about other code; ptxlab makes such a "
    "build itself for comparison";

constexpr std::array refusals = {
    refusal{"-G", debugging},
    refusal{"--device-debug", debugging},
    refusal{"-o", own_output},
    refusal{"--output-file", own_output},
    refusal{"-odir", own_output},
    refusal{"--output-directory", own_output},
    refusal{"-c", own_output},
    refusal{"--compile", own_output},
    refusal{"-ptx", own_output},
    refusal{"--ptx", own_output},
    refusal{"-cubin", own_output},
    refusal{"--cubin", own_output},
    refusal{"-fatbin", own_output},
    refusal{"--fatbin", own_output},
    refusal{"-cuda", own_output},
    refusal{"--cuda", own_output},
    refusal{"-optix-ir", own_output},
    refusal{"--optix-ir", own_output},
    refusal{"-ltoir", own_output},
    refusal{"--ltoir", own_output},
    refusal{"-E", own_output},
    refusal{"--preprocess", own_output},
    refusal{"-M", own_output},
    refusal{"-MM", own_output},
    refusal{"-MD", own_output},
    refusal{"-MMD", own_output},
    refusal{"-MF", own_output},
    refusal{"-MT", own_output},
    refusal{"-MP", own_output},
    refusal{"-dlink", own_output},
    refusal{"--device-link", own_output},
    refusal{"-link", own_output},
    refusal{"--link", own_output},
    refusal{"-lib", own_output},
    refusal{"--lib", own_output},
    refusal{"-run", own_output},
    refusal{"--run", own_output},
    refusal{"-dryrun", own_output},
    refusal{"--dryrun", own_output},
    refusal{"-keep", own_output},
    refusal{"--keep", own_output},
    refusal{"-save-temps", own_output},
    refusal{"--save-temps", own_output},
    refusal{"-clean", own_output},
    refusal{"-x", own_output},
    refusal{"-arch", own_arch},
    refusal{"--gpu-architecture", own_arch},
    refusal{"-code", own_arch},
    refusal{"--gpu-code", own_arch},
    refusal{"-gencode", own_arch},
    refusal{"--generate-code", own_arch},
};

std::string_view name_of(std::string_view flag) {
  return flag.substr(0, flag.find('='));
}

// nvcc's options that take their value as the next word, where that word could look like another
// option.
bool takes_next_word(std::string_view flag) {
  constexpr std::array names = {
      "-Xptxas",  "--ptxas-options",  "-Xcicc",   "-Xcompiler", "-Xnvvm",   "--compiler-options",
      "-Xlinker", "--linker-options", "-Xcudafe", "-Xnvlink",   "-D",       "-I",
      "-include", "-isystem",         "-U",       "-ccbin",     "-Xarchive"};
  return std::find(names.begin(), names.end(), flag) != names.end();
}

}  // namespace

std::vector<std::string> split_flags(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    const bool more = at + 1 < line.size();
    if (quote == '\'' ? letter == '\'' : quote == '"' && letter == '"') {
      quote = '\0';
    } else if (quote == '\'') {
      word += letter;
    } else if (letter == '\\' && more &&
               (quote == '\0' || line[at + 1] == '"' || line[at + 1] == '\\')) {
      word += line[++at];
      in_word = true;
    } else if (quote == '\0' && (letter == '"' || letter == '\'')) {
      quote = letter;
      in_word = true;
    } else if (quote == '\0' && std::isspace(static_cast<unsigned char>(letter)) != 0) {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += letter;
      in_word = true;
    }
  }
  if (quote != '\0') throw error(fmt::format("compiler flags: quote not closed: {}", line));
  if (in_word) words.push_back(word);
  return words;
}

void check_flags(const std::vector<std::string>& flags) {
  for (std::size_t at = 0; at < flags.size(); ++at) {
    if (takes_next_word(flags[at])) {
      ++at;
      continue;
    }
    for (const auto& [flag, reason] : refusals) {
      if (name_of(flags[at]) == flag) {
        throw error(fmt::format("compiler flag {} is not taken: {}", flags[at], reason));
      }
    }
    if (!flags[at].starts_with('-')) {
      // A value of the option before it, unless it is a second input.
      for (const std::string_view ending : {".cu", ".c", ".cc", ".cpp", ".ptx", ".o", ".a"}) {
        if (flags[at].ends_with(ending) && (at == 0 || !flags[at - 1].starts_with('-'))) {
          throw error(fmt::format("compiler flag {} is not taken: it is an input", flags[at]));
        }
      }
    }
  }
}

bool reads_options_file(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return name_of(flag) == "-optf" || name_of(flag) == "--options-file";
  });
}

std::vector<std::string> ptxas_flags_of_dryrun(std::string_view dryrun) {
  std::vector<std::string> kept;
  for (std::size_t begin = 0; begin < dryrun.size();) {
    const std::size_t end = std::min(dryrun.find('\n', begin), dryrun.size());
    std::string_view line = dryrun.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("#$ ")) continue;
    line.remove_prefix(3);
    if (!line.starts_with("ptxas ") && !line.starts_with("\"ptxas\" ")) continue;
    const auto words = split_flags(line);
    for (std::size_t at = 1; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (word == "-g" || word == "-G" || word == "--device-debug") {
        throw error(fmt::format("compiler flag {} for ptxas is not taken: {}", word, debugging));
      }
      if (word == "-o" || word == "--output-file") {
        ++at;
        continue;
      }
      const auto name = name_of(word);
      if (name == "-arch" || name == "--gpu-name" || name == "-m64" || name == "-v" ||
          name == "--verbose" || name == "-lineinfo" || name == "--generate-line-info" ||
          word.ends_with(".ptx")) {
        continue;
      }
      kept.push_back(word);
    }
    return kept;
  }
  return kept;
}

}  // namespace ptxlab::toolchain
