// SPDX-License-Identifier: Apache-2.0
// The machine against golden values: what an H200 computed for every spelling of every plain
// operation, of textures, of matrices and of asynchronous copies, and for families written by hand;
// and that a wrong value is seen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "ptx/machine/row.hpp"
#include "ptx/text/error.hpp"
#include "tests/golden/compare.hpp"
#include "tests/golden/cubins.hpp"
#include "tests/golden/files.hpp"
#include "tests/golden/replay.hpp"
#include "tests/golden/spelled.hpp"

namespace ptxlab::golden {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  const char* const told = std::getenv("PTXLAB_ROOT");
  return told != nullptr ? fs::path(told) : fs::current_path();
}

/// The newest archive of a part that was measured; empty if there is none.
fs::path archive_path(part p) {
  const fs::path all = root() / "docs/data/h200";
  fs::path newest;
  if (fs::exists(all))
    for (const auto& day : fs::directory_iterator(all))
      if (fs::exists(day.path() / archive_name(p)))
        newest = std::max(newest, day.path() / archive_name(p));
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

const archive& golden(part p) {
  static std::map<part, archive> read;
  const auto [at, fresh] = read.try_emplace(p);
  if (fresh) at->second = read_archive(read_file(archive_path(p)), archive_path(p).string());
  return at->second;
}

class machine_golden : public testing::TestWithParam<part> {
 protected:
  static const archive& measured() { return golden(GetParam()); }
  /// The cases of the part that have a value in the archive.
  static std::vector<const golden_case*> those() {
    std::vector<const golden_case*> out;
    for (const golden_case& c : cases())
      if (c.of == GetParam() && !c.only_measured) out.push_back(&c);
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(parts, machine_golden, testing::ValuesIn(parts),
                         [](const auto& p) { return std::string(name(p.param)); });

TEST_P(machine_golden, computes_what_the_gpu_computed) {
  std::string differences;
  for (const golden_case* c : those()) {
    const replayed& own = machine_results().at(c->name);
    const std::string text =
        own.problem.empty() ? difference(*c, measured(), own.words) : own.problem;
    if (!text.empty()) differences += c->name + ": " + text + "\n";
  }
  EXPECT_EQ(differences, "");
  constexpr std::size_t at_least[] = {4600, 630, 540, 200};
  EXPECT_GE(those().size(), at_least[static_cast<std::size_t>(GetParam())]);
}

TEST_P(machine_golden, has_a_value_for_each_case_and_no_other) {
  std::string missing, unknown;
  std::set<std::string_view> names;
  for (const golden_case* c : those()) {
    names.insert(c->name);
    if (!measured().values.contains(c->name)) missing += c->name + "\n";
  }
  for (const auto& [name, v] : measured().values)
    if (!names.contains(name)) unknown += name + "\n";
  EXPECT_EQ(missing, "");
  EXPECT_EQ(unknown, "");
}

TEST_P(machine_golden, archive_says_where_it_comes_from) {
  std::map<std::string, std::string> said(measured().provenance.begin(),
                                          measured().provenance.end());
  EXPECT_EQ(said["device"], "NVIDIA H200");
  EXPECT_EQ(said["architecture"], "sm_90");
  EXPECT_EQ(said["generator"], generator_version);
  for (const char* key : {"date", "driver", "toolkit", "commit"}) EXPECT_NE(said[key], "") << key;
}

TEST(machine_golden_page, on_approximate_functions_is_up_to_date) {
  const archive& values = golden(part::instructions);
  std::vector<approximation_record> records;
  for (const golden_case& c : cases())
    if (c.approximate)
      records.push_back(
          measure(c, values.values.at(c.name).words, machine_results().at(c.name).words));
  EXPECT_GT(records.size(), 20U);
  EXPECT_EQ(read_file(root() / "docs/APPROXIMATE.md"), approximation_page(values, records))
      << "build/tests/golden_record --report " << archive_path(part::instructions).string();
}

// --- which rows have cases -----------------------------------------------------------------------

/// Whether a case of these parts has the instruction, which ends with one of `ends`, in its code.
bool is_executed(std::string_view opcode, std::string_view ends, std::span<const part> in) {
  return std::any_of(cases().begin(), cases().end(), [&](const golden_case& c) {
    if (c.only_measured || std::find(in.begin(), in.end(), c.of) == in.end()) return false;
    for (std::size_t at = c.code.find(opcode); at != c.code.npos; at = c.code.find(opcode, at + 1))
      if (ends.find(c.code[at + opcode.size()]) != ends.npos) return true;
    return false;
  });
}

TEST(golden_cases, hold_every_spelling_of_the_rows_that_are_spelled_out) {
  constexpr part in[] = {part::textures, part::matrices, part::copies};
  std::set<std::string_view> bases;
  for (const machine::row& r : machine::operation_table())
    if (is_spelled_out(r.base)) bases.insert(r.base);
  std::size_t spellings = 0;
  // No driver runs their kernels: texture_families.cpp says why.
  const std::set<std::string_view> not_measurable = {
      "txq.array_size.b32", "txq.channel_data_type.b32", "txq.channel_order.b32",
      "txq.normalized_coords.b32"};
  for (const std::string_view base : bases)
    each_spelling(base, [&](const std::string& spelling, const machine::choice&) {
      ++spellings;
      EXPECT_NE(is_executed(spelling, " ;", in), not_measurable.contains(spelling)) << spelling;
    });
  EXPECT_EQ(bases.size(), 10U);
  EXPECT_GT(spellings, 700U);
  EXPECT_FALSE(is_executed("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16", " ;", in));
}

TEST(golden_cases, have_no_row_that_nobody_thought_of) {
  // A new base has to become one that is spelled out, or one that is written by hand.
  const std::set<std::string_view> by_hand = {"activemask", "atom",     "bar",  "bra",   "cvta",
                                              "elect",      "isspacep", "ld",   "match", "mov",
                                              "red",        "redux",    "shfl", "st",    "vote"};
  // Nothing to measure but that a program goes on as the unit tests say.
  const std::set<std::string_view> without_value = {
      "applypriority", "barrier",  "brkpt",          "brx", "call",   "discard",
      "exit",          "fence",    "griddepcontrol", "ldu", "membar", "nanosleep",
      "pmevent",       "prefetch", "prefetchu",      "ret", "trap"};
  // Of other blocks' memory, and a case has one block: machine_cluster_test.cc.
  const std::set<std::string_view> of_clusters = {"getctarank", "mapa"};
  constexpr part in[] = {part::instructions};
  for (const std::string_view base : by_hand) EXPECT_TRUE(is_executed(base, " .", in)) << base;
  for (const machine::row& r : machine::operation_table()) {
    if (r.build == nullptr || is_spelled_out(r.base)) continue;
    EXPECT_TRUE(by_hand.contains(r.base) || without_value.contains(r.base) ||
                of_clusters.contains(r.base))
        << r.base;
  }
}

TEST(golden_cases, lie_in_modules_of_their_part) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < module_count(); ++i) {
    const auto [first, last] = module_range(i);
    EXPECT_EQ(first, at);
    EXPECT_LE(last - first, module_cases);
    for (std::size_t k = first; k < last; ++k) EXPECT_EQ(cases()[k].of, module_part(i));
    at = last;
  }
  EXPECT_EQ(at, cases().size());
  for (const part p : parts) EXPECT_EQ(part_named(name(p)), p);
  EXPECT_EQ(part_named("texture"), std::nullopt);
  EXPECT_EQ(archive_name(part::copies), "golden-copies.txt");
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

/// Results of a case that differ from those of another.
std::size_t differing(std::string_view a, std::string_view b) {
  const result_words &x = machine_results().at(std::string(a)).words,
                     &y = machine_results().at(std::string(b)).words;
  std::size_t out = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) out += x[i] != y[i] ? 1 : 0;
  return out;
}

TEST(golden_compare, sees_how_a_texture_is_read) {
  const auto fetch = [](const char* how) {
    return fmt::format("tex.2d.v4.f32.f32:array,f32x1,{}13x7x1", how);
  };
  const std::string one = fetch("linear,wrap,unit,");
  EXPECT_GT(differing(one, fetch("linear,mirror,unit,")), 100U);
  EXPECT_GT(differing(one, fetch("point,wrap,unit,")), 300U);
  EXPECT_GT(differing(one, fetch("linear,wrap,texels,")), 300U);
  // Where they lie is all the same.
  const std::string array = fetch("linear,clamp,texels,"), pitched = array;
  EXPECT_EQ(differing(array, "tex.2d.v4.f32.f32:pitch,f32x1,linear,clamp,texels,13x7x1"), 0U);
}

TEST(golden_compare, counts_what_differs_and_by_how_much) {
  const golden_case& c = named("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16");
  const result_words own = machine_results().at(c.name).words;
  result_words other = own;
  EXPECT_EQ(difference_counts(c, other, own),
            fmt::format("0 of {} results differ", own.size() * 4));
  std::size_t at = 0;  // four halves in each word; one whose next number is no NaN
  while ((own[at] >> 16 & 0x7fff) > 0x7000) ++at;
  other[at] += 3U << 16;
  EXPECT_EQ(difference_counts(c, other, own),
            fmt::format("1 of {} results differ, by at most 3 ulp", own.size() * 4));
  EXPECT_NE(difference(c, archive_of(c, other), own), "");
  const golden_case& whole = named("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32");
  result_words sums = machine_results().at(whole.name).words;
  sums[5] ^= 1;
  EXPECT_EQ(difference_counts(whole, sums, machine_results().at(whole.name).words),
            "1 of 4096 results differ");
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

TEST(golden_operands, of_matrices_are_of_a_kind_for_each_warp) {
  using machine::type;
  const auto halves = operand_words({{type::f16, use::elements}});
  const auto any = [&](unsigned first_warp, unsigned last_warp, auto holds) {
    std::size_t count = 0;
    for (unsigned i = first_warp * 32; i < last_warp * 32; ++i)
      for (unsigned shift = 0; shift < 64; shift += 16)
        count += holds(static_cast<unsigned>(halves[i] >> shift & 0x7fff)) ? 1U : 0U;
    return count;
  };
  const auto special = [](unsigned x) { return x >= 0x7c00; };
  const auto subnormal = [](unsigned x) { return x > 0 && x < 0x400; };
  EXPECT_EQ(any(0, 23, special), 0U);
  EXPECT_GT(any(23, 28, special), 3U);
  EXPECT_EQ(any(0, 8, subnormal), 0U);
  EXPECT_GT(any(17, 20, subnormal), 20U);
  for (const std::uint64_t x : operand_words({{type::f32, use::tf32_elements}}))
    EXPECT_EQ(x & 0x00001fff00001fff, 0U);
}

TEST(golden_operands, of_fetches_hold_ties_and_what_is_no_place) {
  using machine::type;
  const auto x = operand_words({{type::f32, use::texels, 13}});
  for (const float place : {0.0F, 0.5F, 1.0F, 12.5F, 13.0F, -0.5F, 1 + 1 / 512.0F, 26.0F})
    EXPECT_NE(std::find(x.begin(), x.end(), std::bit_cast<std::uint32_t>(place)), x.end()) << place;
  for (const std::uint64_t bits : {0x7f800000U, 0xff800000U, 0x7fc00000U, 0x80000000U})
    EXPECT_NE(std::find(x.begin(), x.end(), bits), x.end()) << std::hex << bits;
  const auto layers = operand_words(
      {{type::u32, use::layer, 3}, {type::f32, use::fraction, 13}, {type::f32, use::fraction, 7}});
  for (const std::uint64_t layer : {0U, 2U, 3U, 0xffffffffU})
    EXPECT_NE(std::find(layers.begin(), layers.begin() + tuples, layer), layers.begin() + tuples);
  EXPECT_NE(x, operand_words({{type::f32, use::texels, 16}}));
}

TEST(golden_texels, are_what_their_content_says) {
  machine::texture_description d;
  d.storage = machine::texel_storage::pitched;
  d.shape = machine::texture_shape::d2;
  d.width = 3;
  d.height = 2;
  d.pitch_bytes = 32;
  const auto floats = texels_of({d, texel_content::steps});
  ASSERT_EQ(floats.size(), 44U);
  float value = 0;
  for (const auto& [at, expected] : {std::pair{0, 0.0F}, {4, 1.0F}, {8, 0.0F}, {32, 1.0F}}) {
    std::memcpy(&value, floats.data() + at, 4);
    EXPECT_EQ(value, expected) << at;
  }
  d = {};
  d.storage = machine::texel_storage::array;
  d.channel = machine::channel_type::s8;
  d.width = 256;
  const auto bytes = texels_of({d, texel_content::ramp});
  ASSERT_EQ(bytes.size(), 256U);
  EXPECT_EQ(bytes[0], std::byte{0x80});
  EXPECT_EQ(bytes[128], std::byte{0});
  EXPECT_EQ(bytes[255], std::byte{0x7f});
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
