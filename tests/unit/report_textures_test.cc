// SPDX-License-Identifier: Apache-2.0
// Tables and figures on textures over made-up results: sums, ratios, and what stands where nothing
// was measured or something was wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/report/textures.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;
using results::row;

row make(const std::string& id, const axes& at, const std::string& quantity, double median) {
  row r;
  r.id = id;
  r.axes = at;
  r.quantity = quantity;
  r.value = results::summary{median, median, median, 0, median, median, 5};
  return r;
}
row wrong(const std::string& kernel, double format, bool filtered, double n) {
  row r = make("texture/fetch/" + kernel, {{"format", format}, {"filtered", filtered ? 1 : 0}},
               "wrong texels", n);
  r.raw = {{100, {n}}};
  if (n > 0) {
    r.value.reset();
    r.state = results::status::invalid;
    r.reason = "they are wrong";
  }
  return r;
}
row rate(const std::string& kernel, double width, bool filtered, bool columns, double value) {
  return make("texture/walk/" + kernel,
              {{"width", width}, {"filtered", filtered ? 1 : 0}, {"columns", columns ? 1 : 0}},
              "fetch rate", value);
}

/// A section of these rows (copied) on a device with 50 MiB of L2.
struct made_up {
  explicit made_up(const std::vector<row>& rows) {
    file.of.device = {{"l2_bytes", "52428800"}, {"name", "Some GPU"}};
    file.rows = rows;
    of.files = {&file};
    for (const row& r : file.rows) of.measurements.push_back({{&r}});
  }
  topic_context context() const { return {of, known, then}; }

  results::file file;
  section of;
  evidence known;
  historical then;
};

const std::vector<std::string>& line_of(const table& t, const std::string& first) {
  const auto at = std::find_if(t.lines.begin(), t.lines.end(),
                               [&](const line& l) { return l.cells.front() == first; });
  static const std::vector<std::string> none;
  return at == t.lines.end() ? none : at->cells;
}
using cells = std::vector<std::string>;

TEST(report_textures, formats_have_the_names_of_the_declarations) {
  using enum kernels::texture::format;
  const std::pair<kernels::texture::format, const char*> all[] = {
      {u8, "u8"},   {s8, "s8"},   {u16, "u16"}, {s16, "s16"},
      {u32, "u32"}, {s32, "s32"}, {f16, "f16"}, {f32, "f32"}};
  for (const auto& [format, name] : all) EXPECT_EQ(format_name(static_cast<double>(format)), name);
  EXPECT_EQ(format_name(8), "-");
  EXPECT_EQ(format_name(-1), "-");
}

TEST(report_textures, checks_are_summed_by_kernel_and_filter) {
  made_up m({wrong("plane", 0, true, 0), wrong("plane", 7, true, 0), wrong("plane", 7, false, 3),
             make("texture/fetch/plane", {{"format", 7}, {"filtered", 1}}, "unlike the machine", 2),
             make("texture/fetch/plane", {{"format", 7}, {"filtered", 1}}, "largest error", 0.75)});
  const table t = texture_check_tables(m.context()).front();
  ASSERT_EQ(t.lines.size(), 2U);
  EXPECT_EQ(t.lines[0].cells,
            (cells{"plane", "none", "f32", "1", "100", "not all valid", "0", "-"}));
  ASSERT_EQ(t.lines[0].notes.size(), 1U);
  EXPECT_NE(t.lines[0].notes[0].find("invalid: they are wrong"), std::string::npos);
  EXPECT_EQ(t.lines[1].cells, (cells{"plane", "linear", "u8, f32", "2", "200", "0", "2", "0.75"}));
  row failed = make("texture/fetch/plane", {{"format", 7}}, "texels", 0);
  failed.value.reset();
  failed.state = results::status::error;
  failed.reason = "no array";
  const table f = texture_check_tables(made_up({failed}).context()).front();
  EXPECT_EQ(f.lines.at(0).cells[5], "not all valid");
  EXPECT_NE(texture_check_tables(made_up({}).context()).front().title.find("not measured"),
            std::string::npos);
}

TEST(report_textures, rates_stand_beside_those_of_loads_on_the_same_side_of_the_l2) {
  made_up m({rate("load", 2048, false, false, 100), rate("load", 8192, false, false, 50),
             rate("load_filtered", 2048, true, false, 20), rate("array_2d", 2048, false, false, 80),
             rate("array_2d", 2048, true, false, 40), rate("array_2d", 8192, false, true, 30),
             rate("array_3d", 160, false, false, 10), rate("array_3d", 416, false, false, 5)});
  const table t = texture_rate_tables(m.context()).front();
  EXPECT_EQ(line_of(t, "load"), (cells{"load", "100", "not measured", "50", "not measured"}));
  EXPECT_EQ(line_of(t, "tex2D"),
            (cells{"tex2D", "80 (0.80)", "not measured", "not measured", "30"}));
  EXPECT_EQ(line_of(t, "tex2D, filter")[1], "40 (2.00)");
  // 160 cubed words are less than the L2 has, 416 cubed more.
  EXPECT_EQ(line_of(t, "tex3D")[1], "10 (0.10)");
  EXPECT_EQ(line_of(t, "tex3D")[3], "5 (0.10)");
  ASSERT_EQ(texture_rate_figures(m.context()).size(), 1U);
  EXPECT_NE(texture_rate_figures(m.context())[0].commands.find("\"tex2D\" 80.0 NaN NaN 30.0"),
            std::string::npos);
  EXPECT_TRUE(texture_rate_figures(made_up({}).context()).empty());
  m.file.of.device.clear();
  EXPECT_EQ(line_of(texture_rate_tables(m.context()).front(), "load")[1], "not measured")
      << "nobody knows whether it fits the L2";
}

TEST(report_textures, latencies_stand_by_footprint_and_lanes_come_from_bytes) {
  const auto latency = [](const std::string& id, double footprint, double cycles) {
    return make("memory/" + id, {{"footprint_bytes", footprint}, {"stride_bytes", 128}}, "latency",
                cycles);
  };
  row lanes = make("throughput/texture/array_2d", {{"warps", 8}, {"ilp", 2}}, "plateau", 32);
  lanes.unit = "byte/cycle/SM";
  made_up m({latency("texture/index", 4096, 40), latency("texture/index", 65536, 41),
             latency("texture/array_2d", 4096, 60), latency("texture/load", 4096, 33),
             latency("staircase/pointer", 1 << 30, 700), lanes});
  const table t = texture_latency_tables(m.context()).front();
  ASSERT_EQ(t.lines.size(), 2U) << "other rings belong elsewhere";
  EXPECT_EQ(t.lines[0].cells, (cells{"4 KiB", "33.0", "40.0", "60.0", "not measured"}));
  EXPECT_EQ(t.lines[1].cells[1], "not measured");
  const table sm = texture_sm_tables(m.context()).front();
  EXPECT_EQ(line_of(sm, "tex2D"), (cells{"tex2D", "4.00", "32.0", "8", "2"}));
  EXPECT_EQ(line_of(sm, "load"), (cells{"load", "not measured", "-", "-", "-"}));
}

}  // namespace
}  // namespace ptxlab::report
