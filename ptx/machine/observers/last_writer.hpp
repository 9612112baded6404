// SPDX-License-Identifier: Apache-2.0
// Remembers who last wrote to places that somebody waited for: a launch that hung is run once more
// with this observer to say whose write never came, or came with the wrong value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ptx/machine/memory.hpp"
#include "ptx/machine/observer.hpp"
#include "ptx/machine/observers/site_name.hpp"

namespace ptxlab::machine {

/// A range that is watched. `at` is an address in global and an offset in shared memory, where
/// `block` says whose.
struct watched_place {
  flow::space space = flow::space::global;
  address at = 0;
  std::uint32_t bytes = 0;
  std::uint32_t block = 0;
};

/// The write to a place that was told last.
struct last_write {
  site_name where;
  std::uint32_t block = 0, warp = 0;
  lane_mask lanes = 0;  ///< of a store the last that touched the place; of an atomic all of them
  std::optional<std::uint64_t> value;  ///< stored, of at most 8 bytes; not known of an atomic
};

/// An atomic of global memory counts as a write if it changed what `device` holds there; in shared
/// memory, which cannot be looked at, every atomic counts but a compare-and-swap that did not
/// match.
class last_writer : public observer {
 public:
  last_writer(std::vector<watched_place> places, const memory& device);

  void begin(const launch_info& l, const place_names& names) override;
  void accessed(const access& a) override;

  /// Parallel to the places; nothing for one that was never written.
  const std::vector<std::optional<last_write>>& writes() const { return writes_; }
  /// "last written by block 0 warp 1 lane 3 at spin.cu:9 (st.volatile.global.u32, value 7)", or
  /// "never written by this launch".
  std::string text(std::size_t i) const;

 private:
  std::uint64_t held(const watched_place& p) const;
  void look(std::size_t i, const access& a, lane_mask touching);

  std::vector<watched_place> places_;
  const memory& device_;
  std::span<const site> sites_;
  std::vector<std::uint64_t> before_;
  std::vector<std::optional<last_write>> writes_;
};

}  // namespace ptxlab::machine
