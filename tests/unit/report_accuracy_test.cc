// SPDX-License-Identifier: Apache-2.0
// The topic `arithmetic` from small results: errors beside what is documented, costs then and now.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <set>

#include "analysis/report/accuracy.hpp"
#include "analysis/report/barrier.hpp"
#include "analysis/toolchain/files.hpp"
#include "kernels/kernel.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

namespace fs = std::filesystem;

fs::path data(const char* name) {
  return fs::absolute(fs::path(__FILE__)).parent_path() / "../../docs/data" / name;
}

results::row row(const std::string& id, const char* quantity, double value,
                 std::vector<results::series> raw = {}) {
  results::row r;
  r.id = id;
  r.protocol = "accuracy";
  r.quantity = quantity;
  r.unit = "ulp";
  r.axes = {{"samples", 0}};
  results::summary v;
  v.median = v.min = v.max = value;
  v.samples = 1;
  r.value = v;
  r.raw = std::move(raw);
  return r;
}

/// A section of one file with these rows.
class book {
 public:
  explicit book(std::vector<results::row> rows)
      : all_({{"test.json", {.of = {}, .rows = std::move(rows)}}}),
        then_(data("historical.csv")),
        said_(data("documented_errors.csv")) {}
  topic_context context() const { return {all_.sections().at(0), known_, then_, &said_}; }

 private:
  collection all_;
  evidence known_;
  historical then_;
  documented said_;
};

std::vector<results::row> survey(const std::string& id, double error, double floats,
                                 std::vector<results::series> ranges) {
  const std::string full = "accuracy/" + id;
  return {row(full, "largest error", error, std::move(ranges)),
          row(full, "largest error at", 2.5),
          row(full, "result there", 1),
          row(full, "largest distance", floats),
          row(full, "mean error", 0.25),
          row(full, "correctly rounded", 75),
          row(full, "wrong NaN", 0),
          row(full, "inputs", 1000)};
}

const line& line_of(const table& t, const std::string& first) {
  for (const line& l : t.lines)
    if (l.cells.front() == first) return l;
  throw error("no line " + first);
}

std::string write_csv(const std::string& text, const fs::path& folder) {
  const fs::path file = folder / "documented.csv";
  std::ofstream(file) << "function,from,to,measure,value,per_unit,source\n" << text;
  return file;
}

TEST(report_documented, reads_what_is_there_and_says_it_in_words) {
  const documented said(data("documented_errors.csv"));
  EXPECT_EQ(said.of("x / y").at(0).text(), "correctly rounded");
  EXPECT_EQ(said.of("logf(x)").at(0).text(), "1 float");
  EXPECT_EQ(said.of("__sinf(x)").at(0).text(), "2^-21.41 absolute up to pi");
  EXPECT_EQ(said.of("__fdividef(x, y)").at(0).text(), "2 floats from 2^-126 to 2^126");
  EXPECT_EQ(said.of("__expf(x)").at(0).text(), "2 + 1.173 |x| floats");
  EXPECT_EQ(said.of("__expf(x)").at(0).at(-10), 2 + 11);
  EXPECT_EQ(said.of("__logf(x)").size(), 3U);
  EXPECT_EQ(said.of("__tanhf(x)").at(0).text(), "2^-11 relative");
  EXPECT_TRUE(said.of("nothing").empty());
  for (const spelling& s : spellings())
    if (s.documented != nullptr) {
      EXPECT_FALSE(said.of(s.documented).empty()) << s.documented;
    }
}

TEST(report_documented, refuses_what_it_cannot_read) {
  const toolchain::temporary_folder folder;
  const auto message = [&](const std::string& text) -> std::string {
    try {
      const documented read(write_csv(text, folder.path()));
      return "no error";
    } catch (const error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message("f,,,float,2,,s\n"), "no error");
  EXPECT_TRUE(message("f,,,float,two,,s\n").ends_with("value 'two' is no number from 0 on"));
  EXPECT_TRUE(message("f,-1,,float,2,,s\n").ends_with("from '-1' is no number from 0 on"));
  EXPECT_TRUE(
      message("f,,,ulp,2,,s\n").ends_with("measure 'ulp' is neither float, absolute nor relative"));
}

TEST(report_accuracy, ranges_end_where_the_next_begins) {
  const book b(survey("division/divide_fast", 9, 9,
                      {{-1, {5}}, {2, {1}}, {-0x1p-149, {7}}, {8, {3}}, {4, {2}}}));
  const auto ranges =
      ranges_of(find(b.context().of, "accuracy/division/divide_fast", "largest error"));
  ASSERT_EQ(ranges.size(), 5U);
  EXPECT_EQ(ranges[0].from, 2);
  EXPECT_EQ(ranges[0].to, 4);
  EXPECT_EQ(ranges[2].to, 0x1p128);
  EXPECT_EQ(ranges[3].from, -0x1p-149);
  EXPECT_EQ(ranges[3].to, -1);
  EXPECT_EQ(ranges[4].to, -0x1p128);
  EXPECT_TRUE(ranges_of(nullptr).empty());
}

TEST(report_accuracy, within_what_is_documented) {
  documented_error e;
  e.value = 2;
  e.from = 1;
  e.to = 4;
  const auto is = [&](const std::vector<range_error>& seen) { return within(e, seen, {}); };
  EXPECT_EQ(is({{1, 2, 2.5}, {2, 4, 0.5}, {4, 8, 100}}), true) << "half a unit is rounding";
  EXPECT_EQ(is({{1, 2, 2.6}, {2, 4, 0.5}}), false);
  EXPECT_EQ(is({{2, 8, 100}}), std::nullopt) << "it may be beyond 4 that it is wrong";
  EXPECT_EQ(is({{2, 8, 1}}), true);
  EXPECT_EQ(is({{8, 16, 1}}), std::nullopt) << "nothing was in the range";
  EXPECT_EQ(is({}), std::nullopt);
  e.per_unit = 1;
  EXPECT_EQ(is({{2, 3, 4.5}}), true);
  EXPECT_EQ(is({{2, 3, 5}}), std::nullopt) << "right at 3, wrong at 2";
  EXPECT_EQ(is({{2, 3, 5.6}}), false);
  e.per_unit = 0;
  e.in = documented_error::measure::relative;
  e.value = 0x1p-11;
  EXPECT_EQ(is({{1, 2, 0x1p12}}), true);
  EXPECT_EQ(is({{1, 2, 0x1p12 + 1}}), std::nullopt) << "units are not relative errors";
  EXPECT_EQ(is({{1, 2, 0x1p13 + 1}}), false);
  e.in = documented_error::measure::absolute;
  EXPECT_EQ(within(e, {{1, 2, 1000}}, {{1, 2, 0x1p-12}}), true);
  EXPECT_EQ(within(e, {{1, 2, 0}}, {{1, 2, 0x1p-10}}), false);
}

TEST(report_accuracy, a_line_for_each_spelling) {
  std::vector<results::row> rows = survey("transcendental/sine_slow", 1.5, 1, {{1, {1.5}}});
  for (results::row& r : survey("transcendental/cosine_slow", 3, 3, {{1, {3}}}))
    rows.push_back(std::move(r));
  for (results::row& r : survey("division/divide_fast", 1e7, 1e7, {{1, {1.2}}, {0x1p126, {1e7}}}))
    rows.push_back(std::move(r));
  const book b(std::move(rows));
  const table t = error_tables(b.context()).at(0);
  EXPECT_EQ(t.lines.size(), spellings().size());
  const auto& sine = line_of(t, "sinf(x)").cells;
  EXPECT_EQ(sine.at(1), "1e+03, all");
  EXPECT_EQ(sine.at(2), "1.5");
  EXPECT_EQ(sine.at(7), "75 %");
  EXPECT_EQ(sine.at(8), "2 floats");
  EXPECT_EQ(sine.at(9), "holds");
  EXPECT_EQ(line_of(t, "cosf(x)").cells.at(9), "does not hold");
  EXPECT_EQ(line_of(t, "__fdividef(x, y)").cells.at(9), "holds") << "within its range";
  EXPECT_EQ(line_of(t, "tanf(x)").cells.at(2), not_measured_text);
  const auto wrong = wrong_range_tables(b.context());
  const table& where = wrong.at(0);
  ASSERT_EQ(where.lines.size(), 2U);
  EXPECT_EQ(where.lines[0].cells,
            (std::vector<std::string>{"__fdividef(x, y), of y", "2^-126 to 2^126", "1.2 ulp"}));
  EXPECT_EQ(where.lines[1].cells.at(2), "1e+07 ulp");
  EXPECT_TRUE(wrong.at(1).title.ends_with(not_measured_text));
  const auto figures = error_figures(b.context());
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].name, "accuracy-circular");
  EXPECT_NE(figures[0].commands.find("1 1.5\n"), std::string::npos) << figures[0].commands;
}

TEST(report_accuracy, spellings_are_kernels) {
  std::set<std::string> ids, named;
  for (const kernels::entry& e : kernels::catalogue())
    for (const kernels::variant& v : e.what.variants)
      if (v.measure.how == kernels::protocol::accuracy)
        ids.insert(std::string(e.id) + "/" + std::string(v.symbol));
  for (const spelling& s : spellings()) named.insert(std::string("accuracy/") + s.id);
  EXPECT_EQ(ids, named);
}

TEST(report_accuracy, costs_then_and_now) {
  const auto timed = [](const char* id, const char* quantity, const char* unit, double value) {
    results::row r = row(id, quantity, value);
    r.unit = unit;
    r.axes = {};
    r.sass = "A + B + C + D + E + F";
    return r;
  };
  const char* per_cycle = "operation/cycle/SM";
  const book b({timed("latency/fp32/add_rn_f32", "latency", "cycle", 4),
                timed("throughput/fp32/add_rn_f32", "plateau", per_cycle, 128),
                timed("throughput/fp32/div_rn_f32", "plateau", per_cycle, 8),
                timed("throughput/memory/ld_shared_u32", "plateau", "byte/cycle/SM", 128),
                timed("latency/sine_limit/far", "latency", "cycle", 700)});
  const table t = cost_of_arithmetic_tables(b.context()).at(0);
  EXPECT_EQ(t.lines.front().cells,
            (std::vector<std::string>{"add, mul, mad, simple integer", "x + y, float",
                                      "A + B + C + D + ...", "4.0", "4", "0.25", "1", "1"}));
  bool division = false, shared = false;
  for (const line& l : t.lines) {
    if (l.cells.at(1) == "x / y" && l.cells.front() == "float division") {
      division = true;
      EXPECT_EQ(l.cells.at(3), not_measured_text);
      EXPECT_EQ(l.cells.at(4), "36");
      EXPECT_EQ(l.cells.at(5), "4.00");
      EXPECT_EQ(l.cells.at(6), "9");
      EXPECT_EQ(l.cells.at(7), "16");
    }
    if (l.cells.at(1) == "ld.shared.u32") {
      shared = true;
      EXPECT_EQ(l.cells.at(5), "1.00");
    }
  }
  EXPECT_TRUE(division);
  EXPECT_TRUE(shared);
  const table sine = sine_limit_tables(b.context()).at(0);
  EXPECT_EQ(sine.lines.back().cells, (std::vector<std::string>{"2^100", "700.0"}));
  EXPECT_EQ(sine.lines.front().cells.at(1), not_measured_text);
}

}  // namespace
}  // namespace ptxlab::report
