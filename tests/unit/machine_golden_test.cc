// SPDX-License-Identifier: Apache-2.0
// The machine against golden values: what an H200 computed for every spelling of every plain
// operation and for families written by hand, and that a wrong value is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "ptx/text/error.hpp"
#include "tests/golden/compare.hpp"
#include "tests/golden/cubins.hpp"
#include "tests/golden/files.hpp"
#include "tests/golden/replay.hpp"

namespace ptxlab::golden {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  const char* const told = std::getenv("PTXLAB_ROOT");
  return told != nullptr ? fs::path(told) : fs::current_path();
}

/// The newest archive that was measured.
fs::path archive_path() {
  const fs::path all = root() / "docs/data/h200";
  fs::path newest;
  if (fs::exists(all))
    for (const auto& day : fs::directory_iterator(all))
      if (fs::exists(day.path() / "golden.txt"))
        newest = std::max(newest, day.path() / "golden.txt");
  return newest;
}

struct replayed {
  result_words words;
  std::string problem;
};
/// Every case, run once by the machine.
const std::map<std::string, replayed>& machine_results() {
  static const auto all = [] {
    std::map<std::string, replayed> out;
    for (std::size_t i = 0; i < module_count(); ++i)
      replay_module(i, [&](const golden_case& c, std::span<const std::uint64_t> words,
                           const std::string& problem) {
        out[c.name] = {{words.begin(), words.end()}, problem};
      });
    return out;
  }();
  return all;
}

class machine_golden : public testing::Test {
 protected:
  static const archive& golden() {
    static const archive read = read_archive(read_file(archive_path()), archive_path().string());
    return read;
  }
};

TEST_F(machine_golden, computes_what_the_gpu_computed) {
  std::string differences;
  std::size_t compared = 0;
  for (const golden_case& c : cases()) {
    const replayed& own = machine_results().at(c.name);
    const std::string text = own.problem.empty() ? difference(c, golden(), own.words) : own.problem;
    if (!text.empty()) differences += c.name + ": " + text + "\n";
    ++compared;
  }
  EXPECT_EQ(differences, "");
  EXPECT_GT(compared, 4000U);
}

TEST_F(machine_golden, has_a_value_for_each_case_and_no_other) {
  std::string missing, unknown;
  std::map<std::string_view, const golden_case*> by_name;
  for (const golden_case& c : cases()) by_name[c.name] = &c;
  for (const auto& [name, c] : by_name)
    if (!golden().values.contains(name)) missing += std::string(name) + "\n";
  for (const auto& [name, v] : golden().values)
    if (!by_name.contains(name)) unknown += name + "\n";
  EXPECT_EQ(missing, "");
  EXPECT_EQ(unknown, "");
}

TEST_F(machine_golden, archive_says_where_it_comes_from) {
  std::map<std::string, std::string> said(golden().provenance.begin(), golden().provenance.end());
  EXPECT_EQ(said["device"], "NVIDIA H200");
  EXPECT_EQ(said["architecture"], "sm_90");
  EXPECT_EQ(said["generator"], generator_version);
  for (const char* key : {"date", "driver", "toolkit", "commit"}) EXPECT_NE(said[key], "") << key;
}

TEST_F(machine_golden, page_on_approximate_functions_is_up_to_date) {
  std::vector<approximation_record> records;
  for (const golden_case& c : cases())
    if (c.approximate)
      records.push_back(
          measure(c, golden().values.at(c.name).words, machine_results().at(c.name).words));
  EXPECT_GT(records.size(), 20U);
  EXPECT_EQ(read_file(root() / "docs/APPROXIMATE.md"), approximation_page(golden(), records))
      << "build/tests/golden_record --report " << archive_path().string();
}

// --- negative controls: these need no archive ----------------------------------------------------

const golden_case& named(std::string_view name) {
  const auto at =
      std::find_if(cases().begin(), cases().end(), [&](const auto& c) { return c.name == name; });
  if (at == cases().end()) throw error("no such case");
  return *at;
}
archive archive_of(const golden_case& c, result_words words) {
  archive a;
  a.values[c.name] = value_of(c, words);
  return a;
}

TEST(golden_compare, sees_one_wrong_bit_and_its_quarter) {
  const golden_case& c = named("mad.lo.cc.u32");
  const result_words own = machine_results().at(c.name).words;
  ASSERT_EQ(own.size(), 2 * tuples);
  EXPECT_EQ(difference(c, archive_of(c, own), own), "");
  result_words other = own;
  other[tuples + 600] ^= 1;
  EXPECT_EQ(difference(c, archive_of(c, other), own), "differs in quarter 2");
  other[3] ^= 0x80;
  EXPECT_EQ(difference(c, archive_of(c, other), own), "differs in quarter 0, 2");
  EXPECT_EQ(differing_tuples(c, other, own, 9).size(), 2U);
  EXPECT_EQ(difference(c, archive{}, own), "no golden value");
  // Two results in each other's place.
  other = own;
  const auto next =
      std::find_if(own.begin(), own.begin() + 256, [&](auto x) { return x != own[0]; });
  std::swap(other[0], other[static_cast<std::size_t>(next - own.begin())]);
  EXPECT_EQ(difference(c, archive_of(c, other), own), "differs in quarter 0");
}

TEST(golden_compare, holds_approximations_to_the_limit) {
  const golden_case& c = named("ex2.approx.f32");
  const result_words own = machine_results().at(c.name).words;
  const std::vector<std::uint64_t> in = operand_words(c.in);
  std::size_t ordinary = 0;
  while (own[ordinary] < 0x40000000 || own[ordinary] > 0x7f000000) ++ordinary;
  result_words other = own;
  other[ordinary] += 2;
  approximation_record r = measure(c, other, own);
  EXPECT_EQ(r.results, tuples);
  EXPECT_EQ(r.equal, tuples - 1);
  EXPECT_EQ(r.largest_error, 2);
  EXPECT_EQ(r.limit, "2 ulp");
  EXPECT_EQ(r.beyond, "");
  other[ordinary] += 1;
  EXPECT_NE(difference(c, archive_of(c, other), own), "");
  // exp2(+-0) is stated to be 1: no error is allowed.
  const auto zero = static_cast<std::size_t>(std::find(in.begin(), in.end(), 0U) - in.begin());
  ASSERT_EQ(own[zero], 0x3f800000U);
  other = own;
  other[zero] += 1;
  EXPECT_NE(measure(c, other, own).beyond, "");
  // A number where there is none, and the reverse.
  const auto nan =
      static_cast<std::size_t>(std::find(in.begin(), in.end(), 0x7fc00000U) - in.begin());
  ASSERT_LT(nan, in.size());
  other = own;
  other[nan] = 0x3f800000;
  EXPECT_NE(measure(c, other, own).beyond, "");
  other = own;
  other[ordinary] = 0x7fffffff;
  EXPECT_NE(measure(c, other, own).beyond, "");
  // Another NaN is no error, but no equal result either.
  other = own;
  other[nan] ^= 1;
  EXPECT_EQ(measure(c, other, own).beyond, "");
  EXPECT_EQ(measure(c, other, own).equal, tuples - 1);
}

TEST(golden_compare, allows_ex2_of_f16_one_unit_where_its_result_is_subnormal) {
  const golden_case& c = named("ex2.approx.f16");
  const result_words own = machine_results().at(c.name).words;
  const auto with = [&](std::size_t at, std::uint64_t bits) {
    result_words other = own;
    other[at] = bits;
    return measure(c, other, own).beyond;
  };
  std::size_t low = 0, normal = 0;
  while (own[low] < 2 || own[low] >= 0x3fe) ++low;
  while (own[normal] < 0x400 || own[normal] > 0x7000 || own[normal] == 0x3c00) ++normal;
  EXPECT_EQ(with(low, own[low] - 1), "");
  EXPECT_EQ(with(low, own[low] + 1), "");
  EXPECT_NE(with(low, own[low] + 2), "");
  EXPECT_NE(with(low, 0x8000), "");
  EXPECT_NE(with(normal, own[normal] + 3), "");
}

TEST(golden_compare, measures_both_halves_of_a_pair) {
  const golden_case& c = named("tanh.approx.f16x2");
  const result_words own = machine_results().at(c.name).words;
  result_words other = own;
  std::size_t at = 0;  // an upper half between 0.25 and 0.5: 4 units are 2^-10, beyond 2^-10.987
  while (own[at] >> 16 < 0x3400 || own[at] >> 16 > 0x37f0) ++at;
  other[at] += 4U << 16;
  EXPECT_EQ(measure(c, other, own).results, 2 * tuples);
  EXPECT_EQ(measure(c, other, own).largest_ulp, 4);
  EXPECT_NE(measure(c, other, own).beyond, "");
}

TEST(golden_archive, reads_what_it_wrote_and_refuses_the_rest) {
  archive a;
  a.provenance = {{"device", "a name: with a colon"}, {"commit", "abc"}};
  a.values["add.s32"].digest = {1, 2, 0xfedcba9876543210, 4};
  a.values["ex2.approx.f32"] = value_of(named("ex2.approx.f32"), result_words(tuples, 7));
  const archive b = read_archive(to_text(a), "golden.txt");
  EXPECT_EQ(b.provenance, a.provenance);
  EXPECT_EQ(b.values, a.values);
  for (const char* wrong : {"", "# only: this\n", "add.s32\n", "add.s32 1 2 3\n",
                            "add.s32 1 2 3 x\n", "add.s32 1 2 3 11112222333344445\n",
                            "add.s32 1 2 3 4\nadd.s32 1 2 3 4\n", "ex2 = 1 2 3\n", "ex2 =\n"})
    EXPECT_THROW(read_archive(wrong, "golden.txt"), error) << wrong;
}

TEST(golden_operands, stay_the_same) {
  // From the generator's first version: another value means that archives no longer fit, and that
  // generator_version has to change.
  const auto folded = [](const std::vector<operand>& in) {
    std::uint64_t h = 0;
    for (const std::uint64_t d : digests(operand_words(in))) h ^= d;
    return h;
  };
  using machine::type;
  EXPECT_EQ(generator_version, "1");
  EXPECT_EQ(folded({{type::f32}, {type::f32}, {type::f32}}), 0x6450c3449d5e6116);
  EXPECT_EQ(folded({{type::f16x2}, {type::f16x2}, {type::f16x2}}), 0x860ca90da142c0d);
  EXPECT_EQ(folded({{type::s64}, {type::u32, use::amount}}), 0xf7b6f398517c40fa);
}

TEST(golden_operands, hold_the_edges) {
  using machine::type;
  const std::vector<std::uint64_t> f32 = operand_words({{type::f32}});
  for (const std::uint64_t edge :
       {0x00000000U, 0x80000000U, 0x00000001U, 0x007fffffU, 0x00800000U, 0x3f800000U, 0x3fc00000U,
        0x3f000000U, 0x40200000U, 0x4b000000U, 0x4b800001U, 0x4f000000U, 0x5f000000U, 0x7f7fffffU,
        0x7f800000U, 0xff800000U, 0x7fc00000U, 0x7f800001U, 0xffc00005U})
    EXPECT_NE(std::find(f32.begin(), f32.end(), edge), f32.end()) << std::hex << edge;
  const std::vector<std::uint64_t> pairs = operand_words({{type::s32}, {type::s32}});
  bool overflows = false;  // the smallest number by -1
  for (unsigned i = 0; i < tuples; ++i)
    overflows |= pairs[i] == 0x80000000 && pairs[tuples + i] == 0xffffffff;
  EXPECT_TRUE(overflows);
  for (const std::uint64_t x : operand_words({{type::b16}})) EXPECT_LE(x, 0xffffU);
  for (const std::uint64_t x : operand_words({{type::pred}})) EXPECT_LE(x, 1U);
}

TEST(golden_cubins, finds_the_case_that_ptxas_refuses) {
  const std::string text = module_text(0);
  const std::string kernel = ".visible .entry " + kernel_name(5) + "(";
  const auto line =
      1 +
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(kernel)), '\n');
  const auto refused = refused_by(
      text, "ptxas a.ptx, line " + std::to_string(line + 3) + "; error   : no\nptxas fatal\n");
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused.begin()->first, 5U);
  EXPECT_EQ(refused.begin()->second, "line " + std::to_string(line + 3) + "; error   : no");
  EXPECT_TRUE(refused_by(text, "ptxas fatal").empty());
}

}  // namespace
}  // namespace ptxlab::golden
