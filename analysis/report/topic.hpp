// SPDX-License-Identifier: Apache-2.0
// Reports on one subject: the tables and figures that a document is about, and no others. A topic
// has parts, so that prose can stand between them. One file in analysis/report/topics adds one.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/documented.hpp"
#include "analysis/report/evidence.hpp"
#include "analysis/report/figures.hpp"
#include "analysis/report/historical.hpp"

namespace ptxlab::report {

/// All that a topic is made from.
struct topic_context {
  const section& of;
  const evidence& known;
  const historical& then;
  const documented* said = nullptr;  ///< errors of functions; null: no file of them
};

/// What stands for a number that no row has.
inline constexpr const char* not_measured_text = "not measured";

struct topic {
  std::string name;  ///< "barrier.cost"
  std::string says;
  std::vector<table> (*tables)(const topic_context&);    ///< or null
  std::vector<figure> (*figures)(const topic_context&);  ///< or null
  item_list (*list)(const section&) = nullptr;
};

/// The parts of one subject, in the order in which they are read.
struct topic_registration {
  explicit topic_registration(const std::vector<topic>& parts);
};

/// All parts, subjects by name.
const std::vector<topic>& topics();

/// Those that `wanted` names: each a part, or a word that parts begin with ("barrier"). Throws
/// ptxlab::error for one that fits none, and says which there are.
std::vector<const topic*> topics_of(const std::vector<std::string>& wanted);

/// A figure's file name, without suffix, of section `number` (from 1) of `sections`.
std::string figure_name(const figure& f, std::size_t number, std::size_t sections);

}  // namespace ptxlab::report
