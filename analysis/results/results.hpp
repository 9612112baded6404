// SPDX-License-Identifier: Apache-2.0
// Results of measurements as they are kept: what was run on what, raw samples, and their summary.
// docs/RESULTS.md describes the file. Written by the harness, read by the report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::results {

inline constexpr std::string_view schema = "ptxlab.results/1";

/// Of a set of values; the unit is the row's.
struct summary {
  double median = 0, min = 0, max = 0;
  double mad = 0;          ///< median absolute deviation from the median, unscaled
  double p5 = 0, p95 = 0;  ///< 5th and 95th percentile, linear between order statistics
  int samples = 0;
};

/// Raw values at one length of what is repeated.
struct series {
  double length = 0;           ///< copies, rounds, bytes, launches: what the slope is over
  std::vector<double> values;  ///< cycles or nanoseconds (see row::raw_unit), in order of taking
};

/// What a launch took of a multiprocessor, by the facts of the cubin (analysis/facts) and the
/// launch's block size. What is not known is empty.
struct resources {
  std::optional<std::int64_t> registers;      ///< per thread
  std::optional<std::int64_t> spill_bytes;    ///< of spill code, stores and loads, static
  std::optional<std::int64_t> shared_bytes;   ///< per block, static and dynamic
  std::optional<std::int64_t> block_threads;  ///< as launched
  std::optional<std::int64_t> blocks_per_sm;  ///< theoretical occupancy of that launch
  /// Loads from global memory that a thread has on their way at once, where nothing is timed inside
  /// the kernel.
  std::optional<std::int64_t> loads_in_flight;
  bool operator==(const resources&) const = default;
};

enum class status { ok, invalid, error, not_run };
const char* name(status s);

/// One quantity of one experiment at one point of its axes.
struct row {
  std::string id;                      ///< "latency/fp32/fma_rn_f32"
  std::map<std::string, double> axes;  ///< "warps", "ilp", "footprint_bytes", "stride_bytes", ...
  std::string protocol;                ///< latency, throughput, chase, ...
  std::string quantity;                ///< "latency", "throughput", "bandwidth", ...
  std::string unit;  ///< "cycle", "ns", "operation/cycle/SM", "GB/s", "byte/cycle"
  status state = status::ok;
  std::string reason;            ///< one line: why it is not ok
  std::optional<summary> value;  ///< only where `state` is ok
  std::vector<std::string>
      flags;                 ///< doubts that do not void it: "clock changed: 1980 to 1755 MHz"
  std::string sass;          ///< opcodes of the timed region: "FFMA"
  std::string cubin_sha256;  ///< of the cubin that was launched
  resources uses;            ///< of the launch
  /// Cycles that ptxas keeps between two dependent copies (stall counts), where it keeps any.
  std::optional<double> static_cycles;
  /// Largest distance of a length's median from the fitted line, in raw_unit.
  std::optional<double> residual;
  /// The same quantity by a second clock, %globaltimer, in ns; where it applies.
  std::optional<double> by_timer_ns;
  double sm_clock_mhz = 0;  ///< seen during the run: clock64 over globaltimer
  std::string published;    ///< quantity of docs/data/published_hopper.csv that it stands beside
  std::string raw_unit;     ///< "cycle" or "ns"
  std::vector<series> raw;
};

/// Of one run: what every row has in common. Values are text as they were found.
struct provenance {
  std::map<std::string, std::string> device;   ///< name, arch, multiprocessors, l2_bytes, ...
  std::map<std::string, std::string> toolkit;  ///< nvcc, ptxas, nvdisasm -> version
  std::string driver;                          ///< "580.159.04"; CUDA version where NVML is absent
  std::string commit;                        ///< of ptxlab, "+" behind it where the tree was dirty
  std::string started;                       ///< "2026-11-30T04:05:06Z"
  std::map<std::string, std::string> notes;  ///< "throttle_reasons", "shard", ...
};

struct file {
  provenance of;
  std::vector<row> rows;
};

/// Reads a results file. Throws ptxlab::error ("PATH: reason") for one that is missing, is no JSON,
/// is of another schema, or lacks what every row has.
file read(const std::filesystem::path& path);
file parse(std::string_view json, const std::string& name);

/// One row as one line of JSON, and back. Throws ptxlab::error.
std::string text_of(const row& r);
row parse_row(std::string_view json);

/// The file's text: one row a line, so that it can be compared and grows at its end.
std::string text_of(const file& f);
/// Writes to a temporary beside `path` and renames it. Throws ptxlab::error.
void write(const file& f, const std::filesystem::path& path);

}  // namespace ptxlab::results
