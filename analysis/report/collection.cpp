// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/report/quantity.hpp"
#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

std::string value_of(const std::map<std::string, std::string>& from, const char* key) {
  const auto at = from.find(key);
  return at == from.end() || at->second.empty() ? "unknown" : at->second;
}

/// Strides side by side, each from the smallest footprint to the largest.
std::vector<std::pair<std::string, double>> order_of(const std::map<std::string, double>& axes) {
  std::vector<std::pair<std::string, double>> out(axes.begin(), axes.end());
  std::stable_partition(out.begin(), out.end(),
                        [](const auto& axis) { return axis.first != "footprint_bytes"; });
  return out;
}

auto point_of(const results::row& r) {
  return std::tuple(r.id, r.quantity, order_of(r.axes), r.unit);
}

/// What two rows share that are runs of the same thing.
auto identity_of(const results::row& r) {
  return std::tuple(point_of(r), r.cubin_sha256, r.state, r.reason);
}

std::vector<measurement> measurements_of(const std::vector<const results::file*>& files,
                                         const std::string& filter) {
  std::map<decltype(identity_of(std::declval<results::row>())), measurement> found;
  for (const results::file* f : files)
    for (const results::row& r : f->rows)
      if (r.id.find(filter) != std::string::npos) found[identity_of(r)].runs.push_back(&r);
  std::vector<measurement> out;
  out.reserve(found.size());
  for (auto& [identity, m] : found) out.push_back(std::move(m));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = i + 1; k < out.size(); ++k) {
      if (point_of(out[i].row()) != point_of(out[k].row())) break;
      if (out[i].row().cubin_sha256 != out[k].row().cubin_sha256)
        out[i].other_cubin = out[k].other_cubin = true;
    }
  return out;
}

void refuse_same_run(const std::vector<source>& sources) {
  std::map<std::string, std::string> seen;
  for (const source& s : sources) {
    const auto [at, fresh] = seen.emplace(results::text_of(s.content), s.name);
    if (!fresh) throw error(fmt::format("{}: the same run as {}", s.name, at->second));
  }
}

void refuse_nothing(const std::vector<source>& sources, const std::string& filter) {
  std::vector<std::string> ids;
  for (const source& s : sources)
    for (const results::row& r : s.content.rows) {
      if (r.id.find(filter) != std::string::npos) return;
      ids.push_back(family_of(r.id));
      ids.push_back(operation_of(r.id));
      ids.push_back(r.id);
    }
  if (!ids.empty())
    throw error(fmt::format("no id contains '{}'{}", filter, verdict::suggestion(filter, ids)));
}

}  // namespace

setting setting::of(const results::provenance& p) {
  const auto known = [](const std::string& text) { return text.empty() ? "unknown" : text; };
  return {value_of(p.device, "name"), value_of(p.device, "arch"), known(p.driver),
          value_of(p.toolkit, "nvcc"), known(p.commit)};
}

std::string setting::text() const {
  constexpr std::size_t digits = 12;
  std::string shown = commit.substr(0, digits);
  if (shown.size() < commit.size() && commit.ends_with('+')) shown += '+';
  return fmt::format("{} ({}), driver {}, nvcc {}, ptxlab {}", device, arch, driver, nvcc, shown);
}

double measurement::lowest_median() const {
  double out = row().value->median;
  for (const results::row* r : runs) out = std::min(out, r->value->median);
  return out;
}

double measurement::highest_median() const {
  double out = row().value->median;
  for (const results::row* r : runs) out = std::max(out, r->value->median);
  return out;
}

std::string measurement::spread() const {
  if (runs.size() < 2 || !ok()) return "";
  const double low = lowest_median(), high = highest_median();
  const int decimals = decimals_for(high);
  std::string out = fmt::format("{} runs: medians {} to {}", runs.size(), fixed(low, decimals),
                                fixed(high, decimals));
  if (low > 0) out += fmt::format(", {:.1f} % apart", (high - low) / low * 100);
  return out;
}

collection::collection(std::vector<source> sources, const std::string& filter)
    : sources_(std::move(sources)) {
  refuse_same_run(sources_);
  refuse_nothing(sources_, filter);
  std::sort(sources_.begin(), sources_.end(), [](const source& a, const source& b) {
    return std::tie(a.content.of.started, a.name) < std::tie(b.content.of.started, b.name);
  });
  std::map<setting, std::vector<const results::file*>> by_setting;
  for (const source& s : sources_) by_setting[setting::of(s.content.of)].push_back(&s.content);
  for (auto& [of, files] : by_setting) {
    section s{of, files, measurements_of(files, filter)};
    if (!s.measurements.empty()) sections_.push_back(std::move(s));
  }
}

}  // namespace ptxlab::report
