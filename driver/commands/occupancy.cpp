// SPDX-License-Identifier: Apache-2.0
// ptxlab occupancy: how many warps a multiprocessor holds, over block size, registers or shared
// memory; and what the facts of all kernels say of it against what the driver says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/facts/occupancy_curve.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/cuda/device.hpp"
#include "driver/cuda/library.hpp"
#include "driver/occupancy/asked_driver.hpp"
#include "driver/run/source.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

using facts::occupancy_axis;
using facts::occupancy_curve;
using facts::occupancy_point;
using facts::occupancy_question;

struct occupancy_options {
  std::vector<std::string> archs;
  std::string over = "block", format = "text", kernel, nvcc_flags;
  std::string prepare, prepared, out, archived;
  int registers = 32, block = 256, device = 0;
  std::int64_t shared = 0;
  bool against_driver = false;
};

/// A question, and what it is about in words.
struct asked {
  occupancy_question what;
  std::string subject;  ///< "a kernel", or the kernel's name
};

std::string count_text(const facts::count& n) {
  return n ? std::to_string(*n) : "?";
}

/// "sum of a.cu on sm_90: 32 registers, 0 + 16384 bytes of shared memory, blocks of 256 threads".
std::string title_of(const asked& a, occupancy_axis over) {
  const facts::resources& uses = a.what.uses;
  std::string out = fmt::format("{} on {}", a.subject, a.what.arch);
  const char* between = ": ";
  const auto add = [&](const std::string& text) {
    out += between + text;
    between = ", ";
  };
  if (over != occupancy_axis::registers)
    add(fmt::format("{} registers a thread", count_text(uses.registers)));
  if (over != occupancy_axis::shared) {
    const std::int64_t dynamic = a.what.dynamic_shared_bytes;
    add(fmt::format("{}{} bytes of shared memory a block", count_text(uses.shared_bytes),
                    dynamic > 0 ? fmt::format(" + {}", dynamic) : ""));
  }
  if (over != occupancy_axis::block)
    add(fmt::format("blocks of {} threads", a.what.block_threads));
  else if (a.what.max_threads)
    add(fmt::format("at most {} threads a block", *a.what.max_threads));
  return out;
}

/// Kernels of the command line, or one that is made up of numbers, on every architecture.
std::vector<asked> questions(const occupancy_options& o) {
  std::vector<asked> out;
  const std::vector<std::string> archs =
      o.archs.empty() ? std::vector<std::string>{"sm_90"} : o.archs;
  if (o.kernel.empty()) {
    for (const std::string& arch : archs)
      out.push_back({{arch, facts::uses_of(o.registers, o.shared), {}, o.block, 0}, "a kernel"});
    return out;
  }
  const auto [file, wanted] = run::split_target(o.kernel);
  build_options build;
  build.files = {file};
  build.archs = archs;
  build.nvcc_flags = o.nvcc_flags;
  build.unoptimised = false;
  for (const inspected& i : session(build).inspect_all()) {
    std::vector<std::string> names;
    const facts::kernel* found = nullptr;
    for (const facts::kernel& k : i.report.kernels) {
      if (!k.entry) continue;
      names.push_back(k.name);
      if (wanted.empty() || k.name == wanted || run::shown_name(k.name) == wanted) found = &k;
    }
    if (wanted.empty() && names.size() != 1)
      throw error(fmt::format("{}: name a kernel: FILE:KERNEL{}", file,
                              names.empty() ? "; there is none" : ""));
    if (found == nullptr)
      throw error(
          fmt::format("{}: no kernel '{}'{}", file, wanted, verdict::suggestion(wanted, names)));
    out.push_back({{i.report.arch, found->res, found->max_threads, o.block, o.shared},
                   run::shown_name(found->name)});
  }
  return out;
}

std::string percent(double fraction) {
  return fmt::format("{:.0f} %", std::floor(100 * fraction));  // 100 only where it is full
}

std::vector<std::string> cells_of(const occupancy_point& p) {
  return {std::to_string(p.at), std::to_string(p.what.blocks_per_sm),
          std::to_string(p.what.warps_per_sm), percent(p.what.fraction), p.what.limiter};
}

void show_text(const asked& a, occupancy_axis over, const occupancy_curve& c) {
  constexpr double bar_columns = 24;
  facts::table t({{facts::name(over), true},
                  {"blocks/SM", true},
                  {"warps/SM", true},
                  {"occupancy", true},
                  {"limiter"},
                  {""}});
  for (const occupancy_point& p : c.points) {
    std::vector<std::string> cells = cells_of(p);
    cells.emplace_back(static_cast<std::size_t>(bar_columns * p.what.fraction), '#');
    t.row(std::move(cells));
  }
  fmt::print("{}\n", title_of(a, over));
  if (!c.points.empty()) fmt::print("{}", t.str(page_of_output()));
  for (const std::string& note : c.notes) fmt::print("{}\n", note);
}

void show_markdown(const asked& a, occupancy_axis over, const occupancy_curve& c) {
  fmt::print("### {}\n\n", title_of(a, over));
  fmt::print("| {} | blocks/SM | warps/SM | occupancy | limiter |\n", facts::name(over));
  fmt::print("| ---: | ---: | ---: | ---: | --- |\n");
  for (const occupancy_point& p : c.points) fmt::print("| {} |\n", fmt::join(cells_of(p), " | "));
  for (const std::string& note : c.notes) fmt::print("\n{}\n", note);
}

void show_csv(const asked& a, occupancy_axis over, const occupancy_curve& c) {
  for (const occupancy_point& p : c.points)
    fmt::print("{},{},{},{},{},{:.4f},{}\n", a.what.arch, facts::name(over), p.at,
               p.what.blocks_per_sm, p.what.warps_per_sm, p.what.fraction, p.what.limiter);
  for (const std::string& note : c.notes) fmt::print(stderr, "{}\n", note);
}

int show_curves(const occupancy_options& o) {
  const occupancy_axis over = o.over == "block"       ? occupancy_axis::block
                              : o.over == "registers" ? occupancy_axis::registers
                                                      : occupancy_axis::shared;
  if (o.format == "csv") fmt::print("arch,axis,at,blocks_per_sm,warps_per_sm,occupancy,limiter\n");
  bool any = false;
  for (const asked& a : questions(o)) {
    const occupancy_curve c = facts::curve_of(a.what, over);
    if (any && o.format != "csv") fmt::print("\n");
    any = true;
    (o.format == "text" ? show_text : o.format == "csv" ? show_csv : show_markdown)(a, over, c);
    if (c.points.empty()) return exit_failed;
  }
  return exit_fine;
}

int prepare(const occupancy_options& o) {
  if (o.archs.size() > 1) throw error("--prepare is for one architecture");
  const auto p = occupancy::prepare(o.archs.empty() ? "sm_90" : o.archs.front(), o.prepare);
  fmt::print("{} kernels for {} in {}\n", p.kernels.size(), p.arch, o.prepare);
  return exit_fine;
}

/// Sums of a comparison that was kept.
int show_archived(const occupancy_options& o) {
  const occupancy::archived a = occupancy::read_csv(toolchain::read_file(o.archived), o.archived);
  fmt::print("{} kernels, {} launches compared with the driver: {} differ, of {} kernels\n",
             a.kernels, a.points, a.differences, a.differing);
  fmt::print("registers of a thread {} to {}, static shared memory up to {} bytes\n",
             a.least_registers, a.most_registers, a.most_shared_bytes);
  return a.differences == 0 ? exit_fine : exit_failed;
}

int compare(const occupancy_options& o) {
  if (!o.against_driver) throw error("--prepared needs --against-driver");
  const occupancy::prepared p = occupancy::read_prepared(o.prepared);
  if (const auto problem = cuda::library::problem()) {
    fmt::print(stderr, "ptxlab: nothing was compared: {}\n", *problem);
    return exit_nothing_ran;
  }
  if (cuda::device_count() == 0) {
    fmt::print(stderr, "ptxlab: nothing was compared: the driver shows no device\n");
    return exit_nothing_ran;
  }
  const std::vector<occupancy::compared> all = occupancy::compare_with_driver(p, o.device);
  std::size_t points = 0, unequal = 0;
  for (const occupancy::compared& c : all) {
    points += c.points;
    unequal += c.equal() ? 0 : 1;
    for (const std::string& line : c.lines()) fmt::print("{}\n", line);
  }
  if (!o.out.empty()) toolchain::write_file(o.out, occupancy::csv_of(all));
  fmt::print("{} kernels for {}, {} launches compared with the driver: {} kernels differ\n",
             all.size(), p.arch, points, unequal);
  return unequal == 0 ? exit_fine : exit_failed;
}

int occupancy_main(const occupancy_options& o) {
  if (!o.archived.empty()) return show_archived(o);
  if (!o.prepare.empty()) return prepare(o);
  if (!o.prepared.empty()) return compare(o);
  if (o.against_driver) throw error("--against-driver needs --prepared: the built kernels");
  if (!o.out.empty()) throw error("--out needs --prepared: a comparison");
  if (!o.nvcc_flags.empty() && o.kernel.empty()) throw error("--nvcc-flags needs --kernel");
  return show_curves(o);
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("occupancy", "Warps that a multiprocessor holds, and why");
  auto o = std::make_shared<occupancy_options>();
  sub->add_option("--arch", o->archs, "such as sm_90,sm_80 (without it sm_90)")
      ->type_name("SM")
      ->delimiter(',');
  sub->add_option("--over", o->over, "the axis: block, registers or shared")
      ->check(CLI::IsMember({"block", "registers", "shared"}))
      ->type_name("AXIS");
  auto* registers = sub->add_option("--registers", o->registers, "of a thread (32)")
                        ->check(CLI::Range(0, 256))
                        ->type_name("N");
  sub->add_option("--shared", o->shared, "shared memory of a block; of a --kernel what\nis dynamic")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 20))
      ->type_name("BYTES");
  sub->add_option("--block", o->block, "threads of a block, where it is not the axis\n(256)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  sub->add_option("--kernel", o->kernel, "takes what this kernel takes")
      ->type_name("FILE:KERNEL")
      ->excludes(registers);
  sub->add_option("--nvcc-flags", o->nvcc_flags, "for it: more options, as one word")
      ->type_name("FLAGS");
  sub->add_option("--format", o->format, "text, csv or md")
      ->check(CLI::IsMember({"text", "csv", "md"}))
      ->type_name("FORMAT");
  sub->add_option("--prepare", o->prepare, "build all kernels of the catalogue there")
      ->type_name("DIR");
  sub->add_option("--prepared", o->prepared, "with these kernels:")->type_name("DIR");
  sub->add_flag("--against-driver", o->against_driver,
                "what the facts say of each, against the\ndriver's own answer");
  sub->add_option("--device", o->device, "number of the GPU")->type_name("N");
  sub->add_option("--out", o->out, "a line of CSV for each kernel")->type_name("FILE");
  sub->add_option("--archived", o->archived, "sums of such a file")->type_name("FILE");
  sub->footer(
      "Example: ptxlab occupancy --arch sm_90,sm_89 --registers 64 --shared 16384\n"
      "Exit: 0 fine, 1 no answer or a difference, 77 no GPU to compare with.");
  sub->callback([o, &code] { code = occupancy_main(*o); });
}

const command_registration registered({"occupancy", add});

}  // namespace
}  // namespace ptxlab::driver
