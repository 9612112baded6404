// SPDX-License-Identifier: Apache-2.0
// Tables and figures on barriers over made-up results, whose right values were worked out by hand.
// What must not happen stands beside: a blank or a 0 for what was not measured, a barrier called
// sound for want of a witness, an unsound one taken for the best.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "analysis/report/barrier.hpp"
#include "analysis/report/report.hpp"
#include "analysis/report/topic.hpp"
#include "analysis/results/statistics.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

using axes = std::map<std::string, double>;
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

row make(const std::string& id, const axes& at, const std::string& quantity,
         const std::string& unit, double median, const std::string& protocol = "grid") {
  row r;
  r.id = id;
  r.axes = at;
  r.protocol = protocol;
  r.quantity = quantity;
  r.unit = unit;
  r.value = results::summary{median, median, median, 0, median - 10, median + 10, 5};
  r.sm_clock_mhz = 2000;
  r.cubin_sha256 = std::string(64, 'a');
  return r;
}

row round(const std::string& id, double blocks, double cycles, double threads = 256) {
  return make("barrier/" + id, {{"blocks", blocks}, {"threads", threads}}, "latency", "cycle",
              cycles);
}

row counted(const std::string& id, const std::string& quantity, std::vector<double> values,
            const axes& at = {{"blocks", 100}, {"distance", 1}, {"stress", 0}, {"threads", 256}},
            const std::string& protocol = "litmus") {
  row r = make(id, at, quantity, "read", values.front(), protocol);
  r.raw = {{4, std::move(values)}};
  return r;
}

/// Four launches of a thousand readings, of which `stale` in the first one.
void add_litmus(std::vector<row>& to, const std::string& id, double stale) {
  to.push_back(counted("barrier/" + id, "observed", {1000, 1000, 1000, 1000}));
  to.push_back(counted("barrier/" + id, "stale", {stale, 0, 0, 0}));
  to.push_back(counted("barrier/" + id, "stale next", {0, 0, 0, 0}));
  to.push_back(counted("barrier/" + id, "early", {0, 0, 0, 0}));
  if (stale == 0 || id.find("litmus_") != std::string::npos) return;
  for (std::size_t i = to.size() - 4; i < to.size(); ++i) {
    to[i].value.reset();
    to[i].state = status::invalid;
    to[i].reason = "stale 5 of 4000: not a barrier";
  }
}

row step(const std::string& id, double blocks, double threads, double us, double terms = 4) {
  const double n = blocks * threads;
  row r = make("barrier/" + id,
               {{"blocks", blocks},
                {"n", n},
                {"terms", terms == 0 ? n : terms},
                {"threads", threads},
                {"transforms", 100}},
               "transform", "us", us, "transform");
  r.value->p5 = us - 0.01;
  r.value->p95 = us + 0.01;
  return r;
}

class csv_file {
 public:
  explicit csv_file(const std::string& text) { toolchain::write_file(path(), text); }
  std::filesystem::path path() const { return folder_.path() / "file.csv"; }

 private:
  toolchain::temporary_folder folder_;
};

constexpr const char* known_text =
    "id,waits,ending,wrong,races,sass,cooperative\n"
    "barrier/cooperative/litmus,kept,finished,-,none,ATOM,yes\n"
    "barrier/fast/litmus,kept peeled,finished,-,none,\"RED, CCTL\",no\n"
    "barrier/fast/litmus_no_release,kept,finished,-,1: between blocks,RED,no\n"
    "barrier/racy/litmus,kept,finished,-,2: between blocks,RED,no\n"
    "barrier/gone/transform,deleted in ptxas,finished,none,none,RED,no\n"
    "barrier/leaky/litmus,kept,finished,-,none,RED,no\n"
    "barrier/device_barrier/inline_ptx_plain,deleted in ptxas,finished,none,none,,no\n";

/// 100 SMs at 2000 MHz: a cycle is half a nanosecond.
class made_up {
 public:
  explicit made_up(std::vector<row> rows, const char* known = known_text)
      : known_(csv_file(known).path()), all_({source{"made up", file_of(std::move(rows))}}) {}

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

std::vector<row> whole_zoo() {
  std::vector<row> rows = {round("cooperative/bare", 100, 2000), round("fast/bare", 100, 1400),
                           round("fast/bare", 200, 1500),        round("fast/dirty", 100, 1800),
                           round("fast/late", 100, 5100),        round("racy/bare", 100, 900),
                           round("gone/bare", 100, 300),         round("leaky/bare", 100, 1000)};
  for (const char* id : {"cooperative/litmus", "fast/litmus", "racy/litmus", "gone/litmus"})
    add_litmus(rows, id, 0);
  add_litmus(rows, "leaky/litmus", 5);
  add_litmus(rows, "fast/litmus_no_release", 7);
  add_litmus(rows, "fast/litmus_narrow", 0);
  return rows;
}

/// The cells of the line that begins with `name`, by their titles.
std::map<std::string, std::string> line_of(const table& t, const std::string& name) {
  std::map<std::string, std::string> out;
  for (const line& l : t.lines) {
    EXPECT_EQ(l.cells.size(), t.columns.size()) << t.title;
    if (l.cells.at(0) != name) continue;
    for (std::size_t i = 0; i < t.columns.size(); ++i) out[t.columns[i].title] = l.cells[i];
  }
  return out;
}

// --- what is read beside the results

TEST(report_barriers, evidence_is_read_and_refused) {
  const csv_file good(known_text);
  const evidence e(good.path());
  ASSERT_NE(e.find("barrier/fast/litmus"), nullptr);
  EXPECT_TRUE(e.find("barrier/fast/litmus")->kept());
  EXPECT_TRUE(e.find("barrier/fast/litmus")->clean());
  EXPECT_FALSE(e.find("barrier/racy/litmus")->clean());
  EXPECT_FALSE(e.find("barrier/gone/transform")->kept());
  EXPECT_EQ(e.find("barrier/fast/bare"), nullptr);
  const std::string header = "id,waits,ending,wrong,races,sass,cooperative\n";
  EXPECT_TRUE(contains(message_of([&] { evidence(csv_file(header + "a,,,,,,maybe\n").path()); }),
                       "cooperative 'maybe' is neither yes nor no"));
  EXPECT_TRUE(
      contains(message_of([&] { evidence(csv_file(header + "a,,,,,,no\na,,,,,,no\n").path()); }),
               "'a' is there twice"));
  EXPECT_TRUE(
      contains(message_of([] { evidence(csv_file("id,waits\na,b\n").path()); }), "no column"));
}

TEST(report_barriers, every_wait_has_to_stay) {
  const auto kept = [](const std::string& waits) {
    return evidence_row{"a", waits, "finished", "none", "none", "", false}.kept();
  };
  EXPECT_TRUE(kept("kept"));
  EXPECT_TRUE(kept("kept; kept peeled"));
  EXPECT_TRUE(kept("unrolled by 4")) << "a loop stays";
  for (const char* lost :
       {"kept; deleted in ptxas", "load-hoisted in nvcc", "unrolled by 4 full", "unknown", "-", ""})
    EXPECT_FALSE(kept(lost)) << lost;
}

TEST(report_barriers, historical_values) {
  const csv_file f(
      "document,table,row,column,value,unit\n"
      "A,figure 6,launches overtake,value,32,blocks\n"
      "B,costs,sqrt,cycles,32,cycles\n"
      "B,costs,division,cycles,36,cycles\n"
      "B,costs,division,count,1,\n");
  const historical h(f.path());
  ASSERT_NE(h.find("figure 6", "launches overtake", "value"), nullptr);
  EXPECT_EQ(h.find("figure 6", "launches overtake", "value")->text(), "32 blocks");
  EXPECT_EQ(h.find("figure 5", "launches overtake", "value"), nullptr);
  std::vector<std::string> rows;
  for (const historical_value* v : h.column("costs", "cycles")) rows.push_back(v->row);
  EXPECT_EQ(rows, (std::vector<std::string>{"sqrt", "division"}));
  const auto refused = [](const std::string& text) {
    return message_of([&] { historical(csv_file(text).path()); });
  };
  const std::string head = "document,table,row,column,value,unit\n";
  EXPECT_TRUE(contains(refused(head + "A,b,c,d,ten,e\n"), "value 'ten' is no number"));
  EXPECT_TRUE(contains(refused(head + "A,b,c,d,1,e\nB,b,c,d,1,e\n"), "is of two documents"));
}

// --- soundness

TEST(report_barriers, sound_needs_all_three_witnesses) {
  const made_up all(whole_zoo());
  const topic_context c = all.context();
  EXPECT_EQ(judge(c, "fast").is, soundness::yes) << judge(c, "fast").why;
  EXPECT_EQ(judge(c, "leaky").is, soundness::no);
  EXPECT_EQ(judge(c, "leaky").why, "forbidden values seen: 5 of 4000");
  EXPECT_EQ(judge(c, "racy").why, "races on the PTX machine: 2: between blocks");
  EXPECT_EQ(judge(c, "gone").why, "its wait in SASS: deleted in ptxas");
  EXPECT_EQ(judge(c, "nobody").is, soundness::unknown);
  EXPECT_EQ(judge(c, "nobody").why,
            "not run on the PTX machine; no verdict on its wait; no litmus count");
}

TEST(report_barriers, one_missing_witness_is_no_pass) {
  std::vector<row> rows = {round("fast/bare", 100, 1400)};
  EXPECT_EQ(judge(made_up(rows).context(), "fast").is, soundness::unknown) << "no litmus";
  add_litmus(rows, "fast/litmus", 0);
  EXPECT_EQ(judge(made_up(rows).context(), "fast").is, soundness::yes);
  const made_up unknown(rows, "id,waits,ending,wrong,races,sass,cooperative\n");
  EXPECT_EQ(judge(unknown.context(), "fast").is, soundness::unknown) << "no machine";
  rows.back().value.reset();
  rows.back().raw.clear();
  rows.back().state = status::error;
  rows.back().reason = "the launch failed";
  EXPECT_EQ(judge(made_up(rows).context(), "fast").is, soundness::unknown) << "a count is missing";
}

TEST(report_barriers, counts_are_sums_and_zero_has_a_bound) {
  const made_up all(whole_zoo());
  const auto n = litmus_of(all.context().of, "barrier/fast/litmus");
  ASSERT_TRUE(n);
  EXPECT_EQ(n->text(), "0 of 4000");
  EXPECT_EQ(n->bound(), "below 7.5e-04") << "3 / 4000";
  const auto leaky = litmus_of(all.context().of, "barrier/leaky/litmus");
  EXPECT_EQ(leaky->text(), "5 of 4000");
  EXPECT_EQ(leaky->bound(), "-");
  EXPECT_FALSE(litmus_of(all.context().of, "barrier/fast/bare/litmus"));
}

// --- tables

TEST(report_barriers, verdict_line) {
  const made_up all(whole_zoo());
  const table t = verdict_tables(all.context()).at(0);
  EXPECT_EQ(t.title, "Barriers over 100 blocks of 256 threads, one on each SM");
  const auto fast = line_of(t, "fast");
  EXPECT_EQ(fast.at("cycles"), "1400");
  EXPECT_EQ(fast.at("us"), "0.700") << "1400 cycles at 2 GHz";
  EXPECT_EQ(fast.at("p5 to p95"), "1390 to 1410");
  EXPECT_EQ(fast.at("2 per SM"), "1500");
  EXPECT_EQ(fast.at("dirty"), "1800");
  EXPECT_EQ(fast.at("late"), "1100") << "5100 less the 4000 that block 0 was late";
  EXPECT_EQ(fast.at("cooperative groups take"), "1.43x");
  EXPECT_EQ(fast.at("sound"), "yes");
  EXPECT_EQ(fast.at("mutants seen"), "no_release: yes, narrow: no");
  EXPECT_EQ(fast.at("survives both compilers"), "yes");
  EXPECT_EQ(fast.at("launch"), "no");
  EXPECT_EQ(fast.at("SASS"), "RED, CCTL");
  EXPECT_EQ(line_of(t, "cooperative").at("launch"), "cooperative");
  EXPECT_EQ(line_of(t, "gone").at("sound"), "no");
  EXPECT_EQ(line_of(t, "gone").at("survives both compilers"), "deleted in ptxas");
  EXPECT_EQ(line_of(t, "leaky").at("forbidden values"), "5 of 4000");
}

TEST(report_barriers, what_is_missing_is_said) {
  const made_up all(whole_zoo());
  const auto racy = line_of(verdict_tables(all.context()).at(0), "racy");
  for (const char* column : {"2 per SM", "dirty", "late", "mutants seen"})
    EXPECT_EQ(racy.at(column), "not measured") << column;
  std::vector<row> rows = whole_zoo();
  rows[2].value.reset();
  rows[2].state = status::invalid;
  rows[2].reason = "the clock changed";
  const table t = verdict_tables(made_up(rows).context()).at(0);
  EXPECT_EQ(line_of(t, "fast").at("2 per SM"), "invalid");
  EXPECT_EQ(t.lines.at(0).notes.at(0),
            "barrier/fast/bare, blocks 200, threads 256: invalid: the clock changed");
}

TEST(report_barriers, sound_ones_stand_first_and_the_best_is_sound) {
  const made_up all(whole_zoo());
  const table t = verdict_tables(all.context()).at(0);
  std::string order;
  for (const line& l : t.lines) order += l.cells.at(0) + " ";
  EXPECT_EQ(order, "fast cooperative gone racy leaky ");
  const auto best = best_of(all.context());
  ASSERT_TRUE(best);
  EXPECT_EQ(best->text(), "fast") << "three unsound ones are faster";
  const made_up blind(whole_zoo(), "id,waits,ending,wrong,races,sass,cooperative\n");
  EXPECT_EQ(best_of(blind.context())->text(), "gone (soundness not shown)");
}

TEST(report_barriers, whole_clusters_count_as_all_sms) {
  std::vector<row> rows = {round("fast/bare", 96, 1200), round("fast/bare", 64, 1000)};
  const table t = verdict_tables(made_up(rows).context()).at(0);
  EXPECT_EQ(line_of(t, "fast").at("cycles"), "1200");
  EXPECT_TRUE(contains(t.lines.at(0).notes.back(), "96 blocks, whole clusters"));
  rows = {round("fast/bare", 64, 1000), round("fast/bare", 132, 1700)};
  EXPECT_EQ(line_of(verdict_tables(made_up(rows).context()).at(0), "fast").at("cycles"),
            "not measured");
}

TEST(report_barriers, targets_need_a_sound_barrier) {
  std::vector<row> rows = whole_zoo();
  rows.push_back(step("fast/transform", 100, 256, 2));
  rows.push_back(step("launches/graph", 100, 256, 3));
  rows.push_back(step("fast/transform", 200, 256, 2.51));
  rows.push_back(step("launches/graph", 200, 256, 2.5));
  const table t = target_tables(made_up(rows).context()).at(0);
  ASSERT_EQ(t.lines.size(), 5U);
  EXPECT_EQ(t.lines[0].cells.at(2), "0.700 us, fast");
  EXPECT_EQ(t.lines[0].cells.at(3), "met");
  EXPECT_EQ(t.lines[1].cells.at(3), "missed") << "0.55 us";
  EXPECT_EQ(t.lines[2].cells.at(2), "1.43 times");
  EXPECT_EQ(t.lines[2].cells.at(3), "met");
  EXPECT_EQ(t.lines[3].cells.at(2), "the graph takes 1.500 times as long");
  EXPECT_EQ(t.lines[3].cells.at(3), "met");
  EXPECT_EQ(t.lines[4].cells.at(3), "met") << "slower by less than the spread: a tie";
  rows.back().value->p95 = 2.49;
  EXPECT_EQ(target_tables(made_up(rows).context()).at(0).lines.at(4).cells.at(3), "missed");
  const made_up blind(rows, "id,waits,ending,wrong,races,sass,cooperative\n");
  const table untold = target_tables(blind.context()).at(0);
  for (const line& l : untold.lines) EXPECT_EQ(l.cells.at(3), "cannot tell") << l.cells.at(0);
}

TEST(report_barriers, cost_over_blocks) {
  std::vector<row> rows = {round("fast/bare", 2, 900), round("fast/bare", 100, 1400),
                           round("slow/bare", 2, 1000), round("slow/bare", 2, 1100, 32)};
  const made_up all(rows);
  const auto tables = cost_tables(all.context());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(line_of(tables[0], "slow").at("2"), "1100");
  EXPECT_TRUE(line_of(tables[0], "fast").empty()) << "no point with 32 threads";
  EXPECT_EQ(line_of(tables[1], "fast").at("100"), "1400");
  EXPECT_EQ(line_of(tables[1], "slow").at("100"), "not measured");
  const auto figures = cost_figures(all.context());
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[1].name, "barrier_cost-256");
  EXPECT_TRUE(contains(figures[1].commands, "2 900 890 910\n100 1400 1390 1410\n"));
}

TEST(report_barriers, transforms_by_terms) {
  std::vector<row> rows = {step("fast/transform", 2, 64, 1.5),
                           step("fast/transform", 2, 64, 2.5, 0),
                           step("launches/stream", 2, 64, 4.5)};
  rows.push_back(rows[0]);
  rows.back().axes["n"] = 500;  // not one element for each thread
  const auto all = transforms_of(made_up(rows).context().of);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all.contains("4 terms") && all.contains("all terms"));
  EXPECT_TRUE(all.contains("4 terms, n = 500"));
  const auto tables = transform_tables(made_up(rows).context());
  EXPECT_EQ(line_of(tables.at(0), "stream launches").at("2 x 64"), "4.500");
  EXPECT_EQ(line_of(tables.at(2), "fast").at("2 x 64"), "2.500");
}

TEST(report_barriers, surface_is_a_ratio_and_names_what_is_refused) {
  std::vector<row> rows = whole_zoo();
  for (const double blocks : {2.0, 4.0}) {
    rows.push_back(step("fast/transform", blocks, 64, 2));
    rows.push_back(step("launches/graph", blocks, 64, blocks == 2 ? 3 : 1));
    rows.push_back(step("racy/transform", blocks, 64, 1));
  }
  auto figures = surface_figures(made_up(rows).context());
  ASSERT_EQ(figures.size(), 1U) << "racy is neither a rival of 2012 nor a launch";
  EXPECT_EQ(figures[0].name, "surface-4_terms-graph");
  // Place, log2 of the ratio for the colour, the ratio.
  EXPECT_TRUE(contains(figures[0].commands, "0 0 0.5850 1.50 0x202020\n"));
  EXPECT_TRUE(contains(figures[0].commands, "1 0 -1.0000 0.50 0x202020\n"));
  row& graph = rows[rows.size() - 2];
  graph.value.reset();
  graph.state = status::invalid;
  graph.reason = "P is wrong";
  figures = surface_figures(made_up(rows).context());
  EXPECT_TRUE(contains(figures.at(0).commands, "1 0 \"invalid\"\n"));
  EXPECT_FALSE(contains(figures.at(0).commands, "0.50 0x"));
}

TEST(report_barriers, the_diagonal_has_1024_threads) {
  std::vector<row> rows = whole_zoo();
  for (const double blocks : {2.0, 8.0, 32.0}) {
    rows.push_back(step("fast/transform", blocks, 1024 / blocks, 2));
    rows.push_back(step("launches/stream", blocks, 1024 / blocks, blocks == 32 ? 1 : 5));
    rows.push_back(step("launches/graph", blocks, 1024 / blocks, 3));
    rows.push_back(step("fast/transform", blocks, 32, 7));
  }
  const made_up all(rows);
  const auto figures = diagonal_figures(all.context());
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_TRUE(contains(figures[0].commands, "2 2 1.99 2.01\n8 2 1.99 2.01\n32 "));
  EXPECT_FALSE(contains(figures[0].commands, "\n2 7 "));
  const table t = history_tables(all.context()).at(0);
  EXPECT_EQ(line_of(t, "stream launches ahead of fast: 1024 threads in all, 4 terms").at("here"),
            "from 32 blocks");
  EXPECT_EQ(line_of(t, "graph ahead of fast: 1024 threads in all, 4 terms").at("here"),
            "not up to 32 blocks");
  EXPECT_EQ(line_of(t, "the spin in inline PTX, the remedy of 2012").at("here"),
            "deleted in ptxas");
}

TEST(report_barriers, races_are_summed_over_runs) {
  const axes at = {{"blocks", 2}, {"runs", 4}, {"skew_cycles", 500}, {"threads", 64}};
  const std::string id = "barrier/unsynchronised/no_barrier";
  std::vector<row> rows = {counted(id, "wrong runs", {1, 0, 1, 0}, at, "races"),
                           counted(id, "wrong elements", {32, 0, 64, 0}, at, "races"),
                           counted(id, "wrong warps", {1, 0, 2, 0}, at, "races"),
                           counted(id, "wrong warps in part", {0, 0, 0, 0}, at, "races"),
                           counted(id, "wrong blocks", {1, 0, 1, 0}, at, "races")};
  const table t = race_tables(made_up(rows).context()).at(0);
  ASSERT_EQ(t.lines.size(), 1U);
  EXPECT_EQ(t.lines[0].cells, (std::vector<std::string>{"no_barrier", "2", "64", "500", "4", "2",
                                                        "96", "3", "0", "2", "not measured"}));
}

TEST(report_barriers, the_model_is_a_sum_of_parts) {
  std::vector<row> rows = whole_zoo();
  rows.push_back(make("barrier/block_cost/bar_sync", {{"threads", 256}}, "latency", "cycle", 30));
  rows.push_back(make("barrier/block_cost/bar_sync", {{"threads", 32}}, "latency", "cycle", 7));
  rows.push_back(
      make("fence/cost/fence_acq_rel_gpu_after_store", {{"blocks", 100}}, "latency", "cycle", 400));
  for (const double trip : {800.0, 900.0, 2000.0})
    rows.push_back(
        make("handover/pair/blocks_relaxed", {{"partner", trip}}, "round trip", "cycle", trip));
  const auto lacking = model_of(made_up(rows).context().of);
  EXPECT_FALSE(lacking.sum()) << "nothing says how arrivals drain";
  EXPECT_TRUE(contains(lacking.parts.at(2).from, "not measured: barrier/parts/"));
  rows.push_back(make("barrier/parts/drain", {{"blocks", 2}}, "latency", "cycle", 700));
  rows.push_back(make("barrier/parts/drain", {{"blocks", 100}}, "latency", "cycle", 1600));
  rows.push_back(make("memory/l2/single_word", {}, "far latency", "cycle", 300));
  const barrier_model m = model_of(made_up(rows).context().of);
  EXPECT_DOUBLE_EQ(*m.parts.at(0).cycles, 60) << "two of 30";
  EXPECT_DOUBLE_EQ(*m.parts.at(2).cycles, 200) << "of eight additions of each of 100 blocks";
  EXPECT_DOUBLE_EQ(*m.parts.at(3).cycles, 450) << "half of the median";
  EXPECT_DOUBLE_EQ(*m.sum(), 60 + 400 + 200 + 450);
  EXPECT_DOUBLE_EQ(*m.poll, 300);
  const table t = model_tables(made_up(rows).context()).at(0);
  EXPECT_EQ(line_of(t, "all parts").at("cycles"), "1110");
  EXPECT_EQ(line_of(t, "all parts").at("us"), "0.555");
  EXPECT_EQ(line_of(t, "all parts and one such poll").at("cycles"), "1410");
  EXPECT_EQ(line_of(t, "measured: the fastest sound one").at("cycles"), "1400");
}

TEST(report_barriers, litmus_table_has_the_mutants_that_there_are) {
  const made_up all(whole_zoo());
  const table t = litmus_tables(all.context()).at(0);
  std::string of_fast;
  for (const line& l : t.lines)
    if (l.cells.at(0) == "fast")
      of_fast += l.cells.at(1) + ": " + l.cells.at(4) + ", " + l.cells.back() + "\n";
  EXPECT_EQ(of_fast,
            "as it is: 0, no race\n"
            "without its release: 7, 1: between blocks\n"
            "with scope cta: 0, not run\n");
}

TEST(report_barriers, lost_rows_are_told_once_for_each_reason) {
  const made_up all(whole_zoo());
  const table t = lost_tables(all.context()).at(0);
  ASSERT_EQ(t.lines.size(), 1U);
  EXPECT_EQ(t.lines[0].cells.at(2), "4");
  EXPECT_EQ(t.lines[0].cells.at(4), "stale 5 of 4000: not a barrier");
}

// --- topics

TEST(report_topics, a_word_or_a_part) {
  const auto parts = topics_of({"barrier"});
  EXPECT_EQ(parts.size(), 13U);
  for (const topic* t : parts) EXPECT_TRUE(t->name.starts_with("barrier.")) << t->name;
  ASSERT_EQ(topics_of({"barrier.cost"}).size(), 1U);
  EXPECT_TRUE(topics_of({}).empty());
  EXPECT_TRUE(contains(message_of([] { topics_of({"barrier.cots"}); }),
                       "no topic 'barrier.cots'; nearest is 'barrier.cost'"));
  EXPECT_TRUE(contains(message_of([] { topics_of({"barr"}); }), "no topic 'barr'"));
}

TEST(report_topics, results_without_a_barrier_say_so_everywhere) {
  const made_up none({make("latency/fp32/fma", {}, "latency", "cycle", 4)});
  for (const topic* t : topics_of({"barrier"})) {
    if (t->figures != nullptr) {
      EXPECT_TRUE(t->figures(none.context()).empty()) << t->name;
    }
    if (t->tables == nullptr) continue;
    for (const table& one : t->tables(none.context())) {
      EXPECT_FALSE(one.title.empty()) << t->name;
      for (const line& l : one.lines)
        for (const std::string& cell : l.cells) EXPECT_FALSE(cell.empty()) << one.title;
    }
  }
}

TEST(report_topics, markdown_of_one_setting_stands_in_a_document) {
  toolchain::temporary_folder folder;
  results::file f;
  f.of.device = {{"name", "Synthetic"}, {"arch", "sm_90"}, {"multiprocessors", "100"}};
  f.rows = whole_zoo();
  results::write(f, folder.path() / "r.json");
  inputs from;
  from.results = {folder.path() / "r.json"};
  from.topics = {"barrier.cost"};
  from.links = "figures";
  const report r(from);
  const std::string text = r.text(format::markdown, {});
  EXPECT_TRUE(text.starts_with("### A bare round")) << text;
  EXPECT_TRUE(contains(text, "](figures/barrier_cost-256.png)"));
  EXPECT_TRUE(contains(text, "Without what compilers and the PTX machine say"));
  EXPECT_TRUE(contains(r.text(format::text, {}), "Synthetic (sm_90)"));
  EXPECT_TRUE(contains(message_of([&] { r.text(format::csv, {}); }), "CSV holds every row"));
}

}  // namespace
}  // namespace ptxlab::report
