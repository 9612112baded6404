// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ptx/machine/row.hpp"
#include "ptx/machine/specials.hpp"
#include "ptx/machine/spelling.hpp"

namespace ptxlab::machine {
namespace {

std::string form_text(const row& r) {
  std::string out(r.base);
  for (const group& g : read_pattern(r.pattern)) {
    std::string list;
    for (const std::string_view a : g.alternatives)
      list += (list.empty() ? "." : ",.") + std::string(a);
    out += g.alternatives.size() > 1 || g.optional
               ? fmt::format("{{{}}}{}", list, g.optional ? "?" : "")
               : list;
  }
  return out;
}

/// The letters of a plain operation as operands: d, a, b, c.
std::string operand_text(const row& r) {
  if (r.build != nullptr) return std::string(r.operands);
  const std::size_t less = r.operands.find('<');
  std::string out = r.operands[0] == 'P' ? "p{|q}" : r.operands[0] == 'p' ? "p" : "d";
  char name = 'a';
  for (const char letter : r.operands.substr(less + 1)) {
    out += letter == 'q' ? fmt::format("{{, {}}}", name) : fmt::format(", {}", name);
    name = name == 'c' ? 'e' : static_cast<char>(name + 1);  // d is the result
  }
  return out;
}

/// Long forms go on in lines of their own.
std::string wrapped(const std::string& form, std::size_t width) {
  std::string out;
  std::size_t at = 0;
  while (form.size() - at > width) {
    std::size_t cut = form.rfind('{', at + width);
    if (cut == std::string::npos || cut <= at) cut = form.rfind(',', at + width) + 1;
    if (cut <= at) break;
    out += form.substr(at, cut - at) + "\n      ";
    at = cut;
  }
  return out + form.substr(at);
}

}  // namespace

std::string table_text() {
  std::vector<const row*> all;
  for (const row& r : operation_table()) all.push_back(&r);
  std::stable_sort(all.begin(), all.end(),
                   [](const row* a, const row* b) { return a->base < b->base; });
  std::string out;
  for (const row* r : all) {
    out += wrapped(form_text(*r), 100);
    if (const std::string operands = operand_text(*r); !operands.empty()) out += "  " + operands;
    if (!r->note.empty()) out += fmt::format("    ({})", r->note);
    out += "\n";
  }
  out += "\nspecial registers:\n";
  for (const special_register& s : special_registers())
    out +=
        s.says.empty() ? fmt::format("{}\n", s.name) : fmt::format("{}    ({})\n", s.name, s.says);
  return out;
}

}  // namespace ptxlab::machine
