// SPDX-License-Identifier: Apache-2.0
// Matrices between memory and the lanes of a warp: PTX ISA 9.0, "Warp Level Matrix
// Multiply-Accumulate Instructions": wmma.load, wmma.store, ldmatrix, stmatrix. All are weak
// accesses and order nothing: observers are not told that the lanes met.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/decode.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/matrix_layout.hpp"
#include "ptx/machine/operations/matrix.hpp"
#include "ptx/machine/operations/meeting.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;

[[noreturn]] void undefined(std::string text, unsigned lane) {
  throw fault{fault::kind::undefined, std::move(text), lane};
}

// --- wmma ----------------------------------------------------------------------------------------

/// A matrix in memory: lines of neighbouring elements, `stride_bytes` from one to the next.
struct matrix_place {
  address base = 0;
  std::uint64_t stride_bytes = 0;
  u32 line_bytes = 0, all_bytes = 0;
};

bool by_columns(const step& s) {
  return s.e != 0;
}

/// Where a wmma.load or .store finds its matrix: what PTX asks of address and stride is checked.
matrix_place place_of(const step& s, const context& c, const fragment_layout& l,
                      const resolved& r) {
  const u32 element_bytes = bits(l.of()) / 8;
  const u32 line = by_columns(s) ? l.rows() : l.columns();
  const auto* const stride = s.b == no_slot ? nullptr : c.at<u32>(s.b);
  for (unsigned i = 1; i < warp_lanes; ++i)
    if (r.at[i] != r.at[0] || (stride != nullptr && stride[i] != stride[0]))
      undefined("the lanes do not give the same address and stride", i);
  matrix_place p;
  p.base = r.at[0];
  p.stride_bytes = std::uint64_t{stride != nullptr ? stride[0] : line} * element_bytes;
  p.line_bytes = line * element_bytes;
  p.all_bytes = l.size() * element_bytes;
  if (r.form->space == flow::space::generic && p.base - local_base < window_bytes)
    undefined("a matrix in local memory", 0);
  // "Matrix Storage for WMMA": lines begin at multiples of a fragment's size. Its own default
  // strides and the CUDA C++ Programming Guide, "Warp Matrix Functions", allow multiples of 16
  // bytes.
  const u32 fragment_bytes = l.registers() * 4, least = std::min(fragment_bytes, 16U);
  if (p.base % fragment_bytes != 0)
    throw fault{fault::kind::misaligned,
                fmt::format("address {:#x} is not a multiple of {}, the size of a fragment", p.base,
                            fragment_bytes),
                0};
  if (p.stride_bytes % least != 0)
    throw fault{fault::kind::misaligned,
                fmt::format("a stride of {} bytes is not a multiple of {}", p.stride_bytes, least),
                0};
  return p;
}

/// PTX does not say which lane accesses what. Here lane i has the i-th piece of form->bytes, line
/// after line: calls `f(r, first)` for every 32 pieces, `first` of their bytes lie before them.
template <class F>
void each_access(const step& s, const context& c, const fragment_layout& l, F f) {
  resolved r;
  find_addresses(s, c, r);
  const matrix_place p = place_of(s, c, l, r);
  const u32 piece = r.form->bytes;
  for (u32 first = 0; first < p.all_bytes; first += piece * warp_lanes) {
    for (unsigned i = 0; i < warp_lanes; ++i) {
      const u32 at = first + i * piece;
      r.at[i] = p.base + at / p.line_bytes * p.stride_bytes + at % p.line_bytes;
    }
    find_bytes(s, c, r);
    f(r, first);
  }
}

/// Bytes of the largest matrix of any type: 32 x 16 halves, 16 x 16 words.
constexpr unsigned most_bytes = 1024;

/// Calls `f(register, lane, low bit, offset in the bytes of the lines)` for what a lane holds.
template <class F>
void each_element(const step& s, const fragment_layout& l, unsigned registers, F f) {
  const unsigned width = bits(l.of());
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned part = 0; part < l.per_register(); ++part)
      for (unsigned i = 0; i < warp_lanes; ++i) {
        const unsigned at = l.index(i, (r * l.per_register() + part) % l.elements());
        const unsigned row = at / l.columns(), column = at % l.columns();
        const unsigned place = by_columns(s) ? column * l.rows() + row : at;
        f(r, i, part * width, place * width / 8);
      }
}

/// a: address, b: stride or none, c: number of the layout, e: 1 for lines that are columns.
void load_fragment(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const fragment_layout& l = fragment_layouts()[s.c];
  std::byte lines[most_bytes];
  each_access(s, c, l, [&](const resolved& r, u32 first) {
    const u32 piece = r.form->bytes;
    for (unsigned i = 0; i < warp_lanes; ++i)
      std::memcpy(lines + first + i * piece, r.host[i], piece);
    tell(s, c, r, nullptr);
  });
  const auto& to = c.in->code().lists[c.in->code().forms[s.aux].list].slots;
  const std::size_t bytes = bits(l.of()) / 8;
  each_element(s, l, l.registers(), [&](unsigned r, unsigned lane, unsigned low, unsigned from) {
    u32 v = 0;
    std::memcpy(&v, lines + from, bytes);
    u32& d = c.at<u32>(to[r])[lane];
    d = low == 0 ? v : d | v << low;
  });
}

void store_fragment(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const fragment_layout& l = fragment_layouts()[s.c];
  std::byte lines[most_bytes];
  const auto& from = c.in->code().lists[c.in->code().forms[s.aux].list].slots;
  const std::size_t bytes = bits(l.of()) / 8;
  each_element(s, l, l.registers(), [&](unsigned r, unsigned lane, unsigned low, unsigned to) {
    const u32 v = c.at<u32>(from[r])[lane] >> low;
    std::memcpy(lines + to, &v, bytes);
  });
  bool changed = false;
  each_access(s, c, l, [&](const resolved& r, u32 first) {
    const u32 piece = r.form->bytes;
    for (unsigned i = 0; i < warp_lanes; ++i) {
      changed = changed || std::memcmp(r.host[i], lines + first + i * piece, piece) != 0;
      std::memcpy(r.host[i], lines + first + i * piece, piece);
    }
    tell(s, c, r, lines + first);
  });
  if (changed) c.in->in().in().changed();
}

/// Adds the access; a matrix cannot lie in the lanes' own memory.
step& add_matrix_access(instruction_builder& b, run_function run, access_form f, std::size_t i) {
  step& s = add_access(b, run, f, i);
  if (b.whole().out.forms.back().from == access_form::base::local)
    b.fail("a matrix in local memory");
  return s;
}

void build_fragment_access(instruction_builder& b, const choice& c, bool loads) {
  const std::size_t value = loads ? 0 : 1, where = loads ? 1 : 0;
  if (b.count() != 2 && b.count() != 3) b.fail("two or three operands are expected");
  const matrix_role role = c.is("role", "a")   ? matrix_role::a
                           : c.is("role", "b") ? matrix_role::b
                                               : matrix_role::accumulator;
  const u32 number = fragment_named(b, role, c.get("shape"), c.get("t"));
  const fragment_layout& l = fragment_layouts()[number];
  access_form f = form_of(c, loads ? flow::kind::load : flow::kind::store);
  f.bytes = f.align = std::min(l.size() * bits(l.of()) / 8 / warp_lanes, 16U);
  f.list = b.list(fragment_registers(b, value, l.registers(), loads));
  const slot stride = b.count() == 3 ? b.source(2, type::u32) : no_slot;
  step& s = add_matrix_access(b, loads ? load_fragment : store_fragment, f, where);
  s.b = stride;
  s.c = number;
  s.e = c.is("layout", "col") ? 1 : 0;
}
void build_load(instruction_builder& b, const choice& c) {
  build_fragment_access(b, c, true);
}
void build_store(instruction_builder& b, const choice& c) {
  build_fragment_access(b, c, false);
}

// --- ldmatrix, stmatrix --------------------------------------------------------------------------

/// Matrices of 8 rows of 16 bytes; lane i gives the address of row i % 8 of matrix i / 8, further
/// lanes give none. Of a matrix, lane i has the halves 2 * (i % 4) and the next of row i / 4, or of
/// column i / 4 (.trans).
constexpr u32 row_bytes = 16, rows_of_matrix = 8;
using matrices = std::uint16_t[warp_lanes][row_bytes / 2];

/// The context of those lanes that give addresses, which must lie in shared memory.
context find_rows(const step& s, const context& c, std::size_t count, resolved& r) {
  context part = c;
  part.mask = count == 4 ? all_lanes : (1U << (rows_of_matrix * count)) - 1;
  find_addresses(s, part, r);
  if (r.form->space == flow::space::generic)
    each_active(part, [&](unsigned i) {
      if (r.at[i] - shared_base >= window_bytes)
        undefined(fmt::format("address {:#x} is not in shared memory", r.at[i]), i);
    });
  find_bytes(s, part, r);
  return part;
}

std::uint16_t& half_of(matrices& m, std::size_t matrix, unsigned lane, unsigned k, bool trans) {
  const unsigned line = lane / 4, at = lane % 4 * 2 + k;
  return m[matrix * rows_of_matrix + (trans ? at : line)][trans ? line : at];
}

template <bool Trans>
void load_matrices(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const auto& to = c.in->code().lists[c.in->code().forms[s.aux].list].slots;
  resolved r;
  const context part = find_rows(s, c, to.size(), r);
  matrices m;
  each_active(part, [&](unsigned i) { std::memcpy(m[i], r.host[i], row_bytes); });
  for (std::size_t k = 0; k < to.size(); ++k) {
    u32* const d = c.at<u32>(to[k]);
    for (unsigned i = 0; i < warp_lanes; ++i)
      d[i] = half_of(m, k, i, 0, Trans) | u32{half_of(m, k, i, 1, Trans)} << 16;
  }
  tell(s, part, r, nullptr);
}

template <bool Trans>
void store_matrices(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const auto& from = c.in->code().lists[c.in->code().forms[s.aux].list].slots;
  resolved r;
  const context part = find_rows(s, c, from.size(), r);
  matrices m;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const u32* const a = c.at<u32>(from[k]);
    for (unsigned i = 0; i < warp_lanes; ++i)
      for (unsigned half = 0; half < 2; ++half)
        half_of(m, k, i, half, Trans) = static_cast<std::uint16_t>(a[i] >> (16 * half));
  }
  bool changed = false;
  each_active(part, [&](unsigned i) {
    changed = changed || std::memcmp(r.host[i], m[i], row_bytes) != 0;
    std::memcpy(r.host[i], m[i], row_bytes);
  });
  if (changed) c.in->in().in().changed();
  tell(s, part, r, reinterpret_cast<const std::byte*>(m));
}

void build_matrices(instruction_builder& b, const choice& c, bool loads) {
  if (b.count() != 2) b.fail("two operands are expected");
  const std::size_t count = static_cast<std::size_t>(c.get("num")[1] - '0');
  access_form f = form_of(c, loads ? flow::kind::load : flow::kind::store);
  f.bytes = f.align = row_bytes;
  f.list = b.list(fragment_registers(b, loads ? 0 : 1, count, loads));
  const run_function plain = loads ? load_matrices<false> : store_matrices<false>;
  const run_function transposed = loads ? load_matrices<true> : store_matrices<true>;
  add_matrix_access(b, c.has("trans") ? transposed : plain, f, loads ? 1 : 0);
}
void build_ldmatrix(instruction_builder& b, const choice& c) {
  build_matrices(b, c, true);
}
void build_stmatrix(instruction_builder& b, const choice& c) {
  build_matrices(b, c, false);
}

#define SHAPES "shape:m16n16k16|m32n8k16|m8n32k16 "
#define SPACE "space:global|shared|shared::cta? "
#define MATRICES "sync aligned shape:m8n8 num:x1|x2|x4 trans? space:shared|shared::cta? t:b16"
constexpr std::string_view own_layout = "the layout of fragments is the machine's own";

const std::array table = {
    row{"wmma", "load role:a|b sync aligned layout:row|col " SHAPES SPACE "t:f16|bf16|s8|u8",
        "d, [p], stride", nullptr, nullptr, build_load, own_layout},
    row{"wmma", "load role:a|b sync aligned layout:row|col shape:m16n16k8 " SPACE "t:tf32",
        "d, [p], stride", nullptr, nullptr, build_load, own_layout},
    row{"wmma", "load role:c sync aligned layout:row|col " SHAPES SPACE "t:f16|f32|s32",
        "d, [p], stride", nullptr, nullptr, build_load, own_layout},
    row{"wmma", "load role:c sync aligned layout:row|col shape:m16n16k8 " SPACE "t:f32",
        "d, [p], stride", nullptr, nullptr, build_load, own_layout},
    row{"wmma", "store role:d sync aligned layout:row|col " SHAPES SPACE "t:f16|f32|s32",
        "[p], a, stride", nullptr, nullptr, build_store, own_layout},
    row{"wmma", "store role:d sync aligned layout:row|col shape:m16n16k8 " SPACE "t:f32",
        "[p], a, stride", nullptr, nullptr, build_store, own_layout},
    row{"ldmatrix", MATRICES, "d, [p]", nullptr, nullptr, build_ldmatrix},
    row{"stmatrix", MATRICES, "[p], a", nullptr, nullptr, build_stmatrix},
};

}  // namespace

rows matrix_memory_rows() {
  return table;
}

}  // namespace ptxlab::machine
