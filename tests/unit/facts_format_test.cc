// SPDX-License-Identifier: Apache-2.0
// The three ways facts are printed: lines for FileCheck, JSON for programs, tables for people.
#include "analysis/facts/facts_format.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "analysis/facts/json_format.hpp"
#include "analysis/facts/table.hpp"
#include "analysis/facts/text_format.hpp"

namespace ptxlab::facts {
namespace {

using nlohmann::json;

loop waiting_loop(const char* strength) {
  loop l;
  l.id = "L1";
  l.file = "spin.cu";
  l.line = 12;
  l.instructions = 4;
  l.exit = "load";
  l.polls.push_back({"global", 32, strength, "param+8", false, 12});
  return l;
}

// One kernel with all that can be known, one with nothing.
report example() {
  report r;
  r.toolkit = {{"nvcc", "13.0.88"}, {"nvdisasm", "13.2.78"}};
  r.arch = "sm_90";
  r.input = "spin.cu";
  r.notes = {"a note"};
  kernel k;
  k.name = "_Z4spinPi";
  k.demangled = "spin(int*)";
  k.max_threads = 256;
  k.res.registers = 10;
  k.res.barriers = 0;
  k.res.spill_store_bytes = 4;
  k.res.spill_load_bytes = 8;
  k.occ.push_back({256, 8, 64, 1.0, "warps"});
  k.ptx.known = k.sass.known = true;
  k.ptx.instructions = 31;
  k.ptx.opcodes = {{"ld.global.u32", 2}, {"bra.uni", 1}};
  k.ptx.loops.push_back(waiting_loop("volatile"));
  loop counted;
  counted.id = "L2";
  counted.file = "other.cuh";
  counted.line = 3;
  counted.depth = 2;
  counted.exit = "counter";
  counted.trip = 16;
  counted.stores = 1, counted.barriers = 2, counted.fences = 3, counted.calls = 4;
  counted.function = "helper";
  k.ptx.loops.push_back(counted);
  k.sass.instructions = 34;
  k.sass.unknown_instructions = 2;
  k.sass.irreducible = true;
  k.sass.loops.push_back(waiting_loop("strong.sys"));
  k.sass.loops[0].polls[0].acquire = true;
  loop_verdict kept;
  kept.file = "spin.cu";
  kept.line = 12;
  kept.verdict = "kept";
  kept.peeled = true;
  kept.ptx_loop = kept.sass_loop = "L1";
  kept.evidence = {"source: loop, exit load"};
  loop_verdict unrolled;
  unrolled.file = "other.cuh";
  unrolled.verdict = "unrolled";
  unrolled.lost_in = "nvcc";
  unrolled.factor = 4;
  unrolled.full = true;
  k.loops = {kept, unrolled};
  k.findings.push_back({"spin-weak", "warning", "sass", "spin.cu", 12, "The poll is weak."});
  kernel empty;
  empty.name = empty.demangled = "unseen";
  empty.entry = false;
  empty.ptx.reason = "no PTX at hand";
  empty.sass.reason = "nvdisasm was not found";
  r.kernels = {k, empty};
  return r;
}

std::set<std::string> keys(const json& j) {
  std::set<std::string> out;
  for (const auto& [key, unused] : j.items()) out.insert(key);
  return out;
}

TEST(json_format, holds_what_the_design_promises) {
  // The field list of design.md, section 4; more is allowed, less is not.
  const json j = json::parse(json_format({example()}));
  const auto has = [](const json& object, std::set<std::string> wanted) {
    for (const std::string& key : keys(object)) wanted.erase(key);
    std::string missing;
    for (const std::string& key : wanted) missing += key + " ";
    return missing;
  };
  EXPECT_EQ(has(j, {"schema", "toolkit", "arch", "input", "kernels"}), "");
  EXPECT_EQ(j["schema"], "ptxlab.facts/1");
  EXPECT_EQ(j["toolkit"]["nvcc"], "13.0.88");
  EXPECT_EQ(j["arch"], "sm_90");
  EXPECT_EQ(j["input"], "spin.cu");
  ASSERT_EQ(j["kernels"].size(), 2u);
  const json& k = j["kernels"][0];
  EXPECT_EQ(has(k, {"name", "demangled", "resources", "ptx", "sass", "loops", "findings"}), "");
  EXPECT_EQ(k["name"], "_Z4spinPi");
  EXPECT_EQ(k["demangled"], "spin(int*)");
  EXPECT_EQ(has(k["resources"], {"registers", "stack_bytes", "spill_store_bytes",
                                 "spill_load_bytes", "shared_bytes", "barriers"}),
            "");
  EXPECT_EQ(k["resources"]["registers"], 10);
  EXPECT_EQ(k["resources"]["barriers"], 0) << "reported as none";
  EXPECT_TRUE(k["resources"]["stack_bytes"].is_null()) << "not reported: null, not 0";
  for (const char* stage : {"ptx", "sass"})
    EXPECT_EQ(has(k[stage], {"instructions", "loops"}), "") << stage;
  EXPECT_EQ(k["ptx"]["instructions"], 31);
  EXPECT_EQ(k["sass"]["unknown_instructions"], 2);
  const json& l = k["ptx"]["loops"][0];
  EXPECT_EQ(has(l, {"id", "file", "line", "depth", "instructions", "exit", "polls", "stores",
                    "barriers", "fences", "calls", "trip"}),
            "");
  EXPECT_EQ(l["line"], 12);
  EXPECT_EQ(l["exit"], "load");
  EXPECT_TRUE(l["trip"].is_null());
  const json& p = l["polls"][0];
  EXPECT_EQ(has(p, {"space", "width", "strength", "address"}), "");
  EXPECT_EQ(p["width"], 32);
  EXPECT_EQ(p["strength"], "volatile");
  EXPECT_FALSE(p.contains("acquire"));
  EXPECT_EQ(k["sass"]["loops"][0]["polls"][0]["acquire"], true);
  const json& second = k["ptx"]["loops"][1];
  EXPECT_EQ(second["trip"], 16);
  EXPECT_EQ(second["depth"], 2);
  EXPECT_EQ(second["stores"], 1);
  EXPECT_EQ(second["calls"], 4);
  EXPECT_EQ(second["function"], "helper");
  EXPECT_EQ(second["polls"], json::array());
  const json& v = k["loops"][0];
  EXPECT_EQ(has(v, {"line", "verdict", "lost_in", "ptx_loop", "sass_loop", "evidence"}), "");
  EXPECT_EQ(v["verdict"], "kept");
  EXPECT_TRUE(v["lost_in"].is_null());
  EXPECT_EQ(v["evidence"], json::array({"source: loop, exit load"}));
  EXPECT_EQ(k["loops"][1]["lost_in"], "nvcc");
  EXPECT_EQ(k["loops"][1]["factor"], 4);
  EXPECT_TRUE(k["loops"][1]["line"].is_null());
  EXPECT_TRUE(k["loops"][1]["sass_loop"].is_null());
  const json& f = k["findings"][0];
  EXPECT_EQ(has(f, {"id", "severity", "stage", "line", "text"}), "");
  EXPECT_EQ(f["id"], "spin-weak");
}

TEST(json_format, a_stage_that_was_not_seen_is_null) {
  const json k = json::parse(json_format({example()}))["kernels"][1];
  for (const char* stage : {"ptx", "sass"}) {
    EXPECT_TRUE(k[stage]["instructions"].is_null()) << stage;
    EXPECT_TRUE(k[stage]["loops"].is_null()) << stage;
  }
  EXPECT_EQ(k["sass"]["reason"], "nvdisasm was not found");
  for (const auto& [name, value] : k["resources"].items())
    EXPECT_TRUE(value.is_null() || name == "recursive" || name == "notes") << name;
  EXPECT_EQ(k["occupancy"], json::array());
}

TEST(json_format, several_reports_are_an_array) {
  EXPECT_EQ(json::parse(json_format({example(), example()})).size(), 2u);
  EXPECT_TRUE(json::parse(json_format({example(), example()})).is_array());
  EXPECT_EQ(json::parse(json_format({})), json::array());
}

TEST(json_format, takes_any_name) {
  report r = example();
  r.input = "a\"b\\\n\xff.cu";
  EXPECT_TRUE(json::accept(json_format({r})));
}

TEST(facts_format, prints_the_lines_that_are_documented) {
  const std::string expected =
      "input spin.cu\narch sm_90\nnote a note\n"
      "kernel _Z4spinPi\n  entry yes\n  max_threads 256\n"
      "  resource barriers 0\n  resource constant_bytes ?\n  resource cumulative_stack_bytes ?\n"
      "  resource local_bytes ?\n  resource registers 10\n  resource samplers ?\n"
      "  resource shared_bytes ?\n  resource spill_load_bytes 8\n"
      "  resource spill_store_bytes 4\n  resource stack_bytes ?\n  resource surfaces ?\n"
      "  resource textures ?\n"
      "  occupancy 256 blocks 8 warps 64 limiter warps\n"
      "  ptx instructions 31\n  ptx opcode bra.uni 1\n  ptx opcode ld.global.u32 2\n"
      "  ptx loop L1 line 12 depth 1 exit load instructions 4 stores 0 barriers 0 fences 0 calls 0 "
      "trip ?\n  ptx loop L1 poll global 32 volatile param+8\n"
      "  ptx loop L2 line 3 of other.cuh depth 2 exit counter instructions 0 stores 1 barriers 2 "
      "fences 3 calls 4 trip 16\n"
      "  sass instructions 34\n  sass unknown-instructions 2\n  sass irreducible\n"
      "  sass loop L1 line 12 depth 1 exit load instructions 4 stores 0 barriers 0 fences 0 calls "
      "0 trip ?\n  sass loop L1 poll global 32 strong.sys param+8 acquire\n"
      "  loop line 12 kept peeled\n  loop line ? of other.cuh unrolled in nvcc by 4 full\n"
      "  finding spin-weak warning sass line 12: The poll is weak.\n";
  const std::string found = facts_format(example());
  EXPECT_EQ(found.substr(0, found.find("kernel unseen")), expected);
  EXPECT_NE(found.find("kernel unseen\n  entry no\n"), std::string::npos);
  EXPECT_NE(found.find("  sass unknown: nvdisasm was not found\n"), std::string::npos);
}

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t out = 0;
  for (std::string line; std::getline(lines, line);) out = std::max(out, line.size());
  return out;
}

TEST(summary, fits_the_page) {
  report r = example();
  r.kernels[0].name = "wait_forms";
  r.kernels[0].findings.push_back({"local-array", "warning", "sass", "", {}, "x"});
  for (const int columns : {80, 120, 200}) {
    const std::string text = summary_table({r, r}, {columns, false});
    EXPECT_LE(widest(text), static_cast<std::size_t>(columns)) << text;
    for (const char* part :
         {"wait_forms", "peeled", "spin-weak", "local-array", "spin.cu for sm_90"})
      EXPECT_NE(text.find(part), std::string::npos) << columns << " " << part << "\n" << text;
  }
  const std::string wide = summary_table({r}, {200, false});
  EXPECT_NE(wide.find("polls volatile "), std::string::npos) << wide;
  EXPECT_NE(wide.find("polls strong.sys acquire "), std::string::npos) << wide;
  EXPECT_NE(wide.find("unseen"), std::string::npos) << "a kernel without loops has its row";
  EXPECT_NE(wide.find("not seen"), std::string::npos) << "... which says what is not known";
  EXPECT_EQ(wide.find("\033"), std::string::npos) << "colours only on a terminal";
  EXPECT_NE(summary_table({r}, {200, true}).find("\033[1m"), std::string::npos);
}

TEST(text_format, says_what_is_not_known) {
  const std::string text = text_format(example(), {80, false});
  EXPECT_LE(widest(text), 100u);
  for (const char* part : {"unseen", "nvdisasm was not found", "no PTX at hand", "spin(int*)",
                           "spin-weak", "kept peeled", "10 registers", "? B"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(table, folds_at_blanks_only) {
  EXPECT_EQ(fold("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(fold("one two", 7), std::vector<std::string>{"one two"});
  EXPECT_EQ(fold("indivisible word", 4), (std::vector<std::string>{"indivisible", "word"}));
  EXPECT_EQ(fold("", 4), std::vector<std::string>{""});
  table t({{"name"}, {"n", true}, {"text", false, true}});
  t.row({"a", "1", "x y z"});
  t.row({"bb", "22", ""});
  EXPECT_EQ(t.str({80, false}), "name   n  text\na      1  x y z\nbb    22\n");
  EXPECT_EQ(t.str({14, false}), "name   n  text\na      1  x y\n          z\nbb    22\n");
}

}  // namespace
}  // namespace ptxlab::facts
