// SPDX-License-Identifier: Apache-2.0
// ptxlab run: a kernel on the PTX machine or on a GPU.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "analysis/toolchain/files.hpp"
#include "driver/backend/cuda.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/cuda/device.hpp"
#include "driver/run/trial.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

struct run_options {
  std::string target, grid, block, cluster, device, policy = "its", resident, report = "none";
  std::string format = "text", record, arch, nvcc_flags;
  std::vector<std::string> arguments, settings, outputs, comparisons;
  std::uint32_t shared = 0;
  std::uint64_t steps = machine::launch().step_budget, ulp = 0, approximate = 0;
  double seconds = 0;
  unsigned repeat = 1, threads = 0;
  bool cooperative = false, no_cache = false;
};

/// Does the call ask for something that only the machine has?
bool asks_the_machine(const run_options& o) {
  return o.policy != "its" || !o.resident.empty() || o.report != "none" || o.threads != 0 ||
         o.steps != machine::launch().step_budget || !o.record.empty() || o.approximate != 0;
}

run::devices devices_of(const run_options& o) {
  if (o.device == "cuda") return run::devices::cuda;
  if (o.device == "both") return run::devices::both;
  if (o.device == "cpu" || asks_the_machine(o)) return run::devices::cpu;
  return harness::no_gpu().empty() ? run::devices::cuda : run::devices::cpu;
}

void read_policy(const std::string& token, machine::launch& l) {
  if (!token.starts_with("trace:")) return machine::read_token(token, l);
  l.by = machine::policy::trace;
  l.trace = machine::read_trace(toolchain::read_file(token.substr(6)));
}

void refuse_contradictions(const run_options& o, run::devices on) {
  if (on == run::devices::cuda && asks_the_machine(o))
    throw error(
        "--policy, --resident, --report, --steps, --threads, --record and --approximate are the "
        "machine's");
  if (o.repeat > 1 && on == run::devices::both) throw error("--repeat: on one device at a time");
  machine::launch l;
  read_policy(o.policy, l);
  const bool drawn = l.by == machine::policy::random || l.by == machine::policy::adversarial;
  if (o.repeat > 1 && on == run::devices::cpu && !drawn)
    throw error(
        fmt::format("--repeat: with --policy {} every run is the same; random:SEED or "
                    "adversarial:SEED",
                    o.policy));
  if (o.repeat > 1 && !o.record.empty()) throw error("--record: of one run");
}

run::source open(const run_options& o, const std::string& path, run::devices on) {
  run::source_options how;
  how.arch = o.arch;
  if (how.arch.empty() && on != run::devices::cpu) how.arch = cuda::device(0).arch();
  how.nvcc_flags = o.nvcc_flags;
  how.no_cache = o.no_cache;
  how.needs_ptx = on != run::devices::cuda;
  how.needs_cubin = on != run::devices::cpu || o.resident.empty() || o.resident == "auto";
  return run::open_source(path, how);
}

machine::residency residency(const run_options& o, const run::plan& p) {
  machine::residency out;
  if (o.resident == "none") return out;
  if (!o.resident.empty() && o.resident != "auto") {
    const char* const end = o.resident.data() + o.resident.size();
    const auto [rest, ec] = std::from_chars(o.resident.data(), end, out.blocks);
    if (ec != std::errc() || rest != end || out.blocks == 0)
      throw error(fmt::format("--resident {}: a number of blocks, auto or none", o.resident));
    out.model = "as asked for";
    return out;
  }
  out = run::residency_of(p.from, p.kernel, p.shape);
  if (out.blocks == 0 && o.resident == "auto")
    throw error(fmt::format("--resident auto: {}", out.model));
  return out;
}

run::plan make_plan(const run_options& o, run::devices on) {
  run::plan p;
  run::read_extent(o.grid, "--grid", p.shape.grid);
  run::read_extent(o.block, "--block", p.shape.block);
  if (!o.cluster.empty()) run::read_cluster(o.cluster, p.shape.cluster);
  p.shape.dynamic_shared = o.shared;
  p.shape.cooperative = o.cooperative;
  for (const std::string& a : o.arguments)
    p.arguments.push_back(run::read_argument(a, p.arguments.size()));
  for (const std::string& s : o.settings) p.settings.push_back(run::read_setting(s));
  const auto [path, kernel] = run::split_target(o.target);
  p.from = open(o, path, on);
  p.kernel = run::choose_kernel(p.from, kernel);
  run::check(p);
  return p;
}

int run_main(const run_options& o) {
  const run::devices on = devices_of(o);
  refuse_contradictions(o, on);
  run::trial_options t;
  t.reports = run::read_reports(o.report);
  if (on != run::devices::cpu)
    if (const std::string problem = harness::no_gpu(); !problem.empty()) {
      fmt::print(stderr, "ptxlab: nothing was run: {} (--device cpu needs no GPU)\n", problem);
      return exit_nothing_ran;
    }
  const run::plan p = make_plan(o, on);
  t.on = on;
  read_policy(o.policy, t.how);
  std::vector<machine::turn> turns;
  if (!o.record.empty()) t.how.record = &turns;
  t.how.resident = on == run::devices::cuda ? machine::residency() : residency(o, p);
  t.how.step_budget = o.steps;
  t.how.seconds = o.seconds;
  t.how.approximate_seed = o.approximate;
  t.how.threads = !o.record.empty() ? 1
                  : o.threads != 0  ? o.threads
                                    : std::max(1U, std::thread::hardware_concurrency());
  t.repeat = o.repeat;
  t.outputs = o.outputs;
  t.comparisons = o.comparisons;
  t.ulp = o.ulp;
  const run::result r = run::carry_out(p, t);
  if (!o.record.empty()) toolchain::write_file(o.record, machine::trace_text(turns));
  fmt::print("{}", o.format == "facts"  ? run::facts_format(r)
                   : o.format == "json" ? run::json_format(r)
                                        : run::text_format(r));
  const int code = run::fine(r) ? exit_fine : exit_failed;
  if (r.run.given_up || (r.gpu && r.gpu->given_up)) {
    // Nothing stops the kernel but the end of the process, and the driver's own end waits for it.
    std::fflush(stdout);
    std::_Exit(code);
  }
  return code;
}

void add_what(CLI::App& sub, run_options& o) {
  sub.add_option("FILE:KERNEL", o.target,
                 "a .cu, a .ptx or (on a GPU) a .cubin, and\nits kernel, where it has several")
      ->type_name("")
      ->required();
  sub.add_option("--grid", o.grid, "blocks")->type_name("X[,Y[,Z]]")->required();
  sub.add_option("--block", o.block, "threads of a block")->type_name("X[,Y[,Z]]")->required();
  sub.add_option("--cluster", o.cluster, "blocks of a cluster, where a kernel does not\nsay itself")
      ->type_name("X[,Y[,Z]]");
  sub.add_option("--shared", o.shared, "dynamic shared memory of a block")->type_name("BYTES");
  sub.add_flag("--cooperative", o.cooperative, "all blocks at once: grid.sync() may be used");
  sub.add_option("--arg", o.arguments, "an argument, in order; see below")
      ->type_name("TYPED")
      ->allow_extra_args(false);
  sub.add_option("--set", o.settings, "gives a module variable its value")
      ->type_name("NAME=TYPED")
      ->allow_extra_args(false);
  sub.add_option("--out", o.outputs,
                 "shows a buffer afterwards (index or name of\nthe argument), or writes it")
      ->type_name("BUFFER[=FILE]")
      ->allow_extra_args(false);
  sub.add_option("--compare", o.comparisons,
                 "what it should hold: a file, or a formula\nsuch as 2*x[i]+1, sum(x)")
      ->type_name("BUFFER=WHAT")
      ->allow_extra_args(false);
  sub.add_option("--ulp", o.ulp, "how far elements may be from that")->type_name("N");
}

void add_how(CLI::App& sub, run_options& o) {
  sub.add_option("--device", o.device,
                 "cpu (the PTX machine), cuda or both; without\nit cuda where there is a GPU, and "
                 "nothing\nonly the machine has is asked for")
      ->check(CLI::IsMember({"cpu", "cuda", "both"}))
      ->type_name("DEVICE");
  sub.add_option(
         "--policy", o.policy,
         "its (fair, independent threads), lockstep,\nrandom:SEED, adversarial:SEED or trace:FILE")
      ->type_name("TOKEN");
  sub.add_option("--record", o.record, "writes who ran when, for trace:FILE")->type_name("FILE");
  sub.add_option("--repeat", o.repeat, "runs, with consecutive seeds")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  sub.add_option(
         "--resident", o.resident,
         "blocks at a time: a number, none, or auto (an\nH200 with ptxas' registers; the default)")
      ->type_name("N");
  sub.add_option("--steps", o.steps, "warp steps after which it is given up")->type_name("N");
  sub.add_option("--seconds", o.seconds,
                 "time after which it is given up (of a GPU:\n10 unless given)")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("S");
  sub.add_option("--approximate", o.approximate,
                 "moves approximate functions within their\ndocumented bounds")
      ->type_name("SEED");
  sub.add_option("--threads", o.threads, "of this computer (default: all)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  sub.add_option("--report", o.report, "mix, traffic, races, uninit; all; none")
      ->type_name("WHAT,...");
  sub.add_option("--format", o.format, "text, facts (for FileCheck) or json")
      ->check(CLI::IsMember({"text", "facts", "json"}))
      ->type_name("FORMAT");
  sub.add_option("--arch", o.arch, "such as sm_90")->type_name("SM");
  sub.add_option("--nvcc-flags", o.nvcc_flags, "more options for nvcc, as one word")
      ->type_name("FLAGS");
  sub.add_flag("--no-cache", o.no_cache, "build anew, and keep nothing");
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("run", "Run a kernel without a GPU, or on one");
  auto o = std::make_shared<run_options>();
  add_what(*sub, *o);
  add_how(*sub, *o);
  sub->footer(
      "TYPED is buf:TYPE:COUNT:CONTENTS[:name=NAME] with CONTENTS iota, zero, none,\n"
      "rand:SEED, fill:VALUE or a file (numbers in a .txt, else bytes); TYPE:VALUE\n"
      "for a scalar; addr:VARIABLE; hex:BYTES for a struct. Types: u8 to u64, s8 to\n"
      "s64 (also i8 to i64), f16, bf16, f32, f64. A buffer's name is argN without one.\n"
      "Example: ptxlab run saxpy.cu:saxpy --grid 4 --block 256 --arg f32:2 \\\n"
      "           --arg buf:f32:1024:iota:name=x --arg buf:f32:1024:zero:name=y \\\n"
      "           --compare 'y=2*x[i]' --report traffic,races\n"
      "Exit: 0 finished and as it should be, 1 a fault, a deadlock, a spent budget, a\n"
      "difference or a race, 2 wrong use or instructions that the machine does not\n"
      "run, 77 no GPU.");
  sub->callback([o, &code] { code = run_main(*o); });
}

const command_registration registered({"run", add});

}  // namespace
}  // namespace ptxlab::driver
