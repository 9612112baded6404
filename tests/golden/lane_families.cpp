// SPDX-License-Identifier: Apache-2.0
// Golden cases for operations that see more than one lane.
#include <fmt/format.h>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;

constexpr operand word{type::b32, use::bits}, wide{type::b64, use::bits}, few{type::b32, use::few},
    few_wide{type::b64, use::few};

/// %t8 = operand k of the warp's first lane: a random word that all lanes agree on.
std::string agreed(std::size_t k) {
  return fmt::format(
      "and.b32 %t8, %t0, -32;\nmul.wide.u32 %l1, %t8, 8;\nld.param.u64 %l2, [in];\n"
      "add.u64 %l1, %l1, %l2;\nld.global.b32 %t8, [%l1+{}];\n",
      k * tuples * 8);
}
/// %p of each lane: random in half of the warps, in the others the same in all lanes.
std::string lane_predicate(std::size_t value, std::size_t warp) {
  return agreed(warp) + fmt::format(
                            "and.b32 %t9, %t8, 1;\nsetp.ne.b32 %q, %t9, 0;\nshr.u32 %t9, %t8, 1;\n"
                            "selp.b32 %t9, %i{}, %t9, %q;\nand.b32 %t9, %t9, 1;\n"
                            "setp.ne.b32 %p, %t9, 0;\n",
                            value);
}
/// `with` runs for the lanes of a random mask and for the others, each with its own member mask
/// %t8.
std::string by_halves(std::size_t warp, const std::string& with) {
  return agreed(warp) +
         fmt::format(
             "mov.u32 %t9, %laneid;\nshr.u32 %t10, %t8, %t9;\nand.b32 %t10, %t10, 1;\n"
             "setp.ne.b32 %r, %t10, 0;\n@!%r bra other;\n{0}bra done;\nother:\n"
             "not.b32 %t8, %t8;\n{0}done:\n",
             with);
}

void add_shuffles(std::vector<golden_case>& to) {
  for (const char* mode : {"up", "down", "bfly", "idx"}) {
    const std::string op = fmt::format("shfl.sync.{}.b32", mode);
    to.push_back({op, {word, word, word}, {32}, op + " %o0, %i0, %i1, %i2, -1;\n"});
    to.push_back({op + "|p", {word, word, word}, {32, 1}, op + " %o0|%o1, %i0, %i1, %i2, -1;\n"});
    for (const int distance : {0, 1, 5, 16, 31})
      for (const int c : {0, 31, 0x1c03, 0x1800, 0x181f})
        to.push_back({fmt::format("{}:{},{}", op, distance, c),
                      {word},
                      {32, 1},
                      fmt::format("{} %o0|%o1, %i0, {}, {}, -1;\n", op, distance, c)});
  }
  // In a branch, every lane reads itself: other lanes may be missing.
  to.push_back({"shfl.sync.idx.b32:masked",
                {word, word},
                {32, 1},
                by_halves(1, "shfl.sync.idx.b32 %o0|%o1, %i0, %t9, 31, %t8;\n")});
}

void add_votes(std::vector<golden_case>& to) {
  for (const char* mode : {"all.pred", "any.pred", "uni.pred", "ballot.b32"}) {
    const std::string op = fmt::format("vote.sync.{}", mode);
    const unsigned bits = op.ends_with("b32") ? 32 : 1;
    to.push_back({op, {word, word}, {bits}, lane_predicate(0, 1) + op + " %o0, %p, -1;\n"});
    to.push_back(
        {op + ":not", {word, word}, {bits}, lane_predicate(0, 1) + op + " %o0, !%p, -1;\n"});
    to.push_back({op + ":masked",
                  {word, word, word},
                  {bits},
                  lane_predicate(0, 1) + by_halves(2, op + " %o0, %p, %t8;\n")});
  }
}

void add_matches(std::vector<golden_case>& to) {
  for (const char* t : {"b32", "b64"}) {
    const bool is_wide = std::string_view(t) == "b64";
    const operand value = is_wide ? few_wide : few;
    // Half of the warps agree on one value.
    const std::string pick = agreed(1) + fmt::format(
                                             "and.b32 %t9, %t8, 1;\nsetp.ne.b32 %q, %t9, 0;\n"
                                             "selp.{0} {1}, %i0, 7, %q;\n",
                                             t, is_wide ? "%l3" : "%t11");
    const std::string from = is_wide ? "%l3" : "%t11";
    const std::string any = fmt::format("match.any.sync.{}", t),
                      all = fmt::format("match.all.sync.{}", t);
    to.push_back({any, {value, word}, {32}, pick + fmt::format("{} %o0, {}, -1;\n", any, from)});
    to.push_back({all, {value, word}, {32}, pick + fmt::format("{} %o0, {}, -1;\n", all, from)});
    to.push_back({all + "|p",
                  {value, word},
                  {32, 1},
                  pick + fmt::format("{} %o0|%o1, {}, -1;\n", all, from)});
    to.push_back({any + ":masked",
                  {value, word, word},
                  {32},
                  pick + by_halves(2, fmt::format("{} %o0, {}, %t8;\n", any, from))});
    to.push_back({all + ":masked",
                  {value, word, word},
                  {32, 1},
                  pick + by_halves(2, fmt::format("{} %o0|%o1, {}, %t8;\n", all, from))});
  }
}

void add_reductions(std::vector<golden_case>& to) {
  for (const char* form : {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                           "and.b32", "or.b32", "xor.b32"}) {
    const std::string op = fmt::format("redux.sync.{}", form);
    const operand value{type::u32};
    to.push_back({op, {value}, {32}, op + " %o0, %i0, -1;\n"});
    to.push_back({op + ":masked", {value, word}, {32}, by_halves(1, op + " %o0, %i0, %t8;\n")});
  }
  for (const char* form : {"popc.u32", "and.pred", "or.pred"}) {
    const std::string op = fmt::format("bar.red.{}", form);
    const bool counts = op.ends_with("u32");
    const unsigned bits = counts ? 32 : 1;
    to.push_back(
        {op,
         {word},
         {bits},
         fmt::format("and.b32 %t1, %i0, 3;\nsetp.ne.b32 %p, %t1, 0;\n{} %o0, 0, %p;\n", op)});
    to.push_back({op + ":agreed",
                  {word},
                  {bits},
                  fmt::format("setp.ge.u32 %p, %i0, 0;\n{} %o0, 1, {}%p;\n", op,
                              op.ends_with("or.pred") ? "!" : "")});
  }
}

void add_identities(std::vector<golden_case>& to) {
  to.push_back({"activemask.b32", {word}, {32}, "activemask.b32 %o0;\n"});
  to.push_back({"elect.sync", {word}, {32, 1}, "elect.sync %o0|%o1, -1;\n"});
  for (const char* name :
       {"laneid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt",
        "tid.x", "tid.y", "ntid.x", "ntid.z", "ctaid.x", "nctaid.x", "nctaid.y"})
    to.push_back(
        {fmt::format("mov.u32:{}", name), {word}, {32}, fmt::format("mov.u32 %o0, %{};\n", name)});
  to.push_back({"mov.u32:WARP_SZ", {word}, {32}, "mov.u32 %o0, WARP_SZ;\n"});
}

}  // namespace

void add_lane_families(std::vector<golden_case>& to) {
  add_shuffles(to);
  add_votes(to);
  add_matches(to);
  add_reductions(to);
  add_identities(to);
}

}  // namespace ptxlab::golden
