// SPDX-License-Identifier: Apache-2.0
// References of the kernels on access to memory: patterns, banks, coalescing, vectors, spills. What
// is swept is run at several values; that the lanes really touch the elements that the report's
// models count is asked of the traffic observer.
#include <cmath>

#include "analysis/report/access.hpp"
#include "ptx/machine/observers/traffic.hpp"
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The accesses of `opcode`: of all its sites the one with the most requests, which is timed.
traffic_counts busiest(const traffic& seen, const std::string& opcode) {
  traffic_counts out;
  for (const traffic_row& row : seen.report().rows)
    if (row.where.opcode == opcode && row.counts.requests > out.requests) out = row.counts;
  return out;
}

/// The row that a value of the swept operand would give.
report::access_pattern pattern_at(const subject& s, u64 value) {
  results::row r;
  r.id = s.id;
  r.axes = {{std::string(s.what.measure.swept.axis), static_cast<double>(value)}};
  const auto p = report::pattern_of(r);
  EXPECT_TRUE(p) << s.id;
  return p.value_or(report::access_pattern{});
}

std::vector<u64> some_of(const kernels::swept& s) {
  return {s.values.front(), s.values.at(1), s.values.at(s.values.size() / 2), s.values.back()};
}

/// Each pass hands over what the first one did, since every element leads to itself, and the lanes'
/// elements lie as the pattern says.
void expect_fixed(const subject& s, const report::access_pattern& p, unsigned regions,
                  int bytes_of_a_word) {
  const auto element = [&](unsigned lane) {
    return static_cast<std::int64_t>(p.columns != 0 ? lane % 16 * p.columns + lane / 16
                                                    : (lane ^ p.flip) * p.stride);
  };
  const std::vector<region_results>& results = s.on.sinks.of(0, 0);
  ASSERT_FALSE(results.empty());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const lane_words& words = results[i].back();
    ASSERT_EQ(words, results[i % regions].back()) << "pass " << i / regions;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      ASSERT_EQ(static_cast<std::int64_t>(words[lane] - words[0]),
                (element(lane) - element(0)) * p.bytes / bytes_of_a_word)
          << "region " << i % regions << " lane " << lane;
  }
}

void check_banks(const subject& s, const std::string& opcode, bool chain) {
  for (const u64 value : some_of(s.what.measure.swept)) {
    const report::access_pattern p = pattern_at(s, value);
    const unsigned regions = chain ? 3 : device::throughput_regions;
    const unsigned passes = chain ? device::samples_per_launch : device::throughput_samples;
    traffic seen;
    s.on.how = {};
    s.on.how.observers = {&seen};
    s.on.how.dynamic_shared = chain ? 0 : device::throughput_bytes(1);
    s.on.operand(0, 0);
    s.on.operand(1, value);
    s.on.operand(device::rounds_operand, 2);
    const run_report r =
        s.on.run_timed(s.what.symbol, 1, warp_lanes, std::size_t{regions} * passes);
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    expect_samples(s.on.samples.data(), passes, regions, 0);
    expect_fixed(s, p, regions, 1);
    const traffic_counts c = busiest(seen, opcode);
    const bank_passes now = report::passes_now(p), then = report::passes_then(p);
    EXPECT_GE(c.requests, u64{passes}) << opcode;
    EXPECT_EQ(c.banks32.degree, now.degree) << p.text();
    EXPECT_EQ(c.banks16.degree, then.degree) << p.text();
    EXPECT_EQ(c.banks32.passes, c.requests * now.passes) << p.text();
  }
}

reference bank_check(const std::string& opcode, bool chain) {
  return [=](const subject& s) { check_banks(s, opcode, chain); };
}
const reference_registration banks[] = {
    {"memory/banks/chain_tile", bank_check("ld.shared.u32", true)},
    {"memory/banks/chain_u128", bank_check("ld.shared.v4.u32", true)},
    {"memory/banks/chain_u32", bank_check("ld.shared.u32", true)},
    {"memory/banks/chain_u64", bank_check("ld.shared.v2.u32", true)},
    {"memory/banks/chain_u8", bank_check("ld.shared.u8", true)},
    {"memory/banks/rate_tile", bank_check("ld.shared.u32", false)},
    {"memory/banks/rate_u128", bank_check("ld.shared.v4.u32", false)},
    {"memory/banks/rate_u32", bank_check("ld.shared.u32", false)},
    {"memory/banks/rate_u64", bank_check("ld.shared.v2.u32", false)},
    {"memory/banks/rate_u8", bank_check("ld.shared.u8", false)},
};

void check_coalescing(const subject& s, const std::string& opcode) {
  for (const u64 value : some_of(s.what.measure.swept)) {
    const report::access_pattern p = pattern_at(s, value);
    traffic seen;
    s.on.how = {};
    s.on.how.observers = {&seen};
    s.on.how.dynamic_shared = device::throughput_bytes(2);
    s.on.operand(0, 0);
    s.on.operand(1, value);
    s.on.operand(device::rounds_operand, 2);
    constexpr unsigned samples = device::throughput_regions * device::throughput_samples;
    const run_report r = s.on.run_timed(s.what.symbol, 1, 2 * warp_lanes, std::size_t{2} * samples);
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    expect_fixed(s, p, device::throughput_regions, 4);
    const traffic_counts c = busiest(seen, opcode);
    const warp_transactions t = report::transactions_of(p);
    EXPECT_EQ(c.sectors, c.requests * t.sectors) << p.text();
    EXPECT_EQ(c.lines, c.requests * t.lines) << p.text();
    EXPECT_EQ(c.cc10, c.requests * t.cc10.sum().transactions) << p.text();
    EXPECT_EQ(c.cc12, c.requests * t.cc12.sum().transactions) << p.text();
  }
}

const reference in_l1 = [](const subject& s) { check_coalescing(s, "ld.global.u32"); };
const reference in_l2 = [](const subject& s) { check_coalescing(s, "ld.global.cg.u32"); };
const reference_registration coalescing[] = {
    {"memory/coalescing/flipped_l1", in_l1}, {"memory/coalescing/flipped_l2", in_l2},
    {"memory/coalescing/idle_l1", in_l1},    {"memory/coalescing/idle_l2", in_l2},
    {"memory/coalescing/offset_l1", in_l1},  {"memory/coalescing/offset_l2", in_l2},
    {"memory/coalescing/strided_l1", in_l1}, {"memory/coalescing/strided_l2", in_l2},
};

// --- one access of a warp ------------------------------------------------------------------------

constexpr u64 some_lanes = 0xdddddddd;

/// Lanes get the xor of the words of element (k ^ 3) * 5 behind 16 bytes, idle ones 0.
void check_global_load(const subject& s, unsigned bytes) {
  std::vector<unsigned char> content(1 << 14);
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<unsigned char>(i * 37 + i / 256);
  const address in = s.on.buffer(content, "in"), out = s.on.buffer(std::vector<u32>(32), "out");
  s.run(1, warp_lanes, {out, in, 5, 16, 3, some_lanes});
  const std::vector<u32> got = s.on.read<u32>(out, 32);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    u32 wanted = 0;
    for (unsigned b = 0; b < bytes && (some_lanes >> lane & 1) != 0; ++b)
      wanted ^= u32{content[16 + (lane ^ 3) * 5 * bytes + b]} << b % 4 * 8;
    EXPECT_EQ(got[lane], wanted) << "lane " << lane;
  }
}
void check_global_store(const subject& s) {
  const address in = s.on.buffer(std::vector<u32>(256), "in");
  s.run(1, warp_lanes, {in, in, 5, 16, 3, some_lanes});
  std::vector<u32> wanted(256);
  for (u32 lane = 0; lane < warp_lanes; ++lane)
    if ((some_lanes >> lane & 1) != 0) wanted[4 + (lane ^ 3) * 5] = lane;
  EXPECT_EQ(s.on.read<u32>(in, 256), wanted);
}
/// Nobody wrote what is read; that the idle lanes' 0 comes out, and the end, is all there is to
/// see.
void check_shared_load(const subject& s) {
  const address out = s.on.buffer(std::vector<u32>(32, 7), "out");
  s.run(1, warp_lanes, {out, 0, 17, 0, 0, some_lanes});
  EXPECT_EQ(s.on.read<u32>(out, 32)[1], 0U);
}
const reference_registration patterns[] = {
    {"memory/patterns/global_load_u128", [](const subject& s) { check_global_load(s, 16); }},
    {"memory/patterns/global_load_u32", [](const subject& s) { check_global_load(s, 4); }},
    {"memory/patterns/global_load_u64", [](const subject& s) { check_global_load(s, 8); }},
    {"memory/patterns/global_load_u8", [](const subject& s) { check_global_load(s, 1); }},
    {"memory/patterns/global_store_u32", check_global_store},
    {"memory/patterns/shared_load_tile", check_shared_load},
    {"memory/patterns/shared_load_u128", check_shared_load},
    {"memory/patterns/shared_load_u32", check_shared_load},
    {"memory/patterns/shared_load_u64", check_shared_load},
    {"memory/patterns/shared_load_u8", check_shared_load},
};

// --- vectors: a sum over a buffer ----------------------------------------------------------------

/// One word of 0.125 among zeros: the thread that sums it says so, unless it belongs to a member
/// that is not wanted.
void check_element(const subject& s, std::size_t word, bool wanted) {
  constexpr std::size_t words = 12 * 67;  // whole elements of every size, and no multiple of a step
  std::vector<float> content(words);
  content[word] = 0.125F;
  s.on.operand(0, s.on.buffer(content, "elements"));
  s.on.operand(1, words * sizeof(float));
  s.on.operand(device::rounds_operand, 1);
  const run_report r = s.on.run_timed(s.what.symbol, 2, 32, 1);
  ASSERT_EQ(r.how, ending::finished) << r.reason;
  EXPECT_EQ(s.on.samples[0].region, wanted ? 1U : 0U) << "word " << word;
}
/// Members of an element, and how many of the first ones are wanted.
reference elements(std::size_t members, std::size_t used) {
  return [=](const subject& s) {
    for (const std::size_t word : {0, 1, 2, 3, 400, 401, 402, 803})
      check_element(s, word, word % members < used);
  };
}
const reference_registration vectors[] = {
    {"memory/vectors/aligned_four", elements(4, 4)},
    {"memory/vectors/aligned_one", elements(4, 1)},
    {"memory/vectors/arrays_four", elements(4, 4)},
    {"memory/vectors/arrays_one", elements(1, 1)},
    {"memory/vectors/float2_all", elements(2, 2)},
    {"memory/vectors/float3_all", elements(3, 3)},
    {"memory/vectors/float3_past_l1", elements(3, 3)},
    {"memory/vectors/float4_three", elements(4, 3)},
    {"memory/vectors/loose_four", elements(4, 4)},
};

// --- spills and indexed arrays -------------------------------------------------------------------

/// The kernel says 1 if its result is the operand `place`, and 0 if that is a little more.
void expect_result(const subject& s, unsigned place, u64 result, u64 other) {
  for (const bool right : {true, false}) {
    s.on.operand(place, right ? result : other);
    const run_report r = s.on.run_timed(s.what.symbol, 1, 1, 1);
    ASSERT_EQ(r.how, ending::finished) << r.reason;
    EXPECT_EQ(s.on.samples[0].region, right ? 1U : 0U);
  }
}
void check_mixing(const subject& s) {
  constexpr unsigned n = 48, rounds = 2;
  float values[n], sum = 0;
  for (unsigned i = 0; i < n; ++i)
    values[i] = (0.01F + 0.001F * static_cast<float>(i % 11)) * static_cast<float>(i);
  for (unsigned i = 0; i < 11; ++i)
    s.on.operand(i, word_of(0.01F + 0.001F * static_cast<float>(i)));
  s.on.operand(device::rounds_operand, rounds);
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned k = 0; k < 3; ++k)
      for (unsigned i = 0; i < n; ++i)
        values[i] = std::fma(values[i], values[(i + k + 1) % n], values[(i * 7 + k) % n]);
  for (const float v : values) sum += v;
  ASSERT_TRUE(std::isfinite(sum));
  expect_result(s, 11, word_of(sum), word_of(std::nextafter(sum, 1e30F)));
}
void check_counting(const subject& s) {
  constexpr unsigned rounds = 50;
  u32 x = 12345, sum = 0;
  s.on.operand(0, x);
  s.on.operand(device::rounds_operand, rounds);
  for (unsigned r = 0; r < rounds; ++r) {
    x = x * 1664525 + 1013904223;
    sum += (x >> 27) + 1;
  }
  expect_result(s, 1, sum, sum + 1);
}
const reference_registration costs[] = {
    {"local/cost/registers_enough", check_mixing}, {"local/cost/registers_spilled", check_mixing},
    {"local/cost/table_local", check_counting},    {"local/cost/table_registers", check_counting},
    {"local/cost/table_shared", check_counting},
};

}  // namespace
}  // namespace ptxlab::machine
