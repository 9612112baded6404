// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/cubin.hpp"

#include <fmt/format.h>

#include "analysis/sass/elf.hpp"

namespace ptxlab::sass {
namespace {

constexpr unsigned char other_entry = 0x10;            // STO_CUDA_ENTRY in st_other
constexpr unsigned char attribute_param_cbank = 0x0a;  // EIATTR_PARAM_CBANK
constexpr unsigned char format_sized = 4;              // EIFMT_SVAL

void read_entries(module& m, const elf& file, const Elf64_Shdr& table) {
  const std::string_view symbols = file.contents(table);
  std::map<std::string_view, bool> entry;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto s = elf::value<Elf64_Sym>(symbols, at);
    if (ELF64_ST_TYPE(s.st_info) == STT_FUNC)
      entry[file.string(table.sh_link, s.st_name)] = (s.st_other & other_entry) != 0;
  }
  for (function& f : m.functions) {
    const auto it = entry.find(f.name);
    if (it != entry.end()) f.entry = it->second;
  }
}

// Relocations of constant bank 4, which holds the addresses of variables and functions: RELA since
// sm_90, before that REL, whose addend stands in the bank itself.
void read_addresses(module& m, const elf& file, const Elf64_Shdr& relocations) {
  const std::string_view all = file.contents(relocations);
  const Elf64_Shdr& table = file.section(relocations.sh_link);
  const std::string_view symbols = file.contents(table);
  const std::string_view bank = file.contents(file.section(relocations.sh_info));
  const bool explicit_addend = relocations.sh_type == SHT_RELA;
  const std::size_t size = explicit_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
  for (std::size_t at = 0; at + size <= all.size(); at += size) {
    const auto r = elf::value<Elf64_Rel>(all, at);
    const std::uint64_t symbol = ELF64_R_SYM(r.r_info);
    if (symbol >= symbols.size() / sizeof(Elf64_Sym)) throw error("cubin: no such symbol");
    const auto s = elf::value<Elf64_Sym>(symbols, symbol * sizeof(Elf64_Sym));
    const std::int64_t addend = explicit_addend ? elf::value<Elf64_Rela>(all, at).r_addend
                                                : elf::value<std::int64_t>(bank, r.r_offset);
    std::string name(file.string(table.sh_link, s.st_name));
    if (addend != 0) name += fmt::format("{:+}", addend);
    if (!name.empty()) m.addresses[static_cast<std::uint32_t>(r.r_offset)] = std::move(name);
  }
}

// .nv.info.<kernel>: entries of format, attribute and value; see cuobjdump -elf.
void read_param_base(module& m, std::string_view kernel, std::string_view info) {
  const std::uint32_t index = m.find(kernel);
  if (index == none) return;
  for (std::size_t at = 0; at + 4 <= info.size();) {
    const auto format = static_cast<unsigned char>(info[at]);
    const auto attribute = static_cast<unsigned char>(info[at + 1]);
    const std::size_t size = format == format_sized ? elf::value<std::uint16_t>(info, at + 2) : 0;
    if (format == format_sized && attribute == attribute_param_cbank && size >= 8)
      m.functions[index].param_base = elf::value<std::uint16_t>(info, at + 8);
    at += 4 + size;
  }
}

}  // namespace

void add_symbols(module& m, std::string_view cubin) {
  const elf file(cubin);
  for (const Elf64_Shdr& s : file.sections()) {
    const std::string_view name = file.name(s);
    if (s.sh_type == SHT_SYMTAB) read_entries(m, file, s);
    if (name == ".rela.nv.constant4" || name == ".rel.nv.constant4") read_addresses(m, file, s);
    if (name.starts_with(".nv.info.")) read_param_base(m, name.substr(9), file.contents(s));
  }
}

}  // namespace ptxlab::sass
