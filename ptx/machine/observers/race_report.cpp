// SPDX-License-Identifier: Apache-2.0
// Counting, sorting and printing of races.
#include "ptx/machine/observers/race_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ptxlab::machine {

bool race_tally::add(const pair& p) {
  const auto [it, first] = rows_.try_emplace(row_key{p.a, p.b, p.kind});
  row& r = it->second;
  if (first) {
    r.result.kind = p.kind;
    r.result.a = p.a;
    r.result.b = p.b;
    r.result.space = p.space;
    r.result.thread_a = p.thread_a;
    r.result.thread_b = p.thread_b;
    r.result.same_value = true;
    r.at = p.word;
    r.owner = p.owner;
  }
  r.result.pairs += p.count;
  r.result.same_value &= p.same_value;
  // Shared words of different blocks are different words.
  const bool shared = p.space == flow::space::shared;
  const std::uint32_t owner = p.owner == access::own ? p.thread_b.block : p.owner;
  r.words.insert(p.word / 4 | (shared ? std::uint64_t{owner} << 32 | 1ULL << 63 : 0));
  for (const race_thread& t : {p.thread_a, p.thread_b}) {
    r.warps.insert(std::uint64_t{t.block} << 8 | t.warp);
    r.blocks.insert(t.block);
  }
  return first;
}

void race_tally::explain(const pair& p, const race_cause& c) {
  const auto it = rows_.find(row_key{p.a, p.b, p.kind});
  if (it != rows_.end()) it->second.result.cause = c;
}

std::vector<race> race_tally::races(std::span<const site> sites, const place_names& names) const {
  std::vector<race> list;
  for (const auto& [key, seen] : rows_) {
    race r = seen.result;
    r.words = seen.words.size();
    r.warps = seen.warps.size();
    r.blocks = seen.blocks.size();
    r.where = names.name(r.space, seen.at);
    if (r.space == flow::space::shared && seen.owner != access::own)
      r.where.name += fmt::format(" of block {}", seen.owner);
    list.push_back(std::move(r));
  }
  const auto order = [&](std::uint32_t s) {
    if (s >= sites.size()) return std::tuple(std::string_view{}, 0U, 0U, s);
    return std::tuple(sites[s].file, sites[s].line, sites[s].ptx_line, s);
  };
  std::stable_sort(list.begin(), list.end(), [&](const race& x, const race& y) {
    return std::tuple(order(x.a), order(x.b), x.kind) < std::tuple(order(y.a), order(y.b), y.kind);
  });
  return list;
}

const char* name(race_kind k) {
  switch (k) {
    case race_kind::between_blocks:
      return "race between blocks";
    case race_kind::between_warps:
      return "race between warps";
    case race_kind::within_warp:
      return "race within a warp";
    case race_kind::one_instruction:
      return "intra-instruction write conflict";
  }
  return "race";
}

namespace {

std::string spelled(std::uint32_t s, std::span<const site> sites) {
  if (s >= sites.size()) return "an unknown instruction";
  return fmt::format("{} {}", sites[s].opcode, site_name(sites[s]).label());
}

std::string reason(const race& r, std::span<const site> sites) {
  const race_cause& c = r.cause;
  const auto at = [&](std::uint32_t s) { return spelled(s, sites); };
  switch (c.what) {
    case missing::communication:
      return "no communication: nothing orders these blocks";
    case missing::barrier:
      return "no barrier: no bar.sync between the two";
    case missing::warp_sync:
      return "no warp synchronisation: no __syncwarp between the two";
    case missing::release:
      return fmt::format("no release: {} has no fence of its thread before it, read by {}",
                         at(c.write), at(c.read));
    case missing::acquire:
      return fmt::format("no acquire: {} has no fence after it, observes {}", at(c.read),
                         at(c.write));
    case missing::release_and_acquire:
      return fmt::format("no release and no acquire: {} has no fence before it, {} none after it",
                         at(c.write), at(c.read));
    case missing::scope:
      if (c.write == flow::nowhere)
        return fmt::format("scope too narrow: {} does not reach block {}", at(c.narrow),
                           c.narrow == r.a ? r.thread_b.block : r.thread_a.block);
      return fmt::format("scope too narrow: {} reaches its own block only; {} was read by {}",
                         at(c.narrow), at(c.write), at(c.read));
    case missing::strength:
      return fmt::format("weak access: {} against {}", at(c.narrow),
                         at(c.narrow == r.a ? r.b : r.a));
    case missing::copy_wait:
      return fmt::format("with the copy of {}, not waited for", at(r.a));
    case missing::nothing:
      return r.same_value ? "same value: yes" : "same value: no";
    case missing::unknown:
      return "cannot tell why: the first access is older than the history";
  }
  return {};
}

}  // namespace

std::string text(const race_report& r, std::span<const site> sites) {
  std::string out = r.launch.heading("races") + '\n';
  const auto to = std::back_inserter(out);
  for (const race& x : r.races) {
    const bool one = x.kind == race_kind::one_instruction;
    fmt::format_to(to, "{}: {}", name(x.kind), spelled(x.a, sites));
    if (!one) fmt::format_to(to, " then {}", spelled(x.b, sites));
    fmt::format_to(to, ": pairs {} words {} warps {} blocks {}, {}+{}: block {} thread {}, ",
                   x.pairs, x.words, x.warps, x.blocks, x.where.name, x.where.offset,
                   x.thread_a.block, x.thread_a.in_block());
    fmt::format_to(to, "block {} thread {}\n  {}{}\n", x.thread_b.block, x.thread_b.in_block(),
                   x.cause.after_wait ? "after the wait for the copy: " : "", reason(x, sites));
  }
  fmt::format_to(to, "races {} uncertain {}\n", r.races.size(), r.uncertain);
  if (!r.complete) out += "cannot tell: too many threads know too much of each other\n";
  return out;
}

}  // namespace ptxlab::machine
