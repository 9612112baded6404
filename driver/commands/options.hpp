// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands take, spelt once.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "analysis/facts/table.hpp"
#include "driver/session.hpp"

namespace ptxlab::driver {

/// FILE..., --arch, --nvcc-flags, --no-cache.
void add_build_options(CLI::App& app, build_options& o);

/// Layout for standard output: the columns of the terminal, else 100; $COLUMNS wins over both.
facts::page page_of_output();

}  // namespace ptxlab::driver
