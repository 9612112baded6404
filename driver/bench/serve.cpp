// SPDX-License-Identifier: Apache-2.0
// The worker process: measures what it is asked for, one line of JSON in, one out.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analysis/facts/occupancy.hpp"
#include "analysis/toolchain/files.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/plan.hpp"
#include "driver/bench/tenants.hpp"
#include "driver/bench/worker.hpp"
#include "driver/cuda/check.hpp"
#include "driver/cuda/device.hpp"

namespace ptxlab::bench {
namespace {

using json = nlohmann::json;

void say(const json& j) {
  // A driver's text need not be UTF-8.
  std::fputs((j.dump(-1, ' ', false, json::error_handler_t::replace) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

json greet(const lab& l) {
  const sizes s = l.device_sizes();
  auto device = cuda::fingerprint(l.gpu());
  const auto facts = l.management().facts();
  for (const auto& [key, value] : facts)
    if (key != "driver") device[key] = value;
  if (const auto clock = l.management().look().max_sm_clock_mhz)
    device["max_sm_clock_mhz"] = std::to_string(*clock);
  std::ifstream maps("/proc/self/maps");
  const std::string injected =
      injected_library(std::string(std::istreambuf_iterator<char>(maps), {}));
  if (!injected.empty()) device["injected"] = injected;
  const int version = cuda::driver_version();
  const std::string cuda = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  return {{"device", device},
          {"driver", facts.contains("driver") ? facts.at("driver") : cuda},
          {"arch", l.gpu().arch()},
          {"multiprocessors", s.multiprocessors},
          {"max_block_threads", s.max_block_threads},
          {"l2_bytes", s.l2_bytes},
          {"memory_bytes", s.memory_bytes}};
}

/// Doubts about a point, from the GPU's state before and after.
std::vector<std::string> flags_of(const cuda::gpu_state& before, const cuda::gpu_state& after) {
  std::vector<std::string> out;
  if (before.sm_clock_mhz && after.sm_clock_mhz && *before.sm_clock_mhz != *after.sm_clock_mhz)
    out.push_back(fmt::format("the SM clock changed: {} to {} MHz", *before.sm_clock_mhz,
                              *after.sm_clock_mhz));
  if (after.throttle_reasons && !after.throttle_reasons->empty())
    out.push_back("clocks held down: " + *after.throttle_reasons);
  return out;
}

/// What a launch of `x` takes of a multiprocessor, by the facts that the plan has of its kernel.
results::resources resources_of(const plan& p, const experiment& x, const cuda::geometry& g) {
  results::resources out;
  out.registers = x.takes.registers;
  out.spill_bytes = x.takes.spill_bytes;
  out.loads_in_flight = x.takes.loads_in_flight;
  out.block_threads = g.block_threads;
  if (x.takes.shared_bytes) out.shared_bytes = *x.takes.shared_bytes + g.dynamic_shared_bytes;
  facts::resources res;
  res.registers = x.takes.registers;
  res.shared_bytes = x.takes.shared_bytes;
  res.barriers = x.takes.barriers;
  const auto table =
      facts::compute_occupancy(res, p.arch, x.takes.max_threads, g.dynamic_shared_bytes);
  for (const facts::occupancy& o : table.rows)
    if (o.block_threads == static_cast<int>(g.block_threads)) out.blocks_per_sm = o.blocks_per_sm;
  return out;
}

class server {
 public:
  server(const std::filesystem::path& folder, int device, std::chrono::seconds deadline,
         bool run_refused)
      : plan_(read_plan(folder)), lab_(device, deadline, run_refused) {}

  int run() {
    say(greet(lab_));
    std::string line;
    while (std::getline(std::cin, line)) {
      bool lost = false;
      say(reply(line, lost));
      // Giving back what a lost context holds would wait for its kernel.
      if (lost) std::_Exit(1);
    }
    return 0;
  }

 private:
  json reply(const std::string& line, bool& lost) {
    json out = json::object();
    try {
      const json request = json::parse(line);
      const experiment& x = plan_.find(request.at("id"));
      const axes at = request.at("axes");
      if (x.id != loaded_) {
        loaded_.clear();
        lab_.load(toolchain::read_file(plan_.folder / x.cubin), x.cubin,
                  std::string(x.what->symbol));
        loaded_ = x.id;
      }
      const cuda::gpu_state before = lab_.management().look();
      auto rows = protocol_of(x.what->measure.how).measure(lab_, *x.what, at);
      const cuda::gpu_state after = lab_.management().look();
      const results::resources uses =
          lab_.launched() ? resources_of(plan_, x, *lab_.launched()) : results::resources();
      for (results::row& r : rows) {
        for (std::string& f : flags_of(before, after)) r.flags.push_back(std::move(f));
        r.uses = uses;
        if (r.sm_clock_mhz == 0) r.sm_clock_mhz = after.sm_clock_mhz.value_or(0);
        out["rows"].push_back(json::parse(results::text_of(r)));
      }
    } catch (const cuda::cuda_error& e) {
      out = {{"problem", e.what()}, {"lost", e.sticky()}};
      lost = e.sticky();
    } catch (const hang& e) {
      out = {{"problem", e.what()}, {"lost", true}};
      lost = true;
    } catch (const std::exception& e) {
      out = {{"problem", e.what()}};
    }
    return out;
  }

  const plan plan_;
  lab lab_;
  std::string loaded_;
};

}  // namespace

int serve(const std::filesystem::path& folder, int device, std::chrono::seconds deadline,
          bool run_refused) {
  // A worker whose harness has died must not keep a GPU busy.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    return server(folder, device, deadline, run_refused).run();
  } catch (const std::exception& e) {
    say({{"problem", e.what()}});
    return 1;
  }
}

}  // namespace ptxlab::bench
