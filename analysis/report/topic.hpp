// SPDX-License-Identifier: Apache-2.0
// Reports on one subject: the tables and figures that a document is about, and no others. A topic
// has parts, so that prose can stand between them.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/barrier.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/figures.hpp"

namespace ptxlab::report {

struct topic {
  std::string name;  ///< "barrier.cost"
  std::string says;
  std::vector<table> (*tables)(const barrier_context&);    ///< or null
  std::vector<figure> (*figures)(const barrier_context&);  ///< or null
  item_list (*list)(const section&) = nullptr;
};

/// All parts, in the order in which they are read.
const std::vector<topic>& topics();

/// Those that `wanted` names: each a part, or a word that parts begin with ("barrier"). Throws
/// ptxlab::error for one that fits none, and says which there are.
std::vector<const topic*> topics_of(const std::vector<std::string>& wanted);

/// A figure's file name, without suffix, of section `number` (from 1) of `sections`.
std::string figure_name(const figure& f, std::size_t number, std::size_t sections);

}  // namespace ptxlab::report
