// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands take, spelt once.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "analysis/facts/table.hpp"
#include "driver/session.hpp"

namespace ptxlab::driver {

/// FILE..., --arch, --nvcc-flags, --no-cache.
void add_build_options(CLI::App& app, build_options& o);

/// Layout for standard output: the columns of the terminal, else 100; $COLUMNS wins over both.
facts::page page_of_output();

/// `option` if it was given; else the file of that name that comes with the project (docs/data) or
/// the installed program; empty if there is none.
std::filesystem::path data_file(const std::string& option, const char* name);

}  // namespace ptxlab::driver
