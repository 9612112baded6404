// SPDX-License-Identifier: Apache-2.0
// A small set of numbers on the stack that gives each different one the next index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ptxlab::machine {

/// For up to `most` different numbers: open addressing over two slots or more for each. Nothing is
/// cleared but the bits that say which slots are taken, so that making one costs next to nothing.
template <std::size_t most>
class distinct {
 public:
  /// Index of `key`: `size()` before the call if it is new.
  std::uint32_t operator()(std::uint64_t key) {
    // The golden ratio spreads neighbours; the top bits of the product depend on all of the key.
    auto h = static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15u) >> (64 - slot_bits));
    for (;; h = (h + 1) % slots) {
      const std::uint64_t bit = std::uint64_t{1} << (h % 64);
      if ((taken_[h / 64] & bit) == 0) {
        taken_[h / 64] |= bit;
        keys_[h] = key;
        index_[h] = static_cast<std::uint8_t>(size_);
        return size_++;
      }
      if (keys_[h] == key) return index_[h];
    }
  }
  std::uint32_t size() const { return size_; }

 private:
  static constexpr unsigned slot_bits = most <= 32 ? 7 : 8;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  static_assert(most <= 64, "an index has to fit its byte, and half of the slots stay free");

  std::array<std::uint64_t, slots> keys_;  // only the taken ones are set
  std::array<std::uint8_t, slots> index_;
  std::array<std::uint64_t, slots / 64> taken_{};
  std::uint32_t size_ = 0;
};

}  // namespace ptxlab::machine
