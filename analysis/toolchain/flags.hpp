// SPDX-License-Identifier: Apache-2.0
// The user's nvcc flags: taken apart without a shell, checked, and divided between the compilers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::toolchain {

/// Words of a line as a POSIX shell would split it, with quotes and backslashes but no expansion.
/// Throws error for a quote that is not closed.
std::vector<std::string> split_flags(std::string_view line);

/// Throws error for a flag that ptxlab has to choose itself (output, phase, architecture) or that
/// would answer another question than the one asked (-G).
void check_flags(const std::vector<std::string>& flags);

/// True if the flags name an options file, whose content no dependency list mentions.
bool reads_options_file(const std::vector<std::string>& flags);

/// What nvcc would pass on to ptxas, learned from `nvcc -dryrun -cubin` (which prints it on
/// stderr): the options of its ptxas line, without architecture, machine, input, output, -v and
/// line info, which the caller gives itself. Empty also if there is no such line. Throws error if
/// ptxas is told to build for debugging.
std::vector<std::string> ptxas_flags_of_dryrun(std::string_view dryrun);

}  // namespace ptxlab::toolchain
