// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/registers.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "ptx/flow/graph.hpp"
#include "ptx/machine/type.hpp"
#include "ptx/text/lower.hpp"

namespace ptxlab::machine {
namespace {

using bit_set = std::vector<std::uint64_t>;

bool has(const bit_set& s, std::uint32_t i) {
  return (s[i / 64] >> i % 64 & 1) != 0;
}
void put(bit_set& s, std::uint32_t i) {
  s[i / 64] |= std::uint64_t{1} << i % 64;
}

class placing {
 public:
  placing(const ptx::module& m, const ptx::function& f)
      : f_(f), code_(ptx::lower(m, f)), graph_(code_) {}

  register_places run() {
    find_live();
    find_intervals();
    return place();
  }

 private:
  /// The block-wise sets: read before written, written for sure, live at the begin and at the end.
  void find_live() {
    const std::size_t words = (code_.reg_count + 63) / 64;
    const std::size_t n = graph_.size();
    live_in_.assign(n, bit_set(words));
    live_out_.assign(n, bit_set(words));
    std::vector<bit_set> reads(n, bit_set(words)), writes(n, bit_set(words));
    for (std::uint32_t b = 0; b < n; ++b)
      for (std::uint32_t i = graph_[b].begin; i < graph_[b].end; ++i) {
        const flow::op& o = code_.ops[i];
        for (const flow::reg r : code_.reads(o))
          if (!has(writes[b], r)) put(reads[b], r);
        if (!o.guarded)
          for (const flow::reg r : code_.writes(o)) put(writes[b], r);
      }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t b = static_cast<std::uint32_t>(n); b-- > 0;)
        for (std::size_t w = 0; w < words; ++w) {
          std::uint64_t out = live_out_[b][w];
          for (const std::uint32_t s : graph_.successors(b)) out |= live_in_[s][w];
          const std::uint64_t in = reads[b][w] | (out & ~writes[b][w]);
          changed = changed || out != live_out_[b][w] || in != live_in_[b][w];
          live_out_[b][w] = out;
          live_in_[b][w] = in;
        }
    }
  }

  void find_intervals() {
    lives_.assign(code_.reg_count, {});
    const auto extend = [&](flow::reg r, std::uint32_t at) {
      lives_[r].first = std::min(lives_[r].first, at);
      lives_[r].last = std::max(lives_[r].last, at);
      lives_[r].used = true;
    };
    for (std::uint32_t i = 0; i < code_.ops.size(); ++i) {
      for (const flow::reg r : code_.reads(code_.ops[i])) extend(r, i);
      for (const flow::reg r : code_.writes(code_.ops[i])) extend(r, i);
    }
    for (std::uint32_t b = 0; b < graph_.size(); ++b)
      for (flow::reg r = 0; r < code_.reg_count; ++r) {
        if (has(live_in_[b], r)) extend(r, graph_[b].begin);
        if (has(live_out_[b], r)) extend(r, graph_[b].end - 1);
      }
  }

  register_places place() {
    register_places out;
    out.at.assign(f_.register_count, no_slot);
    std::vector<std::uint32_t> order;
    for (std::uint32_t r = 0; r < f_.register_count; ++r)
      if (lives_[r].used) order.push_back(r);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return lives_[a].first != lives_[b].first ? lives_[a].first < lives_[b].first : a < b;
    });
    std::multimap<std::uint32_t, std::uint32_t> ends;  // last use, register
    std::map<std::uint32_t, std::vector<slot>> free;   // by size in slots
    for (const std::uint32_t r : order) {
      while (!ends.empty() && ends.begin()->first < lives_[r].first) {
        const std::uint32_t over = ends.begin()->second;
        free[size_of(over)].push_back(out.at[over]);
        ends.erase(ends.begin());
      }
      auto& fitting = free[size_of(r)];
      if (fitting.empty()) {
        out.at[r] = out.slots;
        out.slots += size_of(r);
      } else {
        out.at[r] = fitting.back();
        fitting.pop_back();
      }
      ends.emplace(lives_[r].last, r);
    }
    for (std::uint32_t r = 0; r < f_.register_count && graph_.size() > 0; ++r)
      if (has(live_in_[0], r)) out.unset.push_back(r);
    return out;
  }

  /// Slots of a register: 32 lanes of its width; 8-bit registers are kept as 16 bits.
  std::uint32_t size_of(std::uint32_t r) const {
    const std::optional<type> t = type_named(f_.register_type(r));
    const unsigned width = t ? std::max(bits(*t), 16U) : 64;
    return std::max(1U, width * warp_lanes / 8 / slot_bytes);
  }

  struct life {
    std::uint32_t first = 0xffffffff, last = 0;
    bool used = false;
  };
  const ptx::function& f_;
  const flow::code code_;
  const flow::graph graph_;
  std::vector<bit_set> live_in_, live_out_;
  std::vector<life> lives_;
};

}  // namespace

register_places place_registers(const ptx::module& m, const ptx::function& f) {
  if (f.instructions.empty()) return {std::vector<slot>(f.register_count, no_slot), 0, {}};
  return placing(m, f).run();
}

}  // namespace ptxlab::machine
