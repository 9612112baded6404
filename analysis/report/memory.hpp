// SPDX-License-Identifier: Apache-2.0
// The tables and figures of the topics on memory: coalescing, banks, vectors, constant, local,
// spaces.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/access.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// A row of a swept access with its pattern.
struct swept_access {
  access_pattern of;
  const measurement* m = nullptr;

  /// Cycles that one access of a warp takes, from a latency or from lanes per cycle; nothing where
  /// it was not measured.
  std::optional<double> cycles() const;
};
/// All rows of `id`, by the axis that was swept.
std::vector<swept_access> accesses_of(const section& s, const std::string& id);
/// "1.00", or why there is none.
std::string cycles_cell(const swept_access& a, int decimals, std::vector<std::string>& notes);

/// One line of a table on order: what was compared, and how the pairs came out.
line order_line(const std::string& what, const std::string& model, const order_check& o);
table order_table(const std::string& title);

/// A bar for each entry, from 0 or on a logarithmic axis; entries without a value are left out.
/// Nothing where fewer than two have one.
struct bar {
  std::string name;
  std::optional<double> value;
};
std::vector<figure> bars(const topic_context& c, const std::string& name, const std::string& what,
                         const std::string& unit, const std::vector<bar>& entries,
                         bool logarithmic = false);

/// Points of one curve by x.
struct curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool steps = false;  ///< drawn as a line behind the others: a model
};
/// Curves over one axis, those that have points; nothing where none has.
std::vector<figure> curves_over(const topic_context& c, const std::string& name,
                                const std::string& what, const std::string& x, const std::string& y,
                                const std::vector<curve>& all, const std::string& more = "");

std::vector<table> coalescing_tables(const topic_context& c);
std::vector<table> coalescing_orders(const topic_context& c);
std::vector<figure> coalescing_figures(const topic_context& c);

std::vector<table> bank_tables(const topic_context& c);
std::vector<table> tile_tables(const topic_context& c);
std::vector<table> bank_orders(const topic_context& c);
std::vector<figure> bank_figures(const topic_context& c);

std::vector<table> vector_tables(const topic_context& c);
std::vector<figure> vector_figures(const topic_context& c);

std::vector<table> constant_levels(const topic_context& c);
std::vector<table> constant_words(const topic_context& c);
std::vector<figure> constant_figures(const topic_context& c);

std::vector<table> local_tables(const topic_context& c);
std::vector<figure> local_figures(const topic_context& c);

std::vector<table> space_tables(const topic_context& c);
std::vector<figure> space_figures(const topic_context& c);

}  // namespace ptxlab::report
