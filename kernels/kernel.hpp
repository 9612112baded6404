// SPDX-License-Identifier: Apache-2.0
// The vocabulary of a kernel file's declaration. Pure data, no CUDA header: the second half of a
// kernel file is compiled by the host compiler and lands in the catalogue of `ptxlab`.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxlab::kernels {

/// Size in bytes of one kernel parameter; compared with the PTX's `.param` list.
enum class param : std::uint32_t {
  u8 = 1,
  u16 = 2,
  u32 = 4,
  u64 = 8,
  pointer = 8,
  f32 = 4,
  f64 = 8
};

/// One way to write what the file is about: one `extern "C"` kernel.
struct variant {
  std::string_view symbol;    ///< the kernel's name; the last part of the identifier
  std::string_view says;      ///< one sentence: how it is written
  std::vector<param> params;  ///< in order
  /// Expectations (docs/EXPECTATIONS.md) that the facts must meet, without the kernel's name.
  std::vector<std::string_view> must;
};

/// What one kernel file declares. Identifiers are `family/name/variant`; family and name come from
/// the file's path through PTXLAB_ID and are never typed.
struct declaration {
  std::string_view question;  ///< one sentence; the header paragraphs say the rest
  /// Extra options for nvcc that belong to the question (for example -maxrregcount).
  std::string_view nvcc_flags = "";
  std::vector<variant> variants;
};

struct entry {
  std::string_view id;    ///< "family/name"
  std::string_view path;  ///< of the file, from the project's root
  declaration what;
};

/// The catalogue, sorted by id. Filled before main by one `registration` per kernel file.
std::vector<entry>& catalogue();

struct registration {
  registration(std::string_view id, std::string_view path, declaration what);
};

}  // namespace ptxlab::kernels

/// Ends a kernel file: PTXLAB_KERNEL({.question = ..., .variants = {...}});
#define PTXLAB_KERNEL(...)                                          \
  static const ::ptxlab::kernels::registration ptxlab_registration( \
      PTXLAB_ID, PTXLAB_PATH, ::ptxlab::kernels::declaration __VA_ARGS__)
