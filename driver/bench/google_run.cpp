// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/google_run.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "analysis/toolchain/tools.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

namespace fs = std::filesystem;

google_entry* find_entry() {
  const fs::path self = toolchain::own_executable().parent_path();
  const fs::path beside = self / "lib/ptxlab_google.so";
  const fs::path installed = self.parent_path() / "lib/ptxlab/ptxlab_google.so";
  std::error_code ignored;
  const fs::path file = fs::exists(beside, ignored) ? beside : installed;
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw error(fmt::format("flags of Google Benchmark need the library: {}", dlerror()));
  return reinterpret_cast<google_entry*>(dlsym(handle, "ptxlab_google_benchmark"));
}

/// One point of one experiment, and what to do when the library asks for it.
struct point {
  std::string name;
  const experiment* what = nullptr;
  axes at;
  const run_options* how = nullptr;
  worker* with = nullptr;
  std::vector<results::row>* rows = nullptr;
};

void put(char* to, std::size_t room, const std::string& text) {
  to[text.copy(to, room - 1)] = '\0';
}

/// The row that stands for a point: of a surface its fastest.
const results::row* foremost(const std::vector<results::row>& rows) {
  const results::row* best = nullptr;
  for (const results::row& r : rows) {
    if (!r.value) continue;
    if (best == nullptr || (r.protocol == "throughput" && r.value->median > best->value->median))
      best = &r;
  }
  return best;
}

void fill_in(google_result& out, const results::row& r) {
  const double value = r.value->median;
  const double mhz = r.sm_clock_mhz;
  if (r.unit == "cycle") out.cycles = value;
  if (r.unit == "cycle" && mhz > 0) out.ns = value * 1e3 / mhz;
  if (r.unit == "ns") out.ns = value;
  if (r.unit == "us") out.ns = value * 1e3;
  if (r.unit == "operation/cycle/SM") {
    out.operations_per_cycle_per_sm = value;
    if (mhz > 0) out.ns = 32e3 / mhz / value;  // of a warp's
  }
  if (r.unit == "GB/s") {
    out.gigabytes_per_second = value;
    out.ns = 1 / value;  // of a byte
  }
  put(out.label, sizeof out.label, r.sass);
  // The library knows times alone.
  if (out.ns == 0 && out.cycles == 0)
    put(out.error, sizeof out.error,
        fmt::format("{}: a count in {} and no time", r.quantity, r.unit));
}

void measure_point(void* self, google_result* out) {
  auto& p = *static_cast<point*>(self);
  *out = {};
  try {
    std::vector<results::row> rows = measure_at(*p.with, *p.what, p.at, *p.how);
    const results::row* r = foremost(rows);
    if (r != nullptr) fill_in(*out, *r);
    if (r == nullptr)
      put(out->error, sizeof out->error, rows.empty() ? "no rows" : rows.front().reason);
    std::move(rows.begin(), rows.end(), std::back_inserter(*p.rows));
  } catch (const std::exception& e) {
    put(out->error, sizeof out->error, e.what());
  }
}

std::string name_of(const experiment& x, const axes& at) {
  std::string name = x.id;
  for (const auto& [axis, value] : at) name += fmt::format("/{}:{:.0f}", axis, value);
  return name;
}

}  // namespace

results::file run_with_google(const plan& p, const run_options& o,
                              const std::vector<std::string>& flags, int& exit_code) {
  google_entry* entry = find_entry();
  worker w(p.folder, o.device, o.deadline, o.run_refused);
  results::file out = start_file(p, o, w);
  std::vector<point> points;
  for (const experiment& x : p.experiments) {
    const protocol& how = protocol_of(x.what->measure.how);
    for (const axes& at : how.points(x.what->measure, w.start().of, o.quick))
      points.push_back({name_of(x, at), &x, at, &o, &w, &out.rows});
  }
  std::vector<google_case> cases;
  cases.reserve(points.size());
  for (point& i : points) cases.push_back({i.name.c_str(), &i, measure_point});
  std::vector<google_context> context;
  for (const auto& [key, value] : out.of.device) context.push_back({key.c_str(), value.c_str()});
  context.push_back({"ptxlab_commit", out.of.commit.c_str()});
  context.push_back({"gpu_driver", out.of.driver.c_str()});
  std::vector<std::string> words = {"ptxlab"};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  exit_code = entry(static_cast<int>(words.size()), argv.data(), cases.data(), cases.size(),
                    context.data(), context.size());
  if (!o.out.empty() && !out.rows.empty()) results::write(out, o.out);
  return out;
}

}  // namespace ptxlab::bench
