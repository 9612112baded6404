// SPDX-License-Identifier: Apache-2.0
// What the measurements between two GPUs share: rows, operands, counts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/results/statistics.hpp"
#include "driver/bench/meetings.hpp"
#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::bench {

results::row meeting_point::row(std::string quantity, const char* unit) const {
  results::row r = make_row(protocol_of(kernels::protocol::peer), at, "", unit);
  r.quantity = std::move(quantity);
  return r;
}

std::vector<std::uint64_t> meeting_point::operands(
    const std::vector<std::pair<unsigned, std::uint64_t>>& values) const {
  std::vector<std::uint64_t> out = what.measure.operands;
  out.resize(device::rounds_operand + 1);
  for (const auto& [index, value] : values) out.at(index) = value;
  return out;
}

void meeting_point::flag_atomics(place where, results::row& r) const {
  const auto& sass = what.measure.sass;
  const bool atomic = std::any_of(sass.begin(), sass.end(), [](std::string_view s) {
    return s.starts_with("ATOM") || s.starts_with("RED");
  });
  if (!atomic || where == place::own) return;
  int native = 0;
  if (where == place::host) {
    native = first.gpu().attribute(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
  } else {
    cuda::check(cuda::library::get().cuDeviceGetP2PAttribute(
                    &native, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, first.gpu().handle(),
                    both.other().handle()),
                "cuDeviceGetP2PAttribute", both.other().identify());
  }
  if (native == 0)
    r.flags.push_back(fmt::format("atomics on {} memory are not native here", name(where)));
}

void add_row(std::vector<results::row>& rows, results::row r,
             const std::function<void(results::row&)>& f) {
  const results::row empty = r;
  try {
    f(r);
  } catch (const hang&) {
    throw;
  } catch (const error& e) {
    const auto* of_driver = dynamic_cast<const cuda::cuda_error*>(&e);
    if (of_driver != nullptr && of_driver->sticky()) throw;
    r = empty;
    r.state = results::status::error;
    r.reason = e.what();
    r.raw_unit.clear();
  }
  rows.push_back(std::move(r));
}

void put_counts(results::row& r, const std::vector<seen_words>& counts, double reads, bool mutant) {
  std::vector<double> stale;
  for (const seen_words& c : counts) {
    if (c.read != reads)
      throw error(
          fmt::format("{:.0f} words were read, not {:.0f}: nothing follows", c.read, reads));
    stale.push_back(c.stale);
  }
  r.axes["reads"] = reads;
  r.raw_unit = "read";
  r.raw = {{reads, stale}};
  const double all = std::accumulate(stale.begin(), stale.end(), 0.0);
  if (all == 0 || mutant) {
    r.value = results::summarise(stale);
    return;
  }
  r.state = results::status::invalid;
  r.reason = fmt::format("stale {:.0f} of {:.0f}: it does not order what it should", all,
                         reads * static_cast<double>(counts.size()));
}

}  // namespace ptxlab::bench
