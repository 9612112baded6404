// SPDX-License-Identifier: Apache-2.0
// PTX's fundamental types (PTX ISA 9.0, "Types") as the machine tells them apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxlab::machine {

enum class type : std::uint8_t {
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64
};

/// "u32" gives type::u32; nothing for what is no type of the machine.
std::optional<type> type_named(std::string_view name);
std::string_view name(type t);
/// Bits of one value; 1 for a predicate.
unsigned bits(type t);
bool is_signed(type t);
bool is_floating(type t);

}  // namespace ptxlab::machine
