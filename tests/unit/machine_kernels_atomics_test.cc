// SPDX-License-Identifier: Apache-2.0
// References of the timed kernels of one block whose steps depend on memory or on other lanes:
// atomics, fences, barriers, indices into shared and local memory.
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The same in the scratch memory: a word of 8 bytes for each lane.
timed_model in_scratch(timed_model m, unsigned bytes) {
  m.own_bytes = bytes;
  m.own_stride = 8;
  return m;
}

/// Subnormal numbers are zeros to atom.add.f32 in global memory, and numbers in shared memory (PTX
/// ISA 9.0, "atom").
float flushed(float x) {
  return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}

template <class T>
timed_model adding() {
  return with_own<T>([](T& word, T x, T) {
    const T old = word;
    word = static_cast<T>(word + x);
    return old;
  });
}
timed_model adding_flushed() {
  return with_own<float>([](float& word, float x, float) {
    const float old = word;
    word = flushed(flushed(word) + flushed(x));
    return old;
  });
}
timed_model swapping_if_equal() {
  return with_own<u32>([](u32& word, u32 x, u32 a) {
    const u32 old = word;
    if (word == x) word = a;
    return old;
  });
}
timed_model swapping() {
  return with_own<u32>([](u32& word, u32 x, u32) { return std::exchange(word, x); });
}
timed_model keeping_the_largest() {
  return with_own<u32>(
      [](u32& word, u32 x, u32) { return std::exchange(word, std::max(word, x)); });
}
timed_model adding_without_result() {
  return with_own<u32>([](u32& word, u32 x, u32) {
    word += x;
    return x;
  });
}

reference chain(const timed_model& m, unsigned warps = 1) {
  return [m, warps](const subject& s) { check_chain(s, m, warps); };
}
timed_model uniform(timed_model m) {
  m.by_lane = 0;
  return m;
}
/// Every step counts the threads of the block whose x is not 0.
timed_model counting(u32 threads) {
  return uniform(each<u32>([threads](u32, u32, u32) { return threads; }));
}
/// A word that holds its own number: x stays.
timed_model own_number() {
  return uniform(unchanged());
}
/// A word that holds its own address, wherever in shared memory that is.
timed_model own_address() {
  timed_model m = unchanged();
  m.first = [](const workbench& on, unsigned) {
    const u64 first = on.sinks.of(0, 0).front().back()[0];
    EXPECT_EQ(first % 4, 0U);
    EXPECT_GT(first, 0U);  // behind the samples
    return first;
  };
  return m;
}

const reference_registration chains[] = {
    {"atomic/global/add_acq_rel_gpu_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_cta_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_gpu_f32", chain(in_scratch(adding_flushed(), 4))},
    {"atomic/global/add_gpu_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/add_gpu_u64", chain(in_scratch(adding<u64>(), 8))},
    {"atomic/global/add_sys_u32", chain(in_scratch(adding<u32>(), 4))},
    {"atomic/global/cas_gpu_b32", chain(in_scratch(swapping_if_equal(), 4))},
    {"atomic/global/exch_gpu_b32", chain(in_scratch(swapping(), 4))},
    {"atomic/global/max_gpu_u32", chain(in_scratch(keeping_the_largest(), 4))},
    {"atomic/reduction/red_cta_fence_cta", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/reduction/red_gpu_fence_gpu", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/reduction/red_shared_fence_cta", chain(adding_without_result())},
    {"atomic/reduction/red_sys_fence_sys", chain(in_scratch(adding_without_result(), 4))},
    {"atomic/shared/add_f32", chain(adding<float>())},
    {"atomic/shared/add_u32", chain(adding<u32>())},
    {"atomic/shared/add_u64", chain(adding<u64>())},
    {"atomic/shared/cas_b32", chain(swapping_if_equal())},
    {"atomic/shared/exch_b32", chain(swapping())},
    {"atomic/shared/max_u32", chain(keeping_the_largest())},
    {"barrier/block_cost/bar_red_popc", chain(counting(96), 3)},
    {"barrier/block_cost/bar_sync", chain(unchanged(), 3)},
    {"barrier/block_cost/bar_warp_sync", chain(unchanged())},
    {"memory/local/index", chain(own_number())},
    {"memory/shared/index", chain(own_number())},
    {"memory/shared/pointer", chain(own_address())},
};

struct fence_registrations {
  fence_registrations() {
    for (const std::string what : {"fence_acq_rel", "fence_sc"})
      for (const std::string scope : {"cluster", "cta", "gpu", "sys"}) add(what + "_" + scope);
    for (const std::string scope : {"cta", "gl", "sys"}) add("membar_" + scope);
  }
  /// After each store of x, the line holds x: all lanes write it, so all have the same.
  static void add(const std::string& name) {
    reference_registration("fence/cost/" + name + "_idle", chain(unchanged()));
    reference_registration("fence/cost/" + name + "_after_store", [](const subject& s) {
      kernels::variant with_x = s.what;
      with_x.measure.operands = {77};
      check_chain({s.on, with_x, s.id, s.verdicts}, uniform(unchanged()));
      EXPECT_EQ(s.on.read<u32>(s.on.scratch, 2), (std::vector<u32>{77, 0}));
    });
  }
};
const fence_registrations fences;

// --- streams ------------------------------------------------------------------------------------

timed_model shared_word(unsigned stride) {
  timed_model m = adding<u32>();
  m.first = [](const workbench&, unsigned i) { return u64{i / warp_lanes}; };
  m.own_stride = stride;
  m.own_bytes = 4;
  return m;
}

const reference_registration streams[] = {
    {"throughput/atomic/global_add_u32",
     [](const subject& s) { check_streams(s, shared_word(4)); }},
    {"throughput/atomic/shared_add_u32",
     [](const subject& s) { check_streams(s, shared_word(0)); }},
};

}  // namespace
}  // namespace ptxlab::machine
