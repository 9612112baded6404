// SPDX-License-Identifier: Apache-2.0
// Word lists, operators and identifiers of the expectation language.
#include "analysis/verdict/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/facts/rules.hpp"
#include "analysis/verdict/expectation.hpp"

namespace ptxlab::verdict {

namespace {

struct resource_field {
  const char* name;
  facts::count facts::resources::*field;
};

constexpr resource_field resource_fields[] = {
    {"registers", &facts::resources::registers},
    {"stack_bytes", &facts::resources::stack_bytes},
    {"spill_store_bytes", &facts::resources::spill_store_bytes},
    {"spill_load_bytes", &facts::resources::spill_load_bytes},
    {"cumulative_stack_bytes", &facts::resources::cumulative_stack_bytes},
    {"shared_bytes", &facts::resources::shared_bytes},
    {"local_bytes", &facts::resources::local_bytes},
    {"constant_bytes", &facts::resources::constant_bytes},
    {"barriers", &facts::resources::barriers},
    {"textures", &facts::resources::textures},
    {"surfaces", &facts::resources::surfaces},
    {"samplers", &facts::resources::samplers},
};

}  // namespace

facts::count facts::resources::*resource(const std::string& name) {
  for (const auto& r : resource_fields) {
    if (name == r.name) return r.field;
  }
  return nullptr;
}

const words& clause_words() {
  static const words all = [] {
    words w{"ptx",          "sass",  "both",      "loop",          "every",    "no",
            "instructions", "loops", "opcode",    "finding",       "strength", "space",
            "width",        "polls", "occupancy", "blocks_per_sm", "acquire"};
    for (const auto& r : resource_fields) w.emplace_back(r.name);
    return w;
  }();
  return all;
}

const words& verdict_words() {
  static const words all{"kept", "unrolled", "load-hoisted", "deleted"};
  return all;
}

const words& poll_words() {
  static const words all{"strength", "space", "width", "acquire"};
  return all;
}

bool contains(const words& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

const char* name(compare c) {
  constexpr const char* names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<std::size_t>(c)];
}

bool holds(double left, compare op, double right) {
  const bool equal = std::abs(left - right) <= 1e-9;
  switch (op) {
    case compare::eq:
      return equal;
    case compare::ne:
      return !equal;
    case compare::lt:
      return !equal && left < right;
    case compare::le:
      return equal || left < right;
    case compare::gt:
      return !equal && left > right;
    case compare::ge:
      return equal || left > right;
  }
  return false;
}

const char* name(stage_choice s) {
  constexpr const char* names[] = {"ptx", "sass", "both"};
  return names[static_cast<std::size_t>(s)];
}

const std::vector<std::string>& finding_ids() {
  static const words all = [] {
    words w;
    for (const facts::rule& r : facts::rules()) w.emplace_back(r.id);
    return w;
  }();
  return all;
}

}  // namespace ptxlab::verdict
