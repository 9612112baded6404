// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the expectation language, read and applied to a kernel.
#pragma once

#include "analysis/verdict/evaluate.hpp"
#include "analysis/verdict/scan.hpp"
#include "tests/fuzz/stages.hpp"

namespace ptxlab::fuzz {

/// One kernel with a polling loop at both stages.
inline facts::report waiting_kernel() {
  facts::loop l;
  l.id = "L1";
  l.file = "seed.cu";
  l.line = 12;
  l.exit = "load";
  l.instructions = 4;
  l.polls.push_back({"global", 32, "strong.gpu", "param+0", true, 12});
  facts::kernel k;
  k.name = k.demangled = "seed";
  k.res.registers = 6;
  k.ptx.known = k.sass.known = true;
  k.sass.opcodes["LDG.E.STRONG.GPU"] = 1;
  k.occ.push_back({256, 8, 64, 1.0, "warps"});
  k.ptx.loops.push_back(l);
  k.sass.loops.push_back(l);
  facts::loop_verdict v;
  v.file = "seed.cu";
  v.line = 12;
  v.verdict = "kept";
  v.ptx_loop = v.sass_loop = "L1";
  k.loops.push_back(v);
  k.findings.push_back({"spin-weak", "warning", "sass", "seed.cu", 12, "A sentence."});
  facts::report r;
  r.input = "seed.cu";
  r.arch = "sm_90";
  r.toolkit["nvcc"] = "13.0.88";
  r.kernels.push_back(k);
  return r;
}

/// The input as a file with EXPECT lines, and as clauses alone.
inline void expectation_target(std::string_view input) {
  static const facts::report report = waiting_kernel();
  try {
    verdict::evaluate(verdict::scan_text(input, "seed.cu"), report);
  } catch (const error&) {
  }
  try {
    verdict::evaluate(verdict::parse_clauses(input, "seed", {"--expect", 0, 1}), report);
  } catch (const error&) {
  }
}

}  // namespace ptxlab::fuzz
