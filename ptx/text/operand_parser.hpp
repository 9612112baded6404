// SPDX-License-Identifier: Apache-2.0
// The operands of an instruction.
#pragma once

#include "ptx/text/module.hpp"
#include "ptx/text/symbols.hpp"
#include "ptx/text/token_stream.hpp"

namespace ptxlab::ptx {

/// Reads operands into `function::operands`: each is followed by its children.
class operand_parser {
 public:
  operand_parser(token_stream& in, function& f, const register_names& names)
      : in_(in), f_(f), names_(names) {}

  /// Reads one operand up to the ',' or ';' behind it. Throws ptxlab::error.
  void read() { parse_operand(0); }

 private:
  void set_text(operand& o, const char* begin, const char* end);
  void parse_operand(int depth);
  void close(std::size_t index);
  void single(int depth);
  void expression(const token& first, const token& read, operand& o);
  void classify(const token& t, operand& o);
  void nested(const token& first, operand_kind kind, char closing, int depth);

  token_stream& in_;
  function& f_;
  const register_names& names_;
  bool in_address_ = false;
};

}  // namespace ptxlab::ptx
