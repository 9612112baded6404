// SPDX-License-Identifier: Apache-2.0
// Holds the control flow of lowered SASS to an independent source: the graph of basic blocks that
// `nvdisasm -bbcfg` prints in the dot language.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "tests/unit/sass/oracle.hpp"

namespace ptxlab::sass {
namespace {

struct node {
  std::vector<std::uint32_t> offsets;
  std::set<std::string> successors;
};
using cluster = std::map<std::string, node>;

// Instruction offsets in a label: "0050:" behind "{<entry>", "\l" or "<exit0>".
std::vector<std::uint32_t> offsets_of(std::string_view label) {
  std::vector<std::uint32_t> out;
  for (std::size_t at = 0; at < label.size(); ++at) {
    const bool begins = at > 1 && (label[at - 1] == '>' || label.substr(at - 2, 2) == "\\l");
    if (!begins || !std::isxdigit(static_cast<unsigned char>(label[at]))) continue;
    const std::size_t end = label.find_first_not_of("0123456789abcdef", at);
    if (end != label.npos && end - at >= 4 && label[end] == ':')
      out.push_back(static_cast<std::uint32_t>(
          std::stoul(std::string(label.substr(at, end - at)), nullptr, 16)));
  }
  return out;
}

std::string quoted(std::string_view line) {
  const std::size_t open = line.find('"');
  return std::string(line.substr(open + 1, line.find('"', open + 1) - open - 1));
}

std::map<std::string, cluster> read_dot(std::string_view dot) {
  std::map<std::string, cluster> out;
  cluster* here = nullptr;
  node* current = nullptr;
  while (!dot.empty()) {
    const std::size_t end = dot.find('\n');
    const std::string_view line = dot.substr(0, end);
    dot.remove_prefix(end == dot.npos ? dot.size() : end + 1);
    if (line.starts_with("subgraph \"cluster_")) {
      here = &out[quoted(line).substr(8)];
    } else if (here != nullptr && line.starts_with("[label=") && current != nullptr) {
      current->offsets = offsets_of(line);
    } else if (here != nullptr && line.starts_with('"')) {
      const std::size_t arrow = line.find(" -> ");
      if (arrow == line.npos)
        current = &(*here)[quoted(line)];
      else
        (*here)[quoted(line)].successors.insert(quoted(line.substr(arrow)));
    }
  }
  return out;
}

std::set<std::uint32_t> successors(const function& f, const flow::code& c, std::uint32_t i) {
  std::set<std::uint32_t> out;
  const flow::op& o = c.ops[i];
  const auto address = [&](std::uint32_t n) { return f.instructions[n].address; };
  if ((o.then == flow::transfer::next || o.guarded) && i + 1 < c.ops.size())
    out.insert(address(i + 1));
  if (o.then == flow::transfer::jump && o.target != flow::nowhere) out.insert(address(o.target));
  for (const auto& [from, to] : c.indirect_targets)
    if (from == i) out.insert(address(to));
  return out;
}

std::string spelled(const std::set<std::uint32_t>& set) {
  std::string out;
  for (const std::uint32_t a : set) out += fmt::format("{:#x} ", a);
  return out;
}

TEST(sass_graph, edges_agree_with_nvdisasm) {
  if (oracle::nvdisasm().empty()) GTEST_SKIP() << "PTXLAB_NVDISASM names no nvdisasm";
  std::string why;
  const auto& cubins = oracle::cubins(why);
  if (cubins.empty()) GTEST_SKIP() << why;
  for (const std::string& cubin : cubins) {
    const module m = read_text(oracle::output_of(oracle::nvdisasm() + " -c " + cubin));
    const auto dot = read_dot(oracle::output_of(oracle::nvdisasm() + " -bbcfg -poff " + cubin));
    std::size_t nodes = 0;
    for (const function& f : m.functions) {
      const auto it = dot.find(f.name);
      if (it == dot.end()) continue;
      const flow::code c = lower(m, f);
      for (const auto& [name, n] : it->second) {
        if (n.offsets.empty()) continue;
        std::set<std::uint32_t> expected;
        for (const std::string& s : n.successors) {
          const auto to = it->second.find(s);
          if (to != it->second.end() && !to->second.offsets.empty())
            expected.insert(to->second.offsets.front());
        }
        const std::uint32_t last = (n.offsets.back() - f.start) / 16;
        const std::string_view base = m.code_of(f.instructions[last]).base;
        // A trap ends the kernel; nvdisasm lets it go on, into padding too.
        if (base == "BPT") continue;
        // nvdisasm draws the call of a function to itself as an edge.
        if (base == "CALL") expected.erase(f.start);
        ASSERT_LT(last, c.ops.size()) << f.name << " " << name;
        EXPECT_EQ(spelled(successors(f, c, last)), spelled(expected))
            << cubin << " " << f.name << " " << name << " " << m.code_of(f.instructions[last]).text;
        ++nodes;
      }
    }
    EXPECT_GT(nodes, 10u) << cubin;
  }
}

}  // namespace
}  // namespace ptxlab::sass
