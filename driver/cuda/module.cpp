// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/module.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <vector>

#include "analysis/toolchain/message.hpp"
#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {
namespace {

/// Architecture that a cubin is for: bits of e_flags in its ELF header (0 where it is no such
/// file). CUDA 13 writes the compute capability times ten in bits 8 to 15 (ABI version 8 and
/// later), older toolkits in bits 0 to 7.
int cubin_arch(std::string_view bytes) {
  if (bytes.size() < 64 || bytes.substr(0, 4) !=
                               "\x7f"
                               "ELF")
    return 0;
  std::uint32_t flags = 0;
  std::memcpy(&flags, bytes.data() + 48, sizeof flags);
  const auto abi = static_cast<unsigned char>(bytes[8]);
  return static_cast<int>(abi >= 8 ? (flags >> 8) & 0xff : flags & 0xff);
}

/// A cubin runs on its own compute capability and on later minor ones of the same major.
void refuse_unfit_cubin(const device& d, std::string_view bytes, const std::string& label) {
  const int built = cubin_arch(bytes);
  if (built == 0) throw error(fmt::format("{}: no cubin (not a CUDA ELF file)", label));
  const int major = d.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = d.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (built / 10 == major && built % 10 <= minor) return;
  throw error(fmt::format("{}: built for sm_{}, but {} is sm_{}{}; build it for that", label, built,
                          d.identify(), major, minor));
}

/// PTX ISA x.y came with a CUDA version (PTX ISA, "Release Notes"); the driver must be as new.
void refuse_new_ptx(const device& d, std::string_view text, const std::string& label) {
  const std::string version = toolchain::ptx_version(text);
  const std::string target = toolchain::ptx_target(text);
  const auto dot = version.find('.');
  if (dot == std::string::npos) throw error(fmt::format("{}: no PTX (no .version)", label));
  const int isa_major = std::atoi(version.c_str());
  const int cuda_major = driver_version() / 1000;
  const int newest_isa = cuda_major - 4;  // ISA 7 with CUDA 11, 8 with 12, 9 with 13
  if (cuda_major >= 11 && isa_major > newest_isa)
    throw error(fmt::format(
        "{}: PTX ISA {} needs a driver of CUDA {}; this one is of CUDA {}.{}. "
        "Ship a cubin for {}, or lower the PTX version",
        label, version, isa_major + 4, cuda_major, driver_version() % 1000 / 10, d.arch()));
  const bool specific = !target.empty() && (target.back() == 'a' || target.back() == 'f');
  if (specific && target.substr(0, target.size() - 1) != d.arch())
    throw error(fmt::format("{}: target {} is for that architecture alone, and {} is {}", label,
                            target, d.identify(), d.arch()));
}

}  // namespace

void unload_module::operator()(CUmodule m) const {
  library::get().cuModuleUnload(m);
}

int kernel::attribute(CUfunction_attribute a) const {
  int value = 0;
  check(library::get().cuFuncGetAttribute(&value, a, function_), "cuFuncGetAttribute",
        "kernel " + name_);
  return value;
}

void kernel::set_attribute(CUfunction_attribute a, int value) const {
  check(library::get().cuFuncSetAttribute(function_, a, value), "cuFuncSetAttribute",
        "kernel " + name_);
}

int kernel::blocks_per_sm(int block_threads, std::size_t dynamic_shared_bytes) const {
  int blocks = 0;
  check(library::get().cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, function_, block_threads, dynamic_shared_bytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor", "kernel " + name_);
  return blocks;
}

module::module(const device& d, std::string_view bytes, image kind,
               std::string label) :label_(std::move(label)) {
  if (kind == image::cubin) {
    refuse_unfit_cubin(d, bytes, label_);
  } else {
    refuse_new_ptx(d, bytes, label_);
  }
  // The driver wants a terminated text, and a cubin that is not cut off; a copy gives both.
  const std::string image_text(bytes);
  for (std::size_t log_bytes = 16 << 10;; log_bytes *= 4) {
    std::vector<char> info(log_bytes), errors(log_bytes);
    std::array<CUjit_option, 4> options = {
        CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    // The driver takes sizes in the place of pointers.
    // NOLINTBEGIN(performance-no-int-to-ptr)
    std::array<void*, 4> values = {info.data(), reinterpret_cast<void*>(log_bytes), errors.data(),
                                   reinterpret_cast<void*>(log_bytes)};
    // NOLINTEND(performance-no-int-to-ptr)
    CUmodule loaded{};
    const CUresult status = library::get().cuModuleLoadDataEx(
        &loaded, image_text.c_str(), options.size(), options.data(), values.data());
    const std::string error_log(errors.data(), strnlen(errors.data(), log_bytes));
    info_log_.assign(info.data(), strnlen(info.data(), log_bytes));
    if (status == CUDA_SUCCESS) {
      module_ = unique_handle<CUmodule, unload_module>(loaded);
      return;
    }
    // A log that fills its buffer was cut: ask again with more room, up to 4 MiB.
    if (error_log.size() + 1 >= log_bytes && log_bytes < (4U << 20)) continue;
    check(status, "cuModuleLoadDataEx",
          fmt::format("{} on {}{}{}{}{}", label_, d.identify(), error_log.empty() ? "" : "\n  ",
                      error_log, info_log_.empty() ? "" : "\n  ", info_log_));
  }
}

kernel module::function(const std::string& name) const {
  CUfunction f{};
  check(library::get().cuModuleGetFunction(&f, module_.get(), name.c_str()), "cuModuleGetFunction",
        fmt::format("kernel {} of {}", name, label_));
  return {f, name};
}

std::pair<CUdeviceptr, std::size_t> module::global(const std::string& name) const {
  CUdeviceptr address{};
  std::size_t bytes = 0;
  check(library::get().cuModuleGetGlobal(&address, &bytes, module_.get(), name.c_str()),
        "cuModuleGetGlobal", fmt::format("variable {} of {}", name, label_));
  return {address, bytes};
}

}  // namespace ptxlab::cuda
