// SPDX-License-Identifier: Apache-2.0
// Every kernel of the catalogue on the machine, as nvcc compiles it for sm_90, against plain C++.
// The references are in machine_kernels_*_test.cc; a kernel without one fails here.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "ptx/text/error.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/reference.hpp"
#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {
namespace {

/// Kernels that are looked at, not timed, and that race: all others must not. (Barriers of the grid
/// have their verdicts in machine_kernels_waits_test.cc. In timed kernels all lanes store what a
/// region computed to one word, by design.)
const std::map<std::string, std::string> known_races = {
    {"reduce/first_five/reduce5_as_in_2009", "within a warp"},
    {"reduce/one_launch/float_ticket_no_acquire", "between blocks"},
    {"reduce/one_launch/float_ticket_no_release", "between blocks"},
    {"reduce/reductions/reduce5_as_in_2009", "within a warp"},
};

/// The PTX of all kernel files, in the catalogue's order.
const std::vector<std::string>& all_ptx() {
  static const std::vector<std::string> texts = [] {
    const compiler c;
    std::vector<std::filesystem::path> files;
    std::vector<std::string_view> flags;
    for (const kernels::entry& e : kernels::catalogue()) {
      files.push_back(compiler::root() / std::string(e.path));
      flags.push_back(e.what.nvcc_flags);
    }
    return c.problem().empty() ? c.texts(files, flags) : std::vector<std::string>{};
  }();
  return texts;
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;  // then a part will do: it is the same code
#else
constexpr bool sanitized = false;
#endif

std::vector<std::string> file_ids() {
  std::vector<std::string> out;
  for (const kernels::entry& e : kernels::catalogue())
    if (!sanitized || (!e.id.starts_with("latency/") && !e.id.starts_with("throughput/")))
      out.emplace_back(e.id);
  return out;
}

std::string id_of(const kernels::entry& e, const kernels::variant& v) {
  return std::string(e.id) + "/" + std::string(v.symbol);
}

class machine_kernels : public testing::TestWithParam<std::string> {};

TEST_P(machine_kernels, do_what_their_references_do) {
  if (all_ptx().empty()) GTEST_SKIP() << compiler().problem();
  const auto& files = kernels::catalogue();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [](const kernels::entry& e) { return e.id == GetParam(); });
  ASSERT_NE(file, files.end());
  workbench on(ptx::parse(all_ptx()[static_cast<std::size_t>(file - files.begin())],
                          std::string(file->path)));
  for (const kernels::variant& v : file->what.variants) {
    const std::string id = id_of(*file, v);
    SCOPED_TRACE(id);
    const decoded& d = on.module.kernel(v.symbol);
    const auto known = references().find(id);
    if (known == references().end()) {
      ADD_FAILURE() << id << " has no reference: add one to machine_kernels_*_test.cc";
      continue;
    }
    EXPECT_TRUE(d.missing.empty()) << d.missing.front().reason;
    if (!d.missing.empty()) continue;
    on.how = {};
    std::set<std::string> verdicts;
    known->second({on, v, id, verdicts});
    const auto racy = known_races.find(id);
    for (const std::string& verdict : verdicts)
      EXPECT_EQ(verdict, racy == known_races.end() ? "no race" : racy->second) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(catalogue, machine_kernels, testing::ValuesIn(file_ids()),
                         [](const auto& one) {
                           std::string id = one.param;
                           std::replace(id.begin(), id.end(), '/', '_');
                           return id;
                         });

TEST(machine_references, belong_to_kernels_that_are_there) {
  std::set<std::string> ids;
  for (const kernels::entry& e : kernels::catalogue())
    for (const kernels::variant& v : e.what.variants) ids.insert(id_of(e, v));
  for (const auto& [id, check] : references()) EXPECT_TRUE(ids.contains(id)) << id;
  EXPECT_EQ(reference_registration::repeated(), "");
}

/// How often a check of latency/int32/add_s32 against a model fails.
int failures_of(const timed_model& m, bool throughput) {
  const std::string id = throughput ? "throughput/int32" : "latency/int32";
  const auto& files = kernels::catalogue();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const kernels::entry& e) { return e.id == id; });
  workbench on(ptx::parse(all_ptx().at(static_cast<std::size_t>(file - files.begin())), id));
  for (const kernels::variant& v : file->what.variants) {
    if (v.symbol != "add_s32") continue;
    std::set<std::string> verdicts;
    testing::TestPartResultArray results;
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    if (throughput)
      check_streams({on, v, id, verdicts}, m, 2);
    else
      check_chain({on, v, id, verdicts}, m);
    return results.size();
  }
  return -1;
}

TEST(machine_references, notice_a_step_that_is_wrong_in_one_lane) {
  if (all_ptx().empty()) GTEST_SKIP() << compiler().problem();
  const timed_model right = each<std::uint32_t>([](auto x, auto a, auto b) { return x + a + b; });
  timed_model wrong = right;
  wrong.step = [once = right.step](lane_words& x, const lane_words& a, const lane_words& b,
                                   lane_words& own) {
    once(x, a, b, own);
    if (x[17] == 17 + 1 + 3 * 8) x[17] ^= 1U << 31;  // after three of all steps
  };
  for (const bool throughput : {false, true}) {
    EXPECT_EQ(failures_of(right, throughput), 0);
    EXPECT_GT(failures_of(wrong, throughput), 0);
  }
}

}  // namespace
}  // namespace ptxlab::machine
