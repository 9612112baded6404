// SPDX-License-Identifier: Apache-2.0
// Elements of buffers and scalar arguments: machine::type restricted to the types that have a value
// of 1 to 8 bytes, with their spelling on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/machine/type.hpp"

namespace ptxlab::run {

using machine::type;

/// u8 to u64, s8 to s64 (or i8 to i64), f16, bf16, f32, f64. Throws ptxlab::error for another word.
type element_type(std::string_view word);
/// Bytes of one element.
unsigned element_bytes(type t);

/// The low bits hold the value, as memory holds it; the others are 0.
using element_bits = std::uint64_t;

/// The value that a word writes: 5, -3, 0x1f, 1.5, 1e-3, inf, nan. A number of a floating type is
/// rounded to nearest even. Throws ptxlab::error for a word that is none or does not fit.
element_bits read_element(type t, std::string_view word);
/// Integers wrap to the width of the type; floating types round to nearest even.
element_bits element_of(type t, std::int64_t value);
element_bits element_of(type t, double value);
/// The shortest text that read_element takes back to the same bits (of a NaN: a NaN).
std::string element_text(type t, element_bits bits);
/// Exact but for integers beyond 53 bits.
double element_value(type t, element_bits bits);
bool is_nan(type t, element_bits bits);

/// How many values of the type lie between two, plus 1; 0 for equal ones, for +0 and -0 and for two
/// NaNs; the largest number for one NaN and for an infinity beside a finite value. Of integers: the
/// absolute difference.
std::uint64_t ulp_distance(type t, element_bits a, element_bits b);

}  // namespace ptxlab::run
