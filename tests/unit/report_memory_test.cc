// SPDX-License-Identifier: Apache-2.0
// Patterns of access in the report: counts by hand, the order of what was measured against the
// order of the counts, tables over made-up rows. And the operand that a measurement sweeps.
#include <gtest/gtest.h>

#include <numeric>

#include "analysis/report/memory.hpp"
#include "analysis/report/tables.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/swept.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;

results::row make(const std::string& id, const axes& at, double median,
                  const std::string& quantity = "latency", const std::string& unit = "cycle") {
  results::row r;
  r.id = id;
  r.axes = at;
  r.protocol = unit == "cycle" ? "latency" : "throughput";
  r.quantity = quantity;
  r.unit = unit;
  r.value = results::summary{median, median, median, 0, median, median, 5};
  r.sm_clock_mhz = 2000;
  r.cubin_sha256 = std::string(64, 'a');
  return r;
}
results::row rate(const std::string& id, const axes& at, double lanes_per_cycle) {
  return make(id, at, lanes_per_cycle, "throughput", "operation/cycle/SM");
}
results::row lost(results::row r) {
  r.value.reset();
  r.state = results::status::invalid;
  r.reason = "the rate is not steady";
  return r;
}

/// Everything that a topic's function may ask for.
class context {
 public:
  explicit context(std::vector<results::row> rows) : all_({from(std::move(rows))}) {}
  topic_context operator()() const { return {all_.sections().front(), known_, then_}; }

 private:
  static source from(std::vector<results::row> rows) {
    results::file f;
    f.of.device = {{"name", "Synthetic"}, {"arch", "sm_90"}};
    f.rows = std::move(rows);
    return {"made up", f};
  }
  collection all_;
  evidence known_;
  historical then_;
};

using cells = std::vector<std::string>;

TEST(report_access, patterns_of_rows) {
  const auto p = pattern_of(make("memory/banks/chain_u128", {{"stride", 3}}, 1));
  ASSERT_TRUE(p);
  EXPECT_EQ(p->bytes, 16U);
  EXPECT_EQ(p->stride, 3U);
  EXPECT_EQ(p->text(), "stride 3");
  EXPECT_EQ(pattern_of(make("memory/banks/rate_u8", {{"stride", 1}}, 1))->bytes, 1U);
  EXPECT_EQ(pattern_of(make("memory/banks/rate_tile", {{"columns", 17}}, 1))->text(), "17 columns");
  const auto text = [](const char* axis, double value) {
    return pattern_of(make("memory/coalescing/x_l1", {{axis, value}}, 1))->text();
  };
  EXPECT_EQ(text("stride", 0), "one word for all");
  EXPECT_EQ(text("stride", 1), "in order");
  EXPECT_EQ(text("offset_bytes", 132), "base 132");
  EXPECT_EQ(text("flip", 31), "k ^ 31");
  EXPECT_EQ(text("every", 1), "every lane");
  EXPECT_EQ(text("every", 32), "every 32nd lane");
  EXPECT_FALSE(pattern_of(make("memory/banks/rate_u8", {{"warps", 1}}, 1))) << "another axis";
  EXPECT_FALSE(pattern_of(make("memory/banks/rate_u8", {}, 1)));
  EXPECT_FALSE(pattern_of(make("memory/l1/index", {{"stride", 1}}, 1)));
}

// The document's own: 1 and 16 transactions of each half-warp, 16 against 3 for three floats.
TEST(report_access, transactions_then_and_sectors_now) {
  access_pattern p;
  EXPECT_EQ(transactions_of(p).cc10.half[0], (machine::transfers{1, 64}));
  p.flip = 1;
  EXPECT_EQ(transactions_of(p).cc10.half[0].transactions, 16U);
  EXPECT_EQ(transactions_of(p).cc12.half[0], (machine::transfers{1, 64}));
  EXPECT_EQ(transactions_of(p).sectors, 4U);
  p = {.offset = 132};
  EXPECT_EQ(transactions_of(p).cc10.half[0].transactions, 16U);
  EXPECT_EQ(transactions_of(p).sectors, 5U);
  p = {.stride = 3};
  EXPECT_EQ(transactions_of(p).sectors, 12U);
  p = {.every = 8};
  EXPECT_EQ(transactions_of(p).cc10.half[0], (machine::transfers{1, 64}));
  p = {.every = 32};
  EXPECT_EQ(transactions_of(p).sectors, 1U);
}

TEST(report_access, passes_of_strides_and_tiles) {
  for (std::uint64_t stride = 1; stride <= 64; ++stride) {
    const access_pattern p{.stride = stride};
    EXPECT_EQ(passes_then(p).degree, std::gcd(stride, std::uint64_t{16}));
    EXPECT_EQ(passes_now(p).passes, std::gcd(stride, std::uint64_t{32}));
  }
  EXPECT_EQ(passes_now({.stride = 0}).passes, 1U);
  EXPECT_EQ(passes_then({.bytes = 1}).degree, 4U) << "four chars share a bank";
  EXPECT_EQ(passes_now({.bytes = 1}).degree, 1U);
  // 17 columns are right for a half-warp, which reads one column; a warp reads two.
  EXPECT_EQ(passes_then({.columns = 17}).degree, 1U);
  EXPECT_EQ(passes_now({.columns = 17}).degree, 2U);
  EXPECT_EQ(passes_now({.columns = 16}).degree, 8U);
  EXPECT_EQ(passes_now({.columns = 18}).degree, 1U);
}

TEST(report_access, order_of_pairs) {
  const order_check o = order_of({{"a", 1, 10}, {"b", 2, 20}, {"c", 2, 30}, {"d", 3, 20.1}});
  EXPECT_EQ(o.agree, 3U) << "a before b, c and d";
  EXPECT_EQ(o.even, 1U) << "b and d";
  EXPECT_EQ(o.contradicted, cells{"d before c"});
  EXPECT_EQ(order_of({{"a", 1, 10}, {"b", 1, 20}}).agree, 0U) << "equal counts say nothing";
  EXPECT_EQ(order_of({}).agree, 0U);
}

TEST(report_coalescing, patterns_with_their_cycles) {
  const context c({rate("memory/coalescing/strided_l1", {{"stride", 1}}, 32),
                   rate("memory/coalescing/strided_l2", {{"stride", 1}}, 16),
                   rate("memory/coalescing/strided_l2", {{"stride", 2}}, 8),
                   rate("memory/coalescing/offset_l2", {{"offset_bytes", 0}}, 16),
                   lost(rate("memory/coalescing/offset_l1", {{"offset_bytes", 132}}, 16))});
  const table t = coalescing_tables(c()).front();
  ASSERT_EQ(t.lines.size(), 3U) << "in order once";
  EXPECT_EQ(t.lines[0].cells,
            (cells{"in order", "2 (128 B)", "2 (128 B)", "4", "1", "1", "1.00", "2.00"}));
  EXPECT_EQ(t.lines[1].cells,
            (cells{"stride 2", "32 (1024 B)", "2 (256 B)", "8", "2", "2", "not measured", "4.00"}));
  EXPECT_EQ(t.lines[2].cells[6], "invalid");
  ASSERT_EQ(t.lines[2].notes.size(), 1U);
  EXPECT_NE(t.lines[2].notes[0].find("not steady"), std::string::npos);
  const table order = coalescing_orders(c()).front();
  EXPECT_EQ(order.lines[0].cells, (cells{"cycles from L2", "sectors", "1", "0", "0"}));
  EXPECT_EQ(coalescing_figures(c()).size(), 1U);
  const context empty({make("memory/l1/index", {}, 39)});
  EXPECT_NE(coalescing_tables(empty()).front().title.find("not measured"), std::string::npos);
  EXPECT_TRUE(coalescing_figures(empty()).empty());
}

TEST(report_banks, strides_by_passes_and_what_speaks_against) {
  std::vector<results::row> rows;
  for (int stride = 0; stride <= 64; ++stride) {
    const double passes = std::max(1, std::gcd(stride, 32) * (stride != 0 ? 1 : 0));
    rows.push_back(make("memory/banks/chain_u32", {{"stride", 1.0 * stride}}, 25 + 2 * passes));
    // One stride is slower than its passes, and slower than those with twice as many.
    rows.push_back(
        rate("memory/banks/rate_u32", {{"stride", 1.0 * stride}}, 32 / (stride == 6 ? 5 : passes)));
  }
  const context c(std::move(rows));
  const std::vector<table> t = bank_tables(c());
  ASSERT_EQ(t.size(), 4U);
  ASSERT_EQ(t[1].lines.size(), 6U) << "1, 2, 4, 8, 16 and 32 passes";
  EXPECT_EQ(t[1].lines[3].cells, (cells{"8", "8, 24, 40, 56", "8", "41.0", "8.00"}));
  EXPECT_EQ(t[1].lines[5].cells, (cells{"32", "32, 64", "16", "89.0", "32.00"}));
  EXPECT_NE(t[0].title.find("not measured"), std::string::npos);
  const table order = bank_orders(c()).front();
  EXPECT_EQ(order.lines[2].cells[0], "4 bytes, cycles of a chain");
  EXPECT_EQ(order.lines[2].cells[4], "0");
  EXPECT_EQ(order.lines[3].cells[4], "8") << "stride 6 against the eight strides of four passes";
  EXPECT_EQ(bank_figures(c()).size(), 2U);
}

TEST(report_memory, what_was_swept_is_no_surface) {
  const context c({rate("memory/banks/rate_u32", {{"stride", 2}}, 16),
                   rate("memory/banks/rate_u32", {{"stride", 4}}, 8)});
  const std::vector<table> all = tables_of(c().of, {});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].columns[1].title, "stride");
  EXPECT_EQ(all[0].lines.size(), 2U);
  EXPECT_TRUE(heat_maps(c().of, "banks").empty());
}

TEST(report_memory, what_is_not_there_is_not_measured) {
  const context c({make("memory/l1/pointer", {}, 34),
                   make("local/cost/table_shared", {}, 100, "time", "ns"),
                   make("memory/vectors/aligned_one", {}, 4000, "bandwidth", "GB/s"),
                   make("memory/constant/words_of_a_warp", {{"words", 2}}, 40)});
  std::size_t known = 0;
  const table spaces = space_tables(c()).front();
  for (const line& l : spaces.lines)
    if (l.cells[2] != not_measured_text) {
      ++known;
      EXPECT_EQ(l.cells, (cells{"global", "in L1, by its address", "34.0", "17.0", "-"}));
    }
  EXPECT_EQ(known, 1U);
  const std::vector<line> locals = local_tables(c()).front().lines;
  EXPECT_EQ(locals[0].cells[3], not_measured_text);
  EXPECT_EQ(locals[4].cells[3], "100.0");
  EXPECT_EQ(locals[4].cells[4], "1.00");
  const std::vector<line> elements = vector_tables(c()).front().lines;
  EXPECT_EQ(elements[8].cells, (cells{"1 member of 4, aligned to 16", "LDG.E", "32", "4", "16", "4",
                                      "4000", "1000", "4.000"}));
  EXPECT_EQ(elements[5].cells[4], "36") << "three loads of a float3";
  EXPECT_EQ(elements[5].cells[2], "96") << "16 of a half-warp, three times";
  EXPECT_EQ(elements[4].cells[2], "8") << "1 of a half-warp from each of four arrays";
  const std::vector<line> words = constant_words(c()).front().lines;
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].cells, (cells{"2", "40.0", "not measured"}));
  EXPECT_TRUE(space_figures(c()).empty()) << "one bar is no figure";
}

}  // namespace
}  // namespace ptxlab::report

namespace ptxlab::bench {
namespace {

std::string message_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(bench_swept, points_are_multiplied) {
  const kernels::swept none, s{.axis = "stride", .operand = 1, .values = {0, 1, 2, 3, 64}};
  EXPECT_EQ(swept_points(none, {{}}, false), std::vector<axes>{{}});
  EXPECT_EQ(swept_points(s, {{{"warps", 1}}, {{"warps", 2}}}, false).size(), 10U);
  const std::vector<axes> quick = swept_points(s, {{}}, true);
  ASSERT_EQ(quick.size(), 3U);
  EXPECT_EQ(quick.front(), (axes{{"stride", 0}}));
  EXPECT_EQ(quick.back(), (axes{{"stride", 64}}));
  EXPECT_EQ(message_of([&] {
              (void)swept_points(s, {{{"stride", 1}}}, false);
            }),
            "axis stride is swept, and a point has it already");
  EXPECT_EQ(message_of([] { (void)swept_points({.axis = "stride"}, {{}}, false); }),
            "axis stride has no values");
}

TEST(bench_swept, the_operand_is_replaced) {
  using words = std::vector<std::uint64_t>;
  const kernels::swept s{.axis = "stride", .operand = 1, .values = {7}};
  EXPECT_EQ(swept_operands(s, {{"stride", 7}}, {5, 6}), (words{5, 7}));
  EXPECT_EQ(swept_operands(s, {{"stride", 7}}, {}), (words{0, 7}));
  EXPECT_EQ(swept_operands({}, {}, {5, 6}), (words{5, 6}));
}

TEST(bench_swept, one_point_for_each_value_in_both_protocols) {
  const sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};
  kernels::measurement m;
  m.swept = {.axis = "words", .operand = 1, .values = {1, 2, 4}};
  m.threads = {32, 64};
  EXPECT_EQ(protocol_of(kernels::protocol::latency).points(m, h200, false).size(), 6U);
  EXPECT_EQ(protocol_of(kernels::protocol::throughput).points(m, h200, false).size(), 3U);
  m.swept = {};
  EXPECT_EQ(protocol_of(kernels::protocol::latency).points(m, h200, false).size(), 2U);
  EXPECT_EQ(protocol_of(kernels::protocol::throughput).points(m, h200, false).size(), 6U);
}

TEST(bench_swept, no_plateau_is_made_of_what_was_swept) {
  results::row r;
  r.quantity = "throughput";
  r.axes = {{"stride", 1}};
  r.value = results::summary{1, 1, 1, 0, 1, 1, 5};
  std::vector<results::row> rows = {r, r};
  protocol_of(kernels::protocol::throughput).conclude(rows);
  EXPECT_EQ(rows.size(), 2U);
}

}  // namespace
}  // namespace ptxlab::bench
