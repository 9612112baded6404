// SPDX-License-Identifier: Apache-2.0
// Loops that wait: they go round until another thread changes a word of memory. A search through a
// list or a string looks alike and is none, for its address moves on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/facts/rules.hpp"
#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

/// A loop of a stage: functions[function].loops[index].
struct loop_place {
  std::size_t function, index;
};

/// Operations through which a loop waits: loads and atomics, and calls that read memory, where the
/// loop has no counter, no block barrier, no store to the same object, and the address of each of
/// them stays the same from round to round. Empty for a loop that does not wait.
std::vector<std::uint32_t> awaited(const stage_code& s, loop_place where);

/// The loop that summarise() calls `id`, or nothing.
std::optional<loop_place> find_loop(const stage_code& s, std::string_view id);

/// A finding for each load of order `order` through which a loop waits: in SASS; in PTX where there
/// is no SASS, and for shared memory, whose SASS loads show no order.
void find_waits(const subject& s, flow::order order, std::string_view text,
                std::vector<finding>& out);

}  // namespace ptxlab::facts
