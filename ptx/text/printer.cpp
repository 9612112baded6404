// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/printer.hpp"

#include <array>

namespace ptxlab::ptx {
namespace {

void operand_to(const module& m, const function& f, std::uint32_t index, std::string& out) {
  const operand& o = f.operands[index];
  const auto list = [&](std::string_view open, std::string_view between, std::string_view close) {
    out += open;
    bool first = true;
    for_each_child(f.operands, index, [&](std::uint32_t child) {
      if (!first) out += f.operands[child].after_plus ? "+" : between;
      first = false;
      operand_to(m, f, child, out);
    });
    out += close;
  };
  switch (o.kind) {
    case operand_kind::address:
      return list("[", ", ", "]");
    case operand_kind::vector:
      return list("{", ", ", "}");
    case operand_kind::group:
      return list("(", ", ", ")");
    case operand_kind::pair:
      return list("", "|", "");
    default:
      break;
  }
  if (o.negated) out += '!';
  if (o.minus) out += '-';
  out += m.text(o);
}

const register_range* range_of(const function& f, std::uint32_t reg) {
  for (const register_range& r : f.registers)
    if (reg >= r.first && reg < r.first + r.count) return &r;
  return nullptr;
}

void instruction_to(const module& m, const function& f, const instruction& i, std::string& out) {
  if (i.guard != nothing) {
    out += i.guard_negated ? "@!" : "@";
    if (const register_range* r = range_of(f, i.guard)) {
      out += r->prefix;
      if (r->numbered) out += std::to_string(i.guard - r->first);
    }
    out += ' ';
  }
  out += m.op(i).text;
  bool first = true;
  for_each_operand(f, i, [&](std::uint32_t index) {
    out += first ? " " : ", ";
    first = false;
    operand_to(m, f, index, out);
  });
  out += ';';
}

void function_to(const module& m, const function& f, std::string& out) {
  out += f.header;
  if (!f.has_body) {
    out += ";\n";
    return;
  }
  out += "\n{\n";
  for (const statement& s : f.statements) {
    switch (s.kind) {
      case statement_kind::instruction:
        out += '\t';
        instruction_to(m, f, f.instructions[s.index], out);
        out += '\n';
        break;
      case statement_kind::label:
        out += f.labels[s.index].name;
        out += ":\n";
        break;
      case statement_kind::open:
        out += "\t{\n";
        break;
      case statement_kind::close:
        out += "\t}\n";
        break;
      case statement_kind::text:
        out += '\t';
        out += f.texts[s.index];
        out += '\n';
        break;
    }
  }
  out += "}\n";
}

}  // namespace

std::string print(const module& m) {
  std::string out;
  out.reserve(m.source->size());
  for (const item& i : m.items) {
    if (i.is_function) {
      function_to(m, m.functions[i.index], out);
    } else {
      out += m.texts[i.index];
      out += '\n';
    }
  }
  return out;
}

std::string print(const module& m, const function& f, const instruction& i) {
  std::string out;
  instruction_to(m, f, i, out);
  return out;
}

std::string print_operand(const module& m, const function& f, std::uint32_t operand) {
  std::string out;
  operand_to(m, f, operand, out);
  return out;
}

}  // namespace ptxlab::ptx
