// SPDX-License-Identifier: Apache-2.0
// Fuzz targets: disassembly in both formats, and the cubin it came from.
#pragma once

#include <optional>

#include "analysis/sass/cubin.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/origin.hpp"
#include "analysis/sass/reader.hpp"
#include "analysis/toolchain/image.hpp"
#include "tests/fuzz/stages.hpp"

namespace ptxlab::fuzz {

inline void follow(const sass::module& m) {
  for (const sass::function& f : m.functions) {
    const flow::code c = sass::lower(m, f);
    const flow::graph g(c);
    study_loops(c, g);
    sass::origins origins(m, f, c, g);
    sass::callees(m, f);
    sass::calls_unknown(m, f);
    for (std::uint32_t i = 0; i < c.ops.size(); ++i)
      if (c.ops[i].memory != flow::space::none) origins.of(i);
  }
}

/// `nvdisasm -json`, and behind a form feed `nvdisasm -c` of the same cubin.
inline void sass_json_target(std::string_view input) {
  const auto [json, text] = halves(input);
  try {
    sass::module m = sass::read_json(json);
    if (!text.empty()) sass::annotate(m, text);
    follow(m);
  } catch (const error&) {
  }
  toolchain::build b = empty_build(toolchain::input_kind::cubin);
  b.sass_json.text = json;
  if (!text.empty()) b.sass_text.text = text;
  inspect_and_print(b);
}

/// `nvdisasm -c`: a dump that can be read annotates itself.
inline void sass_text_target(std::string_view input) {
  std::optional<sass::module> m;
  try {
    m = sass::read_text(input);
  } catch (const error&) {
    return;
  }
  if (m->trustworthy()) {
    try {
      sass::annotate(*m, input);
    } catch (const error& e) {
      throw std::logic_error(std::string("a dump is of its own code: ") + e.what());
    }
  }
  follow(*m);
  toolchain::build b = empty_build(toolchain::input_kind::cubin);
  b.sass_text.text = input;
  inspect_and_print(b);
}

/// Bytes of a cubin, whose kernel is called as in the seeds.
inline void cubin_target(std::string_view input) {
  try {
    toolchain::classify("input", input);
    toolchain::holds_code(input);
  } catch (const error&) {
  }
  sass::module m;
  m.functions.emplace_back().name = "seed";
  m.finish();
  try {
    sass::add_symbols(m, input);
  } catch (const error&) {
  }
}

}  // namespace ptxlab::fuzz
