// SPDX-License-Identifier: Apache-2.0
// Just enough of ELF (gABI, chapter 4) to tell a cubin from other files and a whole one from a
// part.
#include "analysis/toolchain/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <tuple>

#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/message.hpp"
#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t elf_machine_cuda = 190;

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

struct elf_header {
  bool cuda = false;
  std::uint64_t end_of_sections = 0;  // where the section header table ends, in bytes
};

// The caller has seen the magic. Throws for a header that is not whole.
elf_header read_elf_header(const fs::path& path, std::string_view bytes) {
  const bool wide = bytes.size() > 4 && bytes[4] == 2;
  if (bytes.size() < (wide ? 64U : 52U)) {
    throw error(fmt::format("{}: truncated: an ELF file of {} bytes", path.string(), bytes.size()));
  }
  elf_header header;
  header.cuda = little_endian(bytes, 18, 2) == elf_machine_cuda;
  const std::uint64_t offset = wide ? little_endian(bytes, 40, 8) : little_endian(bytes, 32, 4);
  const std::uint64_t size = little_endian(bytes, wide ? 58 : 46, 2);
  const std::uint64_t count = little_endian(bytes, wide ? 60 : 48, 2);
  header.end_of_sections = offset > bytes.size() ? offset : offset + size * count;
  return header;
}

bool looks_like_ptx(std::string_view content) {
  return content.find('\0') == std::string_view::npos && !ptx_version(content).empty() &&
         !ptx_target(content).empty();
}

void run_extraction(const tool& cuobjdump, const fs::path& file, const fs::path& folder,
                    const char* option) {
  const outcome done =
      run({.argv = {cuobjdump.path.string(), option, "all", fs::absolute(file).string()},
           .folder = folder});
  // It fails also where there is only no code of this one kind; what counts is what was written.
  if (done.signal != 0 || done.timed_out || done.overflowed) {
    throw error(fmt::format("{}: cuobjdump {}: {}", file.string(), option, done.ending()));
  }
}

}  // namespace

input_kind classify(const fs::path& path, std::string_view content) {
  const std::string name = path.string();
  const std::string ending = path.extension().string();
  if (content.empty()) throw error(fmt::format("{}: the file is empty", name));
  if (content.starts_with("\x7f"
                          "ELF")) {
    const elf_header header = read_elf_header(path, content);
    if (header.end_of_sections > content.size()) {
      throw error(fmt::format("{}: truncated: {} bytes, its section table ends at {}", name,
                              content.size(), header.end_of_sections));
    }
    return header.cuda ? input_kind::cubin : input_kind::container;
  }
  // 0xba55ed50: the fat binary's magic, see fatbinary_section.h of the toolkit.
  if (content.starts_with("\x50\xed\x55\xba") || content.starts_with("!<arch>\n")) {
    return input_kind::container;
  }
  if (ending == ".cubin") throw error(fmt::format("{}: not a cubin: it is no ELF file", name));
  for (const char* binary : {".fatbin", ".o", ".so", ".a", ".exe"}) {
    if (ending == binary) {
      throw error(fmt::format("{}: neither a fat binary nor an ELF file", name));
    }
  }
  if (ending == ".ptx") {
    if (looks_like_ptx(content)) return input_kind::ptx;
    throw error(fmt::format("{}: not PTX: no .version and .target directives", name));
  }
  for (const char* source : {".cu", ".cuh", ".cc", ".cpp", ".cxx", ".c", ".h", ".hpp"}) {
    if (ending != source) continue;
    if (content.find('\0') == std::string_view::npos) return input_kind::cuda;
    throw error(fmt::format("{}: not source text: it holds zero bytes", name));
  }
  if (looks_like_ptx(content)) return input_kind::ptx;
  throw error(fmt::format(
      "{}: unknown kind of file: expected .cu, .ptx, .cubin, .fatbin or an object, library or "
      "program",
      name));
}

bool holds_code(std::string_view cubin) {
  return cubin.find(std::string_view("\0.text.", 7)) != std::string_view::npos;
}

std::vector<embedded> extract(const tool& cuobjdump, const fs::path& file, const fs::path& folder) {
  if (!cuobjdump.usable()) {
    throw error(fmt::format("{}: device code in a container can be read with cuobjdump only: {}",
                            file.string(), cuobjdump.problem));
  }
  run_extraction(cuobjdump, file, folder, "-xelf");
  run_extraction(cuobjdump, file, folder, "-xptx");
  std::vector<embedded> pieces;
  for (const auto& entry : fs::directory_iterator(folder)) {
    // "app.1.sm_90a.cubin"; the number is missing where the input is a cubin itself.
    const fs::path name = entry.path().filename();
    const std::string arch = name.stem().extension().string();
    const std::string number = name.stem().stem().extension().string();
    if (!arch.starts_with(".sm_") || (name.extension() != ".cubin" && name.extension() != ".ptx")) {
      continue;
    }
    embedded piece;
    piece.name = name.string();
    piece.arch = arch.substr(1);
    piece.index = number.empty() ? 0 : std::atoi(number.c_str() + 1);
    piece.is_ptx = name.extension() == ".ptx";
    piece.content = read_file(entry.path());
    pieces.push_back(std::move(piece));
  }
  std::sort(pieces.begin(), pieces.end(), [](const embedded& a, const embedded& b) {
    return std::tie(a.is_ptx, a.index, a.name) < std::tie(b.is_ptx, b.index, b.name);
  });
  if (pieces.empty()) throw error(fmt::format("{}: no device code in it", file.string()));
  return pieces;
}

}  // namespace ptxlab::toolchain
