// SPDX-License-Identifier: Apache-2.0
// Inline-asm statements of CUDA C++ text. The PTX shows the instructions of an asm but neither its
// qualifier nor its clobbers; only the source has those.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::facts {

struct asm_statement {
  std::string file;   ///< as the PTX names it; empty from read_asm_statements()
  int line = 0;       ///< of the word `asm`, from 1
  int last_line = 0;  ///< of the closing parenthesis
  bool is_volatile = false;
  bool memory_clobber = false;
};

/// The asm statements of a text, in order. Comments, strings, raw strings and character literals
/// are told from code; macros are not expanded, so that a statement made by one is not found where
/// it is used. A statement that is not closed is left out.
std::vector<asm_statement> read_asm_statements(std::string_view text);

/// The one statement whose lines include that line of `file`; null if there is none or several, for
/// the operands of a statement may give its code any of its lines.
const asm_statement* find_asm_statement(const std::vector<asm_statement>& all,
                                        std::string_view file, int line);

}  // namespace ptxlab::facts
