// SPDX-License-Identifier: Apache-2.0
// What is said of the buffers of a run that did not finish as it was asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "driver/run/trial.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

/// Each lane takes a lock, counts in word 1 and gives the lock back.
constexpr const char* lock = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 words)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<3>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [words];
L:
  atom.global.cas.b32 %r1, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra L;
  ld.volatile.global.u32 %r2, [%rd1+4];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%rd1+4], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [%rd1], 0;
  ret;
}
)";

struct ran {
  plan what;
  result of;
};

void run(const char* token, ran& out) {
  out.what.from.path = "lock.ptx";
  out.what.from.code = {"lock.ptx", lock, {}};
  out.what.from.ptx = ptx::parse(lock, "lock.ptx");
  out.what.kernel = "k";
  out.what.shape.block[0] = 32;
  out.what.arguments = {read_argument("buf:u32:2:zero:name=words", 0)};
  trial_options o;
  machine::read_token(token, o.how);
  o.outputs = {"words"};
  out.of = carry_out(out.what, o);
}

bool says_so(const std::string& text) {
  return text.find("after the deadlock the launch went on with independent threads and finished") !=
         text.npos;
}

TEST(run_outcome, buffers_after_a_simt_deadlock_are_those_of_the_launch_that_went_on) {
  ran r;
  run("lockstep", r);
  ASSERT_EQ(r.of.run.report.how, machine::ending::simt_deadlock);
  std::uint32_t words[2];
  std::memcpy(words, r.of.run.contents.at(0).data(), sizeof words);
  EXPECT_EQ(words[0], 0u);  // at the deadlock a lane held the lock and nobody had counted
  EXPECT_EQ(words[1], 32u);
  EXPECT_TRUE(says_so(facts_format(r.of)));
  EXPECT_TRUE(says_so(json_format(r.of)));
  std::string folded = text_format(r.of);
  std::erase(folded, '\n');
  const auto twice = [](char a, char b) { return a == ' ' && b == ' '; };
  folded.erase(std::unique(folded.begin(), folded.end(), twice), folded.end());
  EXPECT_TRUE(says_so(folded)) << folded;
}

TEST(run_outcome, of_a_launch_that_finishes_nothing_is_said) {
  ran r;
  run("its", r);
  EXPECT_TRUE(r.of.run.finished());
  EXPECT_FALSE(says_so(facts_format(r.of)));
  EXPECT_TRUE(r.of.notes.empty());
}

}  // namespace
}  // namespace ptxlab::run
