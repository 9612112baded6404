// SPDX-License-Identifier: Apache-2.0
// One typed argument of a kernel as the command line writes it: a buffer, a scalar, the address of
// a module variable, or the bytes of a struct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/run/element.hpp"

namespace ptxlab::run {

/// Where the elements of a buffer come from.
enum class contents : std::uint8_t {
  none,  ///< nobody writes them: for the machine's check of uninitialised reads
  zero,
  iota,    ///< 0, 1, 2, ... (of u8: modulo 256)
  random,  ///< integers: all bits; floating types: in [-1, 1), multiples of 2^-24 before rounding
  fill,
  file
};

struct argument {
  enum class kind : std::uint8_t { buffer, scalar, variable, bytes };

  kind is = kind::scalar;
  std::string name;  ///< of a buffer ("arg0" unless it has one), of a variable
  type of = type::u32;
  std::uint64_t count = 1;  ///< of a buffer
  contents from = contents::zero;
  element_bits value = 0;  ///< of a scalar; of contents::fill
  std::uint64_t seed = 0;  ///< of contents::random
  /// Elements of contents::file; the bytes of a struct.
  std::vector<std::byte> data;
  std::string text;  ///< as written

  std::uint64_t buffer_bytes() const { return count * element_bytes(of); }
  /// Bytes in the kernel's parameter space.
  std::uint64_t parameter_bytes() const;
  /// Element `i` as it is before the launch; 0 for contents::none.
  element_bits initial(std::uint64_t i) const;
};

/// Reads `buf:TYPE:COUNT:iota|zero|none|rand:SEED|fill:VALUE|FILE[:name=NAME]`, `TYPE:VALUE`,
/// `addr:NAME` or `hex:BYTES`; `number` is its place among the arguments, from 0. A file is read
/// here (see read_elements) and must hold exactly COUNT elements. Throws ptxlab::error.
argument read_argument(std::string_view text, std::size_t number);

/// Elements of a file: of one that ends in .txt numbers between blanks, commas or lines; of any
/// other the bytes as memory holds them. Throws ptxlab::error.
std::vector<std::byte> read_elements(const std::string& path, type t);
/// Element `i` of bytes as memory holds them.
element_bits element_at(const std::vector<std::byte>& bytes, type t, std::uint64_t i);
/// Writes what read_elements reads. Throws ptxlab::error.
void write_elements(const std::string& path, type t, const std::vector<std::byte>& bytes);

}  // namespace ptxlab::run
