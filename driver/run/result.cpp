// SPDX-License-Identifier: Apache-2.0
#include "driver/run/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ptxlab::run {
namespace {

std::string ulp_text(std::uint64_t ulp, type of) {
  if (ulp == std::numeric_limits<std::uint64_t>::max()) return "any distance";
  return fmt::format("{}{}", ulp, machine::is_floating(of) ? " ulp" : "");
}

}  // namespace

std::string short_ending(const outcome& o, const std::vector<comparison_result>& comparisons) {
  std::string out(machine::name(o.report.how));
  const bool differs = std::any_of(comparisons.begin(), comparisons.end(),
                                   [](const comparison_result& c) { return c.differing != 0; });
  if (differs) out += ", differs";
  if (o.race_count() != 0) out += ", races";
  if (!o.races_told) out += ", races not told";
  return out;
}

bool fine(const result& r) {
  if (short_ending(r.run, r.comparisons) != "finished") return false;
  if (r.gpu && !r.gpu->finished()) return false;
  for (const device_difference& d : r.differences)
    if (d.is.what == difference_class::wrong || d.is.what == difference_class::race) return false;
  if (r.repeats)
    for (const auto& [ending, tokens] : r.repeats->endings)
      if (ending != "finished") return false;
  return true;
}

std::string extent(const std::uint32_t (&v)[3]) {
  return fmt::format("{}x{}x{}", v[0], v[1], v[2]);
}

std::string first_elements(type of, const std::vector<std::byte>& bytes) {
  constexpr std::uint64_t most = 16;
  const std::uint64_t n = bytes.size() / element_bytes(of);
  std::string out;
  for (std::uint64_t i = 0; i < std::min(n, most); ++i)
    out += (i == 0 ? "" : " ") + element_text(of, element_at(bytes, of, i));
  if (n > most) out += fmt::format(" ... ({} in all)", n);
  return out;
}

std::string comparison_text(const comparison_result& c, type of) {
  if (c.differing == 0)
    return fmt::format(
        "all {} equal{}", c.elements,
        c.largest_ulp == 0 ? "" : ", at most " + ulp_text(c.largest_ulp, of) + " apart");
  return fmt::format("{} of {} differ, at most {} apart", c.differing, c.elements,
                     ulp_text(c.largest_ulp, of));
}

std::string difference_text(const device_difference& d) {
  std::string out(name(d.is.what));
  if (d.is.differing == 0) return out + fmt::format(": all {} equal", d.is.elements);
  return out + fmt::format(": {} of {} differ, at most {} apart; first [{}] cpu {} cuda {}; {}",
                           d.is.differing, d.is.elements, ulp_text(d.is.largest_ulp, d.of),
                           d.is.first, element_text(d.of, d.is.first_a),
                           element_text(d.of, d.is.first_b), d.is.why);
}

type type_of(const plan& p, const std::string& name) {
  for (const looked_at& x : all_looked_at(p))
    if (x.name == name) return x.what->of;
  return type::u32;
}

}  // namespace ptxlab::run
