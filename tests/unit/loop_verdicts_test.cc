// SPDX-License-Identifier: Apache-2.0
// Loop verdicts from a committed build of tests/unit/verdicts/loops.cu, and from the same build
// damaged on purpose: each damage must change the verdict or make it unknown.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "analysis/facts/facts_format.hpp"
#include "analysis/inspect/inspect.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab {
namespace {

using inspect::inspect;

std::string fixture(const char* ending) {
  return toolchain::read_file(std::filesystem::path(__FILE__).parent_path() / "verdicts" /
                              (std::string("loops.") + ending));
}

toolchain::build recorded() {
  toolchain::build b;
  b.input = "loops.cu";
  b.arch = "sm_90";
  b.ptx.text = fixture("ptx");
  b.unoptimised_ptx.text = fixture("debug.ptx");
  b.sass_json.text = fixture("json");
  b.sass_text.text = fixture("sass");
  b.ptxas_log.text = fixture("log");
  b.resource_usage.text = fixture("usage");
  return b;
}

// The text format alone, which is easier to damage.
toolchain::build in_text() {
  toolchain::build b = recorded();
  b.sass_json = {};
  return b;
}

facts::kernel kernel_of(const toolchain::build& b, const std::string& name) {
  const facts::report r = inspect(b, {}, {});
  for (const facts::kernel& k : r.kernels)
    if (k.name == name) return k;
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

// "line 9 kept", one for each loop of the source.
std::string verdicts(const facts::kernel& k) {
  std::string out;
  for (const facts::loop_verdict& v : k.loops)
    out += (out.empty() ? "line " : ", line ") + (v.line ? std::to_string(*v.line) : "?") + " " +
           facts::verdict_text(v);
  return out;
}

std::string verdicts(const toolchain::build& b, const std::string& name) {
  return verdicts(kernel_of(b, name));
}

// Evidence of the first verdict, in one line.
std::string evidence(const facts::kernel& k) {
  std::string out;
  if (k.loops.empty()) return out;
  for (const std::string& e : k.loops[0].evidence) out += e + "; ";
  return out;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
}

// Removes every line that contains `part`.
void drop_lines(std::string& text, const std::string& part) {
  std::string out;
  std::size_t dropped = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (line.find(part) != std::string::npos) {
      ++dropped;
    } else {
      out += line;
    }
  }
  ASSERT_GT(dropped, 0u) << part;
  text = out;
}

TEST(loop_verdicts, of_the_build_as_it_is) {
  // What CUDA 13.0.88 does for sm_90, read off the PTX and SASS by hand.
  const std::pair<const char*, const char*> expected[] = {
      {"wait_plain", "line 4 load-hoisted in nvcc"},
      {"wait_volatile", "line 9 kept"},
      {"wait_asm", "line 17 deleted in ptxas"},
      {"sum_four", "line 23 unrolled in nvcc by 4 full"},
      {"scale", "line 29 kept"},
      {"delay", "line 33 deleted in ptxas"},
      {"nothing", "line 38 deleted in nvcc"}};
  for (const auto& build : {recorded(), in_text()})
    for (const auto& [name, verdict] : expected) EXPECT_EQ(verdicts(build, name), verdict) << name;
  const facts::kernel k = kernel_of(recorded(), "wait_volatile");
  ASSERT_EQ(k.sass.loops.size(), 1u);
  ASSERT_EQ(k.sass.loops[0].polls.size(), 1u);
  EXPECT_EQ(k.sass.loops[0].polls[0].strength, "strong.sys");
  EXPECT_EQ(k.sass.loops[0].polls[0].address, "param+0");
  EXPECT_EQ(k.ptx.loops.at(0).polls.at(0).strength, "volatile");
  EXPECT_EQ(k.ptx.loops.at(0).exit, "load");
  EXPECT_EQ(k.loops[0].ptx_loop, "L1");
  EXPECT_EQ(k.loops[0].sass_loop, "L1");
}

TEST(loop_verdicts, a_missing_back_edge_is_a_deleted_loop) {
  toolchain::build b = in_text();
  replace(*b.sass_text.text, "@!P0 BRA `(.L_x_6) ", "NOP ");
  EXPECT_EQ(verdicts(b, "wait_volatile"), "line 9 deleted in ptxas");
  EXPECT_NE(evidence(kernel_of(b, "wait_volatile")).find("one copy of its body is left"),
            std::string::npos);
  b = in_text();
  replace(*b.ptx.text, "@%p1 bra \t$L__BB1_1;", "");
  EXPECT_EQ(verdicts(b, "wait_volatile"), "line 9 deleted in nvcc");
}

TEST(loop_verdicts, a_test_that_looks_at_nothing_new_is_a_hoisted_load) {
  toolchain::build b = in_text();
  // The loop stays, but what it tests was loaded elsewhere.
  replace(*b.sass_text.text, "LDG.E.STRONG.SYS R0, desc[UR4][R2.64]",
          "LDG.E.STRONG.SYS R9, desc[UR4][R2.64]");
  EXPECT_EQ(verdicts(b, "wait_volatile"), "line 9 load-hoisted in ptxas");
  b = in_text();
  replace(*b.ptx.text, "ld.volatile.global.u32 \t%r1", "ld.volatile.global.u32 \t%r2");
  EXPECT_EQ(verdicts(b, "wait_volatile"), "line 9 load-hoisted in nvcc");
}

TEST(loop_verdicts, weaker_loads_are_seen_at_their_stage) {
  toolchain::build b = in_text();
  replace(*b.sass_text.text, "LDG.E.STRONG.SYS", "LDG.E");
  facts::kernel k = kernel_of(b, "wait_volatile");
  EXPECT_EQ(verdicts(k), "line 9 kept");
  EXPECT_EQ(k.sass.loops.at(0).polls.at(0).strength, "weak");
  EXPECT_EQ(k.ptx.loops.at(0).polls.at(0).strength, "volatile");
  b = in_text();
  replace(*b.ptx.text, "ld.volatile.global", "ld.global");
  k = kernel_of(b, "wait_volatile");
  EXPECT_EQ(k.sass.loops.at(0).polls.at(0).strength, "strong.sys");
  EXPECT_EQ(k.ptx.loops.at(0).polls.at(0).strength, "weak");
}

TEST(loop_verdicts, opcodes_that_nobody_knows_are_counted) {
  toolchain::build b = in_text();
  replace(*b.sass_text.text, "LDG.E.STRONG.SYS", "LDQ.E.STRONG.SYS");
  facts::kernel k = kernel_of(b, "wait_volatile");
  EXPECT_EQ(k.sass.unknown_instructions, 1);
  EXPECT_EQ(k.ptx.unknown_instructions, 0);
  EXPECT_NE(verdicts(k), "line 9 kept") << "no load is known to be polled";
  b = in_text();
  replace(*b.ptx.text, "ld.volatile.global.u32", "ldq.volatile.global.u32");
  k = kernel_of(b, "wait_volatile");
  EXPECT_EQ(k.ptx.unknown_instructions, 1);
  EXPECT_NE(verdicts(k), "line 9 kept");
}

TEST(loop_verdicts, without_lines_nothing_is_called_lost) {
  toolchain::build b = in_text();
  drop_lines(*b.sass_text.text, ".nv_debug_ptx_txt");  // as from nvdisasm without -gp
  for (const char* name : {"wait_volatile", "wait_asm", "scale", "delay"})
    EXPECT_NE(verdicts(b, name).find("unknown"), std::string::npos) << name;
  EXPECT_NE(evidence(kernel_of(b, "scale")).find("PTX lines"), std::string::npos);
  EXPECT_EQ(verdicts(b, "sum_four"), "line 23 unrolled in nvcc by 4 full") << "PTX shows that";
  b = recorded();  // JSON has no lines of its own
  b.sass_text = {};
  b.sass_text.problem = "nvdisasm -g failed";
  EXPECT_NE(verdicts(b, "scale").find("unknown"), std::string::npos);
  b = recorded();
  drop_lines(*b.ptx.text, ".loc");
  EXPECT_NE(verdicts(b, "nothing").find("unknown"), std::string::npos);
}

TEST(loop_verdicts, a_stage_that_was_not_seen_gives_no_verdict) {
  const std::pair<const char*, std::function<void(toolchain::build&)>> damages[] = {
      {"cut off",
       [](toolchain::build& b) { b.sass_json.text->resize(b.sass_json.text->size() / 2); }},
      {"empty", [](toolchain::build& b) { *b.sass_json.text = ""; }},
      {"no dump",
       [](toolchain::build& b) {
         b.sass_json = {std::nullopt, "no nvdisasm"};
         b.sass_text = {std::nullopt, "no nvdisasm"};
       }},
      {"another schema",
       [](toolchain::build& b) { replace(*b.sass_json.text, "\"major\":13", "\"major\":99"); }},
      {"other kernels", [](toolchain::build& b) {
         b.sass_json = {};
         for (const char* k : {"wait_volatile", "wait_plain"})
           while (b.sass_text.text->find(k) != std::string::npos)
             replace(*b.sass_text.text, k, "somebody");
       }}};
  for (const auto& [what, damage] : damages) {
    toolchain::build b = recorded();
    damage(b);
    const facts::kernel k = kernel_of(b, "wait_volatile");
    EXPECT_FALSE(k.sass.known) << what;
    EXPECT_FALSE(k.sass.reason.empty()) << what;
    EXPECT_TRUE(k.ptx.known) << what;
    EXPECT_EQ(verdicts(k), "line 9 unknown") << what;
    EXPECT_NE(evidence(k).find("sass: not seen: "), std::string::npos) << what;
    EXPECT_EQ(k.res.registers, 8) << what << ": the log still tells it";
  }
}

TEST(loop_verdicts, with_fewer_stages) {
  toolchain::build b = recorded();
  b.unoptimised_ptx = {};
  b.kind = toolchain::input_kind::ptx;
  EXPECT_EQ(verdicts(b, "wait_volatile"), "line 9 kept") << "PTX to SASS";
  EXPECT_EQ(verdicts(b, "wait_asm"), "line 17 deleted in ptxas");
  EXPECT_EQ(verdicts(b, "nothing"), "") << "no PTX loop, and nobody knows the source";
  b.ptx = {};
  b.kind = toolchain::input_kind::cubin;
  const facts::kernel k = kernel_of(b, "wait_volatile");
  EXPECT_EQ(verdicts(k), "line 9 unknown") << "what is there, and nothing about what was";
  EXPECT_FALSE(k.ptx.known);
  EXPECT_EQ(k.sass.loops.size(), 1u);
  EXPECT_FALSE(k.parameter_bytes) << "no tool reported it";
  b = recorded();
  *b.ptx.text = "no PTX";
  EXPECT_THROW(inspect(b, {}, {}), error);
}

}  // namespace
}  // namespace ptxlab
