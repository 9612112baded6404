// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "ptx/machine/row.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::golden {
namespace {

using machine::choice;
using machine::row;
using machine::type;

unsigned register_bits(type t) {
  return t == type::pred ? 1 : std::max(machine::bits(t), 16U);
}
unsigned register_bits(const operand& o) {
  return is_elements(o) ? 64 : register_bits(o.type);
}

/// What an operand is used for: a u32 beside operands of another type is an amount.
use use_of(const row& r, char letter) {
  if (r.base == "fns") return letter == 'u' ? use::lane : letter == 'i' ? use::count : use::value;
  if (letter != 'u' || r.operands.front() != 't' || r.base == "prmt") return use::value;
  return use::amount;
}

bool has(const choice& c, std::string_view group, std::string_view value) {
  return c.is(group, value) || c.has(value);
}

/// The one instruction, with the results it leaves. CC.CF is set before what reads it, to whether
/// the last operand is not 0, and is the last result of what writes it. Subtractions hand on a
/// borrow, and only instructions of the same kind understand each other.
void write_code(golden_case& c, const row& r, const choice& what, std::string_view spelling) {
  const bool reads = r.base == "addc" || r.base == "subc" || r.base == "madc";
  const bool writes = has(what, "cc", "cc");
  const std::string_view kind = r.base.starts_with("sub") ? "sub" : "add";
  std::string operands;
  for (std::size_t k = 0; k < c.in.size(); ++k) operands += fmt::format(", %i{}", k);
  if (r.base == "lop3") operands = ", %i0, %i1, %i2, 0xca";
  if (reads) {
    c.code += kind == "sub" ? fmt::format("sub.cc.u32 %t1, 0, %i{};\n", c.in.size())
                            : fmt::format("add.cc.u32 %t1, %i{}, 0xffffffff;\n", c.in.size());
    c.in.push_back({type::u32, use::few});
  }
  if (r.operands.front() == 'P') {
    c.code += fmt::format(
        "{} %p|%q{};\nselp.b32 %t1, 1, 0, %p;\nselp.b32 %t2, 2, 0, %q;\n"
        "or.b32 %o0, %t1, %t2;\n",
        spelling, operands);
    c.out = {32};
    return;
  }
  c.code += fmt::format("{} %o0{};\n", spelling, operands);
  c.out = {register_bits(machine::operand_type(r.operands.front(), what))};
  if (writes) {
    c.code += fmt::format("{}c.u32 %o1, 0, 0;\n", kind);
    c.out.push_back(32);
  }
}

void add_row(const row& r, std::set<std::string>& seen, std::vector<golden_case>& to) {
  const auto pattern = machine::read_pattern(r.pattern);
  const std::size_t less = r.operands.find('<');
  if (less != 1) throw error(fmt::format("{}: '{}' are no operands", r.base, r.operands));
  for (const std::string& spelling : machine::spellings(r.base, pattern)) {
    const ptx::opcode op = ptx::decode_opcode(spelling);
    choice what;
    std::string_view left;
    if (!machine::match(pattern, op, what, left) || r.select(what) == nullptr) continue;
    if (!seen.insert(spelling).second) continue;
    golden_case c;
    c.name = spelling;
    c.plain = true;
    c.approximate = op.has("approx") || op.has("full");
    for (const char letter : r.operands.substr(less + 1)) {
      if (letter == 'q' && (r.aux == nullptr || r.aux(what) == 0)) continue;
      if (r.base == "lop3" && letter == 'u') continue;  // an immediate
      c.in.push_back({machine::operand_type(letter, what), use_of(r, letter)});
    }
    write_code(c, r, what, spelling);
    to.push_back(std::move(c));
  }
}

/// The cases that `add` adds are of a part.
void add_part(part p, void (*add)(std::vector<golden_case>&), std::vector<golden_case>& to) {
  const std::size_t first = to.size();
  add(to);
  for (std::size_t i = first; i < to.size(); ++i) to[i].of = p;
}

std::vector<golden_case> make_cases() {
  std::vector<golden_case> out;
  std::set<std::string> seen;
  for (const row& r : machine::operation_table())
    if (r.select != nullptr) add_row(r, seen, out);
  add_lane_families(out);
  add_memory_families(out);
  add_atomic_families(out);
  add_register_families(out);
  add_part(part::textures, add_texture_families, out);
  add_part(part::matrices, add_matrix_families, out);
  add_part(part::matrices, add_fragment_families, out);
  add_part(part::copies, add_async_families, out);
  std::sort(out.begin(), out.end(), [](const golden_case& a, const golden_case& b) {
    return std::tie(a.of, a.name) < std::tie(b.of, b.name);
  });
  for (std::size_t i = 1; i < out.size(); ++i)
    if (out[i].name == out[i - 1].name)
      throw error(fmt::format("two golden cases are named '{}'", out[i].name));
  return out;
}

std::string load(std::size_t k, const operand& o) {
  const std::size_t at = k * tuples * 8;
  if (o.type == type::pred)
    return fmt::format(
        ".reg .pred %i{0};\nld.global.b32 %t1, [%in+{1}];\nsetp.ne.b32 %i{0}, %t1, 0;\n", k, at);
  return fmt::format(".reg .b{0} %i{1};\nld.global.b{0} %i{1}, [%in+{2}];\n", register_bits(o), k,
                     at);
}
std::string store(std::size_t k, unsigned bits) {
  const std::size_t at = k * tuples * 8;
  if (bits == 1)
    return fmt::format("selp.b32 %t1, 1, 0, %o{};\nst.global.b32 [%out+{}], %t1;\n", k, at);
  return fmt::format("st.global.b{} [%out+{}], %o{};\n", bits, at, k);
}

}  // namespace

const std::vector<golden_case>& cases() {
  static const std::vector<golden_case> all = make_cases();
  return all;
}

namespace {

const std::vector<case_range>& modules() {
  static const std::vector<case_range> all = [] {
    std::vector<case_range> out;
    for (std::size_t i = 0; i < cases().size(); ++i)
      if (i == 0 || cases()[i].of != cases()[i - 1].of || i - out.back().first == module_cases)
        out.push_back({i, i + 1});
      else
        out.back().last = i + 1;
    return out;
  }();
  return all;
}

constexpr std::string_view part_names[] = {"instructions", "textures", "matrices", "copies"};

}  // namespace

std::string_view name(part p) {
  return part_names[static_cast<std::size_t>(p)];
}

std::optional<part> part_named(std::string_view text) {
  for (const part p : parts)
    if (name(p) == text) return p;
  return std::nullopt;
}

std::size_t module_count() {
  return modules().size();
}

part module_part(std::size_t number) {
  return cases()[modules()[number].first].of;
}

case_range module_range(std::size_t number) {
  return modules()[number];
}

std::string kernel_name(std::size_t index) {
  return fmt::format("k{}", index);
}

std::string kernel_text(const golden_case& c, std::string_view name) {
  std::string out = fmt::format(
      "// {}\n.visible .entry {}(.param .u64 in, .param .u64 out{})\n{{\n"
      ".reg .pred %p, %q, %r;\n.reg .b16 %h<8>;\n.reg .b32 %t<16>;\n.reg .b64 %l<8>, %in, %out;\n",
      c.name, name, c.texture ? ", .param .u64 texture" : "");
  if (c.texture) out += ".reg .b64 %tex;\nld.param.u64 %tex, [texture];\n";
  for (std::size_t k = 0; k < c.out.size(); ++k)
    if (c.out[k] != 0)
      out += c.out[k] == 1 ? fmt::format(".reg .pred %o{};\n", k)
                           : fmt::format(".reg .b{} %o{};\n", c.out[k], k);
  out +=
      "mov.u32 %t0, %tid.x;\nmul.wide.u32 %l0, %t0, 8;\nld.param.u64 %in, [in];\n"
      "add.u64 %in, %in, %l0;\nld.param.u64 %out, [out];\nadd.u64 %out, %out, %l0;\n";
  for (std::size_t k = 0; k < c.in.size(); ++k) out += load(k, c.in[k]);
  out += c.code;
  for (std::size_t k = 0; k < c.out.size(); ++k)
    if (c.out[k] != 0) out += store(k, c.out[k]);
  return out + "ret;\n}\n";
}

std::string module_text(std::size_t number, const std::vector<std::size_t>& leave_out) {
  std::string out =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".const .align 8 .b64 table[4] = {0x8182838485868788, 0x0102030405060708, "
      "0xfff0e0d0c0b0a090, 0x7f00ff0080ff7f80};\n";
  if (module_part(number) == part::matrices || module_part(number) == part::copies)
    out += fmt::format(".global .align 256 .b8 scratch[{}];\n", scratch_bytes);
  const auto [first, last] = module_range(number);
  for (std::size_t i = first; i < last; ++i)
    if (std::find(leave_out.begin(), leave_out.end(), i) == leave_out.end())
      out += kernel_text(cases()[i], kernel_name(i));
  return out;
}

}  // namespace ptxlab::golden
