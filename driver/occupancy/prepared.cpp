// SPDX-License-Identifier: Apache-2.0
#include "driver/occupancy/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/inspect/inspect.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/flags.hpp"
#include "driver/session.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::occupancy {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr std::string_view schema = "ptxlab.occupancy/1";
constexpr const char* list_name = "occupancy.json";

json to_json(const prepared_kernel& k) {
  json j = {{"id", k.id}, {"symbol", k.symbol}, {"cubin", k.cubin}};
  const auto put = [&j](const char* key, const auto& value) {
    if (value) j[key] = *value;
  };
  put("registers", k.registers);
  put("shared_bytes", k.shared_bytes);
  put("barriers", k.barriers);
  put("max_threads", k.max_threads);
  return j;
}

prepared_kernel kernel_of(const json& j) {
  prepared_kernel k;
  k.id = j.at("id");
  k.symbol = j.at("symbol");
  k.cubin = j.at("cubin");
  const auto get = [&j](const char* key, auto& value) {
    if (j.contains(key)) value = j.at(key).get<std::decay_t<decltype(*value)>>();
  };
  get("registers", k.registers);
  get("shared_bytes", k.shared_bytes);
  get("barriers", k.barriers);
  get("max_threads", k.max_threads);
  return k;
}

void write(const prepared& p) {
  json j = {{"schema", schema}, {"arch", p.arch}, {"nvcc", p.nvcc}, {"kernels", json::array()}};
  for (const prepared_kernel& k : p.kernels) j["kernels"].push_back(to_json(k));
  toolchain::write_file(p.folder / list_name, j.dump(1) + "\n");
}

}  // namespace

facts::resources prepared_kernel::uses() const {
  facts::resources out;
  out.registers = registers;
  out.shared_bytes = shared_bytes;
  out.barriers = barriers;
  return out;
}

prepared prepare(const std::string& arch, const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw error(fmt::format("{}: {}", folder.string(), code.message()));
  driver::build_options o;
  o.archs = {arch};
  o.unoptimised = false;
  const fs::path root = driver::project_root();
  for (const kernels::entry& e : kernels::catalogue()) o.files.push_back((root / e.path).string());
  const driver::session s(o);
  prepared out{folder, arch, s.tools().nvcc.version, {}};
  for (const driver::built& b : s.build_all()) {
    if (b.declared == nullptr || !b.build.cubin.text)
      throw error(fmt::format("{}: no cubin: {}", b.path, b.build.cubin.problem));
    std::string file(b.declared->id);
    std::replace(file.begin(), file.end(), '/', '.');
    file += ".cubin";
    toolchain::write_file(folder / file, *b.build.cubin.text);
    const facts::report seen =
        inspect::inspect(b.build, s.tools(), toolchain::split_flags(b.declared->what.nvcc_flags));
    for (const facts::kernel& k : seen.kernels) {
      if (!k.entry) continue;
      out.kernels.push_back({fmt::format("{}/{}", b.declared->id, k.name), k.name, file,
                             k.res.registers, k.res.shared_bytes, k.res.barriers, k.max_threads});
    }
  }
  std::sort(out.kernels.begin(), out.kernels.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  write(out);
  return out;
}

prepared read_prepared(const fs::path& folder) {
  const fs::path file = folder / list_name;
  try {
    const json j = json::parse(toolchain::read_file(file));
    if (!j.is_object() || j.value("schema", "") != schema)
      throw error(fmt::format("{}: no list of kernels (schema {})", file.string(), schema));
    prepared out{folder, j.at("arch"), j.at("nvcc"), {}};
    for (const json& k : j.at("kernels")) out.kernels.push_back(kernel_of(k));
    if (out.kernels.empty()) throw error(fmt::format("{}: no kernel in it", file.string()));
    return out;
  } catch (const json::exception& e) {
    throw error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

}  // namespace ptxlab::occupancy
