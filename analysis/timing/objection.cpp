// SPDX-License-Identifier: Apache-2.0
#include "analysis/timing/objection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ptxlab::timing {
namespace {

/// Foreign work by what it does: ptxas moves a register by several opcodes, as the pipes are free.
std::string kind_of(const std::string& opcode) {
  return opcode.starts_with("IMAD.MOV") ? "MOV" : opcode;
}

/// More than this beside the copies is no region that times them.
constexpr int fixed_at_most = 12;
/// Counting rounds takes an addition, a comparison and a branch.
constexpr int counting_at_most = 4;

class reviewer {
 public:
  reviewer(const contract& c, const timed_code& code) : contract_(c), code_(code) {}

  std::string first() {
    if (contract_.opcodes.empty()) return "the declaration names no opcode";
    if (contract_.regions.empty()) return "the declaration names no timed region";
    if (code_.flow_unknown()) return "cannot tell where an indirect branch of the kernel leads";
    const auto& found = code_.regions();
    if (found.size() != contract_.regions.size())
      return fmt::format("{} timed regions are declared, {} were found", contract_.regions.size(),
                         found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::string objection = object_to(found[i], contract_.regions[i]);
      if (!objection.empty()) return objection;
    }
    return object_to_growth();
  }

  const histogram& fixed() const { return fixed_; }

 private:
  bool named(std::uint32_t op) const { return contract_.names(code_.opcode(op)); }
  bool counted(std::uint32_t op) const { return contract_.counts(code_.opcode(op)); }

  /// What is wrong with one region on its own.
  std::string object_to(const timed_code::region& r, const region& promised) {
    histogram all;
    for (const std::uint32_t op : r.ops) ++all[code_.opcode(op)];
    const auto expected = static_cast<int>(promised.copies * promised.streams * contract_.per_copy);
    const auto n = static_cast<int>(std::count_if(
        r.ops.begin(), r.ops.end(), [this](std::uint32_t op) { return counted(op); }));
    if (r.loops && !contract_.expands && !contract_.rounds)
      return "a loop is left in the timed region";
    if (n != expected)
      return fmt::format("{} of {} stand in the timed region, not {}; it holds {}", n,
                         contract_.opcodes.front(), expected, list(all));
    if (!r.loops && contract_.rounds) return "the loop over the rounds is gone";
    if (!r.straight && !contract_.expands && !contract_.rounds)
      return "a branch is left in the timed region";
    // What is not understood may do anything: "cannot tell" is no pass.
    for (const std::uint32_t op : r.ops)
      if (!code_.understood(op))
        return fmt::format("cannot tell what {} does in the timed region", code_.opcode(op));
    for (const std::uint32_t read : {r.begin, r.end})
      if (!code_.kept(r, read))
        return fmt::format("no sample keeps what the clock read {} gives", code_.text(read));
    if (std::string o = object_to_conditions(r); !o.empty()) return o;
    if (std::string o = object_to_others(r, promised); !o.empty()) return o;
    if (contract_.how == relation::exchange) return object_to_wait(r);
    return contract_.how == relation::serial ? object_to_order(r) : object_to_data(r, promised);
  }

  /// Every copy runs, and in every round: no guard, no branch around it, none before the rounds.
  std::string object_to_conditions(const timed_code::region& r) const {
    if (contract_.expands || contract_.how == relation::exchange) return {};
    int branches = 0, outside = 0;
    for (std::size_t i = 0; i < r.ops.size(); ++i) {
      const flow::op& o = code_.operation(r.ops[i]);
      if (o.then != flow::transfer::next) {
        branches += r.looped[i] ? 1 : 0;
        continue;
      }
      if (o.guarded)
        return fmt::format("{} runs in the timed region under a guard", code_.text(r.ops[i]));
      outside += counted(r.ops[i]) && !r.looped[i] ? 1 : 0;
    }
    if (!contract_.rounds) return {};
    if (outside > 0) return fmt::format("{} copies stand outside of the rounds", outside);
    if (branches > 1) return "a round has a branch that may leave copies out";
    return {};
  }

  /// Foreign work: what neither belongs to a copy nor is the store that ends the region.
  std::string object_to_others(const timed_code::region& r, const region& promised) {
    if (contract_.expands) return {};
    histogram foreign, every_round;
    int n = 0, in_round = 0;
    for (std::size_t i = 0; i < r.ops.size(); ++i) {
      const std::uint32_t op = r.ops[i];
      if (named(op)) continue;
      ++foreign[kind_of(code_.opcode(op))];
      ++n;
      if (r.looped[i]) ++every_round[code_.opcode(op)];
      if (r.looped[i]) ++in_round;
      const flow::kind what = code_.operation(op).what;
      const bool constant = code_.operation(op).memory == flow::space::constant ||
                            code_.operation(op).memory == flow::space::param;
      if (what != flow::kind::plain && what != flow::kind::store && !constant)
        return fmt::format("{} stands in the timed region and is no part of the copies",
                           code_.text(op));
    }
    const int weight = contract_.how == relation::exchange ? 3 : 1;  // two loops, not one
    if (n > weight * fixed_at_most + static_cast<int>(promised.streams))
      return fmt::format("foreign work in the timed region: {}", list(foreign));
    if (in_round > weight * counting_at_most)
      return fmt::format("foreign work in every round: {}", list(every_round));
    if (!have_fixed_) fixed_ = contract_.rounds ? every_round : foreign;
    have_fixed_ = true;
    return {};
  }

  std::string object_to_data(const timed_code::region& r, const region& promised) {
    const auto d = code_.depend(r, [this](std::uint32_t op) { return counted(op); });
    const std::uint32_t deepest =
        d.depth.empty() ? 0 : *std::max_element(d.depth.begin(), d.depth.end());
    const unsigned each = contract_.chained == 0 ? contract_.per_copy : contract_.chained;
    const unsigned long_enough = promised.copies * (contract_.how == relation::chain ? each : 1);
    if (contract_.how == relation::chain && deepest < long_enough)
      return fmt::format("the chain is broken: at most {} of {} copies need each other", deepest,
                         long_enough);
    if (contract_.how == relation::independent && deepest > promised.copies * contract_.per_copy)
      return fmt::format("the {} streams are not independent: a chain of {} copies, not {}",
                         promised.streams, deepest, promised.copies);
    for (std::size_t n = 0; n < r.ops.size(); ++n) {
      const flow::op& o = code_.operation(r.ops[n]);
      if (!counted(r.ops[n]) || d.read[n] || o.writes == 0) continue;
      return fmt::format("nothing in the timed region waits for the result of {}",
                         code_.text(r.ops[n]));
    }
    if (contract_.how == relation::independent && deepest < promised.copies)
      return fmt::format("more than {} streams: a chain of {} copies only, not {}",
                         promised.streams, deepest, promised.copies);
    return {};
  }

  /// A compiler may move the first poll in front of its loop; one of them has to stand in it, and
  /// be a load that sees what another warp writes.
  std::string object_to_wait(const timed_code::region& r) const {
    bool waits = false;
    for (const std::uint32_t op : r.ops) {
      if (!counted(op) || !code_.polled(r, op)) continue;
      const flow::order o = code_.operation(op).ordering;
      if (o == flow::order::weak || o == flow::order::nc)
        return fmt::format("{} is waited for in the timed region and need not see another's write",
                           code_.text(op));
      waits = true;
    }
    return waits
               ? ""
               : fmt::format("no loop in the timed region waits for {}", contract_.opcodes.front());
  }

  /// Without data between the copies, the instruction itself must be one that makes a warp wait.
  std::string object_to_order(const timed_code::region& r) const {
    for (const std::uint32_t op : r.ops) {
      const flow::kind what = code_.operation(op).what;
      if (!counted(op) || what == flow::kind::fence || what == flow::kind::barrier ||
          what == flow::kind::warp_sync || what == flow::kind::clock || what == flow::kind::sleep)
        continue;
      return fmt::format("{} does not order itself: it needs a chain", code_.opcode(op));
    }
    return {};
  }

  /// The regions differ by their copies and by nothing else.
  std::string object_to_growth() {
    int each = 0;
    if (contract_.rounds) return {};  // each region is compared with itself, over more rounds
    for (std::size_t i = 0; i < contract_.regions.size(); ++i) {
      histogram foreign;
      int named_ops = 0;
      for (const std::uint32_t op : code_.regions()[i].ops) {
        if (!named(op)) ++foreign[kind_of(code_.opcode(op))];
        named_ops += named(op) ? 1 : 0;
      }
      const region& p = contract_.regions[i];
      const region& first = contract_.regions.front();
      if (contract_.expands) {
        if (std::string o = object_to_expansion(i); !o.empty()) return o;
        continue;
      }
      histogram expected = fixed_;
      for (auto& [opcode, n] : expected)
        if (opcode.starts_with("ST")) n += static_cast<int>(p.streams - first.streams);
      if (foreign != expected && !differ_by_reload(foreign, expected))
        return fmt::format("regions differ by more than their copies: {} against {}", list(foreign),
                           list(expected));
      const auto copies = static_cast<int>(p.copies * p.streams);
      if (i == 0) each = named_ops / copies;
      if (named_ops != each * copies)
        return fmt::format("{} instructions do not make {} equal copies", named_ops, copies);
    }
    return {};
  }

  /// Whether one region loads a constant into a uniform register again where the other still has
  /// it: two instructions at most, of no weight beside loads of memory or textures, and only there.
  bool differ_by_reload(const histogram& a, const histogram& b) const {
    const auto& ops = code_.regions().front().ops;
    const bool memory = std::any_of(ops.begin(), ops.end(), [this](std::uint32_t op) {
      return counted(op) && code_.operation(op).what == flow::kind::load;
    });
    int different = 0;
    for (const auto* h : {&a, &b})
      for (const auto& [opcode, n] : *h) {
        const auto in_a = a.find(opcode), in_b = b.find(opcode);
        if (in_a != a.end() && in_b != b.end() && in_a->second == in_b->second) continue;
        if (!opcode.starts_with("U")) return false;
        ++different;
      }
    return memory && different <= 2;
  }

  /// A sequence may be woven differently at its ends; beyond that its size must grow with the
  /// copies.
  std::string object_to_expansion(std::size_t i) const {
    const auto size = [this](std::size_t n) {
      return static_cast<double>(code_.regions()[n].ops.size());
    };
    const auto copies = [this](std::size_t n) {
      return static_cast<double>(contract_.regions[n].copies * contract_.regions[n].streams);
    };
    const std::size_t last = contract_.regions.size() - 1;
    if (last == 0 || copies(last) == copies(0)) return {};
    const double slope = (size(last) - size(0)) / (copies(last) - copies(0));
    const double expected = size(0) + slope * (copies(i) - copies(0));
    if (std::abs(size(i) - expected) <= std::max(8.0, 0.1 * slope * copies(i))) return {};
    return fmt::format("{} copies are {} instructions, where {:.0f} were expected from the others",
                       copies(i), size(i), expected);
  }

  const contract& contract_;
  const timed_code& code_;
  histogram fixed_;
  bool have_fixed_ = false;
};

}  // namespace

std::string list(const histogram& h) {
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [opcode, n] : h) order.emplace_back(-n, opcode);
  std::sort(order.begin(), order.end());
  std::string out;
  constexpr int most = 4;
  int shown = 0;
  for (const auto& [n, opcode] : order) {
    if (shown++ == most) return out + ", ...";
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", -n, opcode);
  }
  return out.empty() ? "nothing" : out;
}

review review_of(const contract& c, const timed_code& code) {
  reviewer r(c, code);
  review out;
  out.objection = r.first();
  out.fixed = r.fixed();
  return out;
}

}  // namespace ptxlab::timing
