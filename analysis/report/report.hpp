// SPDX-License-Identifier: Apache-2.0
// From results files to tables and figures; nothing else is asked, and no GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/facts/table.hpp"
#include "analysis/report/bands.hpp"
#include "analysis/report/collection.hpp"
#include "analysis/report/evidence.hpp"
#include "analysis/report/historical.hpp"
#include "analysis/report/published.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {

struct inputs {
  std::vector<std::filesystem::path> results;
  std::filesystem::path published;        ///< empty: go without
  std::filesystem::path bands;            ///< empty: go without
  std::string filter;                     ///< part of an id; empty: all
  std::vector<std::string> topics = {};   ///< see topic.hpp; empty: everything, by family
  std::filesystem::path evidence = {};    ///< what topics show beside results; empty: go without
  std::filesystem::path historical = {};  ///< figures of older documents; empty: go without
  std::filesystem::path documented = {};  ///< errors of functions; empty: go without
  std::string links = {};  ///< where Markdown of topics finds its figures; empty: it shows none
};

enum class format { text, markdown, csv, latex };

/// What `draw` made.
struct drawing {
  std::vector<std::filesystem::path> files;
  std::string note;  ///< why there are scripts and no pictures, or that there was nothing to draw
};

class report {
 public:
  /// Reads everything. Throws ptxlab::error for the first file that cannot be used.
  explicit report(const inputs& from);

  /// The tables. Notes stand at their end, in CSV nowhere. With topics a single setting is not told
  /// in Markdown, where a document does; CSV has no topics, and throws ptxlab::error.
  std::string text(format as, const facts::page& page) const;
  /// What the report had to do without.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Writes gnuplot scripts to `folder` (made if it is not there) and, with the program `gnuplot`,
  /// a PNG beside each. Throws ptxlab::error for a folder or script that cannot be written.
  drawing draw(const std::filesystem::path& folder, const std::string& gnuplot) const;

 private:
  document by_topic(format as) const;
  std::vector<figure> figures_in(const section& s) const;

  std::string filter_, links_;
  std::vector<const topic*> topics_;
  evidence evidence_;
  historical historical_;
  documented documented_;
  collection collection_;
  published published_;
  bands bands_;
  std::vector<std::string> notes_;
};

}  // namespace ptxlab::report
