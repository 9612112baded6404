// SPDX-License-Identifier: Apache-2.0
// The readers of nvdisasm's JSON and text against tests/unit/sass/kernels.sm_90.*, a dump whose
// source stands beside it, and against dumps that were damaged.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "analysis/sass/reader.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::sass {
namespace {

std::string fixture(const char* name) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "sass" / name;
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string guard_of(const instruction& i) {
  if (i.guard.always()) return "";
  return std::string(i.guard.negated ? "@!" : "@") + (i.guard.uniform ? "U" : "") + "P" +
         std::to_string(i.guard.index);
}

// "@!P0 BRA 0x30"
std::string line_of(const module& m, const function& f, std::size_t at) {
  const instruction& i = f.instructions.at(at);
  std::string out = guard_of(i);
  if (!out.empty()) out += ' ';
  out += m.code_of(i).text;
  if (i.operands_size > 0) out += ' ' + std::string(m.operands(i));
  return out;
}

TEST(sass_json, reads_functions_and_instructions) {
  const module m = read_json(fixture("kernels.sm_90.json"));
  EXPECT_TRUE(m.trustworthy()) << m.doubt;
  EXPECT_EQ(m.arch, "sm_90");
  EXPECT_EQ(m.schema, "13.2.0");
  EXPECT_EQ(m.producer.substr(0, 17), "nvdisasm V13.2.78");
  EXPECT_EQ(m.functions.size(), 6u);
  const std::uint32_t index = m.find("wait");
  ASSERT_NE(index, none);
  const function& f = m.functions[index];
  EXPECT_EQ(f.start, 0u);
  EXPECT_EQ(f.section, index);
  EXPECT_FALSE(f.entry.has_value());
  // while (*p == 0) {}
  EXPECT_EQ(line_of(m, f, 0), "LDC R1,c[0x0][0x28]");
  EXPECT_EQ(line_of(m, f, 3), "LDG.E.STRONG.SYS R0,desc[UR4][R2.64]");
  EXPECT_EQ(line_of(m, f, 4), "ISETP.NE.AND P0,PT,R0,RZ,PT");
  EXPECT_EQ(line_of(m, f, 5), "@!P0 BRA 0x30");
  EXPECT_EQ(f.instructions[5].target, 3u);
  EXPECT_EQ(f.instructions[5].address, 0x50u);
}

TEST(sass_json, splits_opcodes) {
  const module m = read_json(fixture("kernels.sm_90.json"));
  const function& f = m.functions[m.find("wait")];
  const opcode& load = m.code_of(f.instructions[3]);
  EXPECT_EQ(load.base, "LDG");
  EXPECT_EQ(load.modifiers, (std::vector<std::string_view>{"E", "STRONG", "SYS"}));
  EXPECT_TRUE(load.has("SYS"));
  EXPECT_FALSE(load.has("GPU"));
}

TEST(sass_json, keeps_the_functions_of_one_section_apart) {
  const module m = read_json(fixture("kernels.sm_90.json"));
  const std::uint32_t callee = m.find("$call$_Z5twicePVi");
  ASSERT_NE(callee, none);
  EXPECT_EQ(m.functions[callee].start, 0x180u);
  EXPECT_EQ(m.functions[callee].section, m.find("call"));
  EXPECT_EQ(m.functions[callee].instructions.front().address, 0x180u);
  EXPECT_EQ(m.functions[m.find("call")].instructions.size(), 0x180u / 16);
}

TEST(sass_text, agrees_with_json) {
  const module j = read_json(fixture("kernels.sm_90.json"));
  const module t = read_text(fixture("kernels.sm_90.txt"));
  EXPECT_TRUE(t.trustworthy()) << t.doubt;
  EXPECT_EQ(t.arch, j.arch);
  ASSERT_EQ(t.functions.size(), j.functions.size());
  std::size_t compared = 0;
  for (const function& a : j.functions) {
    const std::uint32_t index = t.find(a.name);
    ASSERT_NE(index, none) << a.name;
    const function& b = t.functions[index];
    ASSERT_EQ(a.instructions.size(), b.instructions.size()) << a.name;
    for (std::size_t i = 0; i < a.instructions.size(); ++i, ++compared) {
      EXPECT_EQ(line_of(j, a, i), line_of(t, b, i)) << a.name;
      EXPECT_EQ(a.instructions[i].target, b.instructions[i].target) << a.name << " " << i;
      EXPECT_EQ(a.instructions[i].address, b.instructions[i].address) << a.name << " " << i;
    }
  }
  EXPECT_GT(compared, 150u);
}

TEST(sass_text, tells_lines_entries_and_jump_tables) {
  module m = read_json(fixture("kernels.sm_90.json"));
  annotate(m, fixture("kernels.sm_90.txt"));
  const function& wait = m.functions[m.find("wait")];
  EXPECT_EQ(wait.entry, true);
  EXPECT_EQ(m.functions[m.find("$call$_Z5twicePVi")].entry, false);
  const instruction& load = wait.instructions[3];
  ASSERT_NE(load.where, none);
  EXPECT_EQ(m.files.at(m.positions[load.where].file), "kernels.cu");
  EXPECT_EQ(m.positions[load.where].line, 9u);  // while (*p == 0)
  EXPECT_NE(load.ptx_line, none);
  const function& choose = m.functions[m.find("choose")];
  // BRX at 0x90 goes to cases 0, 1, 2 and default.
  std::vector<std::uint32_t> targets;
  for (const auto& [from, to] : choose.jump_tables)
    if (from == 9) targets.push_back(choose.instructions[to].address);
  EXPECT_EQ(targets, (std::vector<std::uint32_t>{0xa0, 0xf0, 0x130, 0x4e0}));
}

TEST(sass_text, takes_the_innermost_line_of_an_inlining_chain) {
  const std::string dump =
      "\t.target\tsm_90\n\t.section\t.text.f,\"ax\",@progbits\n        .type f,@function\nf:\n"
      "\t//## File \"inner.cuh\", line 7 inlined at \"outer.cuh\", line 8\n"
      "\t//## File \"outer.cuh\", line 8 inlined at \"main.cu\", line 9\n"
      "\t//## File \"main.cu\", line 9\n"
      "\t//## File \".nv_debug_ptx_txt\", line 42\n"
      "        /*0000*/                   NOP ;\n"
      "\t//## File \"main.cu\", line 10\n"
      "        /*0010*/                   EXIT ;\n";
  const module m = read_text(dump);
  const function& f = m.functions.at(0);
  const position& p = m.positions.at(f.instructions[0].where);
  EXPECT_EQ(m.files[p.file], "inner.cuh");
  EXPECT_EQ(p.line, 7u);
  EXPECT_EQ(m.files[m.positions.at(p.inlined_at).file], "outer.cuh");
  EXPECT_EQ(m.positions.at(p.inlined_at).line, 8u);
  EXPECT_EQ(f.instructions[0].ptx_line, 42u);
  EXPECT_EQ(m.positions.at(f.instructions[1].where).line, 10u);
}

TEST(sass_bad_input, nothing_is_an_error) {
  EXPECT_THROW(read_json(""), error);
  EXPECT_THROW(read_json(" \n"), error);
  EXPECT_THROW(read_text(""), error);
  EXPECT_THROW(read_text("\n\n"), error);
  EXPECT_THROW(read_text("\t.target\tsm_90\n"), error);
  EXPECT_THROW(read_json("[]"), error);
  EXPECT_THROW(read_json("{}"), error);
  EXPECT_THROW(read_json("[[]]"), error);
  EXPECT_THROW(read_json("[{}]"), error);
}

TEST(sass_bad_input, a_module_without_functions_is_doubted) {
  const module m = read_json(
      R"([{"SM":{"version":{"major":9,"minor":0}},"SchemaVersion":{"major":13,"minor":2}},[]])");
  EXPECT_FALSE(m.trustworthy());
  EXPECT_NE(m.doubt.find("no function"), std::string::npos);
}

TEST(sass_bad_input, unknown_schema_is_doubted) {
  const std::string good = fixture("kernels.sm_90.json");
  const module m =
      read_json(replaced(good, R"("SchemaVersion":{"major":13)", R"("SchemaVersion":{"major":99)"));
  EXPECT_FALSE(m.trustworthy());
  EXPECT_NE(m.doubt.find("99.2.0"), std::string::npos) << m.doubt;
  EXPECT_FALSE(read_json(replaced(good, "SchemaVersion", "Schema")).trustworthy());
}

TEST(sass_bad_input, cut_off_json_is_an_error) {
  const std::string good = fixture("kernels.sm_90.json");
  const std::size_t end = good.find_last_not_of(" \r\n") + 1;
  for (std::size_t size = 1; size < end; size += 97)
    EXPECT_THROW(read_json(std::string_view(good).substr(0, size)), error) << size;
  EXPECT_THROW(read_json(std::string_view(good).substr(0, end - 1)), error);
}

TEST(sass_bad_input, cut_off_text_is_never_silent) {
  const std::string good = fixture("kernels.sm_90.txt");
  // Cut in the middle of a function: fewer instructions cannot pass for the same code.
  const std::size_t cut = good.find("LDG.E.STRONG.SYS");
  module m = read_json(fixture("kernels.sm_90.json"));
  EXPECT_THROW(annotate(m, std::string_view(good).substr(0, cut)), error);
  EXPECT_FALSE(read_text(std::string_view(good).substr(0, good.rfind("/*0050*/"))).trustworthy());
}

TEST(sass_bad_input, missing_instructions_are_noticed) {
  const std::string good = fixture("kernels.sm_90.json");
  const std::string exit = R"({"opcode":"EXIT","other-attributes":{"control-flow":"True"}},)";
  EXPECT_FALSE(read_json(replaced(good, exit, "")).trustworthy());
  EXPECT_THROW(read_json(replaced(good, R"("opcode":"EXIT",)", "")), error);
  EXPECT_THROW(read_json(replaced(good, R"("predicate":"@!P0")", R"("predicate":"@Q")")), error);
}

TEST(sass_bad_input, changed_text_format_is_noticed) {
  const std::string good = fixture("kernels.sm_90.txt");
  EXPECT_THROW(read_text(replaced(good, "/*0010*/", "/*0018*/")), error);
  EXPECT_THROW(read_text(replaced(good, " EXIT ;", " EXIT")), error);
  EXPECT_FALSE(read_text(replaced(good, ".target", ".machine")).trustworthy());
}

TEST(sass_bad_input, annotation_of_other_code_is_refused) {
  module m = read_json(fixture("kernels.sm_90.json"));
  const std::string good = fixture("kernels.sm_90.txt");
  EXPECT_THROW(annotate(m, replaced(good, "sm_90", "sm_80")), error);
  EXPECT_THROW(annotate(m, replaced(good, "LDG.E.STRONG.SYS", "LDG.E.STRONG.GPU")), error);
}

TEST(sass_bad_input, random_damage_never_crashes) {
  std::mt19937 random(7);
  for (const char* name : {"kernels.sm_90.json", "kernels.sm_90.txt"}) {
    const std::string good = fixture(name);
    const bool json = std::string(name).ends_with("json");
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
      std::string bad = good;
      for (int n = 0; n < 1 + round % 8; ++n)
        bad[random() % bad.size()] = static_cast<char>(random() % 256);
      try {
        const module m = json ? read_json(bad) : read_text(bad);
        EXPECT_FALSE(m.functions.empty() && m.trustworthy());
      } catch (const error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 0) << name;
  }
}

}  // namespace
}  // namespace ptxlab::sass
