// SPDX-License-Identifier: Apache-2.0
// The report on reductions over made-up results whose right values were worked out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analysis/report/break_even.hpp"
#include "analysis/report/reduction.hpp"
#include "analysis/report/report.hpp"
#include "analysis/results/statistics.hpp"
#include "analysis/toolchain/files.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;
using results::row;
using results::status;

// ---- break-even

std::vector<double> around(double us, double spread) {
  return {us - spread, us - spread / 2, us, us + spread / 2, us + spread};
}

/// A host that takes a nanosecond for a number, and a GPU that takes `us`, however many.
std::vector<compared_size> host_against(double us, double spread = 0) {
  std::vector<compared_size> out;
  for (double n = 1000; n <= 1e6; n *= 10)
    out.push_back({n, around(n / 1000, spread * n / 1000), around(us, spread * us)});
  return out;
}

TEST(report_break_even, between_two_sizes) {
  const auto found = break_even(host_against(31.6227766));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->n, 31622.8, 0.1);
  EXPECT_EQ(found->n_text(), "31623");
  EXPECT_EQ(found->interval_text(), "31623") << "samples that do not differ have no spread";
  const auto spread = break_even(host_against(31.6227766, 0.1));
  EXPECT_NEAR(spread->n, 31622.8, 0.1);
  EXPECT_LT(spread->low, 31000);
  EXPECT_GT(spread->low, 31622.8 * 0.8);
  EXPECT_GT(spread->high, 32000);
  EXPECT_LT(spread->high, 31622.8 * 1.25);
  EXPECT_EQ(break_even(host_against(31.6227766, 0.1))->low, spread->low) << "the seed is fixed";
}

TEST(report_break_even, neither_before_nor_behind_what_was_measured) {
  const auto always = break_even(host_against(0.5));
  EXPECT_EQ(always->n_text(), "below 1000");
  EXPECT_EQ(always->interval_text(), "below 1000");
  const auto never = break_even(host_against(5000));
  EXPECT_EQ(never->n_text(), "not up to 1000000");
  // Of those drawn anew some cross and some do not.
  const auto sometimes = break_even(host_against(1020, 0.1));
  EXPECT_EQ(sometimes->n_text(), "not up to 1000000");
  EXPECT_TRUE(std::isfinite(sometimes->low));
  EXPECT_NE(sometimes->interval_text().find(" to not up to 1000000"), std::string::npos);
}

TEST(report_break_even, the_last_crossing_counts_and_a_printed_table_has_no_interval) {
  const auto found = break_even({{1000, {2}, {1}}, {4000, {1}, {2}}, {16000, {4}, {2}}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->n, 8000, 1e-9);
  EXPECT_EQ(found->interval_text(), "");
  EXPECT_FALSE(break_even({}));
  EXPECT_FALSE(break_even({{1000, {}, {1}}})) << "nobody measured the host";
  EXPECT_EQ(break_even({{1000, {1}, {1}}})->n_text(), "not up to 1000") << "a tie is no lead";
}

// ---- tables

row make(const std::string& id, double n, const std::string& quantity, double value,
         const std::string& unit = "us") {
  row r;
  r.id = "reduce/" + id;
  r.axes = {{"elements", n}, {"threads", 256}};
  r.protocol = "reduction";
  r.quantity = quantity;
  r.unit = unit;
  r.raw_unit = "ns";
  r.raw = {{10, {value * 10e3, value * 10.1e3, value * 9.9e3}}};
  r.value = results::summarise({value, value * 1.01, value * 0.99});
  r.cubin_sha256 = std::string(64, 'a');
  r.uses.registers = 24;
  r.uses.block_threads = 256;
  r.uses.blocks_per_sm = 8;
  r.uses.loads_in_flight = 2;
  return r;
}

row lost(row r, status state, const std::string& reason) {
  r.value.reset();
  r.state = state;
  r.reason = reason;
  return r;
}

class made_up {
 public:
  explicit made_up(std::vector<row> rows) : all_(source_of(std::move(rows))) {
    toolchain::write_file(folder_.path() / "then.csv",
                          "document,table,row,column,value,unit\n"
                          "B,reductions (2009),reduce1,time,20,ms\n"
                          "B,reductions (2009),reduce5,time,8,ms\n"
                          "C,table 1 (2012),10000,CPU,0.00004,s\n"
                          "C,table 1 (2012),10000,GPU1 (unroll-factor reduction),0.00008,s\n"
                          "C,table 1 (2012),10000,Thrust,0.0003,s\n"
                          "C,table 1 (2012),40000,CPU,0.00016,s\n"
                          "C,table 1 (2012),40000,GPU1 (unroll-factor reduction),0.00008,s\n"
                          "C,table 1 (2012),40000,Thrust,0.0003,s\n"
                          "C,table 3 (2012),2,time by unroll factor,0.0001,s\n"
                          "C,table 3 (2012),7,time by unroll factor,0.00007,s\n");
    then_ = historical(folder_.path() / "then.csv");
  }
  topic_context context() const { return {all_.sections().front(), known_, then_}; }

 private:
  static std::vector<source> source_of(std::vector<row> rows) {
    results::file f;
    f.of.device = {{"name", "A GPU"}, {"arch", "sm_90"}};
    f.rows = std::move(rows);
    return {{"made up", std::move(f)}};
  }

  toolchain::temporary_folder folder_;
  collection all_;
  evidence known_;
  historical then_;
};

/// Cells of the line that begins with `begin`, by title; empty where there is none.
std::map<std::string, std::string> line_of(const table& t, const std::vector<std::string>& begin) {
  std::map<std::string, std::string> out;
  for (const line& l : t.lines) {
    EXPECT_EQ(l.cells.size(), t.columns.size()) << t.title;
    if (!std::equal(begin.begin(), begin.end(), l.cells.begin())) continue;
    for (std::size_t i = 0; i < t.columns.size(); ++i) out[t.columns[i].title] = l.cells[i];
  }
  return out;
}

/// The unroll factor 7 with its rivals, and two kernels of one launch, of which `words` is faster.
std::vector<row> two_sizes() {
  std::vector<row> rows;
  for (const double n : {10000.0, 40000.0}) {
    rows.push_back(make("unroll_factor/by_7", n, "time", 6));
    rows.push_back(make("unroll_factor/by_7", n, "time with copies", 20));
    rows.push_back(make("unroll_factor/by_7", n, "time of one core", n / 1000));
    rows.push_back(make("unroll_factor/by_7", n, "time of thrust with copies", 100));
    rows.push_back(make("one_launch/float_ticket", n, "time", 5));
    rows.push_back(make("one_launch/float_ticket", n, "time with copies", 25));
    rows.push_back(make("one_launch/float_words", n, "time", 4));
    rows.push_back(make("one_launch/float_words", n, "time of cub", 4.5));
  }
  return rows;
}

TEST(report_reduction, history_stands_beside_ours) {
  const made_up all(two_sizes());
  const table t = reduction_history_tables(all.context()).front();
  const auto at = line_of(t, {"10000"});
  EXPECT_EQ(at.at("2012: CPU"), "40.0");
  EXPECT_EQ(at.at("2012: UF"), "80.0");
  EXPECT_EQ(at.at("one core"), "10.0");
  EXPECT_EQ(at.at("UF 7 with copies"), "20.0");
  EXPECT_EQ(at.at("UF 7"), "6.00");
  EXPECT_EQ(at.at("CUB"), "4.50");
  EXPECT_EQ(at.at("float_words"), "4.00");
  EXPECT_EQ(at.at("float_ticket with copies"), "25.0") << "the best one has no such times";
  EXPECT_EQ(at.at("all cores"), not_measured_text);
  EXPECT_EQ(at.at("one core / UF 7 with copies"), "0.50");
}

TEST(report_reduction, break_even_then_and_now) {
  const made_up all(two_sizes());
  const table t = break_even_tables(all.context()).front();
  EXPECT_EQ(line_of(t, {"2012: one core", "2012: UF"}).at("from"), "20000");
  EXPECT_EQ(line_of(t, {"2012: one core", "2012: Thrust"}).at("from"), "not up to 40000");
  const auto now = line_of(t, {"one core", "UF 7", "host"});
  EXPECT_EQ(now.at("from"), "20000");
  EXPECT_EQ(now.at("measured"), "10000 to 40000");
  EXPECT_EQ(line_of(t, {"all cores", "UF 7", "host"}).at("from"), not_measured_text);
  EXPECT_EQ(line_of(t, {"one core", "Thrust", "host"}).at("from"), "not up to 40000");
  EXPECT_EQ(line_of(t, {"one core", "float_ticket", "host"}).at("from"), "25000");
}

TEST(report_reduction, best_is_the_fastest_of_those_that_were_measured_alike) {
  std::vector<row> rows = two_sizes();
  rows.push_back(make("one_launch/float_few", 10000, "time", 1));
  rows.push_back(make("one_launch/integer_words", 10000, "time", 1));
  rows.push_back(lost(make("one_launch/float_lost", 10000, "time", 1), status::invalid, "wrong"));
  const made_up all(rows);
  EXPECT_EQ(best_sum(all.context().of), "reduce/one_launch/float_words");
  const made_up none({make("unroll_factor/by_7", 10000, "time", 6)});
  EXPECT_EQ(best_sum(none.context().of), "");
  EXPECT_EQ(copied_sum(none.context().of), "");
  EXPECT_EQ(copied_sum(all.context().of), "reduce/one_launch/float_ticket");
  rows.push_back(make("one_launch/float_words", 10000, "time with copies", 30));
  const made_up both(rows);
  EXPECT_EQ(copied_sum(both.context().of), "reduce/one_launch/float_words");
}

TEST(report_reduction, unroll_factors) {
  std::vector<row> rows;
  for (const auto& [uf, us] :
       {std::pair{"2", 9.0}, {"7", 5.0}, {"10", 5.02}, {"100", 8.0}, {"100_alone", 7.0}})
    for (const double n : {1000.0, 10000.0})
      rows.push_back(make(fmt::format("unroll_factor/by_{}", uf), n, "time", us));
  rows.push_back(make("unroll_factor/by_7", 4096, "time", 5));  // not of all
  rows.push_back(make("unroll_factor/by_2", 10000, "time with copies", 30));
  const made_up all(rows);
  const auto tables = unroll_tables(all.context());
  const auto two = line_of(tables[0], {"2"});
  EXPECT_EQ(two.at("2012"), "100.0");
  EXPECT_EQ(two.at("N = 10000"), "9.00");
  EXPECT_EQ(two.at("with copies, N = 10000"), "30.0");
  EXPECT_EQ(two.at("launches at most"), "13") << "10000, 5000, 2500, ..., 2";
  EXPECT_EQ(two.at("registers"), "24");
  EXPECT_EQ(two.at("KiB in flight per SM"), "16") << "8 blocks of 256 threads, 8 bytes each";
  EXPECT_EQ(two.at("loads in flight"), "2");
  EXPECT_EQ(line_of(tables[0], {"7"}).at("launches at most"), "5");
  EXPECT_FALSE(two.contains("N = 2^12"));
  EXPECT_EQ(tables[0].lines.back().cells[0], "100 alone") << "behind 100, by number";
  EXPECT_EQ(tables[0].lines[2].cells[0], "10");
  const auto best = line_of(tables[1], {"here, on the device", "10000"});
  EXPECT_EQ(best.at("best"), "7");
  EXPECT_EQ(best.at("within its spread"), "10");
  EXPECT_EQ(line_of(tables[1], {"2012, with copies"}).at("best"), "7");
}

TEST(report_reduction, five_of_2009) {
  std::vector<row> rows = {make("first_five/reduce1_modulo", 1 << 20, "time", 40),
                           make("first_five/reduce5_shuffle", 1 << 20, "time", 10),
                           make("first_five/reduce5_shuffle", 1 << 20, "bandwidth", 400, "GB/s")};
  rows.push_back(lost(make("first_five/reduce5_as_in_2009", 1 << 20, "time", 1), status::invalid,
                      "the sum is 1, not 2; 22 of 22 sums are wrong"));
  row wrong = make("first_five/reduce5_as_in_2009", 1 << 20, "wrong sums", 22, "sum");
  wrong.value->samples = 22;
  rows.push_back(wrong);
  const made_up all(rows);
  const table t = first_five_tables(all.context()).front();
  EXPECT_EQ(t.title, "The five of 2009 and after, N = 2^20");
  const auto broken = line_of(t, {"reduce5_as_in_2009"});
  EXPECT_EQ(broken.at("2009, ms"), "8.00");
  EXPECT_EQ(broken.at("times as fast as the first, 2009"), "2.50");
  EXPECT_EQ(broken.at("here, us"), "invalid");
  EXPECT_EQ(broken.at("wrong sums"), "22 of 22");
  const auto repaired = line_of(t, {"reduce5_shuffle"});
  EXPECT_EQ(repaired.at("2009, ms"), "-") << "it was repaired since";
  EXPECT_EQ(repaired.at("times as fast as the first"), "4.00");
  EXPECT_EQ(repaired.at("GB/s"), "400");
  EXPECT_EQ(line_of(t, {"CUB"}).at("here, us"), not_measured_text);
}

TEST(report_reduction, targets) {
  std::vector<row> rows;
  const auto add = [&](double n, double ours, double cub, double share) {
    rows.push_back(make("one_launch/float_words", n, "time", ours));
    rows.push_back(make("one_launch/float_words", n, "time of cub", cub));
    rows.push_back(make("one_launch/float_words", n, "bandwidth", share * 4000, "GB/s"));
    rows.push_back(make("plain_read/every_word", n, "bandwidth", 4000, "GB/s"));
  };
  const double gibibyte = 1 << 28;
  add(gibibyte, 101, 100, 0.95);
  add(2 * gibibyte, 103, 100, 0.94);
  add(1024, 4, 5, 0.1);
  add(2048, 5, 5.01, 0.1);
  const made_up all(rows);
  const table t = reduction_target_tables(all.context()).front();
  ASSERT_EQ(t.lines.size(), 3U);
  EXPECT_EQ(t.lines[0].cells,
            (std::vector<std::string>{"time against CUB's, 1 GiB and more", "at most 1.02",
                                      "at 1 of 2 sizes; furthest off 1.030, N = 2^29", "missed"}));
  EXPECT_EQ(t.lines[1].cells[2], "at 2 of 2 sizes; furthest off 0.940, N = 2^29");
  EXPECT_EQ(t.lines[1].cells[3], "reached");
  EXPECT_EQ(t.lines[2].cells[2], "at 2 of 2 sizes; furthest off 1.000, N = 2^11")
      << "a tie counts as even, and is further off than being ahead";
  EXPECT_EQ(t.lines[2].cells[3], "reached");
  const made_up none({make("unroll_factor/by_7", 10000, "time", 6)});
  const table nothing = reduction_target_tables(none.context()).front();
  for (const line& l : nothing.lines) EXPECT_EQ(l.cells.at(3), "cannot tell");
}

TEST(report_reduction, loads_in_flight) {
  std::vector<row> rows;
  for (const double loads : {1.0, 4.0})
    for (const double threads : {64.0, 128.0})
      for (const double blocks : {1.0, 2.0, 64.0}) {
        row r = make(fmt::format("loads_in_flight/narrow_{}_of_{}", loads, threads), 1 << 28,
                     "bandwidth", loads * threads * blocks, "GB/s");
        r.axes["threads"] = threads;
        r.axes["blocks_per_sm"] = blocks;
        r.uses.blocks_per_sm = 2048 / static_cast<int>(threads);
        rows.push_back(r);
      }
  const made_up all(rows);
  const table t = in_flight_tables(all.context()).front();
  const auto four = line_of(t, {"narrow", "4"});
  EXPECT_EQ(four.at("best GB/s"), "32768") << "64 blocks of 128";
  EXPECT_EQ(four.at("at warps per SM"), "64") << "no more are resident";
  EXPECT_EQ(four.at("fewest warps for 95 % of the best of all"), "64");
  EXPECT_EQ(line_of(t, {"narrow", "1"}).at("fewest warps for 95 % of the best of all"), "never");
  rows.push_back(rows.front());
  rows.back().id = "reduce/loads_in_flight/narrow_1_of_64_kept_small";
  rows.push_back(rows.front());
  rows.back().id = "reduce/loads_in_flight/odd";
  const made_up more(rows);
  const table with_small = in_flight_tables(more.context()).front();
  EXPECT_EQ(with_small.lines.size(), 3U) << "what is none of the family is left out";
  EXPECT_EQ(line_of(with_small, {"narrow_kept_small", "1"}).at("best GB/s"), "64");
  EXPECT_EQ(in_flight_figures(more.context()).size(), 1U) << "one number of loads is no map";
  const auto figures = in_flight_figures(all.context());
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].name, "heat_map-reduce-loads_in_flight-narrow");
  EXPECT_NE(figures[0].commands.find("'2' 0, '4' 1, '8' 2, '64' 3"), std::string::npos)
      << "two blocks of 64 are as many warps as one of 128";
}

TEST(report_reduction, figures_of_what_there_is) {
  const made_up all(two_sizes());
  const auto time = reduction_time_figures(all.context());
  ASSERT_EQ(time.size(), 2U);
  EXPECT_NE(time[0].commands.find("10000 6 "), std::string::npos);
  EXPECT_NE(time[1].commands.find("10000 40\n"), std::string::npos) << "of 2012, in us";
  EXPECT_TRUE(reduction_bandwidth_figures(all.context()).empty());
}

TEST(report_reduction, nothing_was_measured) {
  row other = make("x", 1, "time", 1);
  other.protocol = "latency";
  const made_up all({other});
  const topic_context c = all.context();
  EXPECT_EQ(first_five_tables(c).front().title, "The five of 2009: not measured");
  EXPECT_EQ(one_launch_tables(c).front().title, "One launch, us: not measured");
  EXPECT_EQ(in_flight_tables(c).front().title, "Loads in flight against threads: not measured");
  EXPECT_TRUE(unroll_tables(c).front().lines.empty());
  EXPECT_EQ(line_of(reduction_history_tables(c).front(), {"10000"}).at("UF 7"), not_measured_text);
  EXPECT_TRUE(in_flight_figures(c).empty());
}

}  // namespace
}  // namespace ptxlab::report
