// SPDX-License-Identifier: Apache-2.0
// Statistics against values worked out by hand, and the reader of results files against files that
// are not what they should be.
#include "analysis/results/results.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/results/statistics.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::results {
namespace {

using json = nlohmann::json;

std::string message_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

// --- statistics
// -------------------------------------------------------------------------------------

TEST(results_statistics, quantile_is_definition_7) {
  // h = 0.4 * 4 = 1.6, between 20 and 35: 20 + 0.6 * 15. Definition 6 would give 26, the nearest
  // rank 20.
  EXPECT_DOUBLE_EQ(quantile({35, 15, 50, 20, 40}, 0.4), 29);
  // h = 0.05 * 3 = 0.15 and 0.95 * 3 = 2.85
  EXPECT_DOUBLE_EQ(quantile({4, 3, 2, 1}, 0.05), 1.15);
  EXPECT_DOUBLE_EQ(quantile({4, 3, 2, 1}, 0.95), 3.85);
  EXPECT_DOUBLE_EQ(quantile({4, 3, 2, 1}, 0), 1);
  EXPECT_DOUBLE_EQ(quantile({4, 3, 2, 1}, 1), 4);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.95), 7);
}

TEST(results_statistics, median_of_even_and_odd_numbers) {
  EXPECT_DOUBLE_EQ(median({9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(median({9, 1, 5, 6}), 5.5);
}

TEST(results_statistics, summary_is_robust_against_one_outlier) {
  const summary s = summarise({2, 1, 4, 3, 100});
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.max, 100);
  EXPECT_DOUBLE_EQ(s.mad, 1);  // of 1, 2, 1, 0, 97; not scaled by 1.4826
  EXPECT_DOUBLE_EQ(s.p5, 1.2);
  EXPECT_DOUBLE_EQ(s.p95, 80.8);  // h = 3.8, between 4 and 100
  EXPECT_EQ(s.samples, 5);
}

TEST(results_statistics, nothing_has_no_summary) {
  EXPECT_THROW(quantile({}, 0.5), error);
  EXPECT_THROW(summarise({}), error);
}

TEST(results_statistics, line_through_points) {
  const std::vector<double> x = {0, 1, 2, 3}, exact = {7, 11, 15, 19}, y = {1, 3, 2, 5};
  const line through = fit(x, exact);
  EXPECT_DOUBLE_EQ(through.slope, 4);
  EXPECT_DOUBLE_EQ(through.offset, 7);
  EXPECT_NEAR(through.residual, 0, 1e-12);
  // Sxy = 5.5, Sxx = 5, means 1.5 and 2.75; distances -0.1, 0.8, -1.3, 0.6.
  const line near = fit(x, y);
  EXPECT_DOUBLE_EQ(near.slope, 1.1);
  EXPECT_DOUBLE_EQ(near.offset, 1.1);
  EXPECT_DOUBLE_EQ(near.residual, 1.3);
}

TEST(results_statistics, a_line_needs_two_different_x) {
  const std::vector<double> same = {3, 3}, y = {1, 2}, one = {1};
  EXPECT_THROW(fit(same, y), error);
  EXPECT_THROW(fit(one, one), error);
  EXPECT_THROW(fit({}, {}), error);
}

TEST(results_statistics, slopes_pair_the_samples_of_a_pass) {
  // 40, 44 and 40 more for ten more copies; the overhead of 15 is in the offset, not in the slope.
  const slopes s = slopes_of({{10, {50, 60, 55}}, {20, {90, 104, 95}}});
  EXPECT_DOUBLE_EQ(s.value.median, 4);
  EXPECT_DOUBLE_EQ(s.value.min, 4);
  EXPECT_DOUBLE_EQ(s.value.max, 4.4);
  EXPECT_EQ(s.value.samples, 3);
  EXPECT_DOUBLE_EQ(s.offset, 15);
  EXPECT_NEAR(s.residual, 0, 1e-12);
}

TEST(results_statistics, residual_shows_what_is_no_line) {
  // Through (1, 10), (2, 20), (4, 70): slope 145/7, offset -15; distances 30/7, -45/7, 15/7.
  const slopes s = slopes_of({{1, {10}}, {2, {20}}, {4, {70}}});
  EXPECT_NEAR(s.value.median, 145.0 / 7, 1e-12);
  EXPECT_NEAR(s.offset, -15, 1e-12);
  EXPECT_NEAR(s.residual, 45.0 / 7, 1e-12);
}

TEST(results_statistics, slopes_refuse_what_does_not_pair) {
  EXPECT_THROW(slopes_of({}), error);
  EXPECT_THROW(slopes_of({{10, {1, 2}}}), error);
  EXPECT_THROW(slopes_of({{10, {1, 2}}, {20, {1}}}), error);
  EXPECT_THROW(slopes_of({{10, {}}, {20, {}}}), error);
}

// --- the file
// ---------------------------------------------------------------------------------------

file whole() {
  file f;
  f.of.device = {{"name", "Synthetic"}, {"arch", "sm_90"}};
  f.of.toolkit = {{"nvcc", "13.0.88"}};
  f.of.driver = "580.0.0";
  f.of.commit = "0000000+";
  f.of.started = "2000-01-01T00:00:00Z";
  f.of.notes = {{"shard", "1/2"}};
  row r;
  r.id = "latency/fp32/fma_rn_f32";
  r.axes = {{"threads", 32}, {"blocks", 1}};
  r.protocol = r.quantity = "latency";
  r.unit = "cycle";
  r.value = summary{4.0625, 4, 4.5, 0.0625, 4, 4.25, 31};
  r.flags = {"clock changed"};
  r.sass = "FFMA";
  r.cubin_sha256 = "ab";
  r.uses.registers = 24;
  r.uses.blocks_per_sm = 0;
  r.static_cycles = 4;
  r.residual = 0.5;
  r.sm_clock_mhz = 1980;
  r.published = "fp32 fma dependent latency";
  r.raw_unit = "cycle";
  r.raw = {{10, {50, 60}}, {20, {90, 100}}};
  row bad = r;
  bad.state = status::invalid;
  bad.reason = "the chain is broken, \"here\"";
  bad.value.reset();
  bad.static_cycles.reset();
  bad.uses = {};
  f.rows = {r, bad};
  return f;
}

TEST(results_file, text_reads_back) {
  const file f = whole();
  const std::string text = text_of(f);
  const file back = parse(text, "back.json");
  EXPECT_EQ(text_of(back), text);
  ASSERT_EQ(back.rows.size(), 2U);
  const row& r = back.rows[0];
  EXPECT_EQ(r.axes, f.rows[0].axes);
  EXPECT_EQ(r.value->median, 4.0625);
  EXPECT_EQ(r.value->p95, 4.25);
  EXPECT_EQ(r.value->samples, 31);
  EXPECT_EQ(r.flags, f.rows[0].flags);
  EXPECT_EQ(r.static_cycles, 4);
  EXPECT_EQ(r.uses, f.rows[0].uses);
  EXPECT_EQ(r.uses.blocks_per_sm, 0) << "a launch that does not fit is no launch without facts";
  EXPECT_FALSE(r.uses.spill_bytes);
  EXPECT_EQ(r.raw.at(1).values, (std::vector<double>{90, 100}));
  EXPECT_EQ(back.of.notes.at("shard"), "1/2");
  EXPECT_EQ(back.rows[1].state, status::invalid);
  EXPECT_EQ(back.rows[1].reason, f.rows[1].reason);
  EXPECT_FALSE(back.rows[1].value);
  EXPECT_FALSE(back.rows[1].static_cycles) << "a value that is not there is not 0";
}

TEST(results_file, files_from_before_resources_were_kept_can_be_read) {
  json j = json::parse(text_of(whole()));
  EXPECT_FALSE(j["rows"][1].contains("resources")) << "nothing known, nothing written";
  j["rows"][0].erase("resources");
  const file back = parse(j.dump(), "old.json");
  EXPECT_EQ(back.rows.at(0).uses, resources());
  EXPECT_EQ(back.rows.at(0).value->median, 4.0625);
  // Of a later version.
  j["rows"][0]["resources"] = {{"registers", 9}, {"clusters", 3}};
  resources nine;
  nine.registers = 9;
  EXPECT_EQ(parse(j.dump(), "new.json").rows.at(0).uses, nine);
}

TEST(results_file, one_row_is_one_line) {
  const std::string text = text_of(whole());
  // Schema, run, rows, two rows, end.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
}

TEST(results_file, written_file_reads_back) {
  const toolchain::temporary_folder folder;
  write(whole(), folder.path() / "r.json");
  EXPECT_EQ(text_of(read(folder.path() / "r.json")), text_of(whole()));
  EXPECT_THROW(write(whole(), folder.path() / "none" / "r.json"), error);
}

TEST(results_file, what_cannot_be_read_is_named) {
  EXPECT_NE(message_of([] { read("/none/r.json"); }).find("/none/r.json: No such file"),
            std::string::npos);
  for (const char* text : {"", "nonsense", "{\"schema\":", "[]", "{}", "7",
                           R"({"schema":"ptxlab.results/2","run":{},"rows":[]})",
                           R"({"schema":"ptxlab.facts/1"})", R"({"schema":7})"})
    EXPECT_EQ(message_of([&] { parse(text, "r.json"); }).substr(0, 8), "r.json: ") << text;
  EXPECT_NE(message_of([] { parse("{\"schema\":\"other/1\"}", "r.json"); }).find(schema),
            std::string::npos);
}

/// The message for the file above after `change`.
std::string spoilt(const std::function<void(json&)>& change) {
  json j = json::parse(text_of(whole()));
  change(j);
  return message_of([&] { parse(j.dump(), "r.json"); });
}

TEST(results_file, every_required_field_is_missed) {
  EXPECT_EQ(spoilt([](json&) {}), "nothing was thrown");
  for (const char* key : {"device", "toolkit", "driver", "commit", "started"})
    EXPECT_NE(spoilt([&](json& j) { j["run"].erase(key); }).find(key), std::string::npos) << key;
  for (const char* key : {"id", "protocol", "quantity", "unit", "status"})
    EXPECT_NE(spoilt([&](json& j) { j["rows"][0].erase(key); }).find(key), std::string::npos)
        << key;
  for (const char* key : {"median", "min", "max", "mad", "p5", "p95", "samples"})
    EXPECT_NE(spoilt([&](json& j) { j["rows"][0]["value"].erase(key); }).find(key),
              std::string::npos)
        << key;
  EXPECT_NE(spoilt([](json& j) { j.erase("rows"); }).find("rows"), std::string::npos);
}

TEST(results_file, status_and_value_must_agree) {
  EXPECT_NE(spoilt([](json& j) { j["rows"][0].erase("value"); }).find("'ok' and has no value"),
            std::string::npos);
  EXPECT_NE(spoilt([](json& j) {
              j["rows"][1]["value"] = j["rows"][0]["value"];
            }).find("'invalid' and has a value"),
            std::string::npos);
  EXPECT_NE(spoilt([](json& j) { j["rows"][0]["status"] = "fine"; }).find("unknown status 'fine'"),
            std::string::npos);
}

TEST(results_file, wrong_types_are_refused) {
  for (const char* key :
       {"id", "status", "sm_clock_mhz", "axes", "flags", "raw", "residual", "resources"})
    EXPECT_EQ(spoilt([&](json& j) {
                j["rows"][0][key] = json::object({{"x", "y"}});
              }).substr(0, 8),
              "r.json: ")
        << key;
  EXPECT_EQ(spoilt([](json& j) { j["rows"][0]["value"]["median"] = nullptr; }).substr(0, 8),
            "r.json: ");
}

}  // namespace
}  // namespace ptxlab::results
