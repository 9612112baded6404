// SPDX-License-Identifier: Apache-2.0
// The report over made-up results. What must not happen is shown beside what must: settings that
// mix, a number for what is invalid, runs that are averaged, a zero for what is not there.
#include "analysis/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "analysis/report/csv.hpp"
#include "analysis/report/differences.hpp"
#include "analysis/report/figures.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/latex.hpp"
#include "analysis/report/markdown.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/report/text.hpp"
#include "analysis/report/throughput.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

using results::row;
using results::status;

std::string message_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

row make(const std::string& id, double median, const std::string& protocol = "latency",
         const std::string& quantity = "latency", const std::string& unit = "cycle") {
  row r;
  r.id = id;
  r.protocol = protocol;
  r.quantity = quantity;
  r.unit = unit;
  r.value = results::summary{median, median, median, 0, median, median, 5};
  r.cubin_sha256 = std::string(64, 'a');
  return r;
}

row broken(row r, status state = status::invalid) {
  r.value.reset();
  r.state = state;
  r.reason = "the chain is broken";
  return r;
}

source from(const std::string& name, std::vector<row> rows, const std::string& started = "2000",
            const std::string& device = "Synthetic") {
  results::file f;
  f.of.device = {{"name", device}, {"arch", "sm_90"}};
  f.of.toolkit = {{"nvcc", "13.0.88"}};
  f.of.driver = "580.0.0";
  f.of.commit = "0000000";
  f.of.started = started;
  f.rows = std::move(rows);
  return {name, f};
}

/// A file of this test, gone with its owner.
class text_file {
 public:
  explicit text_file(const std::string& text) { toolchain::write_file(path(), text); }
  std::filesystem::path path() const { return folder_.path() / "file.csv"; }

 private:
  toolchain::temporary_folder folder_;
};

// --- records
// ----------------------------------------------------------------------------------------

TEST(report_record, quoted_fields_hold_everything) {
  // The examples of RFC 4180, section 2, rules 5 to 7.
  const auto all = parse_records("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,\"b\"\"bb\",\"\"\n", "f");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].fields, (std::vector<std::string>{"aaa", "b\r\nbb", "ccc"}));
  EXPECT_EQ(all[1].fields, (std::vector<std::string>{"zzz", "b\"bb", ""}));
  EXPECT_EQ(all[1].line, 3);
}

TEST(report_record, last_line_may_lack_its_end) {
  for (const char* text : {"a,b\nc,", "a,b\r\nc,\r\n",
                           "\xef\xbb\xbf"
                           "a,b\n\nc,\n"}) {
    const auto all = parse_records(text, "f");
    ASSERT_EQ(all.size(), 2U) << text;
    EXPECT_EQ(all[0].fields, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(all[1].fields, (std::vector<std::string>{"c", ""}));
  }
  EXPECT_TRUE(parse_records("", "f").empty());
}

TEST(report_record, quotes_out_of_place) {
  EXPECT_EQ(message_of([] { parse_records("a\nb,\"c\n\n", "f"); }),
            "f:2: a quote that is not closed");
  EXPECT_EQ(message_of([] { parse_records("\"a\"b\n", "f"); }), "f:1: text behind a closing quote");
  EXPECT_EQ(message_of([] { parse_records("x\na\"b\n", "f"); }),
            "f:2: a quote inside a field without quotes");
  EXPECT_TRUE(contains(message_of([] { parse_records("a\rb\n", "f"); }), "f:1: a carriage return"));
}

TEST(report_record, written_text_reads_back) {
  const std::vector<std::string> fields = {"plain",     "",           "a,b",
                                           "say \"x\"", "two\nlines", " blank "};
  EXPECT_EQ(record_text({"a", "b c"}), "a,b c\r\n");
  const auto back = parse_records(record_text(fields), "f");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].fields, fields);
}

TEST(report_record, columns_are_held_to) {
  const text_file good("a,b,more\n1,2,3\n"), ragged("a,b\n1,2\n1,2,3\n"), empty("");
  EXPECT_EQ(read_records(good.path(), {"b", "a"}).at(0).fields.at("b"), "2");
  EXPECT_TRUE(contains(message_of([&] { read_records(good.path(), {"c"}); }), "no column 'c'"));
  EXPECT_TRUE(contains(message_of([&] { read_records(ragged.path(), {"a"}); }),
                       "file.csv:3: 3 fields for 2 columns"));
  EXPECT_TRUE(contains(message_of([&] { read_records(empty.path(), {"a"}); }), "is empty"));
}

// --- quantities
// -------------------------------------------------------------------------------------

TEST(report_quantity, text) {
  EXPECT_EQ(bytes_text(32), "32 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(52428800), "50 MiB");
  EXPECT_EQ(bytes_text(4294967296), "4 GiB");
  EXPECT_EQ(axes_text({{"footprint_bytes", 2048}, {"warps", 4}}), "footprint 2 KiB, warps 4");
  EXPECT_EQ(axes_record({{"footprint_bytes", 4294967296}, {"ilp", 4}}),
            "footprint_bytes=4294967296;ilp=4");
  EXPECT_EQ(family_of("latency/fp32/fma/rn"), "latency/fp32");
  EXPECT_EQ(operation_of("latency/fp32/fma/rn"), "fma/rn");
  EXPECT_EQ(family_of("launch/empty"), "launch");
  EXPECT_EQ(operation_of("launch/empty"), "empty");
  EXPECT_EQ(operation_of("alone"), "alone");
  EXPECT_EQ(number_of("4.5"), 4.5);
  for (const char* no : {"", "4.5x", "x", "475 to 522", "inf", " 4"})
    EXPECT_FALSE(number_of(no)) << no;
}

TEST(report_quantity, nanoseconds_need_a_clock) {
  EXPECT_DOUBLE_EQ(*nanoseconds(4, 2000), 2);
  EXPECT_DOUBLE_EQ(*nanoseconds(1980, 1980), 1000);
  EXPECT_FALSE(nanoseconds(4, 0));
}

// --- published values and bands
// ---------------------------------------------------------------------

constexpr const char* published_text =
    "quantity,unit,value,chip,source\n"
    "fma,cycles,4.07,Chip A (1000 MHz),here\n"
    "fma,cycles,4,Chip B,there\n"
    "l2,cycles,475 to 522,Chip A,here\n"
    "rate,flop/clk/SM,248,Chip A,here\n"
    "odd,instr/clk/SM,59,Chip A,here\n";

TEST(report_published, joins_by_the_quantity_only) {
  const text_file f(published_text);
  const published p(f.path());
  ASSERT_EQ(p.of("fma").size(), 2U);
  EXPECT_EQ(p.of("fma")[0].text("cycle"), "4.07 (Chip A)");
  EXPECT_EQ(p.of("rate")[0].text("operation/cycle/SM"), "124 (Chip A)") << "an fma is two flop";
  EXPECT_EQ(p.of("odd")[0].text("operation/cycle/SM"), "59 instr/clk/SM (Chip A)");
  EXPECT_TRUE(p.of("fm").empty());
  EXPECT_TRUE(p.of("").empty());
  EXPECT_TRUE(published().of("fma").empty());
}

TEST(report_published, converts_only_what_is_alike) {
  const text_file f(published_text);
  const published p(f.path());
  const auto l2 = in_unit(p.of("l2")[0], "cycle");
  ASSERT_TRUE(l2);
  EXPECT_EQ(l2->low, 475);
  EXPECT_EQ(l2->high, 522);
  EXPECT_FALSE(in_unit(p.of("l2")[0], "ns"));
  EXPECT_FALSE(in_unit(p.of("odd")[0], "operation/cycle/SM"));
  EXPECT_FALSE(in_unit({"q", "cycles", "about 4", "", ""}, "cycle"));
  EXPECT_EQ(in_unit({"q", "TB/s", "3.28", "", ""}, "GB/s")->low, 3280);
}

TEST(report_bands, limits_and_globs) {
  const text_file f(
      "id,device,quantity,unit,low,high,why,explanation\n"
      "latency/fp32/fma*,Syn*,latency,cycle,3.9,4.1,sources,\n"
      "latency/*,,latency,cycle,,400,sources,known\n");
  const bands b(f.path());
  const band* first = b.find(make("latency/fp32/fma_rn", 4), "Synthetic");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->range(), "3.9 to 4.1");
  EXPECT_TRUE(first->holds(3.9) && first->holds(4.1));
  EXPECT_FALSE(first->holds(3.89) || first->holds(4.11));
  const band* other_device = b.find(make("latency/fp32/fma_rn", 4), "Other");
  ASSERT_NE(other_device, nullptr);
  EXPECT_EQ(other_device->range(), "at most 400");
  EXPECT_EQ(b.find(make("latency/fp32/fma_rn", 4, "latency", "latency", "ns"), "Synthetic"),
            nullptr);
  EXPECT_EQ(b.find(make("throughput/x", 4), "Synthetic"), nullptr);
}

TEST(report_bands, refuses_limits_that_are_none) {
  const std::string header = "id,quantity,unit,low,high,why,explanation\n";
  for (const char* line : {"a,b,c,x,4,,", "a,b,c,5,4,,", "a,b,c,,,,"}) {
    const text_file f(header + line + "\n");
    EXPECT_TRUE(contains(message_of([&] { bands b(f.path()); }), "file.csv:2: ")) << line;
  }
}

// --- collection
// -------------------------------------------------------------------------------------

TEST(report_collection, settings_do_not_mix) {
  const row r = make("latency/fp32/fma", 4);
  std::vector<source> all = {from("a", {r}), from("b", {r}, "2000", "Other")};
  for (int what = 0; what < 4; ++what) {
    source s = from("c" + std::to_string(what), {r});
    if (what == 0) s.content.of.driver = "570.0.0";
    if (what == 1) s.content.of.commit = "1111111";
    if (what == 2) s.content.of.toolkit["nvcc"] = "12.9.41";
    if (what == 3) s.content.of.device["arch"] = "sm_90a";
    all.push_back(s);
  }
  const collection c(all);
  ASSERT_EQ(c.sections().size(), 6U);
  for (const section& s : c.sections()) {
    ASSERT_EQ(s.measurements.size(), 1U);
    EXPECT_EQ(s.measurements[0].runs.size(), 1U);
  }
}

TEST(report_collection, runs_are_shown_and_not_averaged) {
  const collection c({from("late", {make("a/b/c", 4.2)}, "2002"),
                      from("early", {make("a/b/c", 4)}, "2001"),
                      from("last", {make("a/b/c", 3.9)}, "2003")});
  ASSERT_EQ(c.sections().size(), 1U);
  ASSERT_EQ(c.sections()[0].measurements.size(), 1U);
  const measurement& m = c.sections()[0].measurements[0];
  EXPECT_EQ(m.row().value->median, 4) << "the earliest run";
  EXPECT_EQ(m.spread(), "3 runs: medians 3.90 to 4.20, 7.7 % apart");
}

TEST(report_collection, points_units_and_cubins_stay_apart) {
  row r = make("a/b/c", 4), point = r, unit = r, cubin = r, quantity = r;
  point.axes = {{"warps", 4}};
  unit.unit = "ns";
  cubin.cubin_sha256 = std::string(64, 'b');
  quantity.quantity = "other";
  const collection c({from("f", {r, point, unit, cubin, quantity})});
  const auto& all = c.sections().at(0).measurements;
  ASSERT_EQ(all.size(), 5U);
  for (const measurement& m : all) {
    EXPECT_EQ(m.runs.size(), 1U);
    EXPECT_EQ(m.other_cubin,
              m.row().quantity == "latency" && m.row().unit == "cycle" && m.row().axes.empty());
  }
}

TEST(report_collection, an_invalid_run_is_not_hidden_by_a_good_one) {
  const row r = make("a/b/c", 4);
  const collection c({from("f", {r}), from("g", {broken(r)}, "2001")});
  const auto& all = c.sections().at(0).measurements;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NE(all[0].ok(), all[1].ok());
}

TEST(report_collection, refuses_one_run_twice_and_an_empty_choice) {
  const row r = make("latency/fp32/fma", 4);
  EXPECT_EQ(message_of([&] {
              collection({from("a", {r}), from("b", {r})});
            }),
            "b: the same run as a");
  EXPECT_EQ(message_of([&] { collection({from("a", {r})}, "latency/fp23"); }),
            "no id contains 'latency/fp23'; nearest is 'latency/fp32'");
  EXPECT_EQ(
      collection({from("a", {r, make("x/y/z", 1)})}, "fp32").sections().at(0).measurements.size(),
      1U);
  EXPECT_TRUE(collection({from("a", {})}).sections().empty());
}

TEST(report_collection, a_curve_is_in_order) {
  std::vector<row> rows;
  for (const double stride : {128.0, 32.0})
    for (const double bytes : {4096.0, 512.0, 65536.0}) {
      rows.push_back(make("memory/global/random", bytes, "chase"));
      rows.back().axes = {{"footprint_bytes", bytes}, {"stride_bytes", stride}};
    }
  std::string order;
  const collection c({from("f", rows)});
  for (const measurement& m : c.sections().at(0).measurements)
    order += axes_record(m.row().axes) + " ";
  EXPECT_EQ(order,
            "footprint_bytes=512;stride_bytes=32 footprint_bytes=4096;stride_bytes=32 "
            "footprint_bytes=65536;stride_bytes=32 footprint_bytes=512;stride_bytes=128 "
            "footprint_bytes=4096;stride_bytes=128 footprint_bytes=65536;stride_bytes=128 ");
}

// --- tables
// -----------------------------------------------------------------------------------------

std::vector<row> surface(double peak) {
  std::vector<row> out;
  for (const double warps : {1.0, 4.0, 16.0})
    for (const double ilp : {1.0, 4.0}) {
      out.push_back(make("throughput/fp32/fma", std::min(peak, warps * ilp * peak / 16),
                         "throughput", "throughput", "operation/cycle/SM"));
      out.back().axes = {{"ilp", ilp}, {"warps", warps}};
    }
  return out;
}

TEST(report_tables, plateau_is_reached_at_the_cheapest_point) {
  // 4 x 4 and 16 x 1 both give all of it; the same number in flight, fewer warps.
  std::vector<row> rows = surface(128);
  rows.push_back(make("throughput/fp32/fma", 128, "throughput", "plateau", "operation/cycle/SM"));
  const collection c({from("f", rows)});
  const auto tables = tables_of(c.sections().at(0), {});
  ASSERT_EQ(tables.size(), 1U) << "a surface has no table of its own";
  ASSERT_EQ(tables[0].lines.size(), 1U);
  const auto& cells = tables[0].lines[0].cells;
  EXPECT_EQ(cells[0], "fma");
  EXPECT_EQ(cells[1], "128.00");
  EXPECT_EQ(cells[2], "4");
  EXPECT_EQ(cells[3], "4");
  EXPECT_FALSE(reached(surface_of(rows[0], c.sections()[0]), 200));
}

TEST(report_tables, a_surface_with_a_broken_plateau_has_no_number) {
  std::vector<row> rows = surface(128);
  rows.push_back(
      broken(make("throughput/fp32/fma", 0, "throughput", "plateau", "operation/cycle/SM")));
  const collection c({from("f", rows)});
  const auto tables = tables_of(c.sections().at(0), {});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].lines[0].cells[1], absent);
  EXPECT_EQ(tables[0].lines[0].notes.at(0), "a surface without a plateau");
  EXPECT_EQ(tables[1].title, "Not measured");
}

TEST(report_tables, what_is_not_ok_has_a_reason_and_no_number) {
  const collection c({from("f", {make("a/b/good", 4711), broken(make("a/b/bad", 4)),
                                 broken(make("a/b/lost", 4), status::not_run)})});
  const auto tables = tables_of(c.sections().at(0), {});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].lines.size(), 1U);
  ASSERT_EQ(tables[1].lines.size(), 2U);
  EXPECT_EQ(tables[1].lines[0].cells, (std::vector<std::string>{"a/b/bad", absent, "latency",
                                                                "invalid", "the chain is broken"}));
  EXPECT_EQ(tables[1].lines[1].cells[3], "not run");
}

TEST(report_tables, what_all_lines_share_goes_to_the_title) {
  row one = make("a/b/one", 4), two = make("a/b/two", 5);
  one.axes = {{"threads", 32}, {"blocks", 1}};
  two.axes = {{"threads", 64}, {"blocks", 1}};
  const collection c({from("f", {one, two})});
  const table t = tables_of(c.sections().at(0), {}).at(0);
  EXPECT_EQ(t.title, "a/b: latency in cycles (blocks 1)");
  EXPECT_EQ(t.columns[1].title, "threads");
  EXPECT_EQ(t.lines[1].cells[1], "64");
  for (const column& col : t.columns) EXPECT_NE(col.title, "static") << "a column without a value";
}

std::string cell_of(const table& t, std::size_t line, const std::string& title) {
  for (std::size_t i = 0; i < t.columns.size(); ++i)
    if (t.columns[i].title == title) return t.lines.at(line).cells.at(i);
  return "no column " + title;
}

TEST(report_tables, resources_stand_in_columns_of_their_own) {
  row one = make("a/b/one", 4), two = make("a/b/two", 5);
  one.uses = {24, 0, 1040, 32, 31, std::nullopt};
  two.uses.registers = 40;
  two.uses.spill_bytes = 16;
  const collection c({from("f", {one, two})});
  const table t = tables_of(c.sections().at(0), {}).at(0);
  EXPECT_EQ(cell_of(t, 0, "registers"), "24");
  EXPECT_EQ(cell_of(t, 0, "shared bytes"), "1040");
  EXPECT_EQ(cell_of(t, 0, "blocks/SM"), "31");
  EXPECT_EQ(cell_of(t, 0, "cycles"), "4.00") << "the cells no longer stand below their titles";
  EXPECT_TRUE(t.lines[0].notes.empty());
  EXPECT_EQ(cell_of(t, 1, "registers"), "40");
  EXPECT_EQ(cell_of(t, 1, "blocks/SM"), absent);
  EXPECT_EQ(t.lines[1].notes, (std::vector<std::string>{"16 bytes of spill code"}));
}

TEST(report_tables, resources_of_a_plateau) {
  std::vector<row> rows = surface(128);
  rows.push_back(make("throughput/fp32/fma", 128, "throughput", "plateau", "operation/cycle/SM"));
  rows.back().uses.registers = 20;
  rows.push_back(make("throughput/fp32/lost", 1, "throughput", "throughput", "operation/cycle/SM"));
  const collection c({from("f", rows)});
  const table t = tables_of(c.sections().at(0), {}).at(0);
  EXPECT_EQ(cell_of(t, 0, "registers"), "20");
  EXPECT_EQ(cell_of(t, 0, "plateau"), "128.00");
  EXPECT_EQ(cell_of(t, 1, "registers"), absent);
  EXPECT_EQ(cell_of(t, 1, "plateau"), absent);
  EXPECT_EQ(cell_of(t, 0, "blocks/SM"), "no column blocks/SM");
}

TEST(report_tables, two_units_have_two_tables) {
  const collection c({from("f", {make("a/b/c", 4), make("a/b/c", 9, "latency", "latency", "ns")})});
  EXPECT_EQ(tables_of(c.sections().at(0), {}).size(), 2U);
}

// --- formats
// ----------------------------------------------------------------------------------------

document hostile() {
  table t{"a_b: 50 % of $x & #1", {{"operation"}, {"say", false, true, 1}}, {}};
  t.lines.push_back({{"x|y_z", "a*b <c> \\d ~e^f {g}\nh"}, {"note_1"}});
  return {{{"Synthetic_1", {t}, {{"List", {"item|1"}}}}}, {"The end."}};
}

TEST(report_formats, latex_is_escaped) {
  EXPECT_EQ(latex_escaped("a_b & 5 % #1 $x {y}"), "a\\_b \\& 5 \\% \\#1 \\$x \\{y\\}");
  EXPECT_EQ(latex_escaped("\\~^<>"),
            "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}");
  const std::string out = latex_format(hostile());
  EXPECT_TRUE(contains(out, "\\caption{a\\_b: 50 \\% of \\$x \\& \\#1. Synthetic\\_1.}"));
  EXPECT_TRUE(contains(out, "x\\textbar{}y\\_z\\textsuperscript{1} & a*b \\textless{}c"));
  EXPECT_TRUE(contains(out, "{g\\} h \\\\\n")) << "a line break would end the row";
  EXPECT_TRUE(contains(out, "\\textsuperscript{1}~note\\_1"));
  for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1)
    EXPECT_NE(out.compare(at, 4, "List"), 0) << "what is no table is a comment";
}

TEST(report_formats, long_latex_tables_are_parted) {
  table t{"long", {{"operation"}}, {}};
  for (int i = 0; i < 100; ++i) t.lines.push_back({{"line" + std::to_string(i)}, {}});
  const std::string out = latex_format({{{"s", {t}, {}}}, {}});
  for (const char* part : {"(part 1 of 3)", "(part 2 of 3)", "(part 3 of 3)", "{tab:long}",
                           "{tab:long-2}", "{tab:long-3}", "line0 ", "line99 "})
    EXPECT_TRUE(contains(out, part)) << part;
}

TEST(report_formats, markdown_is_escaped) {
  EXPECT_EQ(markdown_escaped("fma_rn_f32"), "fma_rn_f32");
  EXPECT_EQ(markdown_escaped("_x_ a|b *c* <d> [e] `f` \\g"),
            "\\_x\\_ a\\|b \\*c\\* \\<d\\> \\[e\\] \\`f\\` \\\\g");
  const std::string out = markdown_format(hostile());
  EXPECT_TRUE(contains(out, "| x\\|y_z <sup>1</sup> | a\\*b \\<c\\> \\\\d ~e^f {g} h |\n"));
  EXPECT_TRUE(contains(out, "- item\\|1\n"));
}

TEST(report_formats, text_leaves_out_columns_before_it_overflows) {
  table t{"wide",
          {{"operation"}, {"number", true}, {"less", true, false, 2}, {"least", true, false, 3}},
          {}};
  t.lines.push_back({{std::string(30, 'o'), "1", std::string(25, 'x'), std::string(25, 'y')}, {}});
  const document d{{{"s", {t}, {}}}, {}};
  const std::string wide = text_format(d, {.columns = 100}),
                    narrow = text_format(d, {.columns = 70});
  EXPECT_TRUE(contains(wide, "least") && !contains(wide, "left out"));
  EXPECT_TRUE(contains(narrow, "left out for want of width: least\n"));
  EXPECT_FALSE(contains(narrow, "yyy"));
  EXPECT_TRUE(contains(narrow, "xxx"));
}

TEST(report_formats, csv_has_no_zero_for_what_is_not_there) {
  row r = broken(make("a/b/c", 4));
  r.reason = "a, \"b\"";
  const collection c({from("f", {r, make("a/b/d", 4)})});
  const auto all = parse_records(csv_format(c, {}), "csv");
  ASSERT_EQ(all.size(), 3U);
  const auto field = [&](std::size_t record, const std::string& name) {
    const auto& names = all[0].fields;
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? "no column " + name
                             : all[record].fields.at(static_cast<std::size_t>(at - names.begin()));
  };
  for (const std::string& cell : all[1].fields) EXPECT_NE(cell, "0");
  for (const char* name : {"median", "samples", "sm_clock_mhz", "published", "static_cycles",
                           "residual", "lowest_median"})
    EXPECT_EQ(field(1, name), "") << name;
  EXPECT_EQ(field(1, "valid"), "false");
  EXPECT_EQ(field(1, "reason"), "a, \"b\"");
  EXPECT_EQ(field(2, "median"), "4");
  EXPECT_EQ(field(2, "mad"), "0") << "a spread of 0 is a value";
  EXPECT_EQ(field(2, "registers"), "");
}

TEST(report_formats, csv_ends_in_the_resources) {
  row r = make("a/b/c", 4);
  r.uses = {24, 0, 1040, 64, std::nullopt, std::nullopt};
  const collection c({from("f", {r})});
  const auto all = parse_records(csv_format(c, {}), "csv");
  ASSERT_EQ(all.size(), 2U);
  const auto last = [](const std::vector<std::string>& fields) {
    return std::vector<std::string>(fields.end() - 5, fields.end());
  };
  EXPECT_EQ(last(all[0].fields),
            (std::vector<std::string>{"registers", "spill_bytes", "shared_bytes", "block_threads",
                                      "blocks_per_sm"}));
  EXPECT_EQ(last(all[1].fields), (std::vector<std::string>{"24", "0", "1040", "64", ""}));
}

// --- differences
// ------------------------------------------------------------------------------------

std::string differences(const std::vector<row>& rows, const std::string& device = "Synthetic",
                        bool filtered = false) {
  const text_file values(published_text);
  const text_file limits(
      "id,device,quantity,unit,low,high,why,explanation\n"
      "a/b/open,Synthetic,latency,cycle,3.9,4.1,sources,\n"
      "a/b/known,Synthetic,latency,cycle,3.9,4.1,sources,a longer chain\n"
      "a/b/none,Synthetic,latency,cycle,3.9,4.1,sources,\n");
  std::vector<source> files;
  for (std::size_t i = 0; i < rows.size(); ++i)
    files.push_back(from("f" + std::to_string(i), {rows[i]}, "200" + std::to_string(i), device));
  const collection c(files);
  std::string out;
  for (const std::string& item :
       differences_of(c.sections().at(0), published(values.path()), bands(limits.path()), filtered)
           .items)
    out += item + "\n";
  return out;
}

TEST(report_differences, open_explained_within) {
  EXPECT_TRUE(contains(differences({make("a/b/open", 5)}),
                       "open: a/b/open: latency 5.00 cycle, outside 3.9 to 4.1 (sources)"));
  EXPECT_TRUE(contains(differences({make("a/b/known", 5)}), "explained: a/b/known"));
  EXPECT_TRUE(contains(differences({make("a/b/known", 5)}), "a longer chain"));
  const std::string within = differences({make("a/b/open", 4)});
  EXPECT_FALSE(contains(within, "open:"));
  EXPECT_TRUE(contains(within, "within their band: 1"));
}

TEST(report_differences, one_run_outside_is_enough) {
  const std::string out = differences({make("a/b/open", 4), make("a/b/open", 4.2)});
  EXPECT_TRUE(contains(out, "open: a/b/open: latency 4.20")) << out;
}

TEST(report_differences, a_band_is_not_for_another_chip) {
  const std::string out = differences({make("a/b/open", 5)}, "Other");
  EXPECT_FALSE(contains(out, "open:"));
  EXPECT_TRUE(contains(out, "within their band: 0"));
}

TEST(report_differences, bands_without_a_measurement_are_named) {
  EXPECT_TRUE(contains(differences({make("a/b/open", 4)}), "a/b/known latency, a/b/none latency"));
  EXPECT_FALSE(contains(differences({make("a/b/open", 4)}, "Synthetic", true), "a/b/none"));
  // A broken row does not count as measured.
  EXPECT_TRUE(contains(differences({broken(make("a/b/open", 4)), make("a/b/known", 4)}),
                       "there is a band: a/b/open latency"));
}

TEST(report_differences, without_a_band_the_nearest_published_value_counts) {
  row r = make("a/b/free", 5);
  r.published = "fma";
  // 5 against 4.07: +23 %.
  EXPECT_TRUE(
      contains(differences({r}), "no band: a/b/free: latency 5.00 cycle, +23 % from the nearest"));
  r.value->median = 4.2;  // +3 % from 4.07, +5 % from 4
  EXPECT_FALSE(contains(differences({r}), "no band"));
  r.published = "l2";
  r.value->median = 500;  // within 475 to 522
  EXPECT_FALSE(contains(differences({r}), "no band"));
  r.published = "odd";  // units that cannot be compared
  EXPECT_FALSE(contains(differences({r}), "no band"));
}

// --- figures
// ----------------------------------------------------------------------------------------

std::vector<row> drawable() {
  std::vector<row> rows = surface(128);
  for (const double bytes : {4096.0, 65536.0, 1048576.0}) {
    rows.push_back(make("memory/global/random_ca", bytes / 1000, "chase"));
    rows.back().axes = {{"footprint_bytes", bytes}, {"stride_bytes", 128}};
  }
  for (const char* id : {"fence/idle/sc", "fence/idle/cta"})
    rows.push_back(make(id, id[11] == 's' ? 480 : 14, "rounds"));
  return rows;
}

TEST(report_figures, what_is_drawn) {
  const collection c({from("f", drawable())});
  std::string names, bars;
  for (const figure& f : figures_of(c.sections().at(0), "")) {
    names += f.name + " ";
    if (f.name == "fence_ladder") bars = f.commands;
  }
  EXPECT_EQ(names, "staircase heat_map-throughput-fp32-fma fence_ladder ");
  // The cheapest is at the top.
  EXPECT_TRUE(contains(bars, "1 14 14.0\n0 480 480\n")) << bars;
  EXPECT_TRUE(contains(bars, "set ytics ('idle/cta' 1, 'idle/sc' 0)")) << bars;
  EXPECT_TRUE(heat_maps(c.sections().at(0), "mul").empty());
}

TEST(report_figures, a_plateau_is_no_second_point_and_what_was_refused_is_named) {
  std::vector<row> rows = surface(128);
  rows.push_back(rows.back());  // at warps 16, ilp 4
  rows.back().quantity = "plateau";
  rows.front() = broken(rows.front());  // at warps 1, ilp 1
  const collection c({from("f", rows)});
  const auto maps = heat_maps(c.sections().at(0), "fma");
  ASSERT_EQ(maps.size(), 1U);
  const std::string& commands = maps.front().commands;
  const std::string corner = "\n1 2 128 128.0 ";
  const auto first = commands.find(corner);
  ASSERT_NE(first, std::string::npos) << commands;
  EXPECT_EQ(commands.find(corner, first + 1), std::string::npos) << commands;
  EXPECT_TRUE(contains(commands, "$refused << EOD\n0 0 invalid\nEOD\n")) << commands;
}

TEST(report_figures, two_footprints_make_no_curve) {
  std::vector<row> rows = drawable();
  std::erase_if(rows, [](const row& r) {
    return r.axes.contains("footprint_bytes") && r.axes.at("footprint_bytes") == 65536;
  });
  const collection c({from("f", rows)});
  for (const figure& f : figures_of(c.sections().at(0), "")) EXPECT_NE(f.name, "staircase");
}

TEST(report_figures, what_is_invalid_is_not_drawn) {
  std::vector<row> rows = drawable();
  for (row& r : rows) r = broken(r);
  const collection c({from("f", rows)});
  EXPECT_TRUE(figures_of(c.sections().at(0), "").empty());
}

TEST(report_figures, many_fences_take_several_figures) {
  std::vector<row> rows;
  for (int i = 0; i < 60; ++i)
    rows.push_back(make("fence/a/f" + std::to_string(i), 10 + i, "rounds"));
  const collection c({from("f", rows)});
  const auto all = fence_ladders(c.sections().at(0));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].name, "fence_ladder_3of3");
  EXPECT_TRUE(contains(all[0].commands, "'a/f0'") && contains(all[2].commands, "'a/f59'"));
}

TEST(report_figures, text_cannot_become_commands) {
  EXPECT_EQ(quoted("it's"), "'it''s'");
  EXPECT_EQ(quoted("a\nsystem 'x'"), "'a system ''x'''");
  source s = from("f", drawable());
  s.content.of.device["name"] = "x'\nsystem 'touch here";
  const collection c({s});
  for (const figure& f : figures_of(c.sections().at(0), ""))
    EXPECT_FALSE(contains("\n" + script_of(f, "n"), "\nsystem")) << f.commands;
}

class report_drawing : public testing::Test {
 protected:
  void SetUp() override {
    source s = from("f", drawable());
    results::write(s.content, folder_.path() / "r.json");
  }
  drawing draw(const std::string& gnuplot) const {
    return report({{folder_.path() / "r.json"}, {}, {}, ""})
        .draw(folder_.path() / "new/plots", gnuplot);
  }
  toolchain::temporary_folder folder_;
};

TEST_F(report_drawing, without_gnuplot_scripts_are_left) {
  const drawing d = draw("/none/gnuplot");
  EXPECT_EQ(d.files.size(), 3U);
  EXPECT_TRUE(contains(d.note, "no pictures: ")) << d.note;
  for (const auto& f : d.files) EXPECT_TRUE(std::filesystem::exists(f)) << f;
}

TEST_F(report_drawing, a_gnuplot_that_fails_is_quoted) {
  EXPECT_TRUE(contains(draw("false").note, "no picture staircase.png: gnuplot: exit code 1"));
}

TEST_F(report_drawing, pictures_have_their_size) {
  if (std::system("gnuplot --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no gnuplot";
  const drawing d = draw("gnuplot");
  EXPECT_EQ(d.note, "");
  ASSERT_EQ(d.files.size(), 6U);
  for (const auto& f : d.files) {
    if (f.extension() != ".png") continue;
    const std::string png = toolchain::read_file(f);
    ASSERT_GT(png.size(), 5000U) << f << ": nothing is in it";
    EXPECT_EQ(png.substr(1, 3), "PNG");
    // Width and height in the header, 32 bits each, big end first: 1000 and 620.
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x03\xe8\0\0\x02\x6c", 8)) << f;
  }
}

}  // namespace
}  // namespace ptxlab::report
