// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/trip_count.hpp"

#include <algorithm>

namespace ptxlab::flow {
namespace {

__extension__ typedef __int128 wide;  // no overflow for any 64-bit start, step and bound

relation opposite(relation r) {
  switch (r) {
    case relation::eq:
      return relation::ne;
    case relation::ne:
      return relation::eq;
    case relation::lt:
      return relation::ge;
    case relation::le:
      return relation::gt;
    case relation::gt:
      return relation::le;
    case relation::ge:
      return relation::lt;
    case relation::none:
      break;
  }
  return relation::none;
}

/// The first n >= 0 for which `start + n * step REL bound` holds.
std::optional<std::uint64_t> first_hit(wide start, wide step, relation rel, wide bound) {
  const auto holds = [&](wide n) {
    const wide x = start + n * step;
    switch (rel) {
      case relation::eq:
        return x == bound;
      case relation::ne:
        return x != bound;
      case relation::lt:
        return x < bound;
      case relation::le:
        return x <= bound;
      case relation::gt:
        return x > bound;
      case relation::ge:
        return x >= bound;
      case relation::none:
        break;
    }
    return false;
  };
  if (rel == relation::none || step == 0) return std::nullopt;
  if (holds(0)) return 0;
  const wide near = (bound - start) / step;
  for (wide n = std::max<wide>(near - 1, 1); n <= near + 1; ++n)
    if (holds(n)) return static_cast<std::uint64_t>(n);
  return std::nullopt;
}

class counter {
 public:
  counter(const code& c, const graph& g, const definitions& d, const loop& l, effort& e)
      : code_(c), graph_(g), loop_(l), inside_(c, g, d, l, &e), everywhere_(c, g, d, &e) {}

  std::optional<std::uint64_t> run(std::uint32_t exit) const {
    const op& branch = code_.ops[exit];
    if (!branch.guarded || branch.reads == 0) return std::nullopt;
    const std::uint32_t block = graph_.block_of(exit);
    bool leaves_when_true = !branch.guard_negated;
    if (branch.then == transfer::jump) {
      if (branch.target == nowhere) return std::nullopt;
      if (inside_.contains(graph_.block_of(branch.target))) leaves_when_true = !leaves_when_true;
    }
    std::uint32_t compare = exit;
    reg tested = code_.reads(branch).back();
    for (int hops = 0; hops < 4; ++hops) {  // compare, perhaps behind `not.pred`
      const auto def = only_definition(compare, tested);
      if (!def) return std::nullopt;
      compare = *def;
      const op& o = code_.ops[compare];
      if (o.shape == form::compare) break;
      if (o.shape != form::negate_predicate || o.reads != 1) return std::nullopt;
      leaves_when_true = !leaves_when_true;
      tested = code_.reads(o)[0];
    }
    const op& test = code_.ops[compare];
    if (test.shape != form::compare || !test.has_immediate || test.reads != 1 || test.guarded)
      return std::nullopt;
    if (!once_per_iteration(exit)) return std::nullopt;
    const auto value = resolve(compare, code_.reads(test)[0]);
    if (!value) return std::nullopt;
    const auto hit = first_hit(value->start, value->step,
                               leaves_when_true ? test.rel : opposite(test.rel), test.immediate);
    if (!hit || !stays_in_range(test, *value, *hit)) return std::nullopt;
    const bool bottom =
        std::find(loop_.latches.begin(), loop_.latches.end(), block) != loop_.latches.end();
    return bottom ? *hit + 1 : *hit;
  }

 private:
  struct induction {
    wide start, step;  ///< the tested value at the n-th test is start + n * step
  };

  /// Whether no value on the way wraps around, whatever width the counter has: 16-bit counters are
  /// widened by both compilers, so 32 bits is the least.
  static bool stays_in_range(const op& test, const induction& v, std::uint64_t hits) {
    const bool ordered = test.rel != relation::eq && test.rel != relation::ne;
    const bool from_zero = test.unsigned_compare && ordered;
    const wide least = from_zero ? 0 : -(wide{1} << 31);
    const wide most = (wide{1} << (from_zero ? 32 : 31)) - 1;
    for (const wide x : {v.start, v.start + static_cast<wide>(hits) * v.step, wide{test.immediate}})
      if (x < least || x > most) return false;
    return true;
  }

  /// Whether each pass through the loop runs operation `i` once: it stands before all latches and
  /// in no inner loop.
  bool once_per_iteration(std::uint32_t i) const {
    const std::uint32_t block = graph_.block_of(i);
    for (const std::uint32_t latch : loop_.latches)
      if (!graph_.dominates(block, latch)) return false;
    std::vector<std::uint32_t> stack{block};
    std::vector<bool> seen(graph_.size(), false);
    while (!stack.empty()) {
      const std::uint32_t b = stack.back();
      stack.pop_back();
      inside_.work().spend(1 + graph_.successors(b).size());
      if (inside_.work().spent()) return false;
      for (const std::uint32_t s : graph_.successors(b)) {
        if (s == loop_.header || !inside_.contains(s) || seen[s]) continue;
        if (s == block) return false;
        seen[s] = true;
        stack.push_back(s);
      }
    }
    return true;
  }

  std::optional<std::uint32_t> only_definition(std::uint32_t use, reg r) const {
    const reaching d = inside_.at(use, r);
    if (d.ops.size() != 1 || d.from_outside) return std::nullopt;
    return d.ops[0];
  }

  /// Follows moves from the use of `r` to an addition of a constant to itself around the loop.
  std::optional<induction> resolve(std::uint32_t use, reg r) const {
    std::optional<reg> at_header;  // the register whose value on entry starts the count
    std::optional<std::uint32_t> add;
    for (int hops = 0; hops < 16; ++hops) {
      const reaching d = inside_.at(use, r);
      if (d.ops.size() != 1 || !once_per_iteration(d.ops[0])) return std::nullopt;
      if (d.from_outside && add) {
        // Back at the header behind the addition: the value that flows around must be its result.
        if (!closes(d.ops[0], *add)) return std::nullopt;
        return finish(r, code_.ops[*add].immediate, at_header);
      }
      if (d.from_outside) {
        if (at_header) return std::nullopt;
        at_header = r;
      }
      const op& o = code_.ops[d.ops[0]];
      if (o.guarded || o.reads != 1) return std::nullopt;
      if (o.shape == form::add && o.has_immediate && !add) {
        add = d.ops[0];
      } else if (o.shape != form::move) {
        return std::nullopt;
      }
      use = d.ops[0];
      r = code_.reads(o)[0];
    }
    return std::nullopt;
  }

  /// Whether the value defined by `def` is, through moves, that of the addition `add`.
  bool closes(std::uint32_t def, std::uint32_t add) const {
    for (int hops = 0; hops < 16; ++hops) {
      if (def == add) return true;
      const op& o = code_.ops[def];
      if (o.shape != form::move || o.reads != 1 || o.guarded) return false;
      const auto next = only_definition(def, code_.reads(o)[0]);
      if (!next) return false;
      def = *next;
    }
    return false;
  }

  /// `counted` is stepped around the loop; `tested` is the register that carries the value around
  /// to a test in front of the addition, if the test stands there.
  std::optional<induction> finish(reg counted, std::int64_t step, std::optional<reg> tested) const {
    const auto start = start_of(counted);
    if (!start) return std::nullopt;
    if (!tested) return induction{*start + step, step};
    if (*tested != counted && start_of(*tested) != start) return std::nullopt;
    return induction{*start, step};
  }

  /// The constant that `r` holds when the loop is entered.
  std::optional<wide> start_of(reg r) const {
    reaching d = inside_.on_entry(r);
    for (int hops = 0; hops < 16; ++hops) {
      if (d.ops.size() != 1 || d.from_outside) return std::nullopt;
      const op& o = code_.ops[d.ops[0]];
      if (o.shape != form::move || o.guarded) return std::nullopt;
      if (o.has_immediate && o.reads == 0) return o.immediate;
      if (o.reads != 1) return std::nullopt;
      d = everywhere_.at(d.ops[0], code_.reads(o)[0]);
    }
    return std::nullopt;
  }

  const code& code_;
  const graph& graph_;
  const loop& loop_;
  region inside_, everywhere_;
};

}  // namespace

std::optional<std::uint64_t> trip_count(const code& c, const graph& g, const definitions& d,
                                        const loop& l, std::uint32_t exit, effort& e) {
  return counter(c, g, d, l, e).run(exit);
}

}  // namespace ptxlab::flow
