// SPDX-License-Identifier: Apache-2.0
// ptxlab device: what a GPU has, by the driver and by the toolkit's tables; and what every
// architecture has that the toolkit knows.
#include "driver/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/facts/occupancy.hpp"
#include "analysis/facts/table.hpp"
#include "driver/commands/command.hpp"
#include "driver/commands/options.hpp"
#include "driver/cuda/library.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::driver {
namespace {

using facts::architecture;

struct device_options {
  int device = 0;
  bool architectures = false;
  std::string format = "text";
};

/// A table as text, CSV or Markdown. The first column is words, the others are numbers.
void show(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows,
          const std::string& format) {
  if (format == "csv") {
    fmt::print("{}\n", fmt::join(titles, ","));
    for (const auto& r : rows) fmt::print("{}\n", fmt::join(r, ","));
    return;
  }
  if (format == "md") {
    fmt::print("| {} |\n| ---", fmt::join(titles, " | "));
    for (std::size_t i = 1; i < titles.size(); ++i) fmt::print(" | ---:");
    fmt::print(" |\n");
    for (const auto& r : rows) fmt::print("| {} |\n", fmt::join(r, " | "));
    return;
  }
  std::vector<facts::table::column> columns;
  for (const std::string& title : titles) columns.push_back({title, !columns.empty(), true});
  facts::table t(columns);
  for (const auto& r : rows) t.row(r);
  fmt::print("{}", t.str(page_of_output()));
}

/// A number of the architecture that the device tells as well.
struct shared_row {
  const char* what;
  CUdevice_attribute by_driver;
  int (*by_toolkit)(const architecture&);
};

constexpr shared_row shared_rows[] = {
    {"threads per multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
     [](const architecture& a) { return a.threads; }},
    {"blocks per multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR,
     [](const architecture& a) { return a.blocks; }},
    {"threads per block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
     [](const architecture& a) { return a.block_threads; }},
    {"registers per multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
     [](const architecture& a) { return a.registers; }},
    {"shared bytes per multiprocessor", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
     [](const architecture& a) { return a.shared_bytes; }},
    {"shared bytes per block (opt-in)", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
     [](const architecture& a) { return a.block_shared_bytes; }},
    {"shared bytes reserved per block", CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
     [](const architecture& a) { return a.reserved_shared_bytes; }},
};

/// What only a device can tell.
constexpr std::pair<const char*, CUdevice_attribute> own_rows[] = {
    {"multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
    {"warp", CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    {"constant bytes", CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
    {"L2 bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
    {"memory bus bits", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
    {"clock kHz", CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
    {"memory clock kHz", CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
    {"registers per block", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    {"shared bytes per block (default)", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
    {"grid x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
    {"grid y", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
    {"grid z", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
    {"block x", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
    {"block y", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
    {"block z", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    {"texture 1D, linear", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH},
    {"texture 2D x", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH},
    {"texture 2D y", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT},
    {"copy engines", CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT},
    {"maps host memory", CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY},
    {"unified addressing", CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING},
    {"reads pageable memory", CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS},
    {"ECC", CU_DEVICE_ATTRIBUTE_ECC_ENABLED},
    {"cooperative launch", CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
    {"cluster launch", CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH},
};

int show_architectures(const std::string& format) {
  std::vector<std::vector<std::string>> rows;
  for (const architecture& a : facts::architectures()) {
    std::vector<std::string> cells = {a.name};
    for (const int n : {a.warps(), a.blocks, a.registers, a.register_unit, a.shared_bytes / 1024,
                        a.block_shared_bytes / 1024, a.reserved_shared_bytes, a.shared_unit})
      cells.push_back(std::to_string(n));
    rows.push_back(std::move(cells));
  }
  show({"arch", "warps", "blocks", "registers", "unit", "shared KiB", "of a block", "reserved",
        "unit"},
       rows, format);
  if (format != "text") return exit_fine;
  fmt::print(
      "Of one multiprocessor. A warp gets registers, and a block shared bytes, in whole\n"
      "units; the reserved bytes of each block are the system's.\n");
  return exit_fine;
}

/// The toolkit's row for a device's architecture, or nothing.
std::optional<architecture> row_of(const std::string& arch) {
  for (architecture& a : facts::architectures())
    if (a.name == arch) return std::move(a);
  return {};
}

int show_device(const device_options& o) {
  if (const auto problem = cuda::library::problem()) {
    fmt::print(stderr, "ptxlab: no device to show: {} (--architectures needs none)\n", *problem);
    return exit_nothing_ran;
  }
  if (cuda::device_count() == 0) {
    fmt::print(stderr,
               "ptxlab: no device to show: the driver shows none (--architectures needs none)\n");
    return exit_nothing_ran;
  }
  const cuda::device d(o.device);
  const auto known = row_of(d.arch());
  std::vector<std::vector<std::string>> rows = {
      {"name", d.name(), ""},
      {"architecture", d.arch(), known ? known->name : "unknown"},
      {"memory bytes", std::to_string(d.memory_bytes()), ""}};
  int differ = 0;
  for (const shared_row& r : shared_rows) {
    const int by_driver = d.attribute(r.by_driver);
    std::string toolkit = known ? std::to_string(r.by_toolkit(*known)) : "unknown";
    if (known && r.by_toolkit(*known) != by_driver) {
      toolkit += " differs";
      ++differ;
    }
    rows.push_back({r.what, std::to_string(by_driver), toolkit});
  }
  for (const auto& [what, attribute] : own_rows)
    rows.push_back({what, std::to_string(d.attribute(attribute)), ""});
  show({"what", "driver", "toolkit"}, rows, o.format);
  if (differ == 0) return exit_fine;
  fmt::print(stderr, "ptxlab: {} of the toolkit's numbers differ from the driver's\n", differ);
  return exit_failed;
}

void add(CLI::App& app, int& code) {
  auto* sub = app.add_subcommand("device", "What a GPU has, and every architecture");
  auto o = std::make_shared<device_options>();
  sub->add_option("--device", o->device, "number of the GPU")->type_name("N");
  sub->add_flag("--architectures", o->architectures,
                "all that the toolkit knows, by its\ncuda_occupancy.h; needs no GPU");
  sub->add_option("--format", o->format, "text, csv or md")
      ->check(CLI::IsMember({"text", "csv", "md"}))
      ->type_name("FORMAT");
  sub->footer(
      "Example: ptxlab device --architectures\n"
      "Exit: 0 fine, 1 the toolkit's numbers are not the driver's, 77 no GPU.");
  sub->callback(
      [o, &code] { code = o->architectures ? show_architectures(o->format) : show_device(*o); });
}

const command_registration registered({"device", add});

}  // namespace
}  // namespace ptxlab::driver
