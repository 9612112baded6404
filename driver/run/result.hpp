// SPDX-License-Identifier: Apache-2.0
// All that a call of `ptxlab run` has to say, and its three formats.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/run/comparison.hpp"
#include "driver/run/difference.hpp"
#include "driver/run/outcome.hpp"

namespace ptxlab::run {

/// A buffer that was asked for with --out.
struct output {
  std::string name;
  type of = type::u32;
  std::vector<std::byte> bytes;
  std::string file;  ///< it was written there; empty: it is shown
};

struct device_difference {
  std::string name;
  type of = type::u32;
  difference is;
};

/// Of several runs with consecutive seeds: how they ended, with the tokens of each.
struct repeat_summary {
  unsigned runs = 0;
  std::map<std::string, std::vector<std::string>> endings;
};

struct result {
  const plan* what = nullptr;
  outcome run;                 ///< of several: the first that is not fine, else the first
  std::optional<outcome> gpu;  ///< of --device both, where the machine's run finished
  std::vector<std::string> notes;
  std::vector<output> outputs;
  std::vector<comparison_result> comparisons;
  std::vector<device_difference> differences;
  std::optional<repeat_summary> repeats;
};

/// "finished", "SIMT deadlock", "finished, differs", "finished, races": of one run.
std::string short_ending(const outcome& o, const std::vector<comparison_result>& comparisons);
/// Finished, comparisons hold, no race where races were asked for, devices agree or the difference
/// is one that the PTX leaves open, and no repeat was otherwise.
bool fine(const result& r);

/// Stable lines for FileCheck.
std::string facts_format(const result& r);
/// For people, in 80 columns.
std::string text_format(const result& r);
std::string json_format(const result& r);

/// "4x1x1".
std::string extent(const std::uint32_t (&v)[3]);
/// "1 2 3 ... (1024 in all)": the first 16 elements.
std::string first_elements(type of, const std::vector<std::byte>& bytes);
/// "all 1024 equal, at most 1 ulp apart", "3 of 1024 differ".
std::string comparison_text(const comparison_result& c, type of);
/// "contraction: 3 of 1024 differ, at most 1 ulp; first [7] cpu 1.5 cuda 1.6; WHY".
std::string difference_text(const device_difference& d);
/// The type of the buffer that a comparison is about.
type type_of(const plan& p, const std::string& name);

}  // namespace ptxlab::run
