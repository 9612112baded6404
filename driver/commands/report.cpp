// SPDX-License-Identifier: Apache-2.0
// ptxlab report: tables and figures from results files alone.
#include "analysis/report/report.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "analysis/toolchain/process.hpp"
#include "analysis/toolchain/tools.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"

namespace ptxlab::driver {
namespace {

namespace fs = std::filesystem;

struct report_options {
  std::vector<std::string> results;
  std::string format = "text";
  std::string plots, filter, published, bands, evidence, historical, links;
  std::vector<std::string> topics;
};

std::string gnuplot() {
  const char* set = std::getenv("PTXLAB_GNUPLOT");
  return set == nullptr || *set == '\0' ? "gnuplot" : set;
}

report::format format_of(const std::string& name) {
  return name == "md"    ? report::format::markdown
         : name == "csv" ? report::format::csv
         : name == "tex" ? report::format::latex
                         : report::format::text;
}

void show(const report_options& o) {
  report::inputs from;
  from.results.assign(o.results.begin(), o.results.end());
  from.filter = o.filter;
  from.published = data_file(o.published, "published_hopper.csv");
  from.bands = data_file(o.bands, "bands.csv");
  from.topics = o.topics;
  from.evidence = data_file(o.evidence, "barrier_evidence.csv");
  from.historical = data_file(o.historical, "historical.csv");
  from.documented = data_file("", "documented_errors.csv");
  from.links = o.links;
  const report::report r(from);
  fmt::print("{}", r.text(format_of(o.format), page_of_output()));
  // What is no part of a document goes beside it.
  std::FILE* aside = o.format == "text" ? stdout : stderr;
  if (o.format == "csv")
    for (const std::string& note : r.notes()) fmt::print(stderr, "{}\n", note);
  if (o.plots.empty()) return;
  std::fflush(stdout);
  const toolchain::interrupt_scope scope;
  const report::drawing d = r.draw(o.plots, gnuplot());
  if (o.format == "text") fmt::print("\n");
  for (const fs::path& f : d.files) fmt::print(aside, "written: {}\n", f.string());
  if (!d.note.empty()) fmt::print(aside, "{}\n", d.note);
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("report", "Tables and figures from results files");
  auto o = std::make_shared<report_options>();
  sub->add_option("RESULTS", o->results, "what ptxlab bench wrote: any number, of any\nGPUs")
      ->type_name("")
      ->required();
  sub->add_option("--format", o->format, "text, md, csv, or tex (booktabs)")
      ->check(CLI::IsMember({"text", "md", "csv", "tex"}))
      ->type_name("FORMAT");
  sub->add_option("--plots", o->plots,
                  "folder for figures: gnuplot scripts and,\nwhere gnuplot is there, a PNG of each")
      ->type_name("DIR");
  sub->add_option("--filter", o->filter, "only ids that contain this")->type_name("PART");
  sub->add_option("--published", o->published,
                  "values to stand beside ours (without it\ndocs/data/published_hopper.csv)")
      ->type_name("FILE");
  sub->add_option("--bands", o->bands,
                  "what ours should fall into (without it\ndocs/data/bands.csv)")
      ->type_name("FILE");
  sub->add_option("--topic", o->topics,
                  "only tables and figures of these parts, or of\nall that begin so: barrier, "
                  "barrier.cost, ...")
      ->type_name("TOPIC")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes("--filter");
  sub->add_option("--evidence", o->evidence,
                  "of topics: what compilers and the machine say\n(without it "
                  "docs/data/barrier_evidence.csv)")
      ->type_name("FILE");
  sub->add_option("--historical", o->historical,
                  "of topics: figures of older documents\n(without it docs/data/historical.csv)")
      ->type_name("FILE");
  sub->add_option("--links", o->links, "of topics in md: the folder with the figures")
      ->type_name("DIR");
  sub->footer("Example: ptxlab report results.json --format md --plots figures");
  sub->callback([o, &code] {
    show(*o);
    code = exit_fine;
  });
}

const command_registration registered({"report", add});

}  // namespace
}  // namespace ptxlab::driver
