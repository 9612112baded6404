// SPDX-License-Identifier: Apache-2.0
// ptxlab bench: measure, or say what would be measured.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "analysis/facts/table.hpp"
#include "analysis/report/report.hpp"
#include "analysis/toolchain/files.hpp"
#include "driver/bench/google_run.hpp"
#include "driver/bench/plan.hpp"
#include "driver/bench/run.hpp"
#include "driver/bench/worker.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/cuda/device.hpp"
#include "driver/cuda/library.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

namespace fs = std::filesystem;

struct bench_options {
  std::vector<std::string> filters, google;  ///< google: its --benchmark_... flags
  std::string arch, prepare, prepared, out, shard;
  int device = 0;
  unsigned deadline = 10;
  bool dry_run = false, quick = false, resume = false, force = false, worker = false,
       run_refused = false;
};

/// The sizes that a plan is shown for where there is no device.
constexpr bench::sizes assumed{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};

/// "2/5": of experiments numbered from 1, those that belong to the second of five shards.
void keep_shard(std::vector<bench::experiment>& all, const std::string& text) {
  if (text.empty()) return;
  unsigned mine = 0, of = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%u/%u%c", &mine, &of, &rest) != 2 || mine < 1 || mine > of)
    throw error(fmt::format("--shard {}: expected I/N with 1 <= I <= N", text));
  std::vector<bench::experiment> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % of == mine - 1) kept.push_back(std::move(all[i]));
  all = std::move(kept);
}

bench::plan make_plan(const bench_options& o, const std::string& arch, const fs::path& folder) {
  if (o.prepared.empty()) return bench::prepare(bench::select(o.filters), arch, folder);
  bench::plan p = bench::read_plan(o.prepared);
  if (o.filters.empty()) return p;
  std::vector<std::string> ids;
  for (const bench::experiment& x : p.experiments) ids.push_back(x.id);
  const std::vector<std::string> wanted = bench::fitting(ids, o.filters);
  std::erase_if(p.experiments, [&](const bench::experiment& x) {
    return std::find(wanted.begin(), wanted.end(), x.id) == wanted.end();
  });
  return p;
}

/// What would be measured, and what the gate says: one line each.
int show_plan(const bench::plan& p, bool quick) {
  facts::table t({{"experiment"},
                  {"points", true},
                  {"per copy", false, true},
                  {"static", true},
                  {"gate", false, true}});
  std::size_t points = 0, refused = 0;
  for (const bench::experiment& x : p.experiments) {
    const auto n =
        bench::protocol_of(x.what->measure.how).points(x.what->measure, assumed, quick).size();
    points += x.judged.valid ? n : 0;
    refused += x.judged.valid ? 0 : 1;
    t.row({x.id, std::to_string(n), x.judged.sass,
           x.judged.static_cycles ? fmt::format("{:g}", *x.judged.static_cycles) : "",
           !x.judged.valid ? "invalid: " + x.judged.reason
           : bench::protocol_of(x.what->measure.how).contract != nullptr
               ? "holds"
               : "nothing is timed inside"});
  }
  fmt::print("{}", t.str(page_of_output()));
  fmt::print("{} experiments for {}, {} refused by the gate; {} points\n", p.experiments.size(),
             p.arch, refused, points);
  return refused == 0 ? exit_fine : exit_failed;
}

int exit_code_of(const results::file& f) {
  const bool all = std::all_of(f.rows.begin(), f.rows.end(),
                               [](const results::row& r) { return r.value.has_value(); });
  return all ? exit_fine : exit_failed;
}

int show_results(const results::file& f, const fs::path& file) {
  report::inputs from;
  from.results = {file};
  from.published = data_file("", "published_hopper.csv");
  from.bands = data_file("", "bands.csv");
  fmt::print("{}", report::report(from).text(report::format::text, page_of_output()));
  const auto bad =
      std::count_if(f.rows.begin(), f.rows.end(), [](const results::row& r) { return !r.value; });
  fmt::print("\n{} rows, {} without a value\n", f.rows.size(), bad);
  return exit_code_of(f);
}

/// "measuring 12 of 140, about 35 s left: latency/fp32/add_rn_f32", on a terminal.
class progress {
 public:
  ~progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void operator()(std::size_t done, std::size_t all, const std::string& what) {
    if (isatty(STDERR_FILENO) == 0) return;
    const double past =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::string left;
    if (done > 0)
      left = fmt::format(", about {:.0f} s left",
                         past / static_cast<double>(done) * static_cast<double>(all - done));
    fmt::print(stderr, "\r\033[Kmeasuring {} of {}{}: {}", done, all, left, what);
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

/// Samples that are on disk took time on a GPU: they are not lost by a command given twice.
void keep_older_results(const bench_options& o) {
  if (o.out.empty() || o.resume || o.force) return;
  std::error_code ignored;
  if (fs::is_regular_file(o.out, ignored) && fs::file_size(o.out, ignored) > 0)
    throw error(fmt::format("{} exists: --resume goes on with it, --force writes it anew", o.out));
}

int measure(const bench_options& o) {
  if (const auto problem = cuda::library::problem()) {
    fmt::print(stderr,
               "ptxlab: nothing was measured: {} (--dry-run gates and plans without a GPU)\n",
               *problem);
    return exit_nothing_ran;
  }
  if (cuda::device_count() == 0) {
    fmt::print(stderr, "ptxlab: nothing was measured: the driver shows no device\n");
    return exit_nothing_ran;
  }
  keep_older_results(o);
  const toolchain::temporary_folder scratch;
  const std::string arch = o.arch.empty() ? cuda::device(o.device).arch() : o.arch;
  bench::plan p = make_plan(o, arch, scratch.path());
  keep_shard(p.experiments, o.shard);
  bench::run_options how;
  how.device = o.device;
  how.quick = o.quick;
  how.deadline = std::chrono::seconds(o.deadline);
  how.out = o.out.empty() ? scratch.path() / "results.json" : fs::path(o.out);
  how.resume = o.resume;
  how.run_refused = o.run_refused;
  results::file f;
  if (!o.google.empty()) {
    how.out = o.out;
    int code = exit_fine;
    f = bench::run_with_google(p, how, o.google, code);
    return code != 0 ? code : exit_code_of(f);
  }
  {
    progress bar;
    how.progress = [&](std::size_t done, std::size_t all, const std::string& what) {
      bar(done, all, what);
    };
    f = bench::run(p, how);
  }
  return show_results(f, how.out);
}

int bench_main(const bench_options& o) {
  if (o.worker)
    return bench::serve(o.prepared, o.device, std::chrono::seconds(o.deadline), o.run_refused);
  if (o.resume && o.out.empty()) throw error("--resume needs --out: the file to go on with");
  if (o.resume && o.force)
    throw error("--resume keeps what the results file holds, --force drops it: give one of them");
  if (o.resume && !o.google.empty())
    throw error("--resume does not go with flags of Google Benchmark, which measure all anew");
  if (!o.dry_run && o.prepare.empty()) return measure(o);
  const std::string arch = o.arch.empty() ? "sm_90" : o.arch;
  const toolchain::temporary_folder scratch;
  fs::path folder = scratch.path();
  if (!o.prepare.empty()) {
    folder = o.prepare;
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) throw error(fmt::format("{}: {}", folder.string(), code.message()));
  }
  bench::plan p = make_plan(o, arch, folder);
  keep_shard(p.experiments, o.shard);
  return show_plan(p, o.quick);
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("bench", "Measure on a GPU what the gate lets through");
  auto o = std::make_shared<bench_options>();
  sub->add_option(
         "FILTER", o->filters,
         "family/, family/name/..., a glob such as\nbarrier/*/bare, or a word of identifiers")
      ->type_name("");
  sub->add_option("--out", o->out, "results file with every sample")->type_name("FILE");
  sub->add_flag("--resume", o->resume, "keep finished rows of the results file");
  sub->add_flag("--force", o->force, "write the results file anew if there is one");
  sub->add_flag("--quick", o->quick, "fewer points");
  sub->add_option("--shard", o->shard, "the I-th of N parts")->type_name("I/N");
  sub->add_option("--device", o->device, "number of the GPU")->type_name("N");
  sub->add_option("--arch", o->arch, "build for it instead of the GPU's own")->type_name("ARCH");
  sub->add_flag("--dry-run", o->dry_run, "build, gate and plan; no GPU");
  sub->add_option("--prepare", o->prepare, "build, gate, and keep what was built\nthere")
      ->type_name("DIR");
  sub->add_option("--prepared", o->prepared,
                  "measure what was prepared there:\nno compiler is needed")
      ->type_name("DIR");
  sub->add_option("--deadline", o->deadline, "seconds after which a launch is given up")
      ->type_name("S")
      ->check(CLI::Range(1, 3600));
  sub->add_flag("--run-refused", o->run_refused,
                "launch what is refused, under the watchdog;\nno numbers from it");
  sub->add_flag("--worker", o->worker)->group("");
  sub->footer(
      "Flags of Google Benchmark (--benchmark_filter=, --benchmark_format=json,\n"
      "--benchmark_out=, ...) run it all under that library.\n"
      "Example: ptxlab bench latency/ --out results.json\n"
      "Exit: 0 all measured, 1 a row has no value, 77 no GPU.");
  sub->allow_extras();
  sub->callback([o, sub, &code] {
    for (const std::string& extra : sub->remaining()) {
      if (!extra.starts_with("--benchmark_"))
        throw error(fmt::format("bench does not know '{}' (see ptxlab bench --help)", extra));
      o->google.push_back(extra);
    }
    code = bench_main(*o);
  });
}

const command_registration registered({"bench", add});

}  // namespace
}  // namespace ptxlab::driver
