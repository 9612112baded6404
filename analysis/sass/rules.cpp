// SPDX-License-Identifier: Apache-2.0
// What each SASS opcode of sm_75 to sm_121 does to its operands.
#include <algorithm>
#include <charconv>
#include <optional>

#include "analysis/sass/opcode.hpp"
#include "analysis/sass/opcode_table.hpp"

namespace ptxlab::sass {
namespace {

using flow::form;
using flow::kind;
using flow::order;
using flow::relation;
using flow::scope;
using flow::space;
using flow::transfer;

void set_all(rule& r, std::uint8_t width) {
  r.result_regs = width;
  std::fill(std::begin(r.source_regs), std::end(r.source_regs), width);
}

std::uint16_t memory_width(const opcode& o) {
  for (const std::string_view m : o.modifiers) {
    if (m == "U8" || m == "S8") return 8;
    if (m == "U16" || m == "S16") return 16;
    if (m == "64" || m == "F64" || m == "TRANS64") return 64;
    if (m == "128") return 128;
    if (m == "256") return 256;
  }
  return 32;
}

void read_ordering(const opcode& o, rule& r) {
  if (r.memory == space::shared && o.base != "LDGSTS" && !o.base.starts_with("UTMA")) {
    r.ordering = order::shared;
    return;
  }
  bool strong = r.what == kind::atomic || r.what == kind::reduction;
  for (const std::string_view m : o.modifiers) {
    if (m == "CONSTANT") r.ordering = order::nc;
    if (m == "STRONG" || m == "MMIO") strong = true;
  }
  if (!strong) return;  // sm_75 prints .SYS on weak accesses too
  r.ordering = order::strong;
  for (const std::string_view m : o.modifiers) {
    if (m == "CTA" || m == "SM") r.reach = scope::cta;
    if (m == "GPU") r.reach = scope::gpu;
    if (m == "SYS") r.reach = scope::sys;
  }
}

void memory_rule(const opcode& o, rule& r) {
  r.width_bits = memory_width(o);
  auto regs = static_cast<std::uint8_t>(std::max(1, r.width_bits / 32));
  if (o.base == "LDSM" || o.base == "STSM") {  // one 8x8 matrix of 16-bit elements per register
    regs = o.has("4") ? 4 : o.has("2") ? 2 : 1;
    r.width_bits = static_cast<std::uint16_t>(32 * regs);
  }
  set_all(r, regs);
  if (r.width_bits == 256) {
    r.shape = r.shape == layout::result ? layout::two_registers : r.shape;
    set_all(r, 4);
  }
  read_ordering(o, r);
}

void sync_unit_rule(const opcode& o, rule& r) {  // mbarrier operations
  if (o.has("PHASECHK")) {
    r.what = kind::load;
    set_all(r, 1);
  } else if (o.has("EXCH")) {
    set_all(r, 2);
  } else if (o.has("ARRIVE")) {
    r.result_regs = 2;
    r.source_regs[0] = 1;
  }
}

std::uint8_t bits_of(std::string_view m) {
  if (m == "F64" || m == "U64" || m == "S64") return 64;
  if (m == "F32" || m == "U32" || m == "S32" || m == "TF32") return 32;
  if (m == "F16" || m == "BF16" || m == "U16" || m == "S16") return 16;
  if (m == "U8" || m == "S8") return 8;
  return 0;
}

// F2F.F32.F64, F2I.S64.F64, I2F.F64.S64, FRND.F64: result type, then source type. One type alone
// is that of the 64-bit or floating side.
void conversion_rule(const opcode& o, rule& r) {
  std::uint8_t types[2] = {0, 0};
  bool integer[2] = {false, false};
  int count = 0;
  for (const std::string_view m : o.modifiers) {
    if (bits_of(m) == 0 || count == 2) continue;
    integer[count] = m[0] == 'U' || m[0] == 'S';
    types[count++] = bits_of(m);
  }
  const auto regs = [](std::uint8_t bits) { return static_cast<std::uint8_t>(bits == 64 ? 2 : 1); };
  if (count == 2) {
    r.result_regs = regs(types[0]);
    r.source_regs[0] = regs(types[1]);
  } else if (count == 1) {
    const bool of_result = o.base == "F2I" ? integer[0] : o.base == "I2F" && !integer[0];
    if (of_result || o.base == "FRND" || o.base == "F2F") r.result_regs = regs(types[0]);
    if (!of_result || o.base == "FRND") r.source_regs[0] = regs(types[0]);
  }
}

struct shape {
  unsigned m, n, k;
};

// "16816" is m16n8k16, "884" m8n8k4, "16x8x8" likewise.
std::optional<shape> shape_of(std::string_view text) {
  constexpr struct {
    std::string_view text;
    shape value;
  } known[] = {{"884", {8, 8, 4}},       {"8816", {8, 8, 16}},     {"8832", {8, 8, 32}},
               {"88128", {8, 8, 128}},   {"1684", {16, 8, 4}},     {"1688", {16, 8, 8}},
               {"16816", {16, 8, 16}},   {"16832", {16, 8, 32}},   {"16864", {16, 8, 64}},
               {"168128", {16, 8, 128}}, {"168256", {16, 8, 256}}, {"8x8x4", {8, 8, 4}},
               {"16x8x4", {16, 8, 4}},   {"16x8x8", {16, 8, 8}},   {"16x8x16", {16, 8, 16}},
               {"8x8x16", {8, 8, 16}},   {"16x8x32", {16, 8, 32}}, {"16x8x64", {16, 8, 64}}};
  for (const auto& entry : known)
    if (entry.text == text) return entry.value;
  return std::nullopt;
}

// A fragment of r x c elements is spread over 32 lanes.
std::uint8_t fragment(unsigned rows, unsigned columns, unsigned bits) {
  return static_cast<std::uint8_t>(std::clamp(rows * columns * bits / 1024, 1u, 64u));
}

void matrix_rule(const opcode& o, rule& r) {
  std::optional<shape> s;
  for (const std::string_view m : o.modifiers)
    if (!s) s = shape_of(m);
  if (!s) {
    r.known = false;
    return;
  }
  unsigned in = 16, out = 32;
  if (o.base == "HMMA") {
    if (o.has("TF32")) in = 32;
    if (!o.has("F32")) out = 16;
  } else if (o.base == "DMMA") {
    in = out = 64;
  } else if (o.base == "BMMA") {
    in = 1;
  } else {
    in = o.has("U4") || o.has("S4") ? 4 : 8;
  }
  const unsigned kept = o.has("SP") ? s->k / 2 : s->k;  // 2:4 sparse A
  r.source_regs[0] = fragment(s->m, kept, in);
  r.source_regs[1] = fragment(s->k, s->n, in);
  r.source_regs[2] = r.result_regs = fragment(s->m, s->n, out);
}

relation relation_of(const opcode& o) {
  for (const std::string_view m : o.modifiers) {
    if (m == "EQ") return relation::eq;
    if (m == "NE") return relation::ne;
    if (m == "LT") return relation::lt;
    if (m == "LE") return relation::le;
    if (m == "GT") return relation::gt;
    if (m == "GE") return relation::ge;
  }
  return relation::none;
}

void integer_rule(const opcode& o, rule& r) {
  const bool wide = o.has("64") || o.has("S64") || o.has("U64");
  if (o.base == "IMAD" || o.base == "UIMAD") {
    if (o.has("WIDE")) r.result_regs = r.source_regs[2] = 2;
    if (o.has("HI")) r.source_regs[2] = 2;
    if (o.has("MOV") || o.text == "IMAD.U32") r.form = form::move;
    if (o.has("IADD")) r.form = form::add;
  } else if (o.base == "ISETP" || o.base == "UISETP") {
    if (wide) set_all(r, 2);
    r.unsigned_compare = o.has("U32") || o.has("U64");
    r.rel = o.has("EX") || !o.has("AND") ? relation::none : relation_of(o);
    if (r.rel != relation::none) r.form = form::compare;
  } else if (o.base == "MATCH") {
    if (wide) r.source_regs[0] = 2;
  } else if (o.base != "SHF" && o.base != "USHF" && wide) {
    set_all(r, 2);
  }
  if (o.base == "MOV" || o.base == "UMOV" || o.base == "CS2R" || o.base == "HFMA2" ||
      o.base == "IMAD" || o.base == "CS2UR") {
    if (r.form == form::other) r.form = o.base == "IMAD" ? form::other : form::move;
  }
  if (!o.has("X") && (o.base == "IADD3" || o.base == "UIADD3" || o.base == "VIADD" ||
                      o.base == "UVIADD" || o.base == "IADD"))
    r.form = form::add;
  if ((o.base == "CS2R" || o.base == "CS2UR") && !o.has("32")) r.result_regs = 2;
}

void control_rule(const opcode& o, rule& r) {
  if (o.base == "BRA")
    r.condition_unseen = o.has("DIV") || o.has("CONV") || o.has("ANY") || o.has("ALL");
  if (o.base == "CCTL" && o.has("IVALL")) r.what = kind::cache_invalidate;
  if (o.base == "BPT" && o.has("TRAP")) r.then = transfer::leave;
  if (o.base == "MEMBAR") {
    r.reach = o.has("SYS") ? scope::sys : o.has("GPU") ? scope::gpu : scope::cta;
    if (o.has("SC")) r.ordering = order::sc;
  }
}

}  // namespace

rule rule_of(const opcode& o) {
  rule r;
  const opcode_row* row = find_row(o.base);
  if (row == nullptr) return r;
  r.known = true;
  r.shape = row->shape;
  r.what = row->what;
  r.memory = row->memory;
  r.then = row->then;
  if (r.memory != space::none) memory_rule(o, r);
  if (o.base == "SYNCS") sync_unit_rule(o, r);
  if (o.base.ends_with("MMA")) {
    matrix_rule(o, r);
  } else if (o.base == "F2F" || o.base == "F2I" || o.base == "I2F" || o.base == "FRND") {
    conversion_rule(o, r);
  } else if (o.base == "VOTE" || o.base == "VOTEU") {
    r.trailing = 1;
  } else if (o.base == "ELECT") {
    r.trailing = 0;
  } else if (o.base == "LEPC") {
    r.result_regs = 2;
  } else if (o.base[0] == 'D' && o.base != "DEPBAR") {
    set_all(r, 2);
  } else if (o.base == "FADD2" || o.base == "FMUL2" || o.base == "FFMA2") {
    set_all(r, 2);
  } else if (r.memory == space::none) {
    integer_rule(o, r);
  }
  control_rule(o, r);
  return r;
}

}  // namespace ptxlab::sass
