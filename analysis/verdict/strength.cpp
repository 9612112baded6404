// SPDX-License-Identifier: Apache-2.0
// Ranks and scopes of memory accesses.
#include "analysis/verdict/strength.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxlab::verdict {

namespace {

constexpr std::array<std::string_view, 4> scopes{"cta", "cluster", "gpu", "sys"};

bool takes_scope(std::string_view order) {
  return order != "nc" && order != "weak" && order != "shared" && order != "volatile";
}

/// What the access reaches; volatile is relaxed at system scope (PTX ISA, "ld.volatile").
std::string reach(const strength_word& s) {
  return s.order == "volatile" ? "sys" : s.scope;
}

int width_of(std::string_view scope) {
  return static_cast<int>(std::find(scopes.begin(), scopes.end(), scope) - scopes.begin());
}

bool is_acquire(const facts::poll& p, const strength_word& s) {
  const auto r = rank(s);
  return r && (*r == 3 || (*r == 2 && p.acquire));
}

/// Rank at least (or, `strictly`, above) the wanted one, and a scope as wide where one is named.
judgement at_least(const facts::poll& p, const strength_word& is, const strength_word& wanted,
                   bool strictly) {
  std::string evidence =
      fmt::format("poll strength is {}{}", p.strength, p.acquire ? " acquire" : "");
  const int have = is_acquire(p, is) ? 3 : *rank(is);
  const int need = *rank(wanted) + (strictly ? 1 : 0);
  if (have < need) return decided(false, std::move(evidence));
  if (wanted.scope.empty()) return decided(true, std::move(evidence));
  const std::string reached = reach(is);
  if (reached.empty() && takes_scope(is.order)) {
    return cannot_tell(evidence + ", which shows no scope");
  }
  return decided(!reached.empty() && width_of(reached) >= width_of(wanted.scope),
                 std::move(evidence));
}

judgement same_word(const facts::poll& p, const strength_word& is, const strength_word& wanted) {
  std::string evidence =
      fmt::format("poll strength is {}{}", p.strength, p.acquire ? " acquire" : "");
  const bool same = is.order == wanted.order ||
                    (wanted.order == "acquire" && is_acquire(p, is) && is.order != "acq_rel");
  if (!same || wanted.scope.empty()) return decided(same, std::move(evidence));
  if (is.scope.empty()) return cannot_tell(evidence + ", which shows no scope");
  return decided(is.scope == wanted.scope, std::move(evidence));
}

}  // namespace

const std::vector<std::string>& strength_orders() {
  static const std::vector<std::string> all{"nc",     "weak",    "volatile", "relaxed", "strong",
                                            "atomic", "release", "acquire",  "acq_rel", "shared"};
  return all;
}

std::optional<strength_word> read_strength(std::string_view text) {
  const std::size_t dot = text.find('.');
  strength_word s{std::string(text.substr(0, dot)), ""};
  const auto& orders = strength_orders();
  if (std::find(orders.begin(), orders.end(), s.order) == orders.end()) return std::nullopt;
  if (dot == std::string_view::npos) return s;
  s.scope = text.substr(dot + 1);
  const bool scope_known = std::find(scopes.begin(), scopes.end(), s.scope) != scopes.end();
  if (!scope_known || !takes_scope(s.order)) return std::nullopt;
  return s;
}

std::optional<int> rank(const strength_word& s) {
  if (s.order == "shared") return std::nullopt;
  if (s.order == "nc") return 0;
  if (s.order == "weak") return 1;
  return s.order == "acquire" || s.order == "acq_rel" ? 3 : 2;
}

judgement check_strength(const facts::poll& p, compare op, const std::string& wanted) {
  const auto is = read_strength(p.strength);
  const auto want = read_strength(wanted);
  if (!is) return cannot_tell(fmt::format("poll strength '{}' is not a known one", p.strength));
  if (!want) return cannot_tell(fmt::format("'{}' is not a strength", wanted));
  if (is->order == "shared" && want->order != "shared") {
    return cannot_tell("poll strength is shared, and SASS shows no ordering of shared memory");
  }
  if (op == compare::eq) return same_word(p, *is, *want);
  if (op == compare::ne) return negate(same_word(p, *is, *want));
  if (!rank(*is) || !rank(*want)) return cannot_tell("shared has no rank");
  const bool strictly = op == compare::gt || op == compare::le;
  const judgement j = at_least(p, *is, *want, strictly);
  return op == compare::ge || op == compare::gt ? j : negate(j);
}

judgement check_acquire(const facts::poll& p) {
  const auto is = read_strength(p.strength);
  if (!is) return cannot_tell(fmt::format("poll strength '{}' is not a known one", p.strength));
  if (is->order == "shared") {
    return cannot_tell("poll strength is shared, and SASS shows no ordering of shared memory");
  }
  const bool acquire = is_acquire(p, *is);
  return decided(acquire,
                 fmt::format("poll is {}acquire ({})", acquire ? "an " : "no ", p.strength));
}

}  // namespace ptxlab::verdict
