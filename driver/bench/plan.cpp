// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/plan.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <type_traits>

#include "analysis/inspect/inspect.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/process.hpp"
#include "analysis/verdict/glob.hpp"
#include "analysis/verdict/nearest.hpp"
#include "driver/bench/gate.hpp"
#include "driver/session.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr std::string_view schema = "ptxlab.plan/1";

std::string sha256(std::string_view bytes) {
  sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&hash, sizeof digest, digest);
  std::string out;
  for (const std::uint8_t byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

/// "c2072d1", with "+" where the tree was changed since; "unknown" outside a repository.
std::string commit_of(const fs::path& root) {
  const auto git = [&root](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-C", root.string()});
    try {
      toolchain::outcome o = toolchain::run({.argv = std::move(arguments)});
      if (o.ok()) return o.out;
    } catch (const error&) {
    }
    return std::string("?");
  };
  std::string head = git({"rev-parse", "--short=12", "HEAD"});
  if (head == "?") return "unknown";
  head.erase(head.find_last_not_of('\n') + 1);
  return git({"status", "--porcelain", "--untracked-files=no"}).empty() ? head : head + "+";
}

struct variant_of_catalogue {
  std::string id;
  const kernels::entry* file;
  const kernels::variant* what;
};

std::vector<variant_of_catalogue> measured() {
  std::vector<variant_of_catalogue> out;
  for (const kernels::entry& e : kernels::catalogue())
    for (const kernels::variant& v : e.what.variants)
      if (v.measure.how != kernels::protocol::none)
        out.push_back({fmt::format("{}/{}", e.id, v.symbol), &e, &v});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return out;
}

json to_json(const experiment& x) {
  json j = {{"id", x.id},
            {"cubin", x.cubin},
            {"cubin_sha256", x.cubin_sha256},
            {"valid", x.judged.valid},
            {"reason", x.judged.reason},
            {"sass", x.judged.sass},
            {"fixed", x.judged.fixed},
            {"excerpt", x.judged.excerpt}};
  if (x.judged.static_cycles) j["static_cycles"] = *x.judged.static_cycles;
  const auto put = [&j](const char* key, const auto& value) {
    if (value) j[key] = *value;
  };
  put("registers", x.takes.registers);
  put("spill_bytes", x.takes.spill_bytes);
  put("shared_bytes", x.takes.shared_bytes);
  put("barriers", x.takes.barriers);
  put("loads_in_flight", x.takes.loads_in_flight);
  put("max_threads", x.takes.max_threads);
  return j;
}

experiment experiment_of(const json& j) {
  experiment x;
  x.id = j.at("id");
  x.cubin = j.at("cubin");
  x.cubin_sha256 = j.at("cubin_sha256");
  x.judged.valid = j.at("valid");
  x.judged.reason = j.at("reason");
  x.judged.sass = j.at("sass");
  x.judged.fixed = j.at("fixed");
  x.judged.excerpt = j.at("excerpt").get<std::vector<std::string>>();
  if (j.contains("static_cycles")) x.judged.static_cycles = j.at("static_cycles").get<double>();
  const auto get = [&j](const char* key, auto& value) {
    if (j.contains(key)) value = j.at(key).get<std::decay_t<decltype(*value)>>();
  };
  get("registers", x.takes.registers);
  get("spill_bytes", x.takes.spill_bytes);
  get("shared_bytes", x.takes.shared_bytes);
  get("barriers", x.takes.barriers);
  get("loads_in_flight", x.takes.loads_in_flight);
  get("max_threads", x.takes.max_threads);
  return x;
}

void write(const plan& p) {
  json j = {{"schema", schema}, {"arch", p.arch}, {"commit", p.commit}, {"toolkit", p.toolkit}};
  for (const experiment& x : p.experiments) j["experiments"].push_back(to_json(x));
  toolchain::write_file(p.folder / "plan.json", j.dump(1) + "\n");
}

/// From the facts of a kernel to what the plan keeps of them.
kernel_resources resources_of(const facts::report& r, std::string_view symbol) {
  kernel_resources out;
  for (const facts::kernel& k : r.kernels) {
    if (k.name != symbol) continue;
    out.registers = k.res.registers;
    if (k.res.spill_store_bytes && k.res.spill_load_bytes)
      out.spill_bytes = *k.res.spill_store_bytes + *k.res.spill_load_bytes;
    out.shared_bytes = k.res.shared_bytes;
    out.barriers = k.res.barriers;
    out.max_threads = k.max_threads;
  }
  return out;
}

}  // namespace

const experiment& plan::find(const std::string& id) const {
  std::vector<std::string> names;
  for (const experiment& x : experiments) {
    if (x.id == id) return x;
    names.push_back(x.id);
  }
  throw error(fmt::format("no experiment '{}'{}", id, verdict::suggestion(id, names)));
}

std::vector<std::string> fitting(const std::vector<std::string>& ids,
                                 const std::vector<std::string>& filters) {
  const auto fits = [](const std::string& id, const std::string& filter) {
    if (filter.find('*') != std::string::npos) return verdict::glob_match(filter, id);
    // With a slash it says where it begins: barrier/ is not peer/barrier.
    const bool placed = filter.find('/') != std::string::npos;
    return placed ? id.starts_with(filter) : id.find(filter) != std::string::npos;
  };
  for (const std::string& f : filters)
    if (std::none_of(ids.begin(), ids.end(), [&](const auto& id) { return fits(id, f); }))
      throw error(fmt::format("no experiment fits '{}'{}", f, verdict::suggestion(f, ids)));
  std::vector<std::string> out;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(out), [&](const std::string& id) {
    return std::any_of(filters.begin(), filters.end(), [&](const auto& f) { return fits(id, f); });
  });
  return out;
}

std::vector<std::string> select(const std::vector<std::string>& filters) {
  std::vector<std::string> all, usual;
  for (const variant_of_catalogue& v : measured()) {
    all.push_back(v.id);
    // What is there to be refused runs only where it is asked for.
    if (v.what->measure.refused.empty() && v.what->measure.surplus_blocks == 0)
      usual.push_back(v.id);
  }
  return filters.empty() ? usual : fitting(all, filters);
}

plan prepare(const std::vector<std::string>& ids, const std::string& arch, const fs::path& folder) {
  const fs::path root = driver::project_root();
  plan out;
  out.folder = folder;
  out.arch = arch;
  out.commit = commit_of(root);
  driver::build_options o;
  o.archs = {arch};
  o.unoptimised = false;
  std::set<std::string> files;
  const std::vector<variant_of_catalogue> all = measured();
  for (const variant_of_catalogue& v : all)
    if (std::binary_search(ids.begin(), ids.end(), v.id) &&
        files.insert(std::string(v.file->path)).second)
      o.files.push_back((root / v.file->path).string());
  const driver::session s(o);
  const auto& tools = s.tools();
  for (const toolchain::tool* t : {&tools.nvcc, &tools.ptxas, &tools.nvdisasm})
    if (t->usable()) out.toolkit[t->name] = t->version;
  for (const driver::built& b : s.build_all()) {
    if (b.declared == nullptr || !b.build.cubin.text)
      throw error(fmt::format("{}: no cubin: {}", b.path, b.build.cubin.problem));
    const auto judged = judge_all(*b.declared, b.build);
    const facts::report seen =
        inspect::inspect(b.build, s.tools(), toolchain::split_flags(b.declared->what.nvcc_flags));
    std::string file(b.declared->id);
    std::replace(file.begin(), file.end(), '/', '.');
    file += ".cubin";
    toolchain::write_file(folder / file, *b.build.cubin.text);
    const std::string hash = sha256(*b.build.cubin.text);
    for (const variant_of_catalogue& v : all) {
      if (v.file != b.declared || !std::binary_search(ids.begin(), ids.end(), v.id)) continue;
      experiment x{v.id, v.what, file, hash, {}, resources_of(seen, v.what->symbol)};
      const auto j = judged.find(std::string(v.what->symbol));
      x.judged.reason = "cannot tell what stands in the timed region: no disassembly";
      if (j != judged.end()) {
        x.judged = j->second;
        x.takes.loads_in_flight = j->second.loads_in_flight;
      }
      if (x.judged.valid && protocol_of(v.what->measure.how).contract == nullptr)
        x.judged.reason = facts_against(*v.what, seen);
      x.judged.valid = x.judged.valid && x.judged.reason.empty();
      out.experiments.push_back(std::move(x));
    }
  }
  std::sort(out.experiments.begin(), out.experiments.end(),
            [](const experiment& a, const experiment& b) { return a.id < b.id; });
  write(out);
  return out;
}

plan read_plan(const fs::path& folder) {
  plan out;
  out.folder = folder;
  const fs::path file = folder / "plan.json";
  try {
    const json j = json::parse(toolchain::read_file(file));
    if (!j.is_object() || j.value("schema", "") != schema)
      throw error(fmt::format("no plan (schema {})", schema));
    out.arch = j.at("arch");
    out.commit = j.at("commit");
    out.toolkit = j.at("toolkit");
    const std::vector<variant_of_catalogue> all = measured();
    std::map<std::string, std::string> hashes;
    for (const json& e : j.at("experiments")) {
      experiment x = experiment_of(e);
      const auto v =
          std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.id == x.id; });
      if (v == all.end())
        throw error(fmt::format("this program has no experiment {}: prepare it again", x.id));
      x.what = v->what;
      std::string& hash = hashes[x.cubin];
      if (hash.empty()) hash = sha256(toolchain::read_file(folder / x.cubin));
      if (hash != x.cubin_sha256)
        throw error(fmt::format("{} is not the file that was judged", x.cubin));
      out.experiments.push_back(std::move(x));
    }
  } catch (const json::exception& e) {
    throw error(fmt::format("{}: {}", file.string(), e.what()));
  } catch (const error& e) {
    throw error(fmt::format("{}: {}", file.string(), e.what()));
  }
  return out;
}

}  // namespace ptxlab::bench
