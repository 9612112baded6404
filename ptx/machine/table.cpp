// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "ptx/machine/row.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

void append(std::vector<row>& to, rows part) {
  to.insert(to.end(), part.begin(), part.end());
}

/// PTXLAB_NO_AVX2 in the environment says to take the clones for any processor.
bool has_avx2() {
  if (std::getenv("PTXLAB_NO_AVX2") != nullptr) return false;
#if defined(__x86_64__) && !defined(__clang__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
#else
  return false;
#endif
}

std::vector<row> make_table() {
  std::vector<row> all;
  const bool fast = has_avx2();
#define PTXLAB_APPEND(part) append(all, fast ? avx2::part##_rows() : baseline::part##_rows());
  PTXLAB_PARTS(PTXLAB_APPEND)
#undef PTXLAB_APPEND
  for (const auto part : {move_rows, memory_rows, atomic_rows, control_rows, shuffle_rows,
                          warp_rows, barrier_rows, cluster_rows, async_rows, texture_rows,
                          texture_query_rows, matrix_rows, matrix_memory_rows})
    append(all, part());
  return all;
}

}  // namespace

type operand_type(char letter, const choice& c) {
  switch (letter) {
    case 't':
    case 'b':
      return c.type("t");
    case 's':
      return c.type("s");
    case 'r':
      return c.type("r");
    case 'u':
      return type::u32;
    case 'i':
      return type::s32;
    case 'h':
      return type::b16;
    case 'l':
      return type::u64;
    case 'w':
      return bits(c.type("t")) == 16 ? type::u32 : type::u64;
    case 'p':
    case 'q':
    case 'P':
      return type::pred;
    default:
      throw error(fmt::format("'{}' stands for no operand", letter));
  }
}

const std::vector<row>& operation_table() {
  static const std::vector<row> table = make_table();
  return table;
}

}  // namespace ptxlab::machine
