// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands take, spelt once.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "driver/session.hpp"

namespace ptxlab::driver {

/// FILE..., --arch, --nvcc-flags, --no-cache.
void add_build_options(CLI::App& app, build_options& o);

}  // namespace ptxlab::driver
