// SPDX-License-Identifier: Apache-2.0
#include "driver/run/argument.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

/// The text up to the next ':', which is taken away with it.
std::string_view take(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view word = rest.substr(0, colon);
  rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
  return word;
}

std::optional<std::uint64_t> whole_number(std::string_view word) {
  std::uint64_t v = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, ec] = std::from_chars(word.data(), end, v);
  if (word.empty() || ec != std::errc() || rest != end) return std::nullopt;
  return v;
}

/// SplitMix64 of a counter: every element is a function of seed and place.
std::uint64_t drawn(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15 + i * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

void read_contents(argument& a, std::string_view word) {
  const std::string_view whole = word;
  const std::string_view first = take(word);
  const auto alone = [&] { return first.size() == whole.size(); };
  if (first == "iota" && alone()) {
    a.from = contents::iota;
  } else if (first == "zero" && alone()) {
    a.from = contents::zero;
  } else if (first == "none" && alone()) {
    a.from = contents::none;
  } else if (first == "rand") {
    const auto seed = alone() ? std::uint64_t{1} : whole_number(word);
    if (!seed) throw error(fmt::format("{}: '{}' is no seed", a.text, word));
    a.from = contents::random;
    a.seed = *seed;
  } else if (first == "fill") {
    a.from = contents::fill;
    a.value = read_element(a.of, word);
  } else if (whole.empty()) {
    throw error(fmt::format(
        "{}: what does it hold? iota, zero, none, rand:SEED, fill:VALUE or a file", a.text));
  } else {
    a.from = contents::file;
    a.data = read_elements(std::string(whole), a.of);
    if (a.data.size() != a.buffer_bytes())
      throw error(fmt::format("{}: the file holds {} elements", a.text,
                              a.data.size() / element_bytes(a.of)));
  }
}

argument read_buffer(std::string_view text, std::string_view rest, std::size_t number) {
  argument a;
  a.is = argument::kind::buffer;
  a.text = text;
  a.name = fmt::format("arg{}", number);
  if (const std::size_t named = rest.rfind(":name="); named != rest.npos) {
    a.name = rest.substr(named + 6);
    rest = rest.substr(0, named);
    if (a.name.empty() || a.name.find_first_of("=:[]() ") != a.name.npos ||
        whole_number(a.name.substr(0, 1)))
      throw error(fmt::format("{}: '{}' is no name for a buffer", text, a.name));
  }
  a.of = element_type(take(rest));
  const std::string_view count = take(rest);
  const auto n = whole_number(count);
  if (!n) throw error(fmt::format("{}: '{}' is no number of elements", text, count));
  if (*n > most_bytes / element_bytes(a.of))
    throw error(fmt::format("{}: more than {} bytes", text, most_bytes));
  a.count = *n;
  read_contents(a, rest);
  return a;
}

std::vector<std::byte> read_hex(std::string_view text, std::string_view digits) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned v = 0;
    const std::string_view pair = digits.substr(i, 2);
    const auto [rest, ec] = std::from_chars(pair.data(), pair.data() + pair.size(), v, 16);
    if (pair.size() != 2 || ec != std::errc() || rest != pair.data() + 2)
      throw error(fmt::format("{}: '{}' are no two hexadecimal digits", text, pair));
    out.push_back(static_cast<std::byte>(v));
  }
  if (out.empty()) throw error(fmt::format("{}: no bytes", text));
  return out;
}

}  // namespace

std::uint64_t argument::parameter_bytes() const {
  switch (is) {
    case kind::scalar:
      return element_bytes(of);
    case kind::bytes:
      return data.size();
    default:
      return 8;
  }
}

element_bits argument::initial(std::uint64_t i) const {
  switch (from) {
    case contents::none:
    case contents::zero:
      return 0;
    case contents::iota:
      return element_of(of, static_cast<std::int64_t>(i));
    case contents::fill:
      return value;
    case contents::file:
      return element_at(data, of, i);
    case contents::random: {
      const std::uint64_t z = drawn(seed, i);
      if (!machine::is_floating(of)) return element_of(of, static_cast<std::int64_t>(z));
      return element_of(of, static_cast<double>(z >> 39) * 0x1p-24 - 1);
    }
  }
  return 0;
}

argument read_argument(std::string_view text, std::size_t number) {
  std::string_view rest = text;
  const std::string_view word = take(rest);
  if (word.size() == text.size())
    throw error(fmt::format(
        "'{}' is no argument: buf:TYPE:COUNT:CONTENTS, TYPE:VALUE, addr:VARIABLE or hex:BYTES",
        text));
  if (word == "buf") return read_buffer(text, rest, number);
  argument a;
  a.text = text;
  if (word == "addr") {
    a.is = argument::kind::variable;
    a.name = rest;
    if (rest.empty()) throw error("addr: of which variable?");
  } else if (word == "hex") {
    a.is = argument::kind::bytes;
    a.data = read_hex(text, rest);
  } else {
    a.of = element_type(word);
    a.value = read_element(a.of, rest);
  }
  return a;
}

}  // namespace ptxlab::run
