// SPDX-License-Identifier: Apache-2.0
// A report as GitHub-flavoured Markdown.
#pragma once

#include <string>

#include "analysis/report/document.hpp"

namespace ptxlab::report {

std::string markdown_format(const document& d);

/// `text` so that Markdown shows it as it is, in a table cell as well.
std::string markdown_escaped(const std::string& text);

}  // namespace ptxlab::report
