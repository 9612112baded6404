// SPDX-License-Identifier: Apache-2.0
// Which spellings of an instruction are legal, as a pattern, and what a spelling that matches it
// has chosen. The pattern is read by the decoder, by the "supported PTX" page and by the generator
// of golden values.
//
// A pattern is a list of groups with blanks between: `NAME:ALT|ALT|...`, with `?` behind it when it
// may be left out; a group that is named like its one alternative is written `ALT`. Example, fma:
// `rnd:rn|rz|rm|rp ftz? sat? t:f32`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/machine/type.hpp"
#include "ptx/text/opcode.hpp"

namespace ptxlab::machine {

/// What one spelling chose. Views into the pattern and the module's text.
class choice {
 public:
  bool has(std::string_view group) const { return !get(group).empty(); }
  /// The alternative chosen, empty if the group was left out.
  std::string_view get(std::string_view group) const;
  bool is(std::string_view group, std::string_view alternative) const {
    return get(group) == alternative;
  }
  /// The type that a group chose. Throws ptxlab::error when it chose none.
  ptxlab::machine::type type(std::string_view group) const;

  std::vector<std::pair<std::string_view, std::string_view>> chosen;
};

struct group {
  std::string_view name;
  std::vector<std::string_view> alternatives;
  bool optional = false;
};

/// The groups of a pattern. Throws ptxlab::error for a pattern that is none.
std::vector<group> read_pattern(std::string_view pattern);

/// Matches the modifiers of an opcode. Each must be taken by a group, and each group that may not
/// be left out must take one; groups take in their own order, modifiers may stand in any. Returns
/// whether it matches; `c` is what was chosen, and when not, `left` the first modifier that no
/// group takes (empty: one is missing).
bool match(const std::vector<group>& pattern, const ptx::opcode& op, choice& c,
           std::string_view& left);

/// Every spelling of the pattern behind `base`, in order.
std::vector<std::string> spellings(std::string_view base, const std::vector<group>& pattern);

}  // namespace ptxlab::machine
