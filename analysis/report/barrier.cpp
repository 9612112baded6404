// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/barrier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "analysis/report/quantity.hpp"
#include "analysis/report/tables.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view family = "barrier/";

/// Clusters of blocks do not fill every device: so much of it counts as all.
constexpr double nearly_all = 0.9;

/// The last part of barrier/NAME/VARIANT is one of those that a barrier has.
bool is_of_a_barrier(std::string_view variant) {
  return variant == "bare" || variant == "dirty" || variant == "late" || variant == "transform" ||
         variant.starts_with("litmus");
}

bool holds(const std::map<std::string, double>& all, const std::map<std::string, double>& some) {
  return std::all_of(some.begin(), some.end(), [&](const auto& axis) {
    const auto at = all.find(axis.first);
    return at != all.end() && at->second == axis.second;
  });
}

std::string reason_of(const results::row& r) {
  return fmt::format("{}{}: {}{}", r.id, r.axes.empty() ? "" : ", " + axes_text(r.axes),
                     results::name(r.state), r.reason.empty() ? "" : ": " + r.reason);
}

}  // namespace

std::vector<std::string> barriers_of(const section& s) {
  std::set<std::string> names;
  for (const measurement& m : s.measurements) {
    const std::string& id = m.row().id;
    const auto last = id.rfind('/');
    if (id.starts_with(family) && last > family.size() && is_of_a_barrier(id.substr(last + 1)))
      names.insert(id.substr(family.size(), last - family.size()));
  }
  return {names.begin(), names.end()};
}

std::string barrier_id(const std::string& name, const std::string& variant) {
  return fmt::format("{}{}/{}", family, name, variant);
}

const measurement* find(const section& s, const std::string& id, const std::string& quantity,
                        const std::map<std::string, double>& axes) {
  const measurement* found = nullptr;
  for (const measurement& m : s.measurements) {
    if (m.row().id != id || m.row().quantity != quantity || !holds(m.row().axes, axes)) continue;
    if (m.ok()) return &m;
    if (found == nullptr) found = &m;
  }
  return found;
}

std::optional<double> multiprocessors(const section& s) {
  const auto& device = s.files.front()->of.device;
  const auto at = device.find("multiprocessors");
  return at == device.end() ? std::nullopt : number_of(at->second);
}

const measurement* round_of(const section& s, const std::string& name, const std::string& variant,
                            double blocks_per_sm) {
  const auto sms = multiprocessors(s);
  if (!sms) return nullptr;
  const std::string id = barrier_id(name, variant);
  const double most = *sms * blocks_per_sm;
  double nearest = 0;
  for (const measurement& m : s.measurements) {
    const auto& axes = m.row().axes;
    if (m.row().id != id || !axes.contains("blocks") || axes.at("blocks") > most) continue;
    if (holds(axes, {{"threads", usual_threads}})) nearest = std::max(nearest, axes.at("blocks"));
  }
  if (nearest < most * nearly_all) return nullptr;
  return find(s, id, "latency", {{"blocks", nearest}, {"threads", usual_threads}});
}

std::string value_cell(const measurement* m, int decimals, std::vector<std::string>& notes,
                       double less) {
  if (m == nullptr) return not_measured_text;
  if (m->ok()) return fixed(m->row().value->median - less, decimals);
  const std::string why = reason_of(m->row());
  if (std::find(notes.begin(), notes.end(), why) == notes.end()) notes.push_back(why);
  return results::name(m->row().state);
}

std::string microseconds_cell(const measurement* m, std::vector<std::string>& notes) {
  if (m == nullptr || !m->ok()) return value_cell(m, 0, notes);
  const auto ns = nanoseconds(m->row().value->median, m->row().sm_clock_mhz);
  return ns ? fixed(*ns / 1000, 3) : "no clock seen";
}

std::optional<double> total(const results::row& r) {
  bool any = false;
  double out = 0;
  for (const results::series& s : r.raw) {
    any |= !s.values.empty();
    out = std::accumulate(s.values.begin(), s.values.end(), out);
  }
  if (any) return out;
  if (r.value && r.value->samples == 1) return r.value->median;
  return {};
}

std::string best_barrier::text() const {
  return sound ? name : name + " (soundness not shown)";
}

std::optional<best_barrier> best_of(const topic_context& c) {
  std::optional<best_barrier> out;
  double fastest = 0;
  for (const std::string& name : barriers_of(c.of)) {
    const measurement* m = round_of(c.of, name, "bare", 1);
    if (m == nullptr || !m->ok() || name.starts_with("cooperative")) continue;
    const soundness is = judge(c, name).is;
    if (is == soundness::no) continue;
    const bool sound = is == soundness::yes;
    if (out && (out->sound != sound ? out->sound : fastest <= m->row().value->median)) continue;
    out = best_barrier{name, sound};
    fastest = m->row().value->median;
  }
  return out;
}

std::optional<std::string> cooperative_of(const section& s) {
  for (const std::string& name : barriers_of(s))
    if (name.starts_with("cooperative")) return name;
  return {};
}

std::vector<table> family_tables(const topic_context& c, const std::string& prefix) {
  section some{c.of.of, c.of.files, {}};
  for (const measurement& m : c.of.measurements)
    if (m.row().id.starts_with(prefix)) some.measurements.push_back(m);
  if (some.measurements.empty())
    return {{fmt::format("{}: {}", prefix, not_measured_text), {{"id"}}, {}}};
  return tables_of(some, {});
}

std::vector<table> lost_tables(const topic_context& c) {
  // Most kernels that fail do so at many points, for one reason.
  std::map<std::tuple<std::string, results::status, std::string>, std::vector<const measurement*>>
      lost;
  for (const measurement& m : c.of.measurements)
    if (!m.ok() && m.row().id.starts_with(family))
      lost[{m.row().id, m.row().state, m.row().reason}].push_back(&m);
  table out{"Without a value",
            {{"kernel", false, true},
             {"state"},
             {"rows", true},
             {"in common", false, true, 1},
             {"reason", false, true}},
            {}};
  for (const auto& [key, rows] : lost) {
    const auto& [id, state, reason] = key;
    const std::string common = axes_text(common_axes(rows));
    out.lines.push_back(
        {{id, results::name(state), std::to_string(rows.size()), common.empty() ? absent : common,
          reason.empty() ? "no reason given" : reason},
         {}});
  }
  if (lost.empty()) out.title += ": none";
  return {out};
}

}  // namespace ptxlab::report
