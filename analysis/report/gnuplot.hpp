// SPDX-License-Identifier: Apache-2.0
// Scripts for gnuplot: what all of them share, safe quoting, and running one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "analysis/report/figures.hpp"

namespace ptxlab::report {

/// `text` as a gnuplot string; control characters become blanks.
std::string quoted(const std::string& text);

/// A script that draws `f` into NAME.png, 1000 x 620, in the folder it is run in.
std::string script_of(const figure& f, const std::string& name);

/// Runs NAME.gp in `folder` with the program `gnuplot`, a path or a name on PATH. Empty, or one
/// line that says why there is no picture.
std::string run_gnuplot(const std::string& gnuplot, const std::filesystem::path& folder,
                        const std::string& name);

/// How many colours there are before they come again.
inline constexpr std::size_t colours_apart = 8;

/// A colour that stays apart from the others for colour-blind readers (Okabe and Ito, 2008).
std::string colour_of(std::size_t index);

/// A title in two lines: what is shown, and in which setting.
std::string title_of(const std::string& what, const section& s);

}  // namespace ptxlab::report
