// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/control.hpp"

#include <fmt/format.h>

#include "analysis/sass/elf.hpp"

namespace ptxlab::sass {
namespace {

constexpr std::uint32_t word_bytes = 16;

std::string_view code_of(const elf& file, const std::string& function) {
  for (const Elf64_Shdr& s : file.sections())
    if (file.name(s) == ".text." + function) return file.contents(s);
  throw error(fmt::format("cubin: no code of {}", function));
}

}  // namespace

control decode_control(std::uint64_t upper) {
  const auto field = [upper](unsigned bit, unsigned width) {
    return static_cast<unsigned>(upper >> (bit - 64) & ((1U << width) - 1));
  };
  return {.stall = field(105, 4),
          .yield = field(109, 1) != 0,
          .write_barrier = field(110, 3),
          .read_barrier = field(113, 3),
          .wait_mask = field(116, 6),
          .reuse = field(122, 4)};
}

std::vector<control> read_controls(const module& m, const function& f, std::string_view cubin) {
  const elf file(cubin);
  const std::string& owner = f.section == none ? f.name : m.functions[f.section].name;
  const std::string_view code = code_of(file, owner);
  std::vector<control> out;
  std::uint32_t expected = f.start;
  for (const instruction& i : f.instructions) {
    if (i.address != expected)
      throw error(fmt::format("{}: instructions are not {} bytes wide", f.name, word_bytes));
    expected += word_bytes;
    out.push_back(decode_control(elf::value<std::uint64_t>(code, i.address + 8)));
  }
  return out;
}

}  // namespace ptxlab::sass
