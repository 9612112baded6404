// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unordered_map>

#include "analysis/sass/reader.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::sass {

void annotate(module& m, std::string_view text) {
  const module notes = read_text(text);
  const auto mismatch = [](std::string_view what) {
    throw error(fmt::format("SASS: line information is not of the same code: {}", what));
  };
  if (notes.arch != m.arch) mismatch("architecture " + notes.arch);
  std::vector<std::uint32_t> where(notes.positions.size());
  for (std::size_t i = 0; i < where.size(); ++i) {
    // An outer position is interned before the one that was inlined there.
    position p = notes.positions[i];
    p.file = m.intern_file(notes.files[p.file]);
    if (p.inlined_at != none) p.inlined_at = where[p.inlined_at];
    where[i] = m.intern_position(p);
  }
  std::unordered_map<std::string_view, const function*> by_name;
  for (const function& f : notes.functions) by_name[f.name] = &f;
  for (function& f : m.functions) {
    const auto it = by_name.find(f.name);
    if (it == by_name.end()) mismatch("it lacks function " + f.name);
    const function& n = *it->second;
    if (n.start != f.start || n.instructions.size() != f.instructions.size())
      mismatch("function " + f.name + " has another size");
    for (std::size_t i = 0; i < f.instructions.size(); ++i) {
      const instruction& from = n.instructions[i];
      if (notes.code_of(from).text != m.code_of(f.instructions[i]).text)
        mismatch(fmt::format("function {} at {:#x}", f.name, from.address));
      f.instructions[i].where = from.where == none ? none : where[from.where];
      f.instructions[i].ptx_line = from.ptx_line;
    }
    f.entry = n.entry;
    f.jump_tables = n.jump_tables;
  }
}

}  // namespace ptxlab::sass
