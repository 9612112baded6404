// SPDX-License-Identifier: Apache-2.0
// Files of elements, as text or as memory holds them.
#include <fmt/format.h>

#include <cstring>

#include "analysis/toolchain/files.hpp"
#include "driver/run/argument.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

bool is_text(const std::string& path) {
  return path.ends_with(".txt");
}

void append(std::vector<std::byte>& out, type t, element_bits bits) {
  const std::size_t at = out.size();
  out.resize(at + element_bytes(t));
  std::memcpy(out.data() + at, &bits, element_bytes(t));
}

std::vector<std::byte> from_text(const std::string& path, const std::string& content, type t) {
  constexpr const char* between = " \t\r\n,";
  std::vector<std::byte> out;
  std::size_t line = 1, counted = 0;
  for (std::size_t at = content.find_first_not_of(between); at != content.npos;) {
    const std::size_t end = std::min(content.find_first_of(between, at), content.size());
    for (; counted < at; ++counted) line += content[counted] == '\n' ? 1 : 0;
    try {
      append(out, t, read_element(t, std::string_view(content).substr(at, end - at)));
    } catch (const error& e) {
      throw error(fmt::format("{}:{}: {}", path, line, e.what()));
    }
    at = content.find_first_not_of(between, end);
  }
  return out;
}

}  // namespace

std::vector<std::byte> read_elements(const std::string& path, type t) {
  const std::string content = toolchain::read_file(path);
  if (is_text(path)) return from_text(path, content, t);
  if (content.size() % element_bytes(t) != 0)
    throw error(fmt::format("{}: {} bytes are no whole number of {}", path, content.size(),
                            machine::name(t)));
  std::vector<std::byte> out(content.size());
  std::memcpy(out.data(), content.data(), content.size());
  return out;
}

element_bits element_at(const std::vector<std::byte>& bytes, type t, std::uint64_t i) {
  element_bits v = 0;
  const std::size_t n = element_bytes(t);
  if ((i + 1) * n > bytes.size()) throw error("an element outside of its buffer");
  std::memcpy(&v, bytes.data() + i * n, n);
  return v;
}

void write_elements(const std::string& path, type t, const std::vector<std::byte>& bytes) {
  std::string out;
  if (is_text(path)) {
    for (std::uint64_t i = 0; i < bytes.size() / element_bytes(t); ++i)
      out += element_text(t, element_at(bytes, t, i)) + '\n';
  } else {
    out.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  toolchain::write_file(path, out);
}

}  // namespace ptxlab::run
