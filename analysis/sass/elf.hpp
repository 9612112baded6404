// SPDX-License-Identifier: Apache-2.0
// The sections of a cubin's ELF file, with every access checked.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ptx/text/error.hpp"

namespace ptxlab::sass {

/// Reads in place: the bytes must live as long as it does. Everything throws ptxlab::error for what
/// is damaged.
class elf {
  static constexpr Elf64_Half machine_cuda = 190;  // EM_CUDA

 public:
  explicit elf(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with("\x7f"
                           "ELF"))
      throw error("cubin: not an ELF file");
    header_ = at<Elf64_Ehdr>(0);
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB ||
        header_.e_machine != machine_cuda)
      throw error("cubin: not a 64-bit CUDA ELF file");
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) throw error("cubin: damaged ELF header");
    for (unsigned i = 0; i < header_.e_shnum; ++i)
      sections_.push_back(at<Elf64_Shdr>(header_.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr)));
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  std::string_view contents(const Elf64_Shdr& s) const {
    if (s.sh_type == SHT_NOBITS) return {};
    if (s.sh_offset > bytes_.size() || s.sh_size > bytes_.size() - s.sh_offset)
      throw error("cubin: a section lies beyond the end of the file");
    return bytes_.substr(s.sh_offset, s.sh_size);
  }

  std::string_view name(const Elf64_Shdr& s) const { return string(header_.e_shstrndx, s.sh_name); }

  std::string_view string(std::size_t table, std::size_t offset) const {
    const std::string_view all = contents(section(table));
    if (offset >= all.size()) throw error("cubin: a name lies beyond its string table");
    const std::string_view rest = all.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

  const Elf64_Shdr& section(std::size_t index) const {
    if (index >= sections_.size()) throw error("cubin: no such section");
    return sections_[index];
  }

  template <typename T>
  T at(std::uint64_t offset) const {
    return value<T>(bytes_, offset);
  }

  template <typename T>
  static T value(std::string_view bytes, std::uint64_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) throw error("cubin: cut off");
    T out;
    std::memcpy(&out, bytes.data() + offset, sizeof out);
    return out;
  }

 private:
  std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace ptxlab::sass
