// SPDX-License-Identifier: Apache-2.0
// What the harness decides without a GPU: which experiments, at which points, under which contract,
// from which files, and what it makes of samples and rows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/tools.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/plan.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/words.hpp"
#include "kernels/kernel.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

namespace fs = std::filesystem;
using strings = std::vector<std::string>;
using kernels::measurement;
using enum kernels::protocol;

const std::string fma = "latency/fp32/fma_rn_f32";

template <typename F>
std::string message_of(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// ---- which experiments

TEST(bench_select, filters_are_parts_of_identifiers) {
  EXPECT_EQ(select({fma}), strings{fma});
  const strings fp32 = select({"latency/fp32/"});
  EXPECT_GE(fp32.size(), 3u);
  EXPECT_TRUE(std::is_sorted(fp32.begin(), fp32.end()));
  for (const std::string& id : fp32) EXPECT_TRUE(holds(id, "latency/fp32/")) << id;
  // Filters add up, and what several fit is there once.
  strings both = select({"throughput/fp32/fma_rn_f32", "latency/fp32/", "fma_rn_f32", fma});
  EXPECT_TRUE(std::is_sorted(both.begin(), both.end()));
  EXPECT_EQ(std::adjacent_find(both.begin(), both.end()), both.end());
  EXPECT_EQ(std::count(both.begin(), both.end(), fma), 1);
  EXPECT_EQ(std::count(both.begin(), both.end(), "throughput/fp32/fma_rn_f32"), 1);
}

// Kernels that the gate must refuse are controls: measured only when they are asked for.
TEST(bench_select, controls_are_left_out_unless_named) {
  const strings all = select({});
  EXPECT_GT(all.size(), 20u);
  int controls = 0;
  for (const kernels::entry& e : kernels::catalogue())
    for (const kernels::variant& v : e.what.variants) {
      const std::string id = fmt::format("{}/{}", e.id, v.symbol);
      const bool listed = std::binary_search(all.begin(), all.end(), id);
      const bool control = !v.measure.refused.empty() || v.measure.surplus_blocks > 0;
      EXPECT_EQ(listed, v.measure.how != none && !control) << id;
      if (!control) continue;
      ++controls;
      EXPECT_EQ(select({id}).front(), id);
    }
  EXPECT_GT(controls, 0);
}

TEST(bench_select, a_filter_that_fits_nothing_is_an_error) {
  const std::string said = message_of([] { select({"latency/fp32/fma_rn_f23"}); });
  EXPECT_TRUE(holds(said, "no experiment fits 'latency/fp32/fma_rn_f23'")) << said;
  EXPECT_TRUE(holds(said, fma)) << "the nearest is not suggested: " << said;
  // One good filter does not excuse a bad one.
  EXPECT_TRUE(holds(message_of([] { select({fma, "xyzzy"}); }), "no experiment fits 'xyzzy'"));
}

TEST(bench_select, of_any_identifiers) {
  const strings ids = {"a/one", "a/two", "b/two"};
  EXPECT_EQ(fitting(ids, {"two", "a/"}), ids);
  EXPECT_EQ(fitting(ids, {"two"}), (strings{"a/two", "b/two"}));
  EXPECT_EQ(fitting(ids, {}), strings());
  const strings more = {"a/b/c", "b/c/d", "b/x/d"};
  EXPECT_EQ(fitting(more, {"b/"}), (strings{"b/c/d", "b/x/d"})) << "not a/b/";
  EXPECT_EQ(fitting(more, {"b/*/d"}), (strings{"b/c/d", "b/x/d"}));
  EXPECT_EQ(fitting(more, {"*/c"}), strings{"a/b/c"});
  const std::string said = message_of([&] { fitting(ids, {"two", "a/tvo"}); });
  EXPECT_TRUE(holds(said, "no experiment fits 'a/tvo'")) << said;
  EXPECT_TRUE(holds(said, "a/two")) << said;
}

// ---- plans on disk

class bench_plan : public testing::Test {
 protected:
  /// A plan of one experiment, its cubin "abc".
  void write_plan(const std::string& id, const std::string& hash, const std::string& schema) {
    toolchain::write_file(folder_.path() / "a.cubin", "abc");
    toolchain::write_file(
        folder_.path() / "plan.json",
        fmt::format(R"({{"schema":"{}","arch":"sm_90","commit":"c","toolkit":{{"nvcc":"13"}},)"
                    R"("experiments":[{{"id":"{}","cubin":"a.cubin","cubin_sha256":"{}",)"
                    R"("valid":true,"reason":"","sass":"FFMA","fixed":"STS",)"
                    R"("excerpt":["one","two"],"static_cycles":4.0}}]}})",
                    schema, id, hash));
  }
  std::string said() {
    return message_of([this] { read_plan(folder_.path()); });
  }

  // FIPS 180-2, appendix B.1: SHA-256 of "abc".
  const std::string abc_ = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const std::string schema_ = "ptxlab.plan/1";
  toolchain::temporary_folder folder_;
};

TEST_F(bench_plan, reads_what_was_written) {
  write_plan(fma, abc_, schema_);
  const plan p = read_plan(folder_.path());
  EXPECT_EQ(p.folder, folder_.path());
  EXPECT_EQ(p.arch, "sm_90");
  EXPECT_EQ(p.commit, "c");
  EXPECT_EQ(p.toolkit.at("nvcc"), "13");
  ASSERT_EQ(p.experiments.size(), 1u);
  const experiment& x = p.find(fma);
  EXPECT_EQ(x.what->symbol, "fma_rn_f32");
  EXPECT_EQ(x.cubin_sha256, abc_);
  EXPECT_TRUE(x.judged.valid);
  EXPECT_EQ(x.judged.sass, "FFMA");
  EXPECT_EQ(x.judged.fixed, "STS");
  EXPECT_EQ(x.judged.excerpt, (strings{"one", "two"}));
  EXPECT_EQ(x.judged.static_cycles, 4.0);
  EXPECT_EQ(x.takes, kernel_resources()) << "of a plan that says nothing of them";
  const std::string unknown = message_of([&] { p.find("latency/fp32/fma_rn_f23"); });
  EXPECT_TRUE(holds(unknown, "no experiment 'latency/fp32/fma_rn_f23'")) << unknown;
  EXPECT_TRUE(holds(unknown, fma)) << unknown;
}

TEST_F(bench_plan, refuses_another_cubin_than_the_one_judged) {
  std::string other = abc_;
  other.back() = 'e';
  write_plan(fma, other, schema_);
  EXPECT_TRUE(holds(said(), "a.cubin is not the file that was judged")) << said();
  write_plan(fma, abc_, schema_);
  toolchain::write_file(folder_.path() / "a.cubin", "abd");
  EXPECT_TRUE(holds(said(), "a.cubin is not the file that was judged")) << said();
  toolchain::write_file(folder_.path() / "a.cubin", "");
  EXPECT_TRUE(holds(said(), "a.cubin is not the file that was judged")) << said();
  fs::remove(folder_.path() / "a.cubin");
  EXPECT_TRUE(holds(said(), "a.cubin")) << said();
  EXPECT_TRUE(holds(said(), "plan.json")) << said();
}

TEST_F(bench_plan, refuses_other_files) {
  EXPECT_TRUE(holds(said(), "plan.json")) << said();  // there is none
  write_plan(fma, abc_, "ptxlab.plan/2");
  EXPECT_TRUE(holds(said(), "no plan (schema ptxlab.plan/1)")) << said();
  write_plan("latency/fp32/gone", abc_, schema_);
  EXPECT_TRUE(holds(said(), "no experiment latency/fp32/gone: prepare it again")) << said();
  for (const char* text :
       {"", "{", "[]", "7", "null", R"({"schema":7})", R"({"schema":"ptxlab.plan/1"})",
        R"({"schema":"ptxlab.plan/1","arch":90,"commit":"","toolkit":{}})",
        R"({"schema":"ptxlab.plan/1","arch":"","commit":"","toolkit":{},)"
        R"("experiments":[{"id":"x"}]})",
        R"({"schema":"ptxlab.plan/1","arch":"","commit":"","toolkit":{},)"
        R"("experiments":7})"}) {
    toolchain::write_file(folder_.path() / "plan.json", text);
    EXPECT_TRUE(holds(said(), "plan.json: ")) << text << ": " << said();
  }
}

TEST_F(bench_plan, prepared_plans_can_be_read) {
  const auto tools = toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
  for (const toolchain::tool* one : {&tools.nvcc, &tools.ptxas, &tools.nvdisasm})
    if (!one->usable()) GTEST_SKIP() << one->problem;
  const plan made = prepare({fma}, "sm_90", folder_.path());
  const plan read = read_plan(folder_.path());
  ASSERT_EQ(made.experiments.size(), 1u);
  ASSERT_EQ(read.experiments.size(), 1u);
  const experiment &a = made.experiments.front(), &b = read.experiments.front();
  EXPECT_TRUE(a.judged.valid) << a.judged.reason;
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.what, b.what);
  EXPECT_EQ(a.cubin, b.cubin);
  EXPECT_EQ(a.cubin_sha256, b.cubin_sha256);
  EXPECT_EQ(a.judged.sass, b.judged.sass);
  EXPECT_EQ(a.judged.excerpt, b.judged.excerpt);
  EXPECT_EQ(a.judged.static_cycles, b.judged.static_cycles);
  EXPECT_EQ(a.takes, b.takes);
  EXPECT_GT(a.takes.registers, 0);
  EXPECT_EQ(a.takes.spill_bytes, 0);
  // 32 passes of three samples of 32 bytes, three more for other warps, and a word for the result.
  EXPECT_EQ(a.takes.shared_bytes, (32 * 3 + 3) * 32 + 16);
  EXPECT_EQ(made.commit, read.commit);
  EXPECT_EQ(made.toolkit, read.toolkit);
  EXPECT_TRUE(read.toolkit.contains("nvcc"));
}

// ---- contracts

measurement of(kernels::protocol how, unsigned copies) {
  measurement m;
  m.how = how;
  m.sass = {"FFMA", "MOV*"};
  m.copies = copies;
  m.per_copy = 3;
  return m;
}

void expect_regions(const timing::contract& c, const std::vector<timing::region>& expected) {
  ASSERT_EQ(c.regions.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(c.regions[i].copies, expected[i].copies) << i;
    EXPECT_EQ(c.regions[i].streams, expected[i].streams) << i;
  }
}

TEST(bench_contract, chains) {
  for (const kernels::protocol how : {latency, chase, rounds}) {
    measurement m = of(how, 16);
    m.expands = how == latency;
    const timing::contract c = protocol_of(how).contract(m);
    EXPECT_EQ(c.how, how == rounds ? timing::relation::serial : timing::relation::chain);
    EXPECT_EQ(c.opcodes, (strings{"FFMA", "MOV*"}));
    EXPECT_EQ(c.per_copy, 3u);
    EXPECT_EQ(c.expands, how == latency);
    EXPECT_FALSE(c.rounds);
    expect_regions(c, {{16}, {32}, {64}});
  }
}

TEST(bench_contract, streams) {
  const timing::contract c = protocol_of(throughput).contract(of(throughput, 64));
  EXPECT_EQ(c.how, timing::relation::independent);
  EXPECT_TRUE(c.rounds);
  EXPECT_EQ(c.per_copy, 3u);
  expect_regions(c, {{64, 1}, {32, 2}, {16, 4}, {8, 8}});
}

TEST(bench_contract, every_measured_kernel_has_one) {
  std::map<std::string, int> of_protocol;
  for (const kernels::entry& e : kernels::catalogue())
    for (const kernels::variant& v : e.what.variants) {
      if (v.measure.how == none) continue;
      const std::string id = fmt::format("{}/{}", e.id, v.symbol);
      const protocol& p = protocol_of(v.measure.how);
      ++of_protocol[p.name];
      EXPECT_FALSE(p.points(v.measure, {132, 1024, 60 << 20, 1ULL << 37}, false).empty()) << id;
      EXPECT_FALSE(p.points(v.measure, {132, 1024, 60 << 20, 1ULL << 37}, true).empty()) << id;
      if (p.contract == nullptr) continue;
      const timing::contract c = p.contract(v.measure);
      EXPECT_FALSE(c.opcodes.empty()) << id;
      EXPECT_FALSE(c.regions.empty()) << id;
      for (const timing::region& r : c.regions) EXPECT_GT(r.copies, 0u) << id;
      // All numbers of streams make the same copies, which is what the rate is counted in.
      EXPECT_TRUE(v.measure.how != throughput || v.measure.copies % 8 == 0) << id;
    }
  for (const char* name : {"latency", "throughput", "rounds", "chase"})
    EXPECT_GT(of_protocol[name], 0) << name;
}

TEST(bench_protocols, are_registered_once_in_order) {
  for (std::size_t i = 0; i < protocols().size(); ++i) {
    EXPECT_EQ(&protocol_of(protocols()[i].how), &protocols()[i]);
    EXPECT_TRUE(i == 0 || protocols()[i - 1].how < protocols()[i].how);
  }
  EXPECT_TRUE(holds(message_of([] { protocol_of(none); }), "protocol"));
}

// ---- points

constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};

std::vector<double> axis(const std::vector<axes>& points, const std::string& name) {
  std::vector<double> out;
  for (const axes& a : points) out.push_back(a.at(name));
  return out;
}
using doubles = std::vector<double>;

TEST(bench_points, of_a_surface) {
  const protocol& p = protocol_of(throughput);
  const measurement m = of(throughput, 64);
  EXPECT_EQ(axis(p.points(m, h200, false), "warps"), (doubles{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(axis(p.points(m, h200, true), "warps"), (doubles{16, 32}));
  sizes small = h200;
  small.max_block_threads = 512;
  EXPECT_EQ(axis(p.points(m, small, false), "warps"), (doubles{1, 2, 4, 8, 16}));
  EXPECT_EQ(axis(p.points(m, small, true), "warps"), (doubles{16}));
}

TEST(bench_points, of_a_chain_and_of_rounds) {
  measurement m = of(latency, 32);
  EXPECT_EQ(protocol_of(latency).points(m, h200, false), std::vector<axes>{{}});
  EXPECT_EQ(axis(protocol_of(rounds).points(m, h200, false), "threads"), (doubles{32}));
  EXPECT_EQ(axis(protocol_of(rounds).points(m, h200, true), "threads"), (doubles{32}));
  m.threads = {32, 64, 256, 1024};
  EXPECT_EQ(axis(protocol_of(latency).points(m, h200, false), "threads"),
            (doubles{32, 64, 256, 1024}));
  EXPECT_EQ(axis(protocol_of(rounds).points(m, h200, false), "threads"),
            (doubles{32, 64, 256, 1024}));
  EXPECT_EQ(axis(protocol_of(rounds).points(m, h200, true), "threads"), (doubles{32, 1024}));
}

TEST(bench_points, of_a_ring) {
  const protocol& p = protocol_of(chase);
  measurement m = of(chase, 32);
  m.ring.stride_bytes = {128, 4096};
  m.ring.footprint_bytes = {1024, 8192};
  m.ring.footprint_l2 = {4};
  const auto all = p.points(m, h200, false);
  // 1024 bytes hold no link 4096 bytes apart.
  EXPECT_EQ(axis(all, "stride_bytes"), (doubles{128, 128, 128, 4096, 4096}));
  EXPECT_EQ(axis(all, "footprint_bytes"),
            (doubles{1024, 8192, 4.0 * (60 << 20), 8192, 4.0 * (60 << 20)}));
  for (const axes& a : all) EXPECT_FALSE(a.contains("offset_bytes"));
  // Quick: four of them, the first and the last among them, none twice.
  const auto few = p.points(m, h200, true);
  ASSERT_EQ(few.size(), 4u);
  EXPECT_EQ(few.front(), all.front());
  EXPECT_EQ(few.back(), all.back());
  for (std::size_t i = 1; i < few.size(); ++i) EXPECT_NE(few[i - 1], few[i]);
  m.ring.stride_bytes = {128};
  EXPECT_EQ(p.points(m, h200, true).size(), 3u);
  m.ring.offset_bytes = {0, 256};
  EXPECT_EQ(axis(p.points(m, h200, false), "offset_bytes"), (doubles{0, 256, 0, 256, 0, 256}));
}

// ---- what follows from all points

results::row rate(double warps, double ilp, double median) {
  results::row r = make_row(protocol_of(throughput), {{"warps", warps}, {"ilp", ilp}}, "throughput",
                            "operation/cycle/SM");
  r.value = results::summary{.median = median, .min = median - 1, .max = median, .samples = 4};
  r.raw = {{1, {2}}};
  return r;
}

TEST(bench_conclusion, plateau_of_the_fewest_warps_and_streams) {
  const auto conclude = protocol_of(throughput).conclude;
  ASSERT_NE(conclude, nullptr);
  results::row failed = rate(1, 1, 0);
  failed.value.reset();
  failed.state = results::status::error;
  failed.axes.erase("ilp");
  // 98 is within 2 % of 100, 97.9 is not.
  std::vector<results::row> rows = {failed,          rate(4, 1, 97.9), rate(8, 2, 98),
                                    rate(16, 1, 99), rate(32, 8, 100), rate(32, 4, 99.5)};
  rows[2].uses.block_threads = 256;
  rows[4].uses.block_threads = 1024;
  conclude(rows);
  ASSERT_EQ(rows.size(), 7u);
  const results::row& p = rows.back();
  EXPECT_EQ(p.quantity, "plateau");
  EXPECT_EQ(p.unit, "operation/cycle/SM");
  EXPECT_EQ(p.state, results::status::ok);
  ASSERT_TRUE(p.value);
  EXPECT_EQ(p.value->median, 100);
  EXPECT_EQ(p.axes, (axes{{"warps", 8}, {"ilp", 2}}));
  EXPECT_EQ(p.uses.block_threads, 256) << "of the point that it stands at";
  EXPECT_TRUE(p.raw.empty());
  // The points themselves stay as they were.
  EXPECT_EQ(rows[4].quantity, "throughput");
  EXPECT_EQ(rows[4].raw.size(), 1u);
}

TEST(bench_conclusion, none_from_nothing) {
  results::row failed = rate(1, 1, 0);
  failed.value.reset();
  failed.state = results::status::error;
  std::vector<results::row> rows = {failed};
  protocol_of(throughput).conclude(rows);
  EXPECT_EQ(rows.size(), 1u);
  rows.clear();
  protocol_of(throughput).conclude(rows);
  EXPECT_TRUE(rows.empty());
  rows = {rate(4, 2, 50)};
  protocol_of(throughput).conclude(rows);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].axes, rows[0].axes);
}

/// A point of a staircase.
results::row step(double stride, double footprint, double median) {
  results::row r =
      make_row(protocol_of(chase), {{"stride_bytes", stride}, {"footprint_bytes", footprint}},
               "latency", "cycle");
  r.value = results::summary{.median = median, .min = median, .max = median, .samples = 4};
  return r;
}

TEST(bench_conclusion, levels_end_with_their_stride) {
  std::vector<results::row> rows;
  for (const double stride : {128, 4096})
    for (const double footprint : {4096, 8192}) rows.push_back(step(stride, footprint, 40));
  protocol_of(chase).conclude(rows);
  EXPECT_EQ(rows.size(), 4u) << "two footprints of each stride are no level";
  rows.push_back(step(4096, 16384, 40));
  protocol_of(chase).conclude(rows);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[5].quantity, "plateau");
  EXPECT_EQ(rows[5].axes,
            (axes{{"stride_bytes", 4096}, {"from_bytes", 4096}, {"to_bytes", 16384}}));
}

// ---- words that the host writes

TEST(bench_words, name_themselves) {
  kernels::ring r;
  EXPECT_EQ(own_words(r, 16), (std::vector<std::uint32_t>{0, 4, 8, 12}));
  r.what = kernels::ring::link::index;
  EXPECT_EQ(own_words(r, 16), (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(bench_words, of_a_ring_lead_round_all_of_it) {
  kernels::ring r;
  for (const auto how : {kernels::ring::order::sequential, kernels::ring::order::random}) {
    r.how = how;
    const auto words = ring_words(r, 1024, 64);
    ASSERT_EQ(words.size(), 256u);
    std::vector<unsigned> seen(256);
    std::uint32_t at = 0;
    for (int i = 0; i < 16; ++i, at = words.at(at)) {
      EXPECT_EQ(at % 16, 0u);
      EXPECT_EQ(seen.at(at)++, 0u) << at;
    }
    EXPECT_EQ(at, 0u);
  }
}

// ---- samples

/// `passes` passes through three regions of `cycles` cycles each, a microsecond apart, at 2 GHz.
std::vector<sample> passes_of(unsigned passes, unsigned long long cycles) {
  std::vector<sample> out;
  unsigned long long now = 5000;
  for (unsigned i = 0; i < passes; ++i)
    for (unsigned region = 0; region < 3; ++region, now += 2000)
      out.push_back({now, now + cycles + region, now / 2, 3, region});
  return out;
}

TEST(bench_samples, cold_passes_are_dropped) {
  std::vector<sample> s = passes_of(5, 100);
  s[0].end += 1000;  // a cold instruction cache
  s[3].end += 500;
  const results::series got = cycles_of(s, 0, 32);
  EXPECT_EQ(got.length, 32);
  EXPECT_EQ(got.values, (doubles{100, 100, 100}));
  EXPECT_EQ(cycles_of(s, 2, 128).values, (doubles{102, 102, 102}));
}

TEST(bench_samples, what_is_not_there_is_an_error) {
  EXPECT_THROW(cycles_of({}, 0, 32), error);
  EXPECT_THROW(cycles_of(passes_of(5, 100), 3, 32), error);  // no such region
  EXPECT_THROW(cycles_of(passes_of(2, 100), 0, 32), error);  // cold ones only
  std::vector<sample> s = passes_of(5, 100);
  s[9] = {};  // not written: the zeroes of the buffer
  EXPECT_THROW(cycles_of(s, 0, 32), error);
  s = passes_of(5, 100);
  std::swap(s[9].begin, s[9].end);
  EXPECT_THROW(cycles_of(s, 0, 32), error);
  s = passes_of(5, 100);
  s[9].end = s[9].begin;
  EXPECT_THROW(cycles_of(s, 0, 32), error);
}

TEST(bench_samples, clock_against_timer) {
  EXPECT_NEAR(clock_of(passes_of(32, 100)), 2000, 1e-6);
  EXPECT_EQ(clock_of({}), 0);
  EXPECT_EQ(clock_of(passes_of(3, 100)), 0);  // 8 us: too short to tell
  std::vector<sample> s = passes_of(32, 100);
  s.back().sm = 4;  // another clock
  EXPECT_EQ(clock_of(s), 0);
}

}  // namespace
}  // namespace ptxlab::bench
