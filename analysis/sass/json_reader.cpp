// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/sass/reader.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::sass {
namespace {

enum class field : std::uint8_t { other, name, start, length, instructions, code, operands, guard };

field field_of(std::string_view key) {
  if (key == "opcode") return field::code;
  if (key == "operands") return field::operands;
  if (key == "predicate") return field::guard;
  if (key == "function-name") return field::name;
  if (key == "start") return field::start;
  if (key == "length") return field::length;
  if (key == "sass-instructions") return field::instructions;
  return field::other;
}

bool read_guard(std::string_view text, predicate& out) {
  if (!text.starts_with('@')) return false;
  text.remove_prefix(1);
  if (text.starts_with('!')) {
    out.negated = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('U')) {
    out.uniform = true;
    text.remove_prefix(1);
  }
  if (text.size() != 2 || text[0] != 'P') return false;
  if (text[1] == 'T') return true;
  if (text[1] < '0' || text[1] > '6') return false;
  out.index = static_cast<std::uint8_t>(text[1] - '0');
  return true;
}

/// Builds a module from the events of nlohmann's SAX parser. The document is
/// [header, [function, ...]]; a function is {name, start, length, "sass-instructions": [...]}.
class builder : public nlohmann::json::json_sax_t {
 public:
  explicit builder(module& m) : out_(m) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override {
    return value >= 0 ? number_unsigned(static_cast<number_unsigned_t>(value))
                      : fail("negative number");
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (in_header()) {
      header_number(value);
    } else if (depth_ == 3 && in_functions_) {
      if (field_ == field::start) {
        if (value % 16 != 0 || value > max_size) return fail("function start out of range");
        current().start = static_cast<std::uint32_t>(value);
        has_start_ = true;
      } else if (field_ == field::length) {
        length_ = value;
      }
    }
    return true;
  }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& value) override {
    if (in_header()) {
      if (depth_ == 2 && key_ == "Producer") out_.producer = value;
    } else if (depth_ == 3 && in_functions_ && field_ == field::name) {
      current().name = value;
    } else if (depth_ == 5 && in_instructions_) {
      return instruction_text(value);
    }
    return true;
  }

  bool key(string_t& name) override {
    if (in_header()) {
      if (depth_ == 2) section_ = name;
      key_ = name;
    } else {
      field_ = depth_ == 3 || depth_ == 5 ? field_of(name) : field::other;
    }
    return true;
  }

  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == 1) return fail("no array at the top");
    if (depth_ == 2) has_header_ = true;
    if (depth_ == 3 && in_functions_) {
      out_.functions.emplace_back();
      has_start_ = has_instructions_ = false;
      length_ = 0;
    }
    if (depth_ == 5 && in_instructions_) {
      current().instructions.emplace_back();
      has_opcode_ = false;
      predicates_.clear();
    }
    return true;
  }
  bool end_object() override {
    if (depth_ == 5 && in_instructions_ && !has_opcode_) return fail("instruction without opcode");
    if (depth_ == 3 && in_functions_ && !end_function()) return false;
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    if (depth_ == 2) {
      if (!has_header_) return fail("no header before the functions");
      in_functions_ = has_functions_ = true;
    }
    if (depth_ == 4 && in_functions_ && field_ == field::instructions) {
      in_instructions_ = has_instructions_ = true;
      current().instructions.reserve(static_cast<std::size_t>(length_ / 16));
    }
    return true;
  }
  bool end_array() override {
    if (depth_ == 4) in_instructions_ = false;
    if (depth_ == 2) in_functions_ = false;
    --depth_;
    return true;
  }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception&) override {
    return fail(fmt::format("not complete JSON (at byte {})", at));
  }

  const std::string& problem() const { return problem_; }
  bool complete() const { return has_header_ && has_functions_; }
  std::uint64_t schema_major() const { return schema_[0]; }
  bool has_schema() const { return has_schema_; }
  bool has_arch() const { return has_arch_; }
  void describe() {
    out_.schema = fmt::format("{}.{}.{}", schema_[0], schema_[1], schema_[2]);
    out_.arch = fmt::format("sm_{}{}", sm_[0], sm_[1]);
  }

 private:
  static constexpr std::uint64_t max_size = 0x7fffffff;

  bool in_header() const { return !in_functions_; }
  function& current() { return out_.functions.back(); }
  bool fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return false;
  }

  void header_number(std::uint64_t value) {
    const int at = key_ == "major" ? 0 : key_ == "minor" ? 1 : key_ == "revision" ? 2 : -1;
    if (at < 0) return;
    if (section_ == "SchemaVersion") {
      schema_[at] = value;
      has_schema_ = true;
    } else if (section_ == "SM" && at < 2) {
      sm_[at] = value;
      has_arch_ = true;
    }
  }

  bool instruction_text(const std::string& value) {
    instruction& i = current().instructions.back();
    if (field_ == field::code) {
      if (value.empty()) return fail("empty opcode");
      i.opcode = out_.intern_opcode(value);
      has_opcode_ = true;
    } else if (field_ == field::operands) {
      if (predicates_.empty()) {
        out_.set_operands(i, value);
      } else {
        const std::size_t comma = value.find(',');
        if (comma == std::string::npos) return fail("operands " + value);
        out_.set_operands(i, value.substr(0, comma + 1) + predicates_ + value.substr(comma));
      }
    } else if (field_ == field::guard) {
      // "P2R R0,PR,RZ,0x1" shows its second operand, all predicates, in the place of the guard.
      if (value == "PR" || value == "UPR") {
        predicates_ = value;
      } else if (!read_guard(value, i.guard)) {
        return fail("predicate " + value);
      }
    }
    return true;
  }

  // `length` of a section's owner covers the whole section, of the others themselves.
  bool end_function() {
    function& f = current();
    if (f.name.empty() || !has_start_ || !has_instructions_)
      return fail("function without name, start or instructions");
    std::uint32_t address = f.start;
    for (instruction& i : f.instructions) {
      i.address = address;
      address += 16;
    }
    if (std::uint64_t{address} - f.start > length_)
      return fail(fmt::format("function {} is longer than it says", f.name));
    if (f.start == 0) {
      if (!check_section()) return false;
      section_end_ = length_;
    }
    code_end_ = address;
    return true;
  }

 public:
  /// Whether the functions of the last section cover it.
  bool check_section() {
    if (code_end_ == section_end_) return true;
    return fail(fmt::format("{:#x} bytes of code in a section of {:#x}", code_end_, section_end_));
  }

 private:
  module& out_;
  int depth_ = 0;
  std::string key_, section_, problem_, predicates_;
  field field_ = field::other;
  bool in_functions_ = false, in_instructions_ = false, has_header_ = false, has_functions_ = false;
  bool has_start_ = false, has_instructions_ = false, has_opcode_ = false;
  bool has_schema_ = false, has_arch_ = false;
  std::uint64_t length_ = 0, section_end_ = 0, code_end_ = 0;
  std::uint64_t schema_[3] = {0, 0, 0}, sm_[2] = {0, 0};
};

}  // namespace

module read_json(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw error("SASS: the JSON dump is empty");
  module m;
  builder b(m);
  const bool fine = nlohmann::json::sax_parse(text.begin(), text.end(), &b);
  if (!fine || !b.problem().empty())
    throw error("SASS: cannot read the JSON dump: " +
                (b.problem().empty() ? std::string("unknown layout") : b.problem()));
  if (!b.complete()) throw error("SASS: cannot read the JSON dump: no header or no function list");
  if (!b.check_section()) throw error("SASS: cannot read the JSON dump: " + b.problem());
  b.describe();
  if (!b.has_schema() || (b.schema_major() != 12 && b.schema_major() != 13)) {
    m.doubt = b.has_schema() ? "schema " + m.schema + " of nvdisasm -json is not known"
                             : "the JSON dump names no schema version";
  } else if (!b.has_arch()) {
    m.doubt = "the JSON dump names no architecture";
  }
  m.finish();
  return m;
}

}  // namespace ptxlab::sass
