// SPDX-License-Identifier: Apache-2.0
// ptxlab doctor: is every tool there, and does it work.
#include "analysis/toolchain/doctor.hpp"

#include <fmt/format.h>

#include "analysis/facts/table.hpp"
#include "driver/commands/command.hpp"
#include "driver/cuda/context.hpp"
#include "driver/cuda/device.hpp"
#include "driver/cuda/library.hpp"
#include "driver/cuda/module.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

/// The smallest kernel, for the compiler that is a part of the driver.
constexpr const char* probe =
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry probe() { ret; }\n";

/// Whether a context can be made and the driver's own compiler works.
void show_compiler(int ordinal) {
  try {
    const cuda::context c(ordinal);
    const cuda::module m(c.on(), probe, cuda::module::image::ptx, "a kernel of PTX ISA 8.0");
    m.function("probe");
    fmt::print("         its compiler takes PTX\n");
  } catch (const error& e) {
    fmt::print("         its compiler cannot be used: {}\n", e.what());
  }
}

/// What the CUDA driver says of itself and its devices. It is opened at run time, so its absence is
/// an answer like any other.
void show_driver() {
  if (const auto problem = cuda::library::problem()) {
    fmt::print("--   CUDA driver\n       {}\n", *problem);
    return;
  }
  const int version = cuda::driver_version();
  fmt::print("ok   {:<17} {}.{}\n", "CUDA driver", version / 1000, version % 1000 / 10);
  for (int i = 0; i < cuda::device_count(); ++i) {
    const cuda::device d(i);
    std::string text;
    for (const auto& [key, value] : cuda::fingerprint(d))
      if (key != "name" && key != "driver")
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value);
    fmt::print("       {}\n", d.identify());
    for (const std::string& piece : facts::fold(text, 72)) fmt::print("         {}\n", piece);
    show_compiler(i);
  }
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("doctor", "Every tool: where, which version, does it work");
  sub->footer(
      "Example: ptxlab doctor\nExit: 0 all is well (a GPU is not asked for), 1 a tool is missing.");
  sub->callback([&code] {
    const auto self = toolchain::own_executable();
    const auto checks =
        toolchain::doctor(toolchain::places::of(self), toolchain::cache::default_folder(self));
    bool all_well = true;
    for (const toolchain::check& c : checks) {
      std::string line = fmt::format("{:<4} {:<17} {:<9} {}", c.ok ? "ok" : "--", c.name, c.version,
                                     c.path.string());
      line.erase(line.find_last_not_of(' ') + 1);
      fmt::print("{}\n", line);
      if (!c.detail.empty()) fmt::print("       {}\n", c.detail);
      if (c.ok) continue;
      if (!c.lost_without.empty()) fmt::print("       without it: {}\n", c.lost_without);
      if (!c.how_to_get.empty()) fmt::print("       get it: {}\n", c.how_to_get);
      all_well = all_well && c.name == "GPU";
    }
    show_driver();
    code = all_well ? exit_fine : exit_failed;
  });
}

const command_registration registered({"doctor", add});

}  // namespace
}  // namespace ptxlab::driver
