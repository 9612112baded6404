// SPDX-License-Identifier: Apache-2.0
// Control bits: fields of known words, and what they must guarantee in whatever ptxas makes: nobody
// reads a register before it is written. The second needs no table of latencies and no other
// decoder of these bits: code that breaks it would not run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sass/control.hpp"
#include "analysis/sass/decode.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/flow/graph.hpp"
#include "ptx/text/error.hpp"
#include "tests/unit/sass/oracle.hpp"

namespace ptxlab::sass {
namespace {

// ---- words

// Bit 105 of the instruction is bit 41 of its upper half.
TEST(sass_control, each_field_alone) {
  const auto with = [](unsigned bit, std::uint64_t value) {
    return decode_control(value << (bit - 64));
  };
  EXPECT_EQ(with(105, 15).stall, 15u);
  EXPECT_EQ(with(105, 9).stall, 9u);
  EXPECT_TRUE(with(109, 1).yield);
  EXPECT_EQ(with(110, 5).write_barrier, 5u);
  EXPECT_EQ(with(113, 6).read_barrier, 6u);
  EXPECT_EQ(with(116, 0x3f).wait_mask, 0x3fu);
  EXPECT_EQ(with(116, 0x21).wait_mask, 0x21u);
  EXPECT_EQ(with(122, 15).reuse, 15u);
  // Their neighbours, bit 104 and below and bit 126 and above, belong to none.
  for (const control c : {decode_control((std::uint64_t{1} << 41) - 1), with(126, 3)}) {
    EXPECT_EQ(c.stall, 0u);
    EXPECT_FALSE(c.yield);
    EXPECT_EQ(c.write_barrier, 0u);
    EXPECT_EQ(c.read_barrier, 0u);
    EXPECT_EQ(c.wait_mask, 0u);
    EXPECT_EQ(c.reuse, 0u);
  }
}

// Taken apart by hand from words that `cuobjdump -sass` prints for sm_90 (CUDA 13.0).
TEST(sass_control, words_of_real_instructions) {
  // MOV R1, c[0x0][0x28]: 0xfe4 << 40, that is 0b111'111'1'0010 from bit 105 on.
  const control mov = decode_control(0x000fe40000000f00);
  EXPECT_EQ(mov.stall, 2u);
  EXPECT_TRUE(mov.yield);
  EXPECT_EQ(mov.write_barrier, control::no_barrier);
  EXPECT_EQ(mov.read_barrier, control::no_barrier);
  EXPECT_EQ(mov.wait_mask, 0u);
  EXPECT_EQ(mov.reuse, 0u);
  // S2R R0, SR_TID.X: 0b111'000'1'0001; the result comes with barrier 0.
  const control s2r = decode_control(0x000e220000002100);
  EXPECT_EQ(s2r.stall, 1u);
  EXPECT_EQ(s2r.write_barrier, 0u);
  EXPECT_EQ(s2r.read_barrier, control::no_barrier);
  // A consumer: 0b000001'111'111'1'0010 waits for barrier 0.
  const control waits = decode_control(0x001fe40000000000);
  EXPECT_EQ(waits.wait_mask, 1u);
  EXPECT_EQ(waits.stall, 2u);
  EXPECT_EQ(waits.write_barrier, control::no_barrier);
}

// ---- what holds for every cubin

/// Steps that were looked at, and the first few that went wrong.
struct findings {
  int pairs = 0, violations = 0;
  std::vector<std::string> first;

  void violation(std::string text) {
    ++violations;
    if (first.size() < 5) first.push_back(std::move(text));
  }
};

/// One function with what is needed to follow registers through its blocks.
struct code_under_test {
  const module& m;
  const function& f;
  std::vector<decoded> ops;
  flow::code lowered;
  flow::graph graph;

  code_under_test(const module& whole, const function& one)
      : m(whole), f(one), lowered(lower(whole, one)), graph(lowered) {
    for (const instruction& i : f.instructions) decode(m, i, ops.emplace_back());
  }

  std::string text(std::size_t i) const {
    return fmt::format("{:#x} {} {}", f.instructions[i].address, m.code_of(f.instructions[i]).text,
                       m.operands(f.instructions[i]));
  }
  std::string base(std::size_t i) const { return std::string(m.code_of(f.instructions[i]).base); }
  bool touches(const std::vector<register_id>& all, register_id r) const {
    return std::find(all.begin(), all.end(), r) != all.end();
  }

  /// Calls f(producer, consumer, register) for every register read in the block of its last write.
  template <typename F>
  void for_each_dependence(F visit) const {
    for (std::uint32_t b = 0; b < graph.size(); ++b) {
      std::map<register_id, std::uint32_t> written;
      for (std::uint32_t i = graph[b].begin; i < graph[b].end; ++i) {
        for (const register_id r : ops[i].reads)
          if (const auto at = written.find(r); at != written.end()) visit(at->second, i, r);
        for (const register_id r : ops[i].writes) written[r] = i;
        // What a call does to registers is the callee's.
        if (ops[i].op.what == flow::kind::call) written.clear();
      }
    }
  }
};

/// Whether instruction `i` waits for scoreboard `b`.
bool waits(const code_under_test& c, const std::vector<control>& controls, std::uint32_t i,
           unsigned b) {
  if ((controls[i].wait_mask >> b & 1) != 0) return true;
  return c.base(i) == "DEPBAR" &&
         c.m.operands(c.f.instructions[i]).find(fmt::format("SB{}", b)) != std::string_view::npos;
}

/// A result that comes with a scoreboard is read behind a wait for it.
void check_scoreboards(const code_under_test& c, const std::vector<control>& controls,
                       findings& out) {
  c.for_each_dependence([&](std::uint32_t producer, std::uint32_t consumer, register_id) {
    const unsigned b = controls[producer].write_barrier;
    if (b == control::no_barrier) return;
    ++out.pairs;
    for (std::uint32_t i = producer + 1; i <= consumer; ++i)
      if (waits(c, controls, i, b)) return;
    out.violation(fmt::format("{}: {} does not wait for barrier {} of {}", c.f.name,
                              c.text(consumer), b, c.text(producer)));
  });
}

/// Operands that are still being read (a scoreboard says until when) are overwritten behind a wait.
/// Guards and uniform registers are read at issue.
void check_operands(const code_under_test& c, const std::vector<control>& controls, findings& out) {
  for (std::uint32_t b = 0; b < c.graph.size(); ++b)
    for (std::uint32_t i = c.graph[b].begin; i < c.graph[b].end; ++i) {
      const unsigned barrier = controls[i].read_barrier;
      if (barrier == control::no_barrier) continue;
      for (const register_id r : c.ops[i].reads) {
        if (r >= first_of_file[static_cast<int>(register_file::uniform)]) continue;
        bool waited = false;
        for (std::uint32_t k = i + 1; k < c.graph[b].end && !waited; ++k) {
          waited = waits(c, controls, k, barrier);
          if (!c.touches(c.ops[k].writes, r)) continue;
          ++out.pairs;
          if (!waited)
            out.violation(fmt::format("{}: {} does not wait until {} has read", c.f.name, c.text(k),
                                      c.text(i)));
          break;
        }
      }
    }
}

/// Arithmetic of fixed latency: four cycles at least between it and who reads it.
void check_stalls(const code_under_test& c, const std::vector<control>& controls, findings& out,
                  std::map<std::string, unsigned>& least) {
  const auto fixed = [&](std::uint32_t i) {
    for (const char* base : {"FFMA", "FADD", "FMUL", "IADD3", "LOP3", "SHF", "LEA", "PRMT"})
      if (c.base(i) == base) return controls[i].write_barrier == control::no_barrier;
    return false;
  };
  c.for_each_dependence([&](std::uint32_t producer, std::uint32_t consumer, register_id r) {
    if (!fixed(producer) || !fixed(consumer) ||
        r >= first_of_file[static_cast<int>(register_file::uniform)])
      return;
    ++out.pairs;
    unsigned cycles = 0;
    for (std::uint32_t i = producer; i < consumer; ++i) cycles += controls[i].stall;
    unsigned& smallest = least.try_emplace(c.base(producer), cycles).first->second;
    smallest = std::min(smallest, cycles);
    if (cycles >= 4) return;
    out.violation(fmt::format("{}: {} cycles from {} to {}", c.f.name, cycles, c.text(producer),
                              c.text(consumer)));
  });
}

class sass_control_in_cubins : public testing::Test {
 protected:
  void SetUp() override {
    if (oracle::nvdisasm().empty()) GTEST_SKIP() << "PTXLAB_NVDISASM names no nvdisasm";
    std::string why;
    cubins_ = oracle::cubins(why);
    if (cubins_.empty()) GTEST_SKIP() << why;
  }

  struct loaded {
    module m;
    std::deque<code_under_test> functions;
    std::vector<std::vector<control>> controls;
  };

  /// Calls f(code, controls) for every function of every cubin.
  template <typename F>
  void for_each_function(F visit) const {
    static std::deque<loaded> all;  // read once for all tests
    for (std::size_t n = all.size(); n < cubins_.size(); ++n) {
      loaded& l = all.emplace_back();
      l.m = read_text(oracle::output_of(oracle::nvdisasm() + " -c " + cubins_[n]));
      const std::string bytes = toolchain::read_file(cubins_[n]);
      for (const function& f : l.m.functions) {
        l.functions.emplace_back(l.m, f);
        l.controls.push_back(read_controls(l.m, f, bytes));
      }
    }
    for (const loaded& l : all)
      for (std::size_t i = 0; i < l.functions.size(); ++i) visit(l.functions[i], l.controls[i]);
  }

  std::vector<std::string> cubins_;
};

void expect_none(const findings& found, int at_least) {
  EXPECT_GT(found.pairs, at_least);
  EXPECT_EQ(found.violations, 0);
  for (const std::string& text : found.first) ADD_FAILURE() << text;
}

TEST_F(sass_control_in_cubins, results_are_waited_for) {
  findings found, blind;
  for_each_function([&](const code_under_test& c, std::vector<control> controls) {
    check_scoreboards(c, controls, found);
    for (control& one : controls) one.wait_mask = 0;
    check_scoreboards(c, controls, blind);
  });
  expect_none(found, 500);
  // Without the wait masks the check must object to nearly everything.
  EXPECT_GT(blind.violations, blind.pairs * 9 / 10);
}

TEST_F(sass_control_in_cubins, operands_are_read_before_they_are_overwritten) {
  findings found, blind;
  for_each_function([&](const code_under_test& c, std::vector<control> controls) {
    check_operands(c, controls, found);
    for (control& one : controls) one.wait_mask = 0;
    check_operands(c, controls, blind);
  });
  expect_none(found, 50);
  EXPECT_GT(blind.violations, blind.pairs * 9 / 10);
}

TEST_F(sass_control_in_cubins, fixed_latency_is_kept) {
  findings found, blind;
  std::map<std::string, unsigned> least, unused;
  for_each_function([&](const code_under_test& c, std::vector<control> controls) {
    check_stalls(c, controls, found, least);
    for (control& one : controls) one.stall = 1;
    check_stalls(c, controls, blind, unused);
  });
  expect_none(found, 500);
  EXPECT_GT(blind.violations, blind.pairs / 3);
  // ptxas keeps no more than it must: somewhere the next instruction but three is the consumer.
  for (const char* base : {"FFMA", "IADD3"}) {
    ASSERT_TRUE(least.contains(base)) << base;
    EXPECT_LE(least[base], 6u) << base;
  }
}

// A scoreboard has six numbers; 6 stands nowhere, 7 is none.
TEST_F(sass_control_in_cubins, barriers_are_in_range) {
  int all = 0;
  for_each_function([&](const code_under_test& c, const std::vector<control>& controls) {
    ASSERT_EQ(controls.size(), c.f.instructions.size()) << c.f.name;
    for (const control& one : controls) {
      ++all;
      EXPECT_NE(one.write_barrier, 6u) << c.f.name;
      EXPECT_NE(one.read_barrier, 6u) << c.f.name;
    }
  });
  EXPECT_GT(all, 1000);
}

// ---- bad input

TEST_F(sass_control_in_cubins, damaged_cubins) {
  const std::string& path = cubins_.back();
  const std::string bytes = toolchain::read_file(path);
  module m = read_text(oracle::output_of(oracle::nvdisasm() + " -c " + path));
  function& f = m.functions.front();
  const auto message = [&](std::string_view cubin) -> std::string {
    try {
      read_controls(m, f, cubin);
    } catch (const error& e) {
      return e.what();
    }
    return "read";
  };
  EXPECT_EQ(message(bytes), "read");
  EXPECT_EQ(message(""), "cubin: not an ELF file");
  EXPECT_EQ(message("MZ" + bytes), "cubin: not an ELF file");
  std::string other_machine = bytes;
  other_machine[18] = 62;  // x86-64
  EXPECT_EQ(message(other_machine), "cubin: not a 64-bit CUDA ELF file");
  // Cut off anywhere: an error, or the same answer if nothing that matters is gone; never a crash.
  const auto whole = read_controls(m, f, bytes);
  int refused = 0;
  for (std::size_t n = 0; n < bytes.size(); n += 61) {
    const std::string said = message(std::string_view(bytes).substr(0, n));
    if (said == "read") {
      EXPECT_EQ(read_controls(m, f, std::string_view(bytes).substr(0, n)).size(), whole.size());
    } else {
      ++refused;
      EXPECT_EQ(said.substr(0, 7), "cubin: ");
    }
  }
  EXPECT_GT(refused, 10);

  // No such section; a section that ends within the function; instructions of 8 bytes.
  const std::string name = f.name;
  f.name = "nothing_of_this_name";
  f.section = none;
  EXPECT_EQ(message(bytes), "cubin: no code of nothing_of_this_name");
  f.name = name;
  instruction last = f.instructions.back();
  for (int i = 0; i < 100'000; ++i) {
    last.address += 16;
    f.instructions.push_back(last);
  }
  EXPECT_EQ(message(bytes), "cubin: cut off");
  for (std::size_t i = 0; i < f.instructions.size(); ++i)
    f.instructions[i].address = static_cast<std::uint32_t>(8 * i);
  EXPECT_NE(message(bytes).find("instructions are not 16 bytes wide"), std::string::npos);
}

}  // namespace
}  // namespace ptxlab::sass
