// SPDX-License-Identifier: Apache-2.0
// Document C: the GPUs of 2011 beside the one that was measured, and every architecture.
#include <fmt/format.h>

#include <optional>

#include "analysis/facts/occupancy.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* gpus_then[] = {"GeForce GTX 295", "Tesla C2050", "GeForce GTX 480"};

/// A row of the document's table, and where the results' provenance has it now.
struct device_row {
  const char* row;
  const char* key;
  double now_per_unit = 1;  ///< one of the document's unit, in the provenance's
};

constexpr double kib = 1024;
constexpr device_row rows[] = {{"Total global memory", "memory_bytes", kib* kib},
                               {"Constant memory", "constant_bytes", kib},
                               {"Multiprocessors", "multiprocessors"},
                               {"Shared memory per multiprocessor", "shared_per_sm_bytes", kib},
                               {"Registers per multiprocessor", "registers_per_sm"},
                               {"Warps per multiprocessor", "threads_per_sm", 32},
                               {"Blocks per multiprocessor", "blocks_per_sm"},
                               {"Max threads per block", "threads_per_block"},
                               {"Max grid x", "grid_x"}};

/// What a results file has of its device, or nothing.
std::optional<double> told(const section& s, const char* key) {
  for (const results::file* f : s.files)
    if (const auto at = f->of.device.find(key); at != f->of.device.end())
      return number_of(at->second);
  return {};
}

/// "9.0" of "sm_90".
std::string capability_of(const std::string& arch) {
  const std::string digits = arch.starts_with("sm_") ? arch.substr(3) : "";
  if (digits.size() < 2) return "not told";
  return digits.substr(0, digits.size() - 1) + "." + digits.back();
}

/// "1", "4.75", "93.2", "32769": three digits, and whole numbers whole.
std::string times_text(double factor) {
  return factor < 1000 ? fmt::format("{:.3g}", factor) : fixed(factor, 0);
}

std::vector<table> devices_then(const topic_context& c) {
  table out{"The GPUs of 2011 and this one", {{"what", false, true}}, {}};
  for (const char* gpu : gpus_then) out.columns.push_back({gpu, true});
  out.columns.push_back({c.of.of.device, true});
  out.columns.push_back({"times the GTX 480", true});
  line first{{"Compute capability"}, {}};
  const auto cell = [&](const char* row, const char* gpu) {
    const historical_value* v = c.then.find("devices", row, gpu);
    return v == nullptr ? "no figure found" : exact(v->value);
  };
  for (const char* gpu : gpus_then) {
    const historical_value* v = c.then.find("devices", "Compute capability", gpu);
    first.cells.push_back(v == nullptr ? "no figure found" : fixed(v->value, 1));
  }
  first.cells.push_back(capability_of(c.of.of.arch));
  first.cells.emplace_back(absent);
  out.lines.push_back(std::move(first));
  for (const device_row& r : rows) {
    const historical_value* newest = c.then.find("devices", r.row, gpus_then[2]);
    const bool counts = newest == nullptr || newest->unit == "1";
    line l{{counts ? r.row : fmt::format("{}, {}", r.row, newest->unit)}, {}};
    for (const char* gpu : gpus_then) l.cells.push_back(cell(r.row, gpu));
    const auto now = told(c.of, r.key);
    l.cells.push_back(now ? fixed(*now / r.now_per_unit, 0) : "not told");
    l.cells.push_back(now && newest != nullptr && newest->value > 0
                          ? times_text(*now / r.now_per_unit / newest->value)
                          : absent);
    out.lines.push_back(std::move(l));
  }
  return {out};
}

std::vector<table> every_architecture(const topic_context&) {
  table out{"Multiprocessors of every architecture that this toolkit builds for",
            {{"arch"},
             {"warps", true},
             {"blocks", true},
             {"registers", true},
             {"a warp's are a multiple of", true, true},
             {"shared KiB", true, true},
             {"of one block", true, true},
             {"bytes reserved", true, true},
             {"a block's are a multiple of", true, true}},
            {}};
  for (const facts::architecture& a : facts::architectures())
    out.lines.push_back(
        {{a.name, std::to_string(a.warps()), std::to_string(a.blocks), std::to_string(a.registers),
          std::to_string(a.register_unit), std::to_string(a.shared_bytes / 1024),
          std::to_string(a.block_shared_bytes / 1024), std::to_string(a.reserved_shared_bytes),
          std::to_string(a.shared_unit)},
         {}});
  return {out};
}

const topic_registration registered(
    {{"devices.then", "the GPUs of 2011 and this one", devices_then, nullptr},
     {"devices.architectures", "every architecture of the toolkit", every_architecture, nullptr}});

}  // namespace
}  // namespace ptxlab::report
