// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/gnuplot.hpp"

#include <fmt/format.h>

#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

/// The line of gnuplot's complaint that says what is wrong: the last one, without its place.
std::string complaint(const std::string& err) {
  std::string last;
  for (std::size_t at = 0; at < err.size();) {
    const auto end = std::min(err.find('\n', at), err.size());
    if (err.find_first_not_of(" \t^", at) < end) last = err.substr(at, end - at);
    at = end + 1;
  }
  return last;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "''";
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "'";
}

std::string title_of(const std::string& what, const section& s) {
  return fmt::format(
      "set label {} at screen 0.5, 0.955 center font ',13'\n"
      "set label {} at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'\n"
      "set tmargin at screen 0.87\n",
      quoted(what), quoted(s.of.text()));
}

std::string script_of(const figure& f, const std::string& name) {
  return fmt::format(
      "# Made by ptxlab report. To draw it again: gnuplot {0}.gp\n"
      "set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'\n"
      "set output '{0}.png'\n"
      "set border 3 linecolor rgb '#404040'\n"
      "set tics nomirror out\n"
      "set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5\n"
      "{1}",
      name, f.commands);
}

std::string run_gnuplot(const std::string& gnuplot, const std::filesystem::path& folder,
                        const std::string& name) {
  const std::string left = "; the scripts (.gp) are there to be drawn elsewhere";
  const std::filesystem::path picture = folder / (name + ".png");
  std::error_code code;
  std::filesystem::remove(picture, code);  // an old one would look like this one
  try {
    const auto done = toolchain::run({.argv = {gnuplot, name + ".gp"},
                                      .folder = folder,
                                      .timeout = std::chrono::minutes(2),
                                      .output_limit_bytes = 1 << 20});
    if (done.ok() && std::filesystem::exists(picture, code)) return "";
    const std::string why = complaint(done.err);
    return fmt::format("no picture {}.png: gnuplot: {}{}", name, why.empty() ? done.ending() : why,
                       left);
  } catch (const error& e) {
    if (toolchain::interrupt_scope::interrupted()) throw;
    return fmt::format("no pictures: {}{}", e.what(), left);
  }
}

std::string colour_of(std::size_t index) {
  constexpr const char* colours[colours_apart] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#999999"};
  return colours[index % colours_apart];
}

}  // namespace ptxlab::report
