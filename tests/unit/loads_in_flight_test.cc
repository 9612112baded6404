// SPDX-License-Identifier: Apache-2.0
// How many loads are on their way at once, in code written down by hand.
#include "analysis/facts/loads_in_flight.hpp"

#include <gtest/gtest.h>

namespace ptxlab::facts {
namespace {

using flow::kind;
using flow::space;
using flow::transfer;
using regs = std::vector<flow::reg>;

class program {
 public:
  program& add(flow::op o, const regs& reads, const regs& writes) {
    o.first_reg = static_cast<std::uint32_t>(code_.regs.size());
    o.reads = static_cast<std::uint16_t>(reads.size());
    o.writes = static_cast<std::uint16_t>(writes.size());
    code_.regs.insert(code_.regs.end(), reads.begin(), reads.end());
    code_.regs.insert(code_.regs.end(), writes.begin(), writes.end());
    code_.ops.push_back(o);
    return *this;
  }
  program& load(const regs& to, space from = space::global) {
    return add({.what = kind::load, .memory = from}, {100}, to);
  }
  program& plain(const regs& reads, const regs& writes) { return add({}, reads, writes); }
  program& jump(std::uint32_t to, bool guarded) {
    return add({.then = transfer::jump, .guarded = guarded, .target = to}, {}, {});
  }
  int most() const { return loads_in_flight(code_); }

 private:
  flow::code code_;
};

TEST(loads_in_flight, until_somebody_waits) {
  EXPECT_EQ(program().most(), 0);
  EXPECT_EQ(program().load({1}).load({2}).load({3}).plain({1, 2}, {4}).most(), 3);
  EXPECT_EQ(program().load({1}).plain({1}, {9}).load({2}).plain({2}, {9}).most(), 1);
  EXPECT_EQ(program().load({1}).load({2}).plain({1}, {9}).load({3}).load({4}).most(), 3)
      << "two, less one, and two more";
  EXPECT_EQ(program().load({1}).load({1}).most(), 1) << "what is overwritten was waited for";
}

TEST(loads_in_flight, a_vector_is_one_load) {
  EXPECT_EQ(program().load({1, 2, 3, 4}).load({5, 6, 7, 8}).most(), 2);
  EXPECT_EQ(program().load({1, 2}).plain({2}, {9}).load({3}).most(), 1)
      << "any part of it is there with all of it";
}

TEST(loads_in_flight, of_global_memory_alone) {
  EXPECT_EQ(program().load({1}, space::shared).load({2}, space::param).most(), 0);
  EXPECT_EQ(program().load({1}, space::generic).most(), 1);
}

TEST(loads_in_flight, along_straight_code) {
  EXPECT_EQ(program().load({1}).jump(0, false).load({2}).most(), 1) << "never one behind the other";
  EXPECT_EQ(program().load({1}).jump(3, true).load({2}).plain({}, {}).load({3}).most(), 2)
      << "a guarded jump may fall through; where paths join nobody can tell";
}

}  // namespace
}  // namespace ptxlab::facts
