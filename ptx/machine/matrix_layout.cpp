// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/matrix_layout.hpp"

#include <span>
#include <utility>

namespace ptxlab::machine {
namespace {

using enum matrix_element;

constexpr std::array<std::pair<std::string_view, matrix_element>, 7> element_names = {{
    {"f16", f16},
    {"bf16", bf16},
    {"tf32", tf32},
    {"s8", s8},
    {"u8", u8},
    {"f32", f32},
    {"s32", s32},
}};

struct known_shape {
  std::string_view name;
  matrix_shape shape;
};
constexpr std::array shapes = {
    known_shape{"m8n8k16", {8, 8, 16}},     known_shape{"m16n8k4", {16, 8, 4}},
    known_shape{"m16n8k8", {16, 8, 8}},     known_shape{"m16n8k16", {16, 8, 16}},
    known_shape{"m16n8k32", {16, 8, 32}},   known_shape{"m16n16k8", {16, 16, 8}},
    known_shape{"m16n16k16", {16, 16, 16}}, known_shape{"m32n8k16", {32, 8, 16}},
    known_shape{"m8n32k16", {8, 32, 16}},
};

constexpr unsigned block_lines = 8, lanes_of_line = 4;

/// The shapes of wmma are those of 256 results, those of mma have fewer.
bool is_wmma(matrix_shape s) {
  return s.m * s.n == 256;
}

/// Whether the matrix consists of whole blocks.
bool fits(matrix_role role, matrix_shape s, matrix_element of) {
  const bool sums = of == f32 || of == s32;
  if (role == matrix_role::accumulator) return sums || of == f16;
  return !sums && s.k % (lanes_of_line * 32 / bits(of)) == 0;
}

}  // namespace

std::optional<matrix_element> matrix_element_named(std::string_view name) {
  for (const auto& [n, e] : element_names)
    if (n == name) return e;
  return std::nullopt;
}

unsigned bits(matrix_element e) {
  switch (e) {
    case f16:
    case bf16:
      return 16;
    case s8:
    case u8:
      return 8;
    default:
      return 32;
  }
}

std::optional<matrix_shape> matrix_shape_named(std::string_view name) {
  for (const known_shape& s : shapes)
    if (s.name == name) return s.shape;
  return std::nullopt;
}

fragment_layout::fragment_layout(matrix_role role, matrix_shape shape, matrix_element of)
    : role_(role), shape_(shape), of_(of), per_register_(32 / bits(of)) {
  rows_ = role == matrix_role::b ? shape.k : shape.m;
  columns_ = role == matrix_role::a ? shape.k : shape.n;
  const unsigned run = role == matrix_role::accumulator ? 2 : per_register_;
  const unsigned line_count = role == matrix_role::b ? columns_ : rows_;
  const unsigned line_length = role == matrix_role::b ? rows_ : columns_;
  const unsigned down = line_count / block_lines, along = line_length / (run * lanes_of_line);
  for (unsigned e = 0; e < elements(); ++e) {
    const unsigned block = e / run;
    const unsigned block_down = role == matrix_role::b ? block / along : block % down;
    const unsigned block_along = role == matrix_role::b ? block % along : block / down;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      const unsigned line = block_down * block_lines + lane / lanes_of_line;
      const unsigned at = (block_along * lanes_of_line + lane % lanes_of_line) * run + e % run;
      index_[e * warp_lanes + lane] = static_cast<std::uint16_t>(
          role == matrix_role::b ? at * columns_ + line : line * columns_ + at);
    }
  }
  const bool repeats = is_wmma(shape) && of == f16 && role != matrix_role::accumulator;
  registers_ = repeats ? 8 : elements() / per_register_;
}

const std::vector<fragment_layout>& fragment_layouts() {
  static const std::vector<fragment_layout> all = [] {
    std::vector<fragment_layout> out;
    for (const known_shape& s : shapes)
      for (const matrix_role role : {matrix_role::a, matrix_role::b, matrix_role::accumulator})
        for (const auto& [n, e] : element_names)
          if (fits(role, s.shape, e)) out.emplace_back(role, s.shape, e);
    return out;
  }();
  return all;
}

std::optional<std::uint32_t> fragment_number(matrix_role role, matrix_shape shape,
                                             matrix_element of) {
  const std::vector<fragment_layout>& all = fragment_layouts();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].is(role, shape, of)) return i;
  return std::nullopt;
}

}  // namespace ptxlab::machine
