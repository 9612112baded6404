// SPDX-License-Identifier: Apache-2.0
// Products of small matrices, spread over the lanes of a warp: PTX ISA 9.0, "Warp Level Matrix
// Multiply-Accumulate Instructions": mma.sync, wmma.mma, movmatrix. Loads and stores of matrices
// are in matrix_memory.cpp.
//
// Integers are exact. Floating-point matrices are summed as an H200 does: math/dot.hpp.
#include "ptx/machine/operations/matrix.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/math/dot.hpp"
#include "ptx/machine/math/half.hpp"
#include "ptx/machine/matrix_layout.hpp"
#include "ptx/machine/operations/meeting.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
constexpr unsigned most_size = fragment_layout::most_size;
constexpr unsigned most_lines = 32;  ///< rows of A, columns of B

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

/// The bits of D's element. Where D is f16 and C is f32, the instruction gives f32, and another one
/// rounds it.
u32 sum_bits(double x, matrix_element to, matrix_element addend) {
  if (to != matrix_element::f16) return math::bits_of(math::cut(x));
  if (addend == matrix_element::f16) return math::rounded_once(x).bits;
  return math::narrowed<math::f16, math::rounding::rn>(math::cut(x)).bits;
}
/// `Clamp`: .satfinite, else the sum wraps.
template <bool Clamp>
u32 sum_bits(std::int64_t x) {
  using limits = std::numeric_limits<std::int32_t>;
  if (Clamp && x < limits::min()) x = limits::min();
  if (Clamp && x > limits::max()) x = limits::max();
  return static_cast<u32>(x);
}

/// The exponent of the smallest normal number.
int lowest_exponent(matrix_element e) {
  return e == matrix_element::f16 ? -14 : -126;
}

/// Lines of factors of one sum: element k of line i lies at matrix[i * line_step + k * step].
struct factor_lines {
  math::dot_factors at[most_lines];
  factor_lines(const double* matrix, matrix_element of, unsigned lines, unsigned line_step,
               unsigned length, unsigned step) {
    const int lowest = lowest_exponent(of);
    for (unsigned i = 0; i < lines; ++i)
      for (unsigned k = 0; k < length; ++k) {
        const double x = matrix[i * line_step + k * step];
        at[i].values[k] = x;
        at[i].exponents[k] = math::dot_exponent(x, lowest);
      }
  }
};

/// Products of one sum: all, but ptxas 13.0 makes two instructions of wmma's m16n16k8.
unsigned products_of_sum(const fragment_layout& d, unsigned depth) {
  return d.size() == 256 && depth == 8 ? 4 : depth;
}

/// The four matrices of a product: layouts, and their registers in the list of all.
struct product_places {
  const fragment_layout &d, &a, &b, &c;
  const slot *d_at, *a_at, *b_at, *c_at;
  product_places(const step& s, const context& x)
      : d(fragment_layouts()[s.d]),
        a(fragment_layouts()[s.a]),
        b(fragment_layouts()[s.b]),
        c(fragment_layouts()[s.c]),
        d_at(x.in->code().lists[static_cast<std::size_t>(s.imm)].slots.data()),
        a_at(d_at + d.registers()),
        b_at(a_at + a.registers()),
        c_at(b_at + b.registers()) {}
};

/// Spreads D, row after row, over the lanes.
void scatter(const context& c, const product_places& p, const u32* result) {
  for (unsigned r = 0; r < p.d.registers(); ++r) {
    u32* const to = c.at<u32>(p.d_at[r]);
    for (unsigned i = 0; i < warp_lanes; ++i) {
      to[i] = 0;
      for (unsigned part = 0; part < p.d.per_register(); ++part)
        to[i] |= result[p.d.index(i, r * p.d.per_register() + part)] << (part * bits(p.d.of()));
    }
  }
}

/// D = A B + C. d, a, b, c: numbers of layouts, not slots; imm: the list of all registers, those of
/// d first.
void multiply_floats(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const product_places p(s, c);
  const unsigned depth = p.a.columns(), height = p.a.rows(), width = p.b.columns();
  double left[most_size], right[most_size], more[most_size];
  gather(c, p.a, p.a_at, left);
  gather(c, p.b, p.b_at, right);
  gather(c, p.c, p.c_at, more);
  u32 result[most_size];
  const unsigned step = products_of_sum(p.d, depth);
  for (unsigned k = 0; k < depth; k += step) {
    const factor_lines rows(left + k, p.a.of(), height, depth, step, 1);
    const factor_lines columns(right + k * width, p.b.of(), width, 1, step, width);
    for (unsigned m = 0; m < height; ++m)
      for (unsigned n = 0; n < width; ++n) {
        const unsigned i = m * width + n;
        const double sum = math::dot(rows.at[m], columns.at[n], step, static_cast<float>(more[i]));
        if (k + step < depth)
          more[i] = static_cast<double>(math::cut(sum));
        else
          result[i] = sum_bits(sum, p.d.of(), p.c.of());
      }
  }
  scatter(c, p, result);
}

/// As multiply_floats, of integers.
template <bool Clamp>
void multiply_integers(const step& s, context& c) {
  if (!warp_here(s, c)) return;
  const product_places p(s, c);
  std::int64_t left[most_size], right[most_size], sum[most_size];
  gather(c, p.a, p.a_at, left);
  gather(c, p.b, p.b_at, right);
  gather(c, p.c, p.c_at, sum);
  const unsigned depth = p.a.columns(), width = p.b.columns();
  for (unsigned m = 0; m < p.d.rows(); ++m)
    for (unsigned k = 0; k < depth; ++k) {
      const std::int64_t x = left[m * depth + k];
      for (unsigned n = 0; n < width; ++n) sum[m * width + n] += x * right[k * width + n];
    }
  u32 result[most_size];
  for (unsigned i = 0; i < p.d.size(); ++i) result[i] = sum_bits<Clamp>(sum[i]);
  scatter(c, p, result);
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
  step& s = b.add(!c.is("d", "s32")    ? multiply_floats
                  : c.has("satfinite") ? multiply_integers<true>
                                       : multiply_integers<false>);
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
constexpr std::string_view names = "d, a, b, c", note = "summed as an H200 does";

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
