// SPDX-License-Identifier: Apache-2.0
// References of the kernels at the ends of transfers: sizes that are no multiple of anything, none
// at all, and, as a control, bytes that are wrong.
#include <algorithm>
#include <random>

#include "tests/unit/machine/arrays.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u8 = std::uint8_t;
using u64 = std::uint64_t;
using bytes = std::vector<u8>;

constexpr std::uint32_t seed = 0x9e1f0c85;
constexpr std::size_t sizes[] = {0, 1, 3, 4, 15, 16, 17, 1003, 4096};
constexpr u8 untouched = 0xee;

/// The pattern, written anew: byte k is byte k mod 4 of 2654435761 (k / 4) xor the seed.
bytes pattern(std::size_t n) {
  bytes out(n);
  for (std::size_t k = 0; k < n; ++k) {
    const u64 word = (k / 4 * 2654435761 & 0xffffffff) ^ seed;
    out[k] = static_cast<u8>(word / (u64{1} << 8 * (k % 4)) % 256);
  }
  return out;
}

void check_fill(const subject& s) {
  for (const std::size_t n : sizes) {
    SCOPED_TRACE(n);
    const address to = s.on.buffer(bytes(n + 16, untouched), "to");
    s.run(3, 32, {to, n, seed});
    bytes wanted = pattern(n);
    wanted.resize(n + 16, untouched);
    expect_same(s.on.read<u8>(to, n + 16), wanted);
  }
}

void check_tally(const subject& s) {
  for (const std::size_t n : sizes) {
    // No byte wrong, then each of these.
    for (std::size_t wrong : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
      SCOPED_TRACE(std::to_string(n) + " " + std::to_string(wrong));
      wrong = std::min(wrong, n);
      bytes data = pattern(n);
      std::vector<std::size_t> places(n);
      for (std::size_t k = 0; k < n; ++k) places[k] = k;
      std::shuffle(places.begin(), places.end(), std::mt19937(static_cast<unsigned>(n)));
      places.resize(wrong);
      for (const std::size_t k : places) data[k] ^= static_cast<u8>(1 + k % 255);
      const u64 first = wrong == 0 ? ~u64{0} : *std::min_element(places.begin(), places.end());
      bytes padded = data;
      padded.resize(n + 16, untouched);  // looked at by nobody
      const address found = s.on.buffer(std::vector<u64>{0, ~u64{0}}, "found");
      s.run(3, 32, {s.on.buffer(padded, "from"), n, seed, found});
      expect_same(s.on.read<u64>(found, 2), {wrong, first});
    }
  }
}

void check_move(const subject& s) {
  for (const std::size_t n : sizes) {
    SCOPED_TRACE(n);
    const bytes data = random_values<u8>(n + 16, 7);
    const address to = s.on.buffer(bytes(n + 16, untouched), "to");
    s.run(3, 32, {to, s.on.buffer(data, "from"), n});
    bytes wanted(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
    wanted.resize(n + 16, untouched);
    expect_same(s.on.read<u8>(to, n + 16), wanted);
  }
}

const reference_registration registered[] = {
    {"transfer/copies/fill", check_fill},
    {"transfer/copies/mapped_to_device", check_move},
    {"transfer/copies/mapped_to_host", check_move},
    {"transfer/copies/pageable_to_device", check_tally},
    {"transfer/copies/pageable_to_host", check_fill},
    {"transfer/copies/peer_to_peer", check_tally},
    {"transfer/copies/pinned_to_device", check_tally},
    {"transfer/copies/pinned_to_host", check_fill},
    {"transfer/copies/tally", check_tally},
};

}  // namespace
}  // namespace ptxlab::machine
