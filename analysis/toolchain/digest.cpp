// SPDX-License-Identifier: Apache-2.0
// xxhash is used in its header-only form, so that the program needs no further library.
#include "analysis/toolchain/digest.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ptxlab::toolchain {

struct hasher::state {
  XXH3_state_t xxh;
};

std::string digest::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

digest digest_of(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return {hash.high64, hash.low64};
}

hasher::hasher() : state_(std::make_unique<state>()) {
  XXH3_128bits_reset(&state_->xxh);
}

hasher::~hasher() = default;

hasher& hasher::add(std::string_view part) {
  const std::uint64_t length = part.size();
  XXH3_128bits_update(&state_->xxh, &length, sizeof length);
  XXH3_128bits_update(&state_->xxh, part.data(), part.size());
  return *this;
}

digest hasher::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.high64, hash.low64};
}

std::string file_stamp(const std::filesystem::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return path.string() + " absent";
  return fmt::format("{} {} {}", path.string(), info.st_size,
                     info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec);
}

}  // namespace ptxlab::toolchain
