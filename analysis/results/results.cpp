// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::results {
namespace {

using json = nlohmann::json;

constexpr const char* status_names[] = {"ok", "invalid", "error", "not run"};

status status_of(const std::string& text) {
  for (int i = 0; i < 4; ++i)
    if (text == status_names[i]) return static_cast<status>(i);
  throw error(fmt::format("unknown status '{}'", text));
}

json to_json(const summary& s) {
  return {{"median", s.median}, {"min", s.min}, {"max", s.max},        {"mad", s.mad},
          {"p5", s.p5},         {"p95", s.p95}, {"samples", s.samples}};
}

summary summary_of(const json& j) {
  summary s;
  s.median = j.at("median");
  s.min = j.at("min");
  s.max = j.at("max");
  s.mad = j.at("mad");
  s.p5 = j.at("p5");
  s.p95 = j.at("p95");
  s.samples = j.at("samples");
  return s;
}

/// Clocks count in integers, and "148" is shorter than "148.0".
json to_json(const std::vector<double>& values) {
  json out = json::array();
  for (const double v : values) {
    if (v == std::floor(v) && std::abs(v) < 1e15) {
      out.push_back(static_cast<std::int64_t>(v));
    } else {
      out.push_back(v);
    }
  }
  return out;
}

/// The members of `resources` by their names in the file.
constexpr std::pair<const char*, std::optional<std::int64_t> resources::*> resource_names[] = {
    {"registers", &resources::registers},         {"spill_bytes", &resources::spill_bytes},
    {"shared_bytes", &resources::shared_bytes},   {"block_threads", &resources::block_threads},
    {"blocks_per_sm", &resources::blocks_per_sm}, {"loads_in_flight", &resources::loads_in_flight}};

json to_json(const resources& u) {
  json out = json::object();
  for (const auto& [key, member] : resource_names)
    if (u.*member) out[key] = *(u.*member);
  return out;
}

resources resources_of(const json& j) {
  const auto all = j.get<std::map<std::string, std::int64_t>>();
  resources out;
  for (const auto& [key, member] : resource_names)
    if (const auto at = all.find(key); at != all.end()) out.*member = at->second;
  return out;
}

json to_json(const row& r) {
  json j = {{"id", r.id},
            {"protocol", r.protocol},
            {"quantity", r.quantity},
            {"unit", r.unit},
            {"status", name(r.state)},
            {"sass", r.sass},
            {"cubin_sha256", r.cubin_sha256},
            {"sm_clock_mhz", r.sm_clock_mhz}};
  const auto put = [&j](const char* key, const auto& value) {
    if (!value.empty()) j[key] = value;
  };
  put("axes", r.axes);
  put("reason", r.reason);
  put("flags", r.flags);
  put("published", r.published);
  put("resources", to_json(r.uses));
  if (r.value) j["value"] = to_json(*r.value);
  if (r.static_cycles) j["static_cycles"] = *r.static_cycles;
  if (r.residual) j["residual"] = *r.residual;
  if (r.by_timer_ns) j["by_timer_ns"] = *r.by_timer_ns;
  if (!r.raw.empty()) {
    j["raw_unit"] = r.raw_unit;
    for (const series& s : r.raw)
      j["raw"].push_back({{"length", s.length}, {"values", to_json(s.values)}});
  }
  return j;
}

row row_of(const json& j) {
  row r;
  r.id = j.at("id");
  r.protocol = j.at("protocol");
  r.quantity = j.at("quantity");
  r.unit = j.at("unit");
  r.state = status_of(j.at("status"));
  r.sass = j.value("sass", "");
  r.cubin_sha256 = j.value("cubin_sha256", "");
  r.sm_clock_mhz = j.value("sm_clock_mhz", 0.0);
  r.axes = j.value("axes", r.axes);
  r.reason = j.value("reason", "");
  r.flags = j.value("flags", r.flags);
  r.published = j.value("published", "");
  if (j.contains("value")) r.value = summary_of(j.at("value"));
  if (j.contains("resources")) r.uses = resources_of(j.at("resources"));
  if (r.value.has_value() != (r.state == status::ok))
    throw error(
        fmt::format("{} is '{}' and {} value", r.id, name(r.state), r.value ? "has a" : "has no"));
  if (j.contains("static_cycles")) r.static_cycles = j.at("static_cycles").get<double>();
  if (j.contains("residual")) r.residual = j.at("residual").get<double>();
  if (j.contains("by_timer_ns")) r.by_timer_ns = j.at("by_timer_ns").get<double>();
  r.raw_unit = j.value("raw_unit", "");
  for (const json& s : j.value("raw", json::array()))
    r.raw.push_back({s.at("length"), s.at("values").get<std::vector<double>>()});
  return r;
}

}  // namespace

const char* name(status s) {
  return status_names[static_cast<int>(s)];
}

file parse(std::string_view text, const std::string& where) {
  try {
    const json j = json::parse(text);
    if (!j.is_object() || j.value("schema", "") != schema)
      throw error(fmt::format("no results (schema {})", schema));
    file f;
    const json& run = j.at("run");
    f.of.device = run.at("device");
    f.of.toolkit = run.at("toolkit");
    f.of.driver = run.at("driver");
    f.of.commit = run.at("commit");
    f.of.started = run.at("started");
    f.of.notes = run.value("notes", f.of.notes);
    for (const json& r : j.at("rows")) f.rows.push_back(row_of(r));
    return f;
  } catch (const json::exception& e) {
    throw error(fmt::format("{}: {}", where, e.what()));
  } catch (const error& e) {
    throw error(fmt::format("{}: {}", where, e.what()));
  }
}

file read(const std::filesystem::path& path) {
  return parse(toolchain::read_file(path), path.string());
}

std::string text_of(const row& r) {
  return to_json(r).dump();
}

row parse_row(std::string_view text) {
  try {
    return row_of(json::parse(text));
  } catch (const json::exception& e) {
    throw error(fmt::format("row: {}", e.what()));
  }
}

std::string text_of(const file& f) {
  const json run = {{"device", f.of.device}, {"toolkit", f.of.toolkit}, {"driver", f.of.driver},
                    {"commit", f.of.commit}, {"started", f.of.started}, {"notes", f.of.notes}};
  std::string out =
      fmt::format("{{\"schema\":\"{}\",\n\"run\":{},\n\"rows\":[", schema, run.dump());
  for (std::size_t i = 0; i < f.rows.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + text_of(f.rows[i]);
  return out + "\n]}\n";
}

void write(const file& f, const std::filesystem::path& path) {
  toolchain::write_file(path, text_of(f));
}

}  // namespace ptxlab::results
