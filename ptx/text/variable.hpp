// SPDX-License-Identifier: Apache-2.0
// A variable declaration of PTX text: `.global .align 4 .b8 table[16] = {1, 2};`. The module keeps
// declarations as written; this reads one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ptxlab::ptx {

/// One scalar of an initialiser.
struct initial_value {
  std::string_view symbol;  ///< its address is meant; empty: a number
  std::int64_t value = 0;   ///< the number, or what is added to the address
  bool floating = false;    ///< `value` holds the bits of a double,
  bool single = false;      ///< or of a float (0f...)
};

struct variable {
  std::string_view space;  ///< "global", "const", "shared", "local", "param"
  std::string_view type;   ///< "b8", "f32", ...: of one element
  std::string_view name;
  std::uint32_t align = 1;          ///< bytes
  std::uint32_t element_bytes = 0;  ///< of one scalar
  std::uint64_t bytes = 0;          ///< of all; 0 for an array without size (`[]`)
  bool external = false, sized = true;
  std::vector<initial_value> initial;  ///< scalars in order; what is left out is zero
};

/// The variables that one declaration text declares; none for a text that is no variable
/// declaration (.version, .section, .pragma, ...). Throws ptxlab::error for one that is malformed.
std::vector<variable> read_variables(std::string_view text, std::string_view module_name);

/// Bytes of a fundamental type, with or without its dot: 1 for a predicate, 8 for a reference to a
/// texture, sampler or surface; 0 for what is no type.
std::uint32_t type_bytes(std::string_view type);

}  // namespace ptxlab::ptx
