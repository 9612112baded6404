// SPDX-License-Identifier: Apache-2.0
// Width and layout of elements: loads, sectors that a warp asks for, and what the device reads.
#include <fmt/format.h>

#include <array>

#include "analysis/report/barrier.hpp"
#include "analysis/report/memory.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// A kernel of memory/vectors: the loads of one element, as its expectations in the file hold them.
struct layout {
  const char* kernel;
  const char* says;
  const char* loads;
  unsigned bytes, used;  ///< of an element: in memory, wanted
  unsigned width;        ///< of a load
  unsigned count;        ///< of loads
  unsigned apart;        ///< loads lie so many bytes apart; 0: in arrays of their own
};
constexpr std::array<layout, 9> layouts{{
    {"arrays_one", "one array of floats", "LDG.E", 4, 4, 4, 1, 0},
    {"float2_all", "float2", "LDG.E.64", 8, 8, 8, 1, 0},
    {"aligned_four", "structure of 4 floats, aligned to 16", "LDG.E.128", 16, 16, 16, 1, 0},
    {"loose_four", "structure of 4 floats, not aligned", "4 LDG.E", 16, 16, 4, 4, 4},
    {"arrays_four", "4 arrays of floats", "4 LDG.E", 16, 16, 4, 4, 0},
    {"float3_all", "float3", "3 LDG.E", 12, 12, 4, 3, 4},
    {"float3_past_l1", "float3, past the L1", "3 LDG.E.STRONG.GPU", 12, 12, 4, 3, 4},
    {"float4_three", "3 members of a float4", "LDG.E.128", 16, 12, 16, 1, 0},
    {"aligned_one", "1 member of 4, aligned to 16", "LDG.E", 16, 4, 4, 1, 0},
}};

/// Sums over the loads of an element by one warp.
struct warp_cost {
  std::uint64_t cc10 = 0, cc12 = 0, sectors = 0, ideal = 0;
};
warp_cost cost_of(const layout& l) {
  warp_cost out;
  // Arrays of their own are read in order.
  const unsigned element = l.count > 1 && l.apart == 0 ? l.width : l.bytes;
  for (unsigned i = 0; i < l.count; ++i) {
    access_pattern p;
    p.bytes = l.width;
    p.stride = element / l.width;
    p.offset = std::uint64_t{i} * l.apart;
    const machine::warp_transactions t = transactions_of(p);
    out.cc10 += t.cc10.sum().transactions;
    out.cc12 += t.cc12.sum().transactions;
    out.sectors += t.sectors;
  }
  out.ideal = std::uint64_t{l.used} * machine::warp_lanes / machine::sector_bytes;
  return out;
}

const measurement* bandwidth_of(const section& s, const layout& l) {
  return find(s, std::string("memory/vectors/") + l.kernel, "bandwidth");
}

}  // namespace

std::vector<table> vector_tables(const topic_context& c) {
  table out{"All SMs read elements from DRAM",
            {{"element", false, true},
             {"loads"},
             {"CC 1.0", true},
             {"CC 1.2", true},
             {"sectors", true},
             {"needed", true},
             {"GB/s read", true},
             {"GB/s used", true},
             {"ns per 1000 elements", true, true}},
            {}};
  for (const layout& l : layouts) {
    const warp_cost cost = cost_of(l);
    line row{{l.says, l.loads, std::to_string(cost.cc10), std::to_string(cost.cc12),
              std::to_string(cost.sectors), std::to_string(cost.ideal)},
             {}};
    const measurement* m = bandwidth_of(c.of, l);
    row.cells.push_back(value_cell(m, 0, row.notes));
    if (m != nullptr && m->ok()) {
      const double gb = m->row().value->median;
      row.cells.push_back(fixed(gb * l.used / l.bytes, 0));
      row.cells.push_back(fixed(1000.0 * l.bytes / gb, 3));
    } else {
      row.cells.insert(row.cells.end(), 2, absent);
    }
    out.lines.push_back(std::move(row));
  }
  return {out};
}

std::vector<figure> vector_figures(const topic_context& c) {
  std::vector<bar> all;
  for (const layout& l : layouts) {
    const measurement* m = bandwidth_of(c.of, l);
    bar b{l.says, {}};
    if (m != nullptr && m->ok()) b.value = m->row().value->median * l.used / l.bytes;
    all.push_back(std::move(b));
  }
  return bars(c, "vectors-used", "Bytes that are used, of elements read from DRAM", "GB/s", all);
}

}  // namespace ptxlab::report
