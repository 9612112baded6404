// SPDX-License-Identifier: Apache-2.0
// A report as LaTeX tables, for the packages booktabs and array.
#pragma once

#include <string>

#include "analysis/report/document.hpp"

namespace ptxlab::report {

/// Table environments for \input; a table of many lines becomes several. What else the report says
/// stands in comments, and the setting in each caption as well.
std::string latex_format(const document& d);

/// `text` so that LaTeX prints it as it is.
std::string latex_escaped(const std::string& text);

}  // namespace ptxlab::report
