// SPDX-License-Identifier: Apache-2.0
// EXPECT lines in files of several languages: found with their place, never skipped in silence.
#include "analysis/verdict/scan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ptx/text/error.hpp"

namespace ptxlab::verdict {
namespace {

std::string message(const std::string& text) {
  try {
    scan_text(text, "f.cu");
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(scan, finds_directives_in_every_kind_of_comment) {
  const auto all = scan_text(
      "// EXPECT(a): no loop\n"
      "__global__ void b() {}  // EXPECT(b): registers <= 8\n"
      "# EXPECT(c): no loop\r\n"
      "; EXPECT(d): no loop\n"
      "/* EXPECT(e): no loop */\n"
      " * EXPECT(f): no loop\n"
      "<!-- EXPECT(g): no loop -->\n"
      "EXPECT[sm_90](h): no loop\n"
      "\n"
      "///EXPECT(i): no loop",
      "f.cu");
  ASSERT_EQ(all.size(), 9U);
  const int lines[] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].kernel, std::string(1, static_cast<char>('a' + i)));
    EXPECT_EQ(all[i].at.line, lines[i]);
    EXPECT_EQ(all[i].at.file, "f.cu");
  }
  EXPECT_EQ(all[1].at.column, 28);
  EXPECT_EQ(all[4].text, "no loop");
}

TEST(scan, leaves_code_and_prose_alone) {
  EXPECT_TRUE(scan_text("EXPECT_EQ(a, b);\n"
                        "  // EXPECT_EQ(a, b);\n"
                        "EXPECT(x == 3);\n"
                        "EXPECT(x) && y;\n"
                        "// EXPECT that this holds (mostly): fine\n"
                        "// Expected (see below): prose\n"
                        "// expect one (or two): prose\n"
                        "// EXPECTED: 42\n"
                        "// lines such as `EXPECT(k): no loop` are quoted\n"
                        "// INSPECT(k): something else\n"
                        "std::string s = \"EXPECT(k): loop\";\n"
                        "// EXPECTS(pointer != nullptr);\n",
                        "f.cu")
                  .empty());
  EXPECT_TRUE(scan_text("", "f.cu").empty());
}

struct bad_case {
  const char* text;
  const char* said;
};

class bad_directive : public testing::TestWithParam<bad_case> {};

TEST_P(bad_directive, is_a_hard_error) {
  EXPECT_EQ(message(GetParam().text).rfind(GetParam().said, 0), 0U) << message(GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    scan, bad_directive,
    testing::Values(bad_case{"\n// EXPCT(k): no loop", "f.cu:2:4: misspelt directive 'EXPCT'"},
                    bad_case{"// EXPCT(k) no loop", "f.cu:1:4: misspelt"},
                    bad_case{"// EXPETC[sm_90](k): no loop", "f.cu:1:4: misspelt"},
                    bad_case{"// EXPECTS(k): no loop", "f.cu:1:4: misspelt"},
                    bad_case{"// EXPECT-NOT(k): loop", "f.cu:1:4: misspelt"},
                    bad_case{"// EXPECT_NOT(k): loop", "f.cu:1:4: misspelt"},
                    bad_case{"// Expect(k): loop", "f.cu:1:4: misspelt"},
                    bad_case{"EXPCT(k): loop", "f.cu:1:1: misspelt"},
                    bad_case{"// EXPECT (k): loop", "f.cu:1:10: no blank"},
                    bad_case{"// EXPECT(k) : loop", "f.cu:1:13: ':' is missing"},
                    bad_case{"// EXPECT(k) loop", "f.cu:1:13: ':' is missing"},
                    bad_case{"EXPECT(k) loop", "f.cu:1:10: ':' is missing"},
                    bad_case{"// EXPECT(k loop", "f.cu:1:10: '(' without its ')'"},
                    bad_case{"// EXPECT: loop", "f.cu:1:10: '(kernel)' is missing"},
                    bad_case{"EXPECT: loop", "f.cu:1:7: '(kernel)' is missing"},
                    bad_case{"f();  // EXPECT(k): lop", "f.cu:1:21: unknown clause"},
                    bad_case{"// so EXPECT(k): loop", "f.cu:1:7: EXPECT has to be the first"},
                    bad_case{"// EXPECT(k): loop; EXPECT(j): loop", "f.cu:1:21: unknown clause"}));

TEST(scan, positive_twin_of_the_misspelt_lines) {
  EXPECT_EQ(message("\n// EXPECT(k): no loop"), "no error");
  EXPECT_EQ(scan_text("\n// EXPECT(k): no loop", "f.cu").size(), 1U);
}

TEST(scan, reads_files_and_refuses_what_is_none) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "ptxlab_scan_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "a.cu").string();
  std::ofstream(path) << "\xEF\xBB\xBF// EXPECT(k): no loop\n";
  EXPECT_EQ(scan_file(path).size(), 1U);
  EXPECT_THROW(scan_file(folder.string()), error);
  EXPECT_THROW(scan_file((folder / "missing.cu").string()), error);
  std::ofstream(path) << std::string(
                             "\x7f"
                             "ELF\0\0",
                             6)
                      << "// EXPECT(k): no loop\n";
  EXPECT_THROW(scan_file(path), error);
  std::filesystem::remove_all(folder);
}

TEST(scan, every_example_of_the_documentation_parses) {
  const std::string page = "docs/EXPECTATIONS.md";
  if (!std::filesystem::exists(page)) GTEST_SKIP() << "not run from the project's root";
  EXPECT_GE(scan_file(page).size(), 20U);
}

}  // namespace
}  // namespace ptxlab::verdict
