// SPDX-License-Identifier: Apache-2.0
// Holds the decoder's reads and writes to an independent source: the register life ranges that
// `nvdisasm -plr` prints beside every instruction (^ written, v read, x both, : alive).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sass/decode.hpp"
#include "analysis/sass/reader.hpp"
#include "tests/unit/sass/oracle.hpp"

namespace ptxlab::sass {
namespace {

template <typename F>
void for_each_cell(std::string_view row, F f) {
  for (std::size_t at = 0, cell = 0; at < row.size(); ++cell) {
    const std::size_t bar = std::min(row.find('|', at), row.size());
    f(cell, at, bar);
    at = bar + 1;
  }
}

/// Which character of a row shows which register.
struct life_table {
  std::vector<std::pair<std::size_t, register_id>> columns;

  /// From the row of names ("GPR | PRED | UGPR | UPRED") and that of numbers below it.
  life_table(std::string_view names, std::string_view numbers) {
    std::vector<register_file> files;
    for_each_cell(names, [&](std::size_t, std::size_t begin, std::size_t end) {
      const std::string_view name = names.substr(begin, end - begin);
      const bool uniform = name.find("UGPR") != name.npos || name.find("UPRED") != name.npos;
      const bool predicates = name.find("PRED") != name.npos;
      files.push_back(uniform
                          ? (predicates ? register_file::uniform_predicate : register_file::uniform)
                          : (predicates ? register_file::predicate : register_file::gpr));
    });
    for_each_cell(numbers, [&](std::size_t cell, std::size_t at, std::size_t end) {
      while (at < end) {
        unsigned value = 0;
        const std::size_t begin = at;
        for (; at < end && std::isdigit(static_cast<unsigned char>(numbers[at])); ++at)
          value = value * 10 + static_cast<unsigned>(numbers[at] - '0');
        if (at > begin && cell < files.size())
          columns.emplace_back(at - 1, make_id(files[cell], value));
        ++at;
      }
    });
  }
};

std::string spelled(register_id r) {
  if (r >= 520) return fmt::format("UP{}", r - 520);
  if (r >= 512) return fmt::format("P{}", r - 512);
  return r >= 256 ? fmt::format("UR{}", r - 256) : fmt::format("R{}", r);
}

std::string spelled(const std::set<register_id>& set) {
  std::string out;
  for (const register_id r : set) out += spelled(r) + " ";
  return out;
}

struct life {
  std::set<register_id> reads, writes;
};

/// `nvdisasm -plr` taken apart: the plain disassembly, and what each instruction's row marks.
struct life_dump {
  std::string text;
  std::vector<life> rows;

  explicit life_dump(std::string_view dump) {
    std::string_view names;
    std::vector<life_table> table;
    while (!dump.empty()) {
      const std::size_t end = dump.find('\n');
      const std::string_view line = dump.substr(0, end);
      dump.remove_prefix(end == dump.npos ? dump.size() : end + 1);
      const std::size_t split = line.find("// |");
      text.append(line.substr(0, std::min(split, line.find("// +")))) += '\n';
      if (split == line.npos) continue;
      const std::string_view row = line.substr(split + 4);
      if (row.find("GPR") != row.npos) names = row;
      if (row.find('#') != row.npos) table.assign(1, life_table(names, row));
      if (line.find("/*") == line.npos || table.empty()) continue;
      life& l = rows.emplace_back();
      for (const auto& [at, r] : table[0].columns) {
        const char mark = at < row.size() ? row[at] : ' ';
        if (mark == 'v' || mark == 'x') l.reads.insert(r);
        if (mark == '^' || mark == 'x') l.writes.insert(r);
      }
    }
  }
};

/// Differences by opcode: how many, and the first.
using differences = std::map<std::string, std::pair<int, std::string>>;

std::set<register_id> without_barriers(const std::vector<register_id>& all) {
  std::set<register_id> out;
  for (const register_id r : all)
    if (r < first_of_file[static_cast<int>(register_file::barrier)]) out.insert(r);
  return out;
}

// Where nvdisasm 13.2 marks something else than the instruction does, and we know why.
bool is_known_exception(const module& m, const opcode& code, const decoded& d, const life& truth,
                        const std::set<register_id>& reads, const std::set<register_id>& writes) {
  // Calls: the table marks what the analysis found alive in the callee. RET: likewise.
  if (d.op.what == flow::kind::call || code.base == "RET") return true;
  // R2P and P2R: the table shows no predicate for either.
  if (code.base == "R2P") return reads == truth.reads;
  if (code.base == "P2R") return writes == truth.writes;
  // sm_87: the table leaves out UR2, which holds the flag of a work-around around indirect calls.
  if (m.arch == "sm_87" && (reads.contains(uniform(2)) || writes.contains(uniform(2)))) {
    auto r = reads, w = writes;
    r.erase(uniform(2));
    w.erase(uniform(2));
    return r == truth.reads && w == truth.writes;
  }
  // sm_80 to sm_89: global and generic accesses read a descriptor (a pair of uniform registers)
  // which the disassembly does not print.
  if (m.arch < "sm_90" && m.arch >= "sm_80" && m.arch.size() == 5 && writes == truth.writes) {
    std::set<register_id> printed = truth.reads;
    for (const register_id r : truth.reads)
      if (r >= 256 && r < 512 && !reads.contains(r)) printed.erase(r);
    return printed == reads && truth.reads.size() == reads.size() + 2;
  }
  // sm_100 and later: the table gives texture reads without a mask three registers, not four, and
  // TLD half of its handle.
  if (code.how.memory == flow::space::texture)
    return truth.writes.size() == 3 && writes.size() == 4
               ? reads == truth.reads
               : code.base == "TLD" && writes == truth.writes;
  return false;
}

int compare(const life_dump& dump, differences& out) {
  const module m = read_text(dump.text);
  std::size_t row = 0;
  decoded d;
  for (const function& f : m.functions) {
    for (const instruction& i : f.instructions) {
      if (row >= dump.rows.size()) return -1;
      const life& truth = dump.rows[row++];
      decode(m, i, d);
      const auto reads = without_barriers(d.reads), writes = without_barriers(d.writes);
      if (reads == truth.reads && writes == truth.writes) continue;
      if (is_known_exception(m, m.code_of(i), d, truth, reads, writes)) continue;
      auto& entry = out[m.code_of(i).text];
      if (entry.first++ == 0)
        entry.second = fmt::format("{} at {:#x}: {} reads {}not {}writes {}not {}", f.name,
                                   i.address, m.operands(i), spelled(reads), spelled(truth.reads),
                                   spelled(writes), spelled(truth.writes));
    }
  }
  return static_cast<int>(row);
}

TEST(sass_life_range, decoder_agrees_with_nvdisasm) {
  if (oracle::nvdisasm().empty()) GTEST_SKIP() << "PTXLAB_NVDISASM names no nvdisasm";
  std::string why;
  const auto& cubins = oracle::cubins(why);
  if (cubins.empty()) GTEST_SKIP() << why;
  for (const std::string& cubin : cubins) {
    differences found;
    const int rows =
        compare(life_dump(oracle::output_of(oracle::nvdisasm() + " -c -plr " + cubin)), found);
    EXPECT_GT(rows, 0) << cubin;
    for (const auto& [code, what] : found)
      ADD_FAILURE() << cubin << ": " << code << " (" << what.first << " times): " << what.second;
  }
}

// The comparison itself must notice a decoder that is wrong.
TEST(sass_life_range, comparison_notices_a_wrong_row) {
  constexpr const char* dump =
      "\t.target\tsm_90\n\t.section\t.text.f,\"ax\",@progbits\n"
      "        // |   GPR      | PRED  |\n"
      "        // |  # 0 1 2   |  # 0  |\n"
      "        .type           f,@function // |            |       |\n"
      "f:                                  // |            |       |\n"
      "        /*0000*/  IADD3 R0, R1, R2, RZ ;  // |  3 ^ v {}   |       |\n"
      "        /*0010*/  EXIT ;                  // |            |       |\n";
  differences found;
  EXPECT_EQ(compare(life_dump(fmt::format(fmt::runtime(dump), 'v')), found), 2);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(compare(life_dump(fmt::format(fmt::runtime(dump), ':')), found), 2);
  EXPECT_EQ(found.count("IADD3"), 1u);
}

}  // namespace
}  // namespace ptxlab::sass
