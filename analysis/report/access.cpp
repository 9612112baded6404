// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ptxlab::report {
namespace {

using machine::warp_lanes;

struct lane_accesses {
  machine::lane_mask mask = 0;
  std::array<machine::address, warp_lanes> at{};
};

lane_accesses accesses_of(const access_pattern& p) {
  lane_accesses out;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    const std::uint64_t element =
        p.columns != 0 ? lane % 16 * p.columns + lane / 16 : (lane ^ p.flip) * p.stride;
    out.at[lane] = p.offset + element * p.bytes;
    if (lane % std::max(1U, p.every) == 0) out.mask |= machine::lane_mask{1} << lane;
  }
  return out;
}

/// Bytes of an element by what an id ends with: "u8" is 1; 4 where it does not say.
unsigned bytes_of(const std::string& kernel) {
  if (kernel.ends_with("_u8")) return 1;
  if (kernel.ends_with("_u64")) return 8;
  if (kernel.ends_with("_u128")) return 16;
  return 4;
}

}  // namespace

std::string access_pattern::text() const {
  if (columns != 0) return fmt::format("{} columns", columns);
  if (every == 1) return "every lane";
  if (every != 0) return fmt::format("every {}{} lane", every, every % 10 == 2 ? "nd" : "th");
  if (offset != 0) return fmt::format("base {}", offset);
  if (flip != 0) return fmt::format("k ^ {}", flip);
  if (stride == 0) return "one word for all";
  return stride == 1 ? "in order" : fmt::format("stride {}", stride);
}

std::optional<access_pattern> pattern_of(const results::row& r) {
  if (!r.id.starts_with("memory/coalescing/") && !r.id.starts_with("memory/banks/")) return {};
  access_pattern p;
  p.bytes = bytes_of(r.id);
  bool any = false;
  for (const auto& [axis, value] : r.axes) {
    const auto v = static_cast<std::uint64_t>(value);
    any = true;
    if (axis == "stride")
      p.stride = v;
    else if (axis == "offset_bytes")
      p.offset = v;
    else if (axis == "columns")
      p.columns = v;
    else if (axis == "flip")
      p.flip = static_cast<unsigned>(v);
    else if (axis == "every")
      p.every = static_cast<unsigned>(v);
    else
      return {};
  }
  return any ? std::optional(p) : std::nullopt;
}

machine::warp_transactions transactions_of(const access_pattern& p) {
  const lane_accesses a = accesses_of(p);
  return machine::transactions(a.mask, a.at, p.bytes).value_or(machine::warp_transactions{});
}

machine::bank_passes passes_then(const access_pattern& p) {
  const lane_accesses a = accesses_of(p);
  return machine::passes_16_banks(a.mask, a.at, p.bytes, false).value_or(machine::bank_passes{});
}

machine::bank_passes passes_now(const access_pattern& p) {
  const lane_accesses a = accesses_of(p);
  return machine::passes_32_banks(a.mask, a.at, p.bytes).value_or(machine::bank_passes{});
}

order_check order_of(const std::vector<counted>& all, double tolerance) {
  order_check out;
  for (const counted& low : all)
    for (const counted& high : all) {
      if (!(low.count < high.count)) continue;
      if (std::abs(low.value - high.value) <= tolerance * std::max(low.value, high.value))
        ++out.even;
      else if (low.value < high.value)
        ++out.agree;
      else
        out.contradicted.push_back(fmt::format("{} before {}", high.name, low.name));
    }
  return out;
}

}  // namespace ptxlab::report
