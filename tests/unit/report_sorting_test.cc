// SPDX-License-Identifier: Apache-2.0
// Tables and figures on sorts over made-up results, whose right values were worked out by hand; a
// number that is missing is said to be missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "analysis/report/sorting.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;
using results::row;

row make(const std::string& id, const std::string& quantity, double median, const axes& at = {},
         const std::string& unit = "cycle") {
  row r;
  r.id = id;
  r.axes = at;
  r.protocol = "sorting";
  r.quantity = quantity;
  r.unit = unit;
  r.value = results::summary{median, median, median, 0, median, median, 5};
  r.sm_clock_mhz = 2000;
  r.cubin_sha256 = std::string(64, 'a');
  return r;
}
row sorted(const std::string& id, double n, const std::string& quantity, double median) {
  row r = make("sort/" + id, quantity, median, {{"elements", n}}, "us");
  r.uses.block_threads = 128;
  return r;
}

class made_up {
 public:
  explicit made_up(std::vector<row> rows) : all_({source{"made up", file_of(std::move(rows))}}) {}
  topic_context context() const { return {all_.sections().at(0), known_, then_}; }

 private:
  static results::file file_of(std::vector<row> rows) {
    results::file f;
    f.of.device = {{"name", "Synthetic"}, {"arch", "sm_90"}, {"multiprocessors", "100"}};
    f.of.started = "2000";
    f.rows = std::move(rows);
    return f;
  }
  evidence known_;
  historical then_;
  collection all_;
};

const line* line_of(const table& t, const std::string& name, const std::string& second = "") {
  for (const line& l : t.lines) {
    EXPECT_EQ(l.cells.size(), t.columns.size()) << t.title;
    if (l.cells.at(0) == name && (second.empty() || l.cells.at(1) == second)) return &l;
  }
  ADD_FAILURE() << "no line " << name << " in " << t.title;
  static const line none{std::vector<std::string>(16), {}};
  return &none;
}

std::vector<row> some() {
  std::vector<row> rows = {
      sorted("block/registers", 1024, "time", 25),
      sorted("block/shared", 1024, "time", 61),
      sorted("block/registers", 2048, "time", 70),
      sorted("block/registers", 1024, "time of cub", 8),
      sorted("block/registers", 1024, "cycles of a pass", 30),
      sorted("block/registers", 1024, "passes", 1050),
      sorted("block/registers", 1024, "launches", 1),
      sorted("block/registers", 1024, "comparisons", 537075),
      sorted("block/three_keys", 1024, "time", 99),
      sorted("block/three_keys", 1024, "time of one core", 50),
      sorted("launches/pass_counted", 1024, "time", 2000),
      sorted("launches/pass_counted", 1024, "exchanges", 261888),
      sorted("launches/pass_counted", 1024, "passes", 1024),
      sorted("launches/pass_counted", 1024, "time", 9000),
      sorted("launches/pass_counted", 1024, "passes", 1000),
      sorted("launches/pass_counted", 1024, "time when sorted", 18),
      sorted("launches/pass_counted", 1024, "passes when sorted", 2),
  };
  for (std::size_t i = 10; i < rows.size(); ++i) rows[i].axes["looks"] = i < 13 ? 0 : 1;
  return rows;
}

TEST(report_sorting, times_over_elements) {
  const made_up all(some());
  const std::vector<table> t = sort_time_tables(all.context());
  ASSERT_EQ(t.size(), 2U);
  EXPECT_EQ(line_of(t[0], "one block: registers")->cells,
            (std::vector<std::string>{"one block: registers", "25.0", "70.0"}));
  EXPECT_EQ(line_of(t[0], "CUB, radix sort")->cells.at(1), "8.0");
  EXPECT_EQ(line_of(t[0], "one block: shared")->cells.at(2), "-") << "not meant for it";
  EXPECT_EQ(line_of(t[0], "launches: pass_counted, looks after each launch")->cells.at(1),
            "9000.0");
  EXPECT_EQ(t[0].lines.size(), 5U);
  // Elements with three keys and their rival stand apart.
  EXPECT_EQ(t[1].lines.size(), 2U);
  EXPECT_EQ(line_of(t[1], "one core of the host")->cells.at(1), "50.0");
}

TEST(report_sorting, a_row_without_a_value_says_why) {
  std::vector<row> rows = some();
  rows[0].value.reset();
  rows[0].state = results::status::invalid;
  rows[0].reason = "3 words are wrong";
  const table t = sort_time_tables(made_up(rows).context()).at(0);
  const line* l = line_of(t, "one block: registers");
  EXPECT_EQ(l->cells.at(1), "invalid");
  EXPECT_NE(l->notes.at(0).find("3 words are wrong"), std::string::npos);
  EXPECT_EQ(sort_target_tables(made_up(rows).context()).at(0).lines.at(0).cells.at(3), "missed")
      << "the other one takes 61 us";
}

TEST(report_sorting, targets) {
  const auto verdict = [](std::vector<row> rows) {
    return sort_target_tables(made_up(std::move(rows)).context()).at(0).lines.at(0).cells;
  };
  EXPECT_EQ(verdict(some()).at(2), "25.0 us, sort/block/registers");
  EXPECT_EQ(verdict(some()).at(3), "met");
  EXPECT_EQ(verdict({make("other", "time", 1)}).at(2), "not measured");
  EXPECT_EQ(verdict({make("other", "time", 1)}).at(3), "cannot tell");
}

TEST(report_sorting, a_pass_from_its_parts) {
  std::vector<row> rows = some();
  rows.push_back(make("barrier/block_cost/bar_sync", "latency", 20, {{"threads", 128}}));
  rows.push_back(make("barrier/block_cost/bar_sync", "latency", 99, {{"threads", 1024}}));
  rows.push_back(make("memory/shared/pointer", "latency", 24));
  rows.push_back(make("latency/warp/shfl_sync_up_b32", "latency", 26));
  rows.push_back(make("latency/int32/min_max_s32", "latency", 8));
  const std::size_t plateau = rows.size();
  rows.push_back(make("throughput/int32/min_max_s32", "plateau", 32, {{"warps", 8}}));
  const std::vector<pass_model> models = pass_models(made_up(rows).context().of, 1024);
  ASSERT_EQ(models.size(), 1U) << "of the others no cycles are known";
  // 20 / 30 + 24 / 30 + 26 / 2, and five pairs of a warp at eight lanes a cycle.
  ASSERT_TRUE(models[0].sum());
  EXPECT_NEAR(*models[0].sum(), 20 / 30.0 + 24 / 30.0 + 13 + 20, 1e-9);
  const table t = sort_pass_tables(made_up(rows).context()).at(0);
  EXPECT_EQ(line_of(t, "all parts")->cells.at(2), "34.5");
  EXPECT_EQ(line_of(t, "the largest part alone")->cells.at(2), "20.0");
  EXPECT_EQ(line_of(t, "measured")->cells.at(2), "30.0");
  EXPECT_EQ(line_of(t, "measured")->notes.at(0), "0.87 of the sum");
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(plateau));
  EXPECT_FALSE(pass_models(made_up(rows).context().of, 1024).at(0).sum());
  EXPECT_EQ(line_of(sort_pass_tables(made_up(rows).context()).at(0), "all parts")->cells.at(2),
            "not measured");
}

TEST(report_sorting, work_beside_what_n_passes_are) {
  const table t = sort_work_tables(made_up(some()).context()).at(0);
  EXPECT_EQ(line_of(t, "one block: registers", "1024")->cells,
            (std::vector<std::string>{"one block: registers", "1024", "1", "1050 (1.03)",
                                      "537075 (1.03)", "-"}));
  EXPECT_EQ(line_of(t, "launches: pass_counted")->cells.at(5), "261888 (0.50)");
  EXPECT_EQ(line_of(t, "launches: pass_counted, looks after each launch")->cells.at(3),
            "1000 (0.98)");
}

TEST(report_sorting, barriers_between_those_that_were_measured) {
  std::vector<row> rows = some();
  rows.push_back(make("barrier/block_cost/bar_sync", "latency", 10, {{"threads", 64}}));
  const auto barrier = [&] {
    return pass_models(made_up(rows).context().of, 1024).at(0).parts.at(0).cycles;
  };
  EXPECT_FALSE(barrier()) << "128 threads, and none measured with as many or more";
  rows.push_back(make("barrier/block_cost/bar_sync", "latency", 70, {{"threads", 256}}));
  ASSERT_TRUE(barrier());
  EXPECT_NEAR(*barrier(), (10 + 60 / 3.0) / 30, 1e-9);
}

TEST(report_sorting, the_fastest_beside_rivals) {
  const table t = sort_rival_tables(made_up(some()).context()).at(0);
  ASSERT_EQ(t.lines.size(), 2U);
  EXPECT_EQ(t.lines[0].cells,
            (std::vector<std::string>{"1024", "one block: registers", "25.0", "8.0", "0.32"}));
  EXPECT_EQ(t.lines[1].cells, (std::vector<std::string>{"2048", "one block: registers", "70.0",
                                                        "not measured", "-"}));
}

TEST(report_sorting, a_pass_where_blocks_wait) {
  const table t = sort_step_tables(made_up(some()).context()).at(0);
  EXPECT_EQ(line_of(t, "launches: pass_counted")->cells,
            (std::vector<std::string>{"launches: pass_counted", "1.953", "-"}));
  EXPECT_EQ(line_of(t, "launches: pass_counted, looks after each launch")->cells.at(1), "9.000");
  EXPECT_EQ(t.lines.size(), 2U) << "of one block it is told in cycles";
}

TEST(report_sorting, stops) {
  const table t = sort_stop_tables(made_up(some()).context()).at(0);
  ASSERT_EQ(t.lines.size(), 1U);
  EXPECT_EQ(t.lines[0].cells, (std::vector<std::string>{
                                  "launches: pass_counted, looks after each launch", "1024",
                                  "9000.0 (1000)", "18.0 (2)", "not measured", "not measured"}));
}

TEST(report_sorting, figures) {
  const std::vector<figure> f = sort_time_figures(made_up(some()).context());
  ASSERT_EQ(f.size(), 2U);
  EXPECT_EQ(f[0].name, "sorting-keys");
  EXPECT_NE(f[0].commands.find("1024 25\n2048 70\n"), std::string::npos) << f[0].commands;
  EXPECT_EQ(f[0].commands.find("_counted"), std::string::npos) << "its time is in the tables";
  EXPECT_TRUE(sort_time_figures(made_up({make("other", "time", 1)}).context()).empty());
}

TEST(report_sorting, nothing_is_no_zero) {
  const made_up none({make("other", "time", 1)});
  for (const auto tables : {sort_time_tables, sort_work_tables, sort_stop_tables, sort_pass_tables,
                            sort_rival_tables, sort_step_tables})
    for (const table& t : tables(none.context())) {
      EXPECT_TRUE(t.lines.empty()) << t.title;
      EXPECT_NE(t.title.find("not measured"), std::string::npos) << t.title;
    }
}

}  // namespace
}  // namespace ptxlab::report
