// SPDX-License-Identifier: Apache-2.0
// Finds the EXPECT lines of a text file of any language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/verdict/expectation.hpp"

namespace ptxlab::verdict {

/// The expectations of `text` in order; `file` names it in places and messages. A directive is the
/// first word of a line or of a comment. Throws ptxlab::error "FILE:LINE:COLUMN: message" for one
/// that does not parse, and for a word so close to EXPECT that it can only be a misspelling:
/// skipping it would be a check that checks nothing.
std::vector<expectation> scan_text(std::string_view text, const std::string& file);

/// The same for the file at `path`. Throws ptxlab::error if it cannot be read or is not text.
std::vector<expectation> scan_file(const std::string& path);

}  // namespace ptxlab::verdict
