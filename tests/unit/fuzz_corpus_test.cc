// SPDX-License-Identifier: Apache-2.0
// Every input that the fuzzers start from or have found, through the same functions: only
// ptxlab::error may come of one, and none may take long.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/expectation.hpp"
#include "tests/fuzz/log.hpp"
#include "tests/fuzz/machine.hpp"
#include "tests/fuzz/ptx.hpp"
#include "tests/fuzz/sass.hpp"

namespace {

using namespace ptxlab;
namespace fs = std::filesystem;

struct corpus {
  const char* name;
  void (*target)(std::string_view);
};

void PrintTo(const corpus& c, std::ostream* out) {
  *out << c.name;
}

class fuzz_corpus : public testing::TestWithParam<corpus> {};

TEST_P(fuzz_corpus, keeps_its_promises) {
  const fs::path folder =
      fs::path(__FILE__).parent_path().parent_path() / "fuzz" / "corpus" / GetParam().name;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 2U) << folder;
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    const std::string input(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(input.empty());
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(GetParam().target(input));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));  // a hang
  }
}

INSTANTIATE_TEST_SUITE_P(targets, fuzz_corpus,
                         testing::Values(corpus{"ptx", fuzz::ptx_target},
                                         corpus{"sass_json", fuzz::sass_json_target},
                                         corpus{"sass_text", fuzz::sass_text_target},
                                         corpus{"cubin", fuzz::cubin_target},
                                         corpus{"log", fuzz::log_target},
                                         corpus{"expectation", fuzz::expectation_target},
                                         corpus{"machine", fuzz::machine_target}),
                         [](const auto& i) { return std::string(i.param.name); });

// The oracle itself: a target that swallowed everything would prove nothing.
TEST(fuzz_targets, notice_a_broken_promise) {
  EXPECT_THROW(fuzz::require(false, "this holds"), std::logic_error);
  ptx::module one = ptx::parse(".version 9.0\n.target sm_90\n.entry k() { ret; }\n", "one");
  const ptx::module two = ptx::parse(".version 9.0\n.target sm_90\n.entry k() { exit; }\n", "two");
  EXPECT_NO_THROW(fuzz::compare(one, one));
  EXPECT_THROW(fuzz::compare(one, two), std::logic_error);
}

}  // namespace
