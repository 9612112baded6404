// SPDX-License-Identifier: Apache-2.0
// Lowered control flow, loops found in it, and where addresses come from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "analysis/sass/cubin.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/origin.hpp"
#include "analysis/sass/reader.hpp"
#include "ptx/flow/loop_facts.hpp"
#include "ptx/text/error.hpp"
#include "tests/unit/sass/oracle.hpp"

namespace ptxlab::sass {
namespace {

std::filesystem::path here() {
  return std::filesystem::path(__FILE__).parent_path() / "sass";
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string dump() {
  return contents(here() / "kernels.sm_90.txt");
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

// One line for each loop of a function: header offset, exit, polls.
std::string loops_of(const module& m, std::string_view name) {
  const function& f = m.functions.at(m.find(name));
  const flow::code c = lower(m, f);
  const flow::graph g(c);
  const flow::definitions d(c);
  std::string out;
  for (const flow::loop& l : flow::find_loops(g).loops) {
    const flow::loop_facts facts = flow::study(c, g, d, l);
    out +=
        fmt::format("{:#x} {}", f.instructions[g[l.header].begin].address, flow::name(facts.exit));
    for (const std::uint32_t p : facts.polls)
      out += fmt::format(" {} {}", flow::strength(c.ops[p]), address_origin(m, f, c, g, p));
    out += '\n';
  }
  return out;
}

// A function whose instructions are `lines`, 16 bytes each.
module program(std::initializer_list<std::string_view> lines) {
  std::string text =
      "\t.target\tsm_90\n\t.section\t.text.f,\"ax\",@progbits\n        .type f,@function\nf:\n";
  std::uint32_t at = 0;
  for (const std::string_view line : lines) {
    if (line.ends_with(':')) {
      text += fmt::format("{}\n", line);
    } else {
      text += fmt::format("        /*{:04x}*/  {} ;\n", at, line);
      at += 16;
    }
  }
  return read_text(text);
}

TEST(sass_lower, waits_are_loops_on_a_load) {
  const module m = read_text(dump());
  EXPECT_EQ(loops_of(m, "wait"), "0x30 load strong.sys param+0\n");
  EXPECT_EQ(loops_of(m, "wait_shared"), "0xa0 load shared shared+0\n");
}

TEST(sass_lower, padding_is_no_loop) {
  const module m = read_text(dump());
  EXPECT_EQ(loops_of(m, "choose"), "");
  const function& f = m.functions.at(m.find("wait"));
  const flow::graph g(lower(m, f));
  EXPECT_EQ(m.code_of(f.instructions.at(7)).base, "BRA");  // the self-branch behind EXIT
  EXPECT_EQ(g.block_of(7), flow::nowhere);
}

TEST(sass_lower, a_mutated_dump_changes_the_facts) {
  const std::string good = dump();
  const std::size_t begin = good.find(".section\t.text.wait,");
  ASSERT_NE(begin, std::string::npos);
  const std::string head = good.substr(0, begin), tail = good.substr(begin);
  EXPECT_EQ(loops_of(read_text(head + replaced(tail, ".STRONG.SYS", "")), "wait"),
            "0x30 load weak param+0\n");
  EXPECT_EQ(loops_of(read_text(head + replaced(tail, "@!P0 BRA", "@!PT BRA")), "wait"),
            "0x30 other\n");
  EXPECT_EQ(loops_of(read_text(head + replaced(tail, "@!P0 BRA", "     BRA")), "wait"),
            "0x30 none\n");
  const std::size_t branch = tail.find("@!P0 BRA"), end = tail.find(';', branch);
  EXPECT_EQ(loops_of(read_text(head + tail.substr(0, branch) + "NOP " + tail.substr(end)), "wait"),
            "");
}

TEST(sass_lower, jump_tables_are_followed_where_known) {
  const module with = read_text(dump());
  const flow::graph known(lower(with, with.functions.at(with.find("choose"))));
  EXPECT_FALSE(known.any_unknown());
  const module without = read_json(contents(here() / "kernels.sm_90.json"));
  const flow::graph unknown(lower(without, without.functions.at(without.find("choose"))));
  EXPECT_TRUE(unknown.any_unknown());
}

TEST(sass_lower, calls_fall_through_and_change_what_the_callee_changes) {
  const module m = read_text(dump());
  const std::uint32_t index = m.find("call");
  const function& f = m.functions.at(index);
  EXPECT_EQ(callees(m, f), (std::vector<std::uint32_t>{m.find("$call$_Z5twicePVi")}));
  EXPECT_FALSE(calls_unknown(m, f));
  const flow::code c = lower(m, f);
  const flow::op& call = c.ops.at(0xd0 / 16);
  EXPECT_EQ(call.what, flow::kind::call);
  EXPECT_EQ(call.then, flow::transfer::next);
  // The store behind the call stores R9, which only the callee writes.
  const flow::reg stored = c.reads(c.ops.at(0xe0 / 16)).back();
  const auto written = c.writes(call);
  EXPECT_NE(std::find(written.begin(), written.end(), stored), written.end());
  // The loop counts to ten, or ends by a trap that depends on a load.
  EXPECT_EQ(loops_of(m, "call"), "0x70 load+counter weak param+0[]\n");
}

TEST(sass_lower, a_branch_with_two_predicates_may_fall_through) {
  const module m = program({".L_x_0:", "NOP", "@!P0 BRA P1, `(.L_x_0)", "BRA.U !UP2, `(.L_x_0)",
                            "BRA PT, `(.L_x_0)", "EXIT"});
  const flow::code c = lower(m, m.functions[0]);
  EXPECT_TRUE(c.ops[1].guarded);
  EXPECT_EQ(c.ops[1].reads, 3);  // both predicates and what stands for their conjunction
  EXPECT_TRUE(c.ops[2].guarded);
  EXPECT_TRUE(c.ops[2].guard_negated);
  EXPECT_EQ(c.ops[2].reads, 1);
  EXPECT_FALSE(c.ops[3].guarded);
  EXPECT_EQ(flow::graph(c).block_of(4), flow::nowhere);
}

TEST(sass_lower, divergence_branches_may_fall_through) {
  const module m = program({"BRA.DIV UR4, `(.L_x_1)", ".L_x_0:", "VOTE.ANY R0, PT, P0", "EXIT",
                            ".L_x_1:", "WARPSYNC.COLLECTIVE R5, `(.L_x_2)", "VOTE.ANY R0, PT, P0",
                            "ENDCOLLECTIVE", ".L_x_2:", "BRA `(.L_x_0)"});
  const flow::code c = lower(m, m.functions[0]);
  EXPECT_TRUE(c.ops[0].guarded);
  EXPECT_EQ(c.ops[0].target, 3u);
  EXPECT_EQ(c.ops[3].then, flow::transfer::next);
  EXPECT_TRUE(flow::find_loops(flow::graph(c)).loops.empty());
}

TEST(sass_lower, convergence_adds_no_loop) {
  const module m = program(
      {"BSSY B0, `(.L_x_1)", "@P0 BRA `(.L_x_0)", "NOP", ".L_x_0:", "BSYNC B0", ".L_x_1:", "EXIT"});
  const flow::code c = lower(m, m.functions[0]);
  EXPECT_EQ(c.ops[3].then, flow::transfer::next);
  // A BSYNC that does not stand before its target goes there all the same.
  const module far = program({"BSSY B0, `(.L_x_1)", "BSYNC B0", "NOP", ".L_x_1:", "EXIT"});
  const flow::code d = lower(far, far.functions[0]);
  ASSERT_EQ(d.indirect_targets.size(), 1u);
  EXPECT_EQ(d.indirect_targets[0], std::pair(std::uint32_t{1}, std::uint32_t{3}));
}

TEST(sass_lower, a_trap_leaves_and_a_breakpoint_goes_on) {
  const module trap = program({"@P0 BRA `(.L_x_1)", "BPT.TRAP 0x1", ".L_x_1:", "EXIT"});
  EXPECT_EQ(lower(trap, trap.functions[0]).ops[1].then, flow::transfer::leave);
  const module brkpt = program({"NOP", "BPT.TRAP 0x1", "MOV R0, R1", "EXIT"});
  EXPECT_EQ(lower(brkpt, brkpt.functions[0]).ops[1].then, flow::transfer::next);
}

TEST(sass_lower, a_jump_out_of_the_function_is_a_tail_call) {
  const module m = program({"NOP", "BRA 0x7770"});
  const flow::code c = lower(m, m.functions[0]);
  const flow::op& jump = c.ops.at(1);
  EXPECT_EQ(jump.then, flow::transfer::leave);
  EXPECT_EQ(jump.what, flow::kind::call);
}

TEST(sass_cubin, tells_symbols_entries_and_parameters) {
  if (oracle::nvdisasm().empty()) GTEST_SKIP() << "PTXLAB_NVDISASM names no nvdisasm";
  std::string nvcc = oracle::environment("PTXLAB_NVCC");
  if (nvcc.empty()) nvcc = "nvcc";
  const auto cubin =
      std::filesystem::temp_directory_path() / fmt::format("ptxlab-sass-{}.cubin", ::getpid());
  // Parameters start where nvcc 13.0 puts them; sm_80 has REL relocations, sm_90 RELA.
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"sm_80", 0x160}, {"sm_90", 0x210}, {"sm_120", 0x380}};
  for (const auto& [arch, base] : cases) {
    std::filesystem::remove(cubin);
    oracle::output_of(fmt::format("{} -arch={} -cubin -o {} {} 2>&1", nvcc, arch, cubin.string(),
                                  (here() / "kernels.cu").string()));
    if (!std::filesystem::exists(cubin)) GTEST_SKIP() << nvcc << " does not compile for " << arch;
    module m = read_json(oracle::output_of(oracle::nvdisasm() + " -json " + cubin.string()));
    EXPECT_EQ(loops_of(m, "wait_symbol").find("counter"), std::string::npos);
    add_symbols(m, contents(cubin));
    EXPECT_NE(loops_of(m, "wait_symbol").find(" load strong.sys counter\n"), std::string::npos)
        << arch << " " << loops_of(m, "wait_symbol");
    EXPECT_NE(loops_of(m, "wait").find(" load strong.sys param+0\n"), std::string::npos) << arch;
    EXPECT_EQ(m.functions.at(m.find("wait")).param_base, base);
    EXPECT_EQ(m.functions.at(m.find("wait")).entry, true);
  }
  const std::string good = contents(cubin);
  std::filesystem::remove(cubin);
  module m = read_text(dump());
  EXPECT_THROW(add_symbols(m, ""), error);
  EXPECT_THROW(add_symbols(m,
                           "\x7f"
                           "ELF"),
               error);
  EXPECT_THROW(add_symbols(m, good.substr(0, good.size() / 2)), error);
}

}  // namespace
}  // namespace ptxlab::sass
