// SPDX-License-Identifier: Apache-2.0
// One matrix instruction on the machine: a kernel that executes it, and its run by one warp.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {

using words = std::vector<std::uint32_t>;

/// A kernel that loads the registers of the sources, executes, and stores those of the result:
/// register r of lane l is word 32 * r + l of its buffer.
inline std::string kernel_of(const std::string& opcode, const std::vector<unsigned>& registers) {
  std::string load, store, operands;
  const char* const names[] = {"d", "a", "b", "c"};
  for (std::size_t k = 0; k < registers.size(); ++k) {
    operands += k == 0 ? " {" : ", {";
    for (unsigned r = 0; r < registers[k]; ++r) {
      const std::string name = "%" + std::string(names[k]) + std::to_string(r);
      const std::string at = "[%rd" + std::to_string(k + 1) + "+" + std::to_string(128 * r) + "]";
      operands += (r == 0 ? "" : ", ") + name;
      if (k == 0)
        store += "  st.global.b32 " + at + ", " + name + ";\n";
      else
        load += "  ld.global.b32 " + name + ", " + at + ";\n";
    }
    operands += "}";
  }
  std::string text =
      ".visible .entry go(.param .u64 d, .param .u64 a, .param .u64 b, .param .u64 c) {\n"
      "  .reg .b32 %d<8>, %a<8>, %b<8>, %c<8>, %lane; .reg .b64 %rd<6>;\n"
      "  mov.u32 %lane, %tid.x;\n";
  for (std::size_t k = 0; k < registers.size(); ++k) {
    const std::string n = "%rd" + std::to_string(k + 1);
    text += "  ld.param.u64 " + n + ", [" + names[k] + "];\n  mad.wide.u32 " + n + ", %lane, 4, " +
            n + ";\n";
  }
  return text + load + "  " + opcode + operands + ";\n" + store + "  ret;\n}\n";
}

/// Runs the kernel with the words of its sources; `out` gets those of the result.
inline run_report run_words(const std::string& text, std::size_t result,
                            const std::vector<words>& sources, words& out) {
  machine_fixture m(text);
  const address d = m.buffer(words(result, 0xdeadbeef));
  std::vector<address> at;
  for (const words& w : sources) at.push_back(m.buffer(w));
  at.resize(3);
  const decoded& code = m.module.kernel("go");
  for (const unsupported& u : code.missing) ADD_FAILURE() << u.where.opcode << ": " << u.reason;
  out.assign(result, 0);
  if (!code.missing.empty()) return {};
  const run_report r = m.run("go", 1, 32, {d, at[0], at[1], at[2]});
  EXPECT_EQ(r.how, ending::finished) << r.reason;
  out = m.read<std::uint32_t>(d, result);
  return r;
}

}  // namespace ptxlab::machine
