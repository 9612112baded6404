// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of both readers do with code that could be read: everything that `inspect`
// does with it, up to the printed facts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/facts/facts_format.hpp"
#include "analysis/facts/json_format.hpp"
#include "analysis/facts/text_format.hpp"
#include "analysis/inspect/inspect.hpp"
#include "ptx/flow/loop_facts.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::fuzz {

/// A promise of the library that an input broke. Not a ptxlab::error, so nothing swallows it.
inline void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

/// The two halves of an input that stands for two files, cut at the first form feed; without one
/// the second half is empty.
inline std::pair<std::string_view, std::string_view> halves(std::string_view input) {
  const std::size_t cut = input.find('\f');
  if (cut == std::string_view::npos) return {input, {}};
  return {input.substr(0, cut), input.substr(cut + 1)};
}

/// Graph, loops and what keeps them going.
inline void study_loops(const flow::code& c, const flow::graph& g) {
  const flow::definitions d(c);
  flow::effort e;
  for (const flow::loop& l : flow::find_loops(g).loops) {
    const flow::loop_facts f = flow::study(c, g, d, l, &e);
    require(f.instructions > 0, "a loop has instructions");
    for (const std::uint32_t p : f.polls) flow::followed_by_invalidate(c, g, p);
  }
}

/// A build in which no step has made anything yet.
inline toolchain::build empty_build(toolchain::input_kind kind) {
  toolchain::build b;
  b.input = "input";
  b.kind = kind;
  b.arch = "sm_90";
  for (toolchain::product* p : {&b.ptx, &b.unoptimised_ptx, &b.cubin, &b.ptxas_log, &b.sass_json,
                                &b.sass_text, &b.resource_usage})
    p->problem = "not built";
  return b;
}

/// Inspects the build and prints the facts in every format.
inline void inspect_and_print(const toolchain::build& b) {
  try {
    const facts::report r = inspect::inspect(b, {}, {});
    facts::facts_format(r);
    facts::text_format(r, {});
    facts::summary_table({r}, {});
    facts::json_format({r});
  } catch (const error&) {
  }
}

}  // namespace ptxlab::fuzz
