// SPDX-License-Identifier: Apache-2.0
// Tables on random numbers over made-up results: who was faster, in which order, and "cannot tell"
// where a row is missing.
#include <gtest/gtest.h>

#include <string>

#include "analysis/report/random.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;
using results::row;

constexpr double mi = 1 << 20;
constexpr const char* id = "random/xorwow/uniform";

row make(const std::string& of, const axes& at, const std::string& quantity, double median) {
  row r;
  r.id = of;
  r.axes = at;
  r.protocol = "random";
  r.quantity = quantity;
  r.value = results::summary{median, median, median, 0, median, median, 5};
  r.cubin_sha256 = std::string(64, 'a');
  return r;
}
row invalid(const std::string& of, const axes& at, const std::string& reason) {
  row r = make(of, at, "time", 0);
  r.value.reset();
  r.state = results::status::invalid;
  r.reason = reason;
  return r;
}
axes at(double numbers, double subsequences) {
  return {{"numbers", numbers}, {"subsequences", subsequences}};
}

/// The tables of `made` over these rows, each line as "a | b | c".
std::vector<std::string> lines_of(std::vector<row> rows,
                                  std::vector<table> (*made)(const topic_context&)) {
  results::file f;
  f.of.device = {{"name", "NVIDIA H200"}, {"arch", "sm_90"}};
  f.rows = std::move(rows);
  std::vector<source> sources;
  sources.push_back({"r.json", std::move(f)});
  const collection all(std::move(sources));
  std::vector<std::string> out;
  for (const section& s : all.sections())
    for (const table& t : made({s, evidence(), historical()}))
      for (const line& l : t.lines) {
        std::string text;
        for (const std::string& cell : l.cells) text += (text.empty() ? "" : " | ") + cell;
        for (const std::string& note : l.notes) text += " (" + note + ")";
        out.push_back(text);
      }
  return out;
}

std::vector<row> a_run() {
  return {make(id, at(mi, 0), "throughput", 3000),
          make(id, at(mi, 4096), "throughput", 2800),
          make(id, at(mi, 4096), "throughput of curand", 1000),
          make(id, at(mi, 4096), "throughput of curand, legacy", 1001),
          make(id, at(mi, 0), "throughput of curand, dynamic", 3200),
          make(id, at(4 * mi, 0), "throughput", 2500),
          make(id, at(4 * mi, 0), "throughput of curand, seeded", 3000),
          make(id, at(16 * mi, 0), "throughput", 3000),
          invalid(id, at(64 * mi, 0), "1 of 7 are wrong")};
}

TEST(report_random, the_target_is_held_against_the_fastest_order) {
  EXPECT_EQ(lines_of(a_run(), random_target_tables),
            (std::vector<std::string>{
                "1 Mi | 95 % of cuRAND's | 3000 | one of each thread | 3200 | dynamic | 94 % | "
                "missed",
                "4 Mi | 95 % of cuRAND's | 2500 | one of each thread | 3000 | seeded | 83 % | "
                "missed",
                "16 Mi | 95 % of cuRAND's | 3000 | one of each thread | not measured | - | - | "
                "cannot tell",
                "64 Mi | 95 % of cuRAND's | not measured | - | not measured | - | - | "
                "cannot tell"}));
  auto rows = a_run();
  rows[0].value->median = 3100;
  EXPECT_TRUE(lines_of(rows, random_target_tables).at(0).ends_with("97 % | met"));
}

TEST(report_random, throughput_of_a_point) {
  const auto all = lines_of(a_run(), random_throughput_tables);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0],
            "xorwow/uniform | 1 Mi | one of each thread | - | 3000 | - | - | - | - | 3200 "
            "| 0.94");
  EXPECT_EQ(all[1], "xorwow/uniform | 1 Mi | 4096 | - | 2800 | - | 1000 | 1001 | - | - | 2.80");
  EXPECT_NE(all[4].find("invalid"), std::string::npos) << all[4];
  EXPECT_NE(all[4].find("1 of 7 are wrong"), std::string::npos) << all[4];
}

TEST(report_random, whose_order_it_is) {
  EXPECT_EQ(lines_of({make(id, at(mi, 2816), "equal numbers of curand, dynamic", 1),
                      make(id, at(4 * mi, 2816), "equal numbers of curand, dynamic", 0),
                      make(id, at(mi, 4096), "equal numbers of curand, legacy", 1),
                      make(id, at(mi, 0), "time", 1)},
                     random_order_tables),
            (std::vector<std::string>{"2816 | - | - | - | 1 of 2", "4096 | - | 1 of 1 | - | -"}));
}

TEST(report_random, set_up_stands_beside_one_kernel_for_both) {
  const std::string both = "random/xorwow/uniform_at_once";
  EXPECT_EQ(lines_of({make(id, at(mi, 0), "time", 10), make(id, at(mi, 0), "set-up time", 300),
                      make(id, at(mi, 0), "set-up time of curand", 165),
                      make(id, at(4 * mi, 0), "time", 20), make(both, at(mi, 0), "time", 320)},
                     random_set_up_tables),
            (std::vector<std::string>{
                "xorwow/uniform | 1 Mi | one of each thread | 300.0 | 10.0 | 310.0 | 165.0 | -",
                "xorwow/uniform_at_once | 1 Mi | one of each thread | - | - | 320.0 | - | -"}));
}

TEST(report_random, sobol_against_curand) {
  const axes where = {{"numbers", mi}, {"dimensions", 100}};
  EXPECT_EQ(lines_of({make("random/sobol/uniform", where, "throughput", 3000),
                      make("random/sobol/uniform", where, "throughput of curand", 2000)},
                     random_sobol_tables),
            std::vector<std::string>{"uniform | 1 Mi | 100 | - | 3000 | - | 2000 | 1.50 | -"});
}

TEST(report_random, nothing_is_said_without_rows) {
  const std::vector<row> other = {make("barrier/x/bare", {}, "latency", 1)};
  for (const auto made : {random_target_tables, random_throughput_tables, random_set_up_tables,
                          random_sobol_tables, random_order_tables})
    EXPECT_EQ(lines_of(other, made), std::vector<std::string>{});
}

}  // namespace
}  // namespace ptxlab::report
