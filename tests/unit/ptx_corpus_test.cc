// SPDX-License-Identifier: Apache-2.0
// The PTX of real programs: read whole, without an unknown instruction, and printed back so that
// ptxas makes the same machine code of it. PTXLAB_CORPUS=all takes every file on every architecture
// that nvcc lists (`make check-corpus`); without it, the oldest, the usual and a newest one.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/toolchain/build.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/printer.hpp"
#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab {
namespace {

namespace fs = std::filesystem;

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;  // then a part will do: it is the same code
#else
constexpr bool sanitized = false;
#endif

const fs::path folder = fs::absolute(fs::path(__FILE__)).parent_path() / "corpus";
const fs::path root = folder.parent_path().parent_path().parent_path();

using sections = std::map<std::string, std::string>;

// Everything in a cubin that is neither about lines nor about the file's name: code, constants,
// globals, resources, symbols.
sections without_lines(const std::string& cubin) {
  sections out;
  Elf64_Ehdr head{};
  if (cubin.size() < sizeof head) return out;
  std::memcpy(&head, cubin.data(), sizeof head);
  std::vector<Elf64_Shdr> all(head.e_shnum);
  std::memcpy(all.data(), cubin.data() + head.e_shoff, all.size() * sizeof all[0]);
  for (const Elf64_Shdr& s : all) {
    const std::string name = cubin.data() + all.at(head.e_shstrndx).sh_offset + s.sh_name;
    if (name.find("debug") != std::string::npos || name.starts_with(".note")) continue;
    out[name] =
        s.sh_type == SHT_NOBITS ? std::to_string(s.sh_size) : cubin.substr(s.sh_offset, s.sh_size);
  }
  return out;
}

std::string differences(const sections& a, const sections& b) {
  std::string out;
  for (const auto& [name, bytes] : a)
    if (!b.contains(name) || b.at(name) != bytes) out += " " + name;
  for (const auto& [name, bytes] : b)
    if (!a.contains(name)) out += " " + name;
  return out;
}

bool has_code(const sections& s) {
  return std::any_of(s.begin(), s.end(), [](const auto& one) {
    return one.first.starts_with(".text.") && !one.second.empty();
  });
}

class ptx_corpus : public testing::Test {
 protected:
  void SetUp() override {
    for (const toolchain::tool* one : {&tools_.nvcc, &tools_.ptxas})
      if (!one->usable()) GTEST_SKIP() << one->problem;
    tools_.nvdisasm.problem = tools_.cuobjdump.problem = "not needed here";
  }

  std::vector<std::string> architectures(std::vector<std::string> few) const {
    const char* asked = std::getenv("PTXLAB_CORPUS");
    const auto listed = toolchain::architectures(tools_.nvcc);
    if (asked != nullptr && std::string(asked) == "all") return listed;
    std::erase_if(few, [&](const std::string& a) {
      return std::find(listed.begin(), listed.end(), a) == listed.end();
    });
    return few;
  }

  // Reads, prints back, assembles and compares all files on all architectures.
  void check(const std::vector<fs::path>& files, const std::vector<std::string>& archs,
             std::size_t least_instructions) {
    ASSERT_FALSE(files.empty());
    ASSERT_FALSE(archs.empty());
    std::vector<toolchain::request> asked;
    for (const std::string& arch : archs)
      for (const fs::path& file : files)
        asked.push_back({.file = file,
                         .arch = arch,
                         .nvcc_flags = {"-I" + root.string()},
                         .unoptimised = false});
    const auto originals = toolchain::build_all(tools_, store_, asked);
    std::vector<toolchain::request> again;
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const std::string what = asked[i].file.filename().string() + " on " + asked[i].arch;
      ASSERT_EQ(originals[i].failure, "") << what;
      const fs::path copy = scratch_.path() / fmt::format("{}.ptx", i);
      toolchain::write_file(copy, reprinted(originals[i].builds.at(0), what, least_instructions));
      again.push_back({.file = copy, .arch = asked[i].arch, .nvcc_flags = {}});
    }
    const auto copies = toolchain::build_all(tools_, store_, again);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const std::string what = asked[i].file.filename().string() + " on " + asked[i].arch;
      ASSERT_EQ(copies[i].failure, "") << what;
      const auto before = without_lines(originals[i].builds.at(0).cubin.text.value_or(""));
      const auto after = without_lines(copies[i].builds.at(0).cubin.text.value_or(""));
      EXPECT_TRUE(has_code(before)) << what;
      EXPECT_EQ(differences(before, after), "") << what;
    }
  }

  static std::string reprinted(const toolchain::build& b, const std::string& what,
                               std::size_t least_instructions) {
    const ptx::module m = ptx::parse(b.ptx.text.value_or(""), what);
    std::size_t instructions = 0;
    for (const ptx::function& f : m.functions) instructions += f.instructions.size();
    EXPECT_GE(instructions, least_instructions) << what;
    for (const ptx::opcode& o : m.opcodes) EXPECT_TRUE(o.known) << what << ": " << o.text;
    EXPECT_EQ(m.unknown_instructions, 0u) << what;
    return ptx::print(m);
  }

  toolchain::temporary_folder scratch_;
  toolchain::toolset tools_ =
      toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
  toolchain::cache store_{fs::exists(root / "build") ? root / "build" / "cache"
                                                     : scratch_.path() / "cache"};
};

// Long under sanitizers, and run without them.
#ifndef __SANITIZE_ADDRESS__
TEST_F(ptx_corpus, cub_and_thrust) {
  check({folder / "cub_thrust.cu"}, architectures({"sm_90", "sm_120"}), 15000);
}

TEST_F(ptx_corpus, every_kernel_of_this_project) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / "kernels"))
    // Those of throughput hold the instructions of latency once more.
    if (entry.path().extension() == ".cu" &&
        (std::getenv("PTXLAB_CORPUS") != nullptr ||
         entry.path().parent_path().filename() != "throughput"))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 15u);
  check(files, architectures({"sm_90"}), 10);  // the others: make check-corpus
}
#endif

TEST_F(ptx_corpus, curand) {
  const auto few = sanitized ? std::vector<std::string>{"sm_90"}
                             : std::vector<std::string>{"sm_75", "sm_90", "sm_120"};
  check({folder / "curand.cu"}, architectures(few), 4000);
}

TEST_F(ptx_corpus, groups_atomics_wmma_copies_printf) {
  const auto few = sanitized ? std::vector<std::string>{"sm_90"}
                             : std::vector<std::string>{"sm_75", "sm_80", "sm_90", "sm_120"};
  check({folder / "breadth.cu"}, architectures(few), 400);
}

TEST_F(ptx_corpus, what_clang_writes) {
  // ptxas reads it as it stands; nvcc has no part in it.
  const std::string text = toolchain::read_file(folder / "clang.ptx");
  const ptx::module m = ptx::parse(text, "clang.ptx");
  EXPECT_EQ(m.unknown_instructions, 0u);
  EXPECT_EQ(m.target, "sm_80");
  const fs::path first = folder / "clang.ptx", second = scratch_.path() / "again.ptx";
  toolchain::write_file(second, ptx::print(m));
  const auto built = toolchain::build_all(tools_, store_,
                                          {{.file = first, .arch = "", .nvcc_flags = {}},
                                           {.file = second, .arch = "", .nvcc_flags = {}}});
  ASSERT_EQ(built[0].failure, "");
  ASSERT_EQ(built[1].failure, "");
  const auto before = without_lines(built[0].builds.at(0).cubin.text.value_or(""));
  EXPECT_TRUE(has_code(before));
  EXPECT_EQ(differences(before, without_lines(built[1].builds.at(0).cubin.text.value_or(""))), "");
}

TEST_F(ptx_corpus, a_changed_instruction_is_noticed) {
  std::vector<sections> made;
  for (const char* value : {"7", "7", "8"}) {
    const fs::path file = scratch_.path() / "k.ptx";
    toolchain::write_file(file, kernel_text(fmt::format("ld.param.u64 %rd1, [p0];\n"
                                                        "st.global.u32 [%rd1], {};\nret;",
                                                        value)));
    const auto built =
        toolchain::build_one(tools_, store_, {.file = file, .arch = "", .nvcc_flags = {}});
    made.push_back(without_lines(built.at(0).cubin.text.value_or("")));
  }
  EXPECT_EQ(differences(made[0], made[1]), "");
  EXPECT_EQ(differences(made[0], made[2]), " .text.k");
}

}  // namespace
}  // namespace ptxlab
