// SPDX-License-Identifier: Apache-2.0
// Kernels of two blocks that share a cluster, around a few lines of PTX, and what became of them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine::clusters {

using u32 = std::uint32_t;
using words = std::vector<u32>;

/// A kernel of clusters of two blocks, unless the header says otherwise. %rank, %other (the other's
/// rank), %w (the address of `word` in the other block, shared), %g (the same, generic), %out.
inline std::string kernel(const std::string& body,
                          const std::string& header = ".reqnctapercluster 2") {
  return ".visible .entry k(.param .u64 to) " + header + R"( {
  .reg .pred %p<4>; .reg .b32 %r<9>, %rank, %other, %w; .reg .b64 %rd<9>, %g, %out;
  .shared .align 8 .b32 word[8];
  ld.param.u64 %out, [to];
  mov.u32 %rank, %cluster_ctarank;
  xor.b32 %other, %rank, 1;
  mapa.shared::cluster.u32 %w, word, %other;
  cvt.u64.u32 %g, %w;
  cvta.shared::cluster.u64 %g, %g;
  setp.eq.u32 %p3, %rank, 0;
)" + body +
         "\n  ret;\n}";
}
inline constexpr const char* sync = "barrier.cluster.arrive; barrier.cluster.wait;\n";

struct ran {
  run_report report;
  words out;
  std::string verdict, missing;
};
inline ran run(const std::string& text, u32 blocks = 2, u32 threads = 1,
               const std::function<void(launch&)>& change = {}) {
  machine_fixture m(text);
  race_detector races;
  m.how.observers = {&races};
  if (change) change(m.how);
  const address out = m.buffer(words(64), "out");
  ran r{m.run("k", blocks, threads, {out}), {}, {}, {}};
  r.out = m.read<u32>(out, 64);
  r.verdict = verdict_of(races.report());
  r.missing = missing_of(races.report());
  return r;
}
inline void expect_fault(const ran& r, const std::string& text) {
  EXPECT_EQ(name(r.report.how), name(ending::fault));
  EXPECT_NE(r.report.reason.find(text), std::string::npos) << r.report.reason;
}

}  // namespace ptxlab::machine::clusters
