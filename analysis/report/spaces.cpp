// SPDX-License-Identifier: Apache-2.0
// Constant and local memory, and one table of latencies for every space and cache.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/memory.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/tables.hpp"

namespace ptxlab::report {
namespace {

using axes_map = std::map<std::string, double>;

// ---- constant memory

std::vector<double> values_of(const section& s, const std::string& prefix,
                              const std::string& axis) {
  std::set<double> out;
  for (const measurement& m : s.measurements)
    if (m.row().id.starts_with(prefix) && m.row().quantity != "plateau" &&
        m.row().axes.contains(axis))
      out.insert(m.row().axes.at(axis));
  return {out.begin(), out.end()};
}

std::optional<double> median_of(const measurement* m) {
  return m != nullptr && m->ok() ? std::optional(m->row().value->median) : std::nullopt;
}

std::string cell_or_nothing(const measurement* m, std::vector<std::string>& notes) {
  return m == nullptr ? absent : value_cell(m, 1, notes);
}

const std::string constant_chain = "memory/constant/words_of_a_warp";
const std::string constant_rate = "throughput/constant/words_of_a_warp";

std::optional<double> cycles_of_rate(const measurement* m) {
  const auto rate = median_of(m);
  return rate && *rate > 0 ? std::optional(32 / *rate) : std::nullopt;
}

// ---- local memory

/// A kernel of local/cost, what its round does, and which does the same in the least time.
struct local_round {
  const char *kernel, *says, *best;
};
constexpr std::array<local_round, 5> local_rounds{{
    {"registers_enough", "48 values, mixed: they fit the registers", "registers_enough"},
    {"registers_spilled", "48 values, mixed: 32 registers", "registers_enough"},
    {"table_local", "32 counters, indexed: local memory", "table_shared"},
    {"table_registers", "32 counters, indexed: registers", "table_shared"},
    {"table_shared", "32 counters, indexed: shared memory", "table_shared"},
}};

// ---- every space

/// A level and the rows that tell it.
struct level {
  const char* space;
  const char* what;
  const char* id;
  const char* quantity;
  axes_map at;
  const char* then = "";  ///< row of the historical table of costs that speaks of it
};

const std::vector<level>& levels() {
  static const std::vector<level> all = {
      {"registers", "a dependent addition", "latency/fp32/add_rn_f32", "latency", {}},
      {"registers",
       "of another lane, by a shuffle",
       "latency/warp/shfl_sync_idx_b32",
       "latency",
       {}},
      {"shared", "a word, by its address", "memory/shared/pointer", "latency", {}, "shared"},
      {"shared", "a word, by an index", "memory/shared/index", "latency", {}},
      {"shared",
       "of another block of the cluster",
       "memory/shared/cluster_other_block",
       "latency",
       {}},
      {"local", "an indexed word in L1", "memory/local/index", "latency", {}},
      {"constant",
       "nearest cache, one word",
       "memory/constant/index",
       "latency",
       {{"footprint_bytes", 1024}}},
      {"constant",
       "second cache, one word",
       "memory/constant/index",
       "latency",
       {{"footprint_bytes", 16384}}},
      {"constant",
       "nearest cache, 32 words",
       "memory/constant/index_by_lane",
       "latency",
       {{"footprint_bytes", 2048}}},
      {"constant",
       "second cache, 32 words",
       "memory/constant/index_by_lane",
       "latency",
       {{"footprint_bytes", 65536}}},
      {"texture", "a texel in L1", "memory/texture/index", "latency", {{"footprint_bytes", 16384}}},
      {"texture",
       "a texel in L2",
       "memory/texture/index",
       "latency",
       {{"footprint_bytes", 4194304}}},
      {"global", "in L1, by its address", "memory/l1/pointer", "latency", {}},
      {"global", "in L1, by an index", "memory/l1/index", "latency", {}},
      {"global", "in L2, its near half", "memory/l2/single_word", "near latency", {}},
      {"global", "in L2, its far half", "memory/l2/single_word", "far latency", {}},
      {"global",
       "in L2, a ring of 4 MiB",
       "memory/l2/pointer",
       "latency",
       {{"footprint_bytes", 4194304}}},
      {"global", "in DRAM, every 32 bytes in order", "memory/dram/sequential_32", "latency", {}},
      {"global", "in DRAM, in random order", "memory/dram/random_ring", "plateau", {}, "global"},
      {"global", "an atomic addition in L2", "atomic/global/add_gpu_u32", "latency", {}},
      {"shared", "an atomic addition", "atomic/shared/add_u32", "latency", {}},
  };
  return all;
}

/// "400 to 600" of 2009; nothing where the document does not say.
std::string then_of(const level& l, const historical& then) {
  const std::string table = "instruction cost (G80)";
  if (std::string(l.then) == "global") {
    const std::string row = "global memory access, added latency";
    const historical_value *low = then.find(table, row, "low"),
                           *high = then.find(table, row, "high");
    if (low != nullptr && high != nullptr)
      return fmt::format("{} to {}", exact(low->value), exact(high->value));
  }
  if (std::string(l.then) == "shared")
    if (const historical_value* v = then.find(table, "shared memory access", "clocks per warp"))
      return fmt::format("{} (issue)", exact(v->value));
  return absent;
}

}  // namespace

std::vector<table> constant_levels(const topic_context& c) {
  table out{"A ring through constant memory, a link every 64 bytes: cycles of a load",
            {{"footprint", true},
             {"one word", true},
             {"one word, behind an offset", true},
             {"a word for each lane", true}},
            {}};
  for (const double bytes : values_of(c.of, "memory/constant/", "footprint_bytes")) {
    const axes_map at = {{"footprint_bytes", bytes}};
    line l{{bytes_text(bytes)}, {}};
    for (const char* kernel : {"index", "index_at_offset", "index_by_lane"})
      l.cells.push_back(cell_or_nothing(
          find(c.of, std::string("memory/constant/") + kernel, "latency", at), l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += std::string(": ") + not_measured_text;
  return {out};
}

std::vector<table> constant_words(const topic_context& c) {
  table out{"The lanes of a warp read different words of constant memory",
            {{"words", true}, {"cycles of a chain", true}, {"cycles of an access", true}},
            {}};
  for (const double words : values_of(c.of, constant_chain, "words")) {
    const axes_map at = {{"words", words}};
    const measurement* rate = find(c.of, constant_rate, "throughput", at);
    line l{{exact(words)}, {}};
    l.cells.push_back(value_cell(find(c.of, constant_chain, "latency", at), 1, l.notes));
    const auto cycles = cycles_of_rate(rate);
    l.cells.push_back(cycles ? fixed(*cycles, 1) : value_cell(rate, 1, l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += std::string(": ") + not_measured_text;
  return {out};
}

std::vector<figure> constant_figures(const topic_context& c) {
  curve chain{"a chain", {}}, rate{"an access of many", {}};
  for (const double words : values_of(c.of, constant_chain, "words")) {
    const axes_map at = {{"words", words}};
    if (const auto v = median_of(find(c.of, constant_chain, "latency", at)))
      chain.points.emplace_back(words, *v);
    if (const auto v = cycles_of_rate(find(c.of, constant_rate, "throughput", at)))
      rate.points.emplace_back(words, *v);
  }
  return curves_over(c, "constant-words", "Constant memory: different words that a warp reads",
                     "different words", "cycles", {chain, rate},
                     "set xtics (1, 2, 4, 8, 16, 32)\n");
}

std::vector<table> local_tables(const topic_context& c) {
  table out{"A round of 2048 threads for every SM",
            {{"values", false, true},
             {"registers", true},
             {"spill code", true},
             {"ns a round", true},
             {"times the best of its kind", true, true}},
            {}};
  for (const local_round& k : local_rounds) {
    const measurement* m = find(c.of, std::string("local/cost/") + k.kernel, "time");
    const auto best = median_of(find(c.of, std::string("local/cost/") + k.best, "time"));
    line l{{k.says}, {}};
    const results::resources uses = m == nullptr ? results::resources{} : m->row().uses;
    l.cells.push_back(uses.registers ? std::to_string(*uses.registers) : absent);
    l.cells.push_back(uses.spill_bytes ? fmt::format("{} B", *uses.spill_bytes) : absent);
    l.cells.push_back(value_cell(m, 1, l.notes));
    const auto mine = median_of(m);
    l.cells.push_back(mine && best ? fixed(*mine / *best, 2) : absent);
    out.lines.push_back(std::move(l));
  }
  return {out};
}

std::vector<figure> local_figures(const topic_context& c) {
  std::vector<bar> all;
  for (const local_round& k : local_rounds)
    all.push_back({k.says, median_of(find(c.of, std::string("local/cost/") + k.kernel, "time"))});
  return bars(c, "local-rounds", "A round of 2048 threads for every SM: registers and local memory",
              "ns", all, true);
}

std::vector<table> space_tables(const topic_context& c) {
  table out{"From one dependent access to the next",
            {{"space"}, {"what", false, true}, {"cycles", true}, {"ns", true}, {"2009", true}},
            {}};
  for (const level& l : levels()) {
    const measurement* m = find(c.of, l.id, l.quantity, l.at);
    line row{{l.space, l.what}, {}};
    row.cells.push_back(value_cell(m, 1, row.notes));
    const auto ns = m != nullptr && m->ok()
                        ? nanoseconds(m->row().value->median, m->row().sm_clock_mhz)
                        : std::nullopt;
    row.cells.push_back(ns ? fixed(*ns, 1) : absent);
    row.cells.push_back(then_of(l, c.then));
    out.lines.push_back(std::move(row));
  }
  return {out};
}

std::vector<figure> space_figures(const topic_context& c) {
  std::vector<bar> all;
  for (const level& l : levels())
    all.push_back(
        {fmt::format("{}: {}", l.space, l.what), median_of(find(c.of, l.id, l.quantity, l.at))});
  std::stable_sort(all.begin(), all.end(), [](const bar& a, const bar& b) {
    return a.value.value_or(0) < b.value.value_or(0);
  });
  return bars(c, "spaces-latency", "Every memory space: from one dependent access to the next",
              "cycles", all, true);
}

}  // namespace ptxlab::report
