// SPDX-License-Identifier: Apache-2.0
// A module on the machine and launches of its kernels: of any with buffers, and of timed ones
// (ptx/device/timing.cuh, streams.cuh, ring.cuh, exchange.cuh) with operands in, samples out, and
// what each timed region computed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "ptx/device/sample.hpp"
#include "ptx/machine/machine.hpp"

namespace ptxlab::machine {

using device::sample;
using lane_words = std::array<std::uint64_t, warp_lanes>;

/// What one warp's pass through one region handed to `consume`, a word of every lane for each
/// stream, the last one last. Loads and stores of shared memory before the region are in it too.
using region_results = std::vector<lane_words>;

/// Reads them from the stores to shared memory: the value of a region is stored before its sample,
/// which begins with the only st.shared.v2.u64 there is.
class sink_watch : public observer {
 public:
  void begin(const launch_info& l, const place_names&) override {
    sites_ = l.sites;
    warps_.clear();
  }
  void accessed(const access& a) override {
    if (a.space != flow::space::shared || a.what != flow::kind::store) return;
    state& w = warps_[{a.who.block, a.who.warp}];
    const std::string_view opcode = sites_[a.site].opcode;
    if (opcode == "st.shared.v2.u64" || opcode == "st.shared.v2.b64") {
      w.done.push_back(std::exchange(w.pending, {}));
      w.skip = 2;  // the rest of the sample
    } else if (w.skip > 0) {
      --w.skip;
    } else {
      lane_words values{};
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if ((a.who.mask >> lane & 1) != 0)
          std::memcpy(&values[lane], a.data + std::size_t{lane} * a.bytes, std::min(a.bytes, 8U));
      w.pending.push_back(values);
    }
  }
  /// Throws std::out_of_range for a warp that stored nothing.
  const std::vector<region_results>& of(std::uint32_t block, std::uint32_t warp) const {
    return warps_.at({block, warp}).done;
  }

 private:
  struct state {
    region_results pending;
    std::vector<region_results> done;
    int skip = 0;
  };
  std::span<const site> sites_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, state> warps_;
};

/// One emulator with one module, and launches of its kernels with fresh memory.
class workbench {
 public:
  static constexpr std::uint64_t scratch_bytes = 1 << 20;

  explicit workbench(ptx::module text) : module(on.load(std::move(text))) {}

  template <class T>
  address buffer(const std::vector<T>& values, const std::string& name) {
    const address at = on.device().allocate(values.size() * sizeof(T), name);
    on.device().write(at, std::as_bytes(std::span(values)));
    return at;
  }
  template <class T>
  std::vector<T> read(address at, std::size_t n) {
    std::vector<T> all(n);
    on.device().read(std::as_writable_bytes(std::span(all)), at);
    return all;
  }
  /// Runs a kernel whose parameters are all of 8 bytes, or of 4 where the kernel's declare so: each
  /// is given as a word, of which it takes what it has room for.
  run_report run(std::string_view kernel, std::uint32_t grid, std::uint32_t block,
                 const std::vector<std::uint64_t>& words, const std::vector<unsigned>& bytes = {}) {
    how.grid[0] = grid;
    how.block[0] = block;
    how.parameters.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t n = i < bytes.size() ? bytes[i] : 8;
      how.parameters.resize((how.parameters.size() + n - 1) / n * n);
      const auto* const first = reinterpret_cast<const std::byte*>(&words[i]);
      how.parameters.insert(how.parameters.end(), first, first + n);
    }
    return on.run(module.kernel(kernel), how);
  }

  // --- timed kernels

  /// Operand `index` of each lane is `value` plus the lane's number times `by_lane`.
  void operand(unsigned index, std::uint64_t value, std::uint64_t by_lane = 0) {
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      words_[(index + 1) * warp_lanes + lane] = value + lane * by_lane;
  }
  lane_words operand_of(unsigned index) const {
    lane_words out{};
    std::copy_n(words_.begin() + (index + 1) * warp_lanes, warp_lanes, out.begin());
    return out;
  }
  /// Launches with the operands, zeroed scratch memory and watch, and room for `n` samples.
  run_report run_timed(std::string_view kernel, std::uint32_t grid, std::uint32_t block,
                       std::size_t n) {
    samples.assign(n, sample{});
    const address out = buffer(samples, "samples");
    scratch = on.device().allocate(scratch_bytes, "scratch");
    watch = on.device().allocate(sizeof(device::watch), "watch");
    operand(device::scratch_operand, scratch);
    operand(device::watch_operand, watch);
    const address in = buffer(std::vector(words_.begin(), words_.end()), "operands");
    how.observers.push_back(&sinks);
    run_report r = run(kernel, grid, block, {out, in});
    how.observers.pop_back();
    samples = read<sample>(out, n);
    return r;
  }

  emulator on{std::uint64_t{8} << 30};
  loaded_module& module;
  launch how;
  sink_watch sinks;
  address scratch = 0, watch = 0;
  std::vector<sample> samples;

 private:
  std::array<std::uint64_t, std::size_t{16} * warp_lanes> words_{};
};

/// Samples of one warp, in order: regions 0, 1, ... of each pass, on a clock that goes on.
inline void expect_samples(const sample* s, std::size_t passes, unsigned regions,
                           std::uint32_t sm) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < passes * regions; ++i) {
    ASSERT_EQ(s[i].region, i % regions) << "sample " << i;
    ASSERT_GT(s[i].end, s[i].begin) << "sample " << i;
    ASSERT_GT(s[i].begin, before) << "sample " << i;
    ASSERT_GE(s[i].begin, s[i].time_ns) << "sample " << i;
    ASSERT_EQ(s[i].sm, sm) << "sample " << i;
    before = s[i].end;
  }
}

}  // namespace ptxlab::machine
