// SPDX-License-Identifier: Apache-2.0
// Products of small matrices, spread over the lanes of a warp: PTX ISA 9.0, "Warp Level Matrix
// Multiply-Accumulate Instructions": mma.sync, wmma.mma, movmatrix. Loads and stores of matrices
// are in matrix_memory.cpp.
//
// Integers are exact. Of floating-point matrices each product is exact; they are added in double
// precision in the order of k, then C is added, and the sum is rounded to D's type once, to
// nearest even. PTX leaves order and rounding open, and hardware differs in the last bits.
#include "ptx/machine/operations/matrix.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/math/half.hpp"
#include "ptx/machine/matrix_layout.hpp"
#include "ptx/machine/operations/meeting.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
constexpr unsigned most_size = fragment_layout::most_size;

/// The value of an element in the low bits of a register.
template <matrix_element E>
auto value_of(u32 bits) {
  using enum matrix_element;
  if constexpr (E == f16)
    return static_cast<double>(math::widened(math::f16{static_cast<std::uint16_t>(bits)}));
  else if constexpr (E == bf16)
    return static_cast<double>(math::widened(math::bf16{static_cast<std::uint16_t>(bits)}));
  else if constexpr (E == tf32)  // the lower 13 bits of an f32 are not looked at
    return static_cast<double>(std::bit_cast<float>(bits & 0xffffe000));
  else if constexpr (E == f32)
    return static_cast<double>(std::bit_cast<float>(bits));
  else if constexpr (E == s8)
    return std::int64_t{static_cast<std::int8_t>(bits)};
  else if constexpr (E == u8)
    return std::int64_t{static_cast<std::uint8_t>(bits)};
  else
    return std::int64_t{static_cast<std::int32_t>(bits)};
}

/// Collects a matrix from the registers of the lanes, row after row.
template <matrix_element E, class T>
void gather_as(const context& c, const fragment_layout& l, const slot* registers, T* matrix) {
  for (unsigned e = 0; e < l.elements(); ++e) {
    const u32* const a = c.at<u32>(registers[e / l.per_register()]);
    const unsigned shift = e % l.per_register() * bits(E);
    for (unsigned i = 0; i < warp_lanes; ++i) matrix[l.index(i, e)] = value_of<E>(a[i] >> shift);
  }
}
template <class T>
void gather(const context& c, const fragment_layout& l, const slot* registers, T* matrix) {
  using enum matrix_element;
  if constexpr (std::is_integral_v<T>) {
    if (l.of() == s8) return gather_as<s8>(c, l, registers, matrix);
    if (l.of() == u8) return gather_as<u8>(c, l, registers, matrix);
    return gather_as<s32>(c, l, registers, matrix);
  } else {
    if (l.of() == f16) return gather_as<f16>(c, l, registers, matrix);
    if (l.of() == bf16) return gather_as<bf16>(c, l, registers, matrix);
    if (l.of() == tf32) return gather_as<tf32>(c, l, registers, matrix);
    return gather_as<f32>(c, l, registers, matrix);
  }
}

u32 rounded(double x, matrix_element to) {
  if (to == matrix_element::f16) return math::narrowed<math::f16, math::rounding::rn>(x).bits;
  return math::bits_of(math::nan_rule(static_cast<float>(x)));
}
/// `Clamp`: .satfinite, else the sum wraps.
template <bool Clamp>
u32 rounded(std::int64_t x, matrix_element) {
  using limits = std::numeric_limits<std::int32_t>;
  if (Clamp && x < limits::min()) x = limits::min();
  if (Clamp && x > limits::max()) x = limits::max();
  return static_cast<u32>(x);
}

/// D = A B + C. d, a, b, c: numbers of layouts, not slots; imm: the list of all registers, those of
/// d first. T is double or std::int64_t.
template <class T, bool Clamp>
void multiply(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const std::vector<fragment_layout>& all = fragment_layouts();
  const fragment_layout &d = all[s.d], &a = all[s.a], &b = all[s.b], &plus = all[s.c];
  const slot* const registers = c.in->code().lists[static_cast<std::size_t>(s.imm)].slots.data();
  T left[most_size], right[most_size], sum[most_size] = {}, more[most_size];
  gather(c, a, registers + d.registers(), left);
  gather(c, b, registers + d.registers() + a.registers(), right);
  gather(c, plus, registers + d.registers() + a.registers() + b.registers(), more);
  const unsigned depth = a.columns(), width = b.columns();
  for (unsigned m = 0; m < d.rows(); ++m)
    for (unsigned k = 0; k < depth; ++k) {
      const T x = left[m * depth + k];
      for (unsigned n = 0; n < width; ++n) sum[m * width + n] += x * right[k * width + n];
    }
  u32 result[most_size];
  for (unsigned i = 0; i < d.size(); ++i) {
    if constexpr (std::is_integral_v<T>)
      result[i] = rounded<Clamp>(sum[i] + more[i], d.of());
    else
      result[i] = rounded(sum[i] + more[i], d.of());
  }
  for (unsigned r = 0; r < d.registers(); ++r) {
    u32* const to = c.at<u32>(registers[r]);
    for (unsigned i = 0; i < warp_lanes; ++i) {
      to[i] = 0;
      for (unsigned part = 0; part < d.per_register(); ++part)
        to[i] |= result[d.index(i, r * d.per_register() + part)] << (part * bits(d.of()));
    }
  }
}

void build_product(instruction_builder& b, const choice& c) {
  if (b.count() != 4) b.fail("four operands are expected");
  // wmma.mma of f16 does not name the type of A and B.
  const std::string_view types[] = {c.get("d"), c.has("a") ? c.get("a") : "f16",
                                    c.has("b") ? c.get("b") : "f16", c.get("c")};
  constexpr matrix_role roles[] = {matrix_role::accumulator, matrix_role::a, matrix_role::b,
                                   matrix_role::accumulator};
  u32 numbers[4];
  std::vector<slot> registers;
  for (std::size_t i = 0; i < 4; ++i) {
    numbers[i] = fragment_named(b, roles[i], c.get("shape"), types[i]);
    const std::vector<slot> some =
        fragment_registers(b, i, fragment_layouts()[numbers[i]].registers(), i == 0);
    registers.insert(registers.end(), some.begin(), some.end());
  }
  const std::uint32_t list = b.list(std::move(registers));
  step& s = b.add(!c.is("d", "s32")    ? multiply<double, false>
                  : c.has("satfinite") ? multiply<std::int64_t, true>
                                       : multiply<std::int64_t, false>);
  s.d = numbers[0];
  s.a = numbers[1];
  s.b = numbers[2];
  s.c = numbers[3];
  s.imm = list;
}

/// d: the 8 x 8 matrix a transposed, of halves, two in each lane: row lane / 4.
void transpose(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const u32* const a = c.at<u32>(s.a);
  std::uint16_t matrix[8][8];
  for (unsigned i = 0; i < warp_lanes; ++i)
    for (unsigned k = 0; k < 2; ++k)
      matrix[i / 4][i % 4 * 2 + k] = static_cast<std::uint16_t>(a[i] >> (16 * k));
  u32* const d = c.at<u32>(s.d);
  for (unsigned i = 0; i < warp_lanes; ++i)
    d[i] = matrix[i % 4 * 2][i / 4] | u32{matrix[i % 4 * 2 + 1][i / 4]} << 16;
}
void build_transpose(instruction_builder& b, const choice&) {
  if (b.count() != 2) b.fail("two operands are expected");
  const slot a = b.source(1, type::b32), d = b.result(0, type::b32);
  step& s = b.add(transpose);
  s.a = a;
  s.d = d;
}

#define MMA "sync aligned shape:"
#define WMMA "mma sync aligned alayout:row|col blayout:row|col shape:"
#define SHAPES "m16n16k16|m32n8k16|m8n32k16 "
constexpr std::string_view names = "d, a, b, c",
                           note =
                               "approximate: order and rounding of the accumulation are the "
                               "hardware's own";

const std::array table = {
    row{"mma", MMA "m16n8k8|m16n8k16 alayout:row blayout:col d:f32 a:f16 b:f16 c:f32", names,
        nullptr, nullptr, build_product, note},
    row{"mma", MMA "m16n8k8|m16n8k16 alayout:row blayout:col d:f16 a:f16 b:f16 c:f16", names,
        nullptr, nullptr, build_product, note},
    row{"mma", MMA "m16n8k8|m16n8k16 alayout:row blayout:col d:f32 a:bf16 b:bf16 c:f32", names,
        nullptr, nullptr, build_product, note},
    row{"mma", MMA "m16n8k4|m16n8k8 alayout:row blayout:col d:f32 a:tf32 b:tf32 c:f32", names,
        nullptr, nullptr, build_product, note},
    row{"mma",
        MMA "m8n8k16|m16n8k16|m16n8k32 alayout:row blayout:col satfinite? d:s32 a:s8|u8 b:s8|u8 "
            "c:s32",
        names, nullptr, nullptr, build_product},
    row{"wmma", WMMA SHAPES "d:f16|f32 c:f16|f32", names, nullptr, nullptr, build_product, note},
    row{"wmma", WMMA SHAPES "d:f32 a:bf16 b:bf16 c:f32", names, nullptr, nullptr, build_product,
        note},
    row{"wmma", WMMA "m16n16k8 d:f32 a:tf32 b:tf32 c:f32", names, nullptr, nullptr, build_product,
        note},
    row{"wmma", WMMA SHAPES "d:s32 a:s8 b:s8 c:s32 satfinite?", names, nullptr, nullptr,
        build_product},
    row{"wmma", WMMA SHAPES "d:s32 a:u8 b:u8 c:s32 satfinite?", names, nullptr, nullptr,
        build_product},
    row{"movmatrix", "sync aligned shape:m8n8 trans t:b16", "d, a", nullptr, nullptr,
        build_transpose},
};

}  // namespace

std::vector<slot> fragment_registers(instruction_builder& b, std::size_t i, std::size_t count,
                                     bool are_results) {
  if (b.operand(i).kind != ptx::operand_kind::vector)
    b.fail(fmt::format("'{}', where a vector of {} is expected", b.text(b.operand(i)), count));
  const std::vector<std::uint32_t> parts = b.children(i);
  if (parts.size() != count)
    b.fail(fmt::format("{} registers, where {} are expected", parts.size(), count));
  std::vector<slot> out;
  for (const std::uint32_t part : parts) {
    const ptx::operand& o = b.at(part);
    out.push_back(are_results ? b.result(o, type::b32) : b.source(o, type::b32));
  }
  return out;
}

std::uint32_t fragment_named(instruction_builder& b, matrix_role role, std::string_view shape,
                             std::string_view element) {
  const std::optional<matrix_shape> s = matrix_shape_named(shape);
  const std::optional<matrix_element> of = matrix_element_named(element);
  const auto number = s && of ? fragment_number(role, *s, *of) : std::nullopt;
  if (!number) b.fail(fmt::format("no fragment of .{} has elements of .{}", shape, element));
  return *number;
}

rows matrix_rows() {
  return table;
}

}  // namespace ptxlab::machine
