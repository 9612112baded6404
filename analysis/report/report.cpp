// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.hpp"

#include <fmt/format.h>

#include <set>

#include "analysis/report/csv.hpp"
#include "analysis/report/differences.hpp"
#include "analysis/report/figures.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/latex.hpp"
#include "analysis/report/markdown.hpp"
#include "analysis/report/provenance.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/report/text.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

namespace fs = std::filesystem;

std::vector<source> read_all(const std::vector<fs::path>& paths) {
  std::vector<source> out;
  out.reserve(paths.size());
  for (const fs::path& p : paths) out.push_back({p.string(), results::read(p)});
  return out;
}

/// Rows may name a published quantity that the file does not have: misspelt, or removed.
std::string unknown_quantities(const collection& all, const published& others) {
  std::set<std::string> names;
  for (const section& s : all.sections())
    for (const measurement& m : s.measurements)
      if (!m.row().published.empty() && others.of(m.row().published).empty())
        names.insert(m.row().published);
  std::string out;
  for (const std::string& n : names) out += fmt::format("{}'{}'", out.empty() ? "" : ", ", n);
  return out;
}

}  // namespace

report::report(const inputs& from)
    : filter_(from.filter),
      links_(from.links),
      topics_(topics_of(from.topics)),
      collection_(read_all(from.results), from.filter) {
  if (!from.evidence.empty()) evidence_ = evidence(from.evidence);
  if (!from.historical.empty()) historical_ = historical(from.historical);
  if (!from.documented.empty()) documented_ = documented(from.documented);
  if (!topics_.empty()) {
    if (collection_.sections().empty()) notes_.emplace_back("The results hold no row.");
    if (!evidence_.known())
      notes_.emplace_back("Without what compilers and the PTX machine say: no file of it.");
    if (!historical_.known())
      notes_.emplace_back("Without figures of older documents: no file of them.");
    return;
  }
  if (collection_.sections().empty()) notes_.emplace_back("The results hold no row.");
  if (from.published.empty()) {
    notes_.emplace_back("Without published values: no file of them was found.");
  } else {
    published_ = published(from.published);
    if (const std::string names = unknown_quantities(collection_, published_); !names.empty())
      notes_.push_back(fmt::format("Not among the published quantities: {}.", names));
  }
  if (from.bands.empty())
    notes_.emplace_back("Without bands: no file of them was found.");
  else
    bands_ = bands(from.bands);
}

std::string report::text(format as, const facts::page& page) const {
  if (as == format::csv && !topics_.empty())
    throw error("CSV holds every row; a topic is for text, Markdown or LaTeX");
  if (as == format::csv) return csv_format(collection_, published_);
  document d;
  if (!topics_.empty())
    d = by_topic(as);
  else
    for (const section& s : collection_.sections())
      d.parts.push_back(
          {s.of.text(),
           tables_of(s, published_),
           {differences_of(s, published_, bands_, !filter_.empty()), provenance_of(s)}});
  d.notes = notes_;
  return as == format::markdown ? markdown_format(d)
         : as == format::latex  ? latex_format(d)
                                : text_format(d, page);
}

document report::by_topic(format as) const {
  document out;
  const std::size_t sections = collection_.sections().size();
  for (const section& s : collection_.sections()) {
    const topic_context c{s, evidence_, historical_, &documented_};
    part p{sections == 1 && as == format::markdown ? "" : s.of.text(), {}, {}};
    for (const topic* t : topics_) {
      if (t->tables != nullptr)
        for (table& one : t->tables(c)) p.tables.push_back(std::move(one));
      if (t->list != nullptr) p.lists.push_back(t->list(s));
      if (t->figures == nullptr) continue;
      const std::vector<figure> figures = t->figures(c);
      if (figures.empty() && t->tables == nullptr)
        p.lists.push_back({t->name + ": " + t->says, {not_measured_text}});
      if (links_.empty()) continue;
      for (const figure& f : figures)
        p.pictures.push_back({f.says, fmt::format("{}/{}.png", links_,
                                                  figure_name(f, out.parts.size() + 1, sections))});
    }
    out.parts.push_back(std::move(p));
  }
  return out;
}

std::vector<figure> report::figures_in(const section& s) const {
  if (topics_.empty()) return figures_of(s, filter_);
  std::vector<figure> out;
  for (const topic* t : topics_)
    if (t->figures != nullptr)
      for (figure& f : t->figures({s, evidence_, historical_, &documented_}))
        out.push_back(std::move(f));
  return out;
}

drawing report::draw(const fs::path& folder, const std::string& gnuplot) const {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code || !fs::is_directory(folder, code))
    throw error(fmt::format("{}: cannot make the folder: {}", folder.string(),
                            code ? code.message() : "it is a file"));
  drawing out;
  std::vector<std::string> names;
  std::size_t number = 0;
  for (const section& s : collection_.sections()) {
    ++number;
    for (const figure& f : figures_in(s)) {
      const std::string name = figure_name(f, number, collection_.sections().size());
      toolchain::write_file(folder / (name + ".gp"), script_of(f, name));
      names.push_back(name);
    }
  }
  if (names.empty())
    out.note = topics_.empty() ? "nothing to draw: no curve, surface or fence in the results"
                               : "nothing to draw for these topics in the results";
  for (const std::string& name : names) {
    out.files.push_back(folder / (name + ".gp"));
    if (!out.note.empty()) continue;
    out.note = run_gnuplot(gnuplot, folder, name);
    if (out.note.empty()) out.files.push_back(folder / (name + ".png"));
  }
  return out;
}

}  // namespace ptxlab::report
