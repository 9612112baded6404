// SPDX-License-Identifier: Apache-2.0
#include "driver/run/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

constexpr std::size_t most_shown = 8, most_places = 1 << 20;

}  // namespace

comparison::comparison(const plan& p, const std::string& text, std::uint64_t ulp) : ulp_(ulp) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos)
    throw error(fmt::format("--compare {}: expected BUFFER=FILE or BUFFER=FORMULA", text));
  which_ = find_looked_at(p, text.substr(0, equals));
  const looked_at x = all_looked_at(p)[which_];
  name_ = x.name;
  of_ = x.what->of;
  count_ = x.what->count;
  std::string with = text.substr(equals + 1);
  const bool is_file = with.starts_with("file:");
  if (is_file) with = with.substr(5);
  std::error_code ignored;
  if (is_file || std::filesystem::exists(with, ignored)) {
    file_ = read_elements(with, of_);
    if (file_.size() != x.what->buffer_bytes())
      throw error(fmt::format("--compare {}: the file holds {} elements, '{}' has {}", text,
                              file_.size() / element_bytes(of_), name_, count_));
    return;
  }
  std::vector<const argument*> buffers;
  for (const looked_at& b : all_looked_at(p))
    if (!b.is_variable) buffers.push_back(b.what);
  try {
    formula_.emplace(with, of_, buffers);
  } catch (const error& e) {
    throw error(fmt::format("--compare {}: no such file, and {}", text, e.what()));
  }
}

comparison_result comparison::check(const std::vector<std::vector<std::byte>>& contents) const {
  comparison_result out;
  out.name = name_;
  out.elements = count_;
  const std::uint64_t allowed = machine::is_floating(of_) ? ulp_ : 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const element_bits got = element_at(contents.at(which_), of_, i);
    const element_bits expected = formula_ ? formula_->at(i, count_) : element_at(file_, of_, i);
    const std::uint64_t apart = ulp_distance(of_, got, expected);
    out.largest_ulp = std::max(out.largest_ulp, apart);
    if (apart <= allowed) continue;
    ++out.differing;
    if (out.where.size() < most_places) out.where.push_back(i);
    if (out.first.size() < most_shown) out.first.push_back({i, got, expected});
  }
  return out;
}

}  // namespace ptxlab::run
