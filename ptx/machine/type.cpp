// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/type.hpp"

#include <array>

namespace ptxlab::machine {
namespace {

struct row {
  std::string_view name;
  unsigned bits;
};

constexpr std::array<row, 20> rows = {{{"pred", 1},  {"b8", 8},      {"b16", 16}, {"b32", 32},
                                       {"b64", 64},  {"b128", 128},  {"u8", 8},   {"u16", 16},
                                       {"u32", 32},  {"u64", 64},    {"s8", 8},   {"s16", 16},
                                       {"s32", 32},  {"s64", 64},    {"f16", 16}, {"f16x2", 32},
                                       {"bf16", 16}, {"bf16x2", 32}, {"f32", 32}, {"f64", 64}}};

}  // namespace

std::optional<type> type_named(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name) return static_cast<type>(i);
  return std::nullopt;
}

std::string_view name(type t) {
  return rows[static_cast<std::size_t>(t)].name;
}

unsigned bits(type t) {
  return rows[static_cast<std::size_t>(t)].bits;
}

bool is_signed(type t) {
  return t >= type::s8 && t <= type::s64;
}

bool is_floating(type t) {
  return t >= type::f16;
}

}  // namespace ptxlab::machine
