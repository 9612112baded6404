// SPDX-License-Identifier: Apache-2.0
#include "analysis/timing/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/sass/control.hpp"
#include "analysis/timing/objection.hpp"
#include "analysis/timing/timed_code.hpp"

namespace ptxlab::timing {
namespace {

/// What is said of a kernel, once it is known what speaks against it.
class court {
 public:
  court(const contract& c, const sass::module& m, const sass::function& f, std::string_view cubin)
      : contract_(c), code_(m, f), controls_(sass::read_controls(m, f, cubin)) {}

  judgement run() {
    judgement j;
    review found = review_of(contract_, code_);
    j.reason = std::move(found.objection);
    j.valid = j.reason.empty();
    if (!code_.regions().empty()) excerpt(j);
    if (!j.valid) return j;
    j.sass = per_copy_text();
    j.fixed = list(found.fixed);
    j.static_cycles = witness();
    return j;
  }

 private:
  /// Opcodes of one copy: the difference of the longest and the shortest region.
  std::string per_copy_text() const {
    const auto [shortest, longest] = extremes();
    std::map<std::string, double> grown;
    for (const std::uint32_t op : code_.regions()[longest].ops)
      if (shortest != longest || contract_.names(code_.opcode(op))) ++grown[code_.opcode(op)];
    for (const std::uint32_t op : code_.regions()[shortest].ops)
      if (shortest != longest) --grown[code_.opcode(op)];
    const double copies = copies_between(shortest, longest);
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [opcode, n] : grown)
      if (const double each = n / copies; each >= 0.1)
        order.emplace_back(contract_.counts(opcode) ? -1e9 : -each,
                           std::abs(each - 1) < 0.05 ? opcode
                           : std::abs(each - std::round(each)) < 0.01
                               ? fmt::format("{:.0f} {}", each, opcode)
                               : fmt::format("{:.2g} {}", each, opcode));
    std::sort(order.begin(), order.end());
    std::string out;
    for (const auto& [rank, text] : order) out += (out.empty() ? "" : " + ") + text;
    return out;
  }

  /// The first region, and the longest one with as many streams.
  std::pair<std::size_t, std::size_t> extremes() const {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < contract_.regions.size(); ++i)
      if (contract_.regions[i].streams == contract_.regions[0].streams &&
          contract_.regions[i].copies > contract_.regions[longest].copies)
        longest = i;
    return {0, longest};
  }
  double copies_between(std::size_t a, std::size_t b) const {
    const region &x = contract_.regions[a], &y = contract_.regions[b];
    if (a == b) return static_cast<double>(x.copies * x.streams);
    return static_cast<double>(y.copies * y.streams) - static_cast<double>(x.copies * x.streams);
  }

  /// Stall counts of one copy, where neither a branch nor a scoreboard has a say.
  std::optional<double> witness() const {
    if (contract_.how != relation::chain) return std::nullopt;
    const auto [shortest, longest] = extremes();
    const auto stalls = [this](const timed_code::region& r) -> std::optional<double> {
      double sum = 0;
      for (const std::uint32_t op : r.ops) {
        const sass::control& c = controls_[op];
        if (contract_.names(code_.opcode(op)) && c.write_barrier != sass::control::no_barrier)
          return std::nullopt;
        if (code_.operation(op).what == flow::kind::call) return std::nullopt;
        sum += c.stall;
      }
      if (!r.straight) return std::nullopt;
      return sum;
    };
    const auto small = stalls(code_.regions()[shortest]), large = stalls(code_.regions()[longest]);
    if (!small || !large || shortest == longest) return std::nullopt;
    return (*large - *small) / copies_between(shortest, longest);
  }

  void excerpt(judgement& j) const {
    const std::size_t which =
        code_.regions().size() == contract_.regions.size() ? extremes().first : 0;
    const timed_code::region& r = code_.regions()[which];
    j.excerpt.push_back(code_.text(r.begin));
    constexpr std::size_t head = 10, tail = 3;
    for (std::size_t n = 0; n < r.ops.size(); ++n) {
      if (n == head && r.ops.size() > head + tail + 1) {
        j.excerpt.push_back(fmt::format("... {} more", r.ops.size() - head - tail));
        n = r.ops.size() - tail;
      }
      j.excerpt.push_back(code_.text(r.ops[n]));
    }
    j.excerpt.push_back(code_.text(r.end));
  }

  const contract& contract_;
  const timed_code code_;
  const std::vector<sass::control> controls_;
};

}  // namespace

judgement judge(const contract& c, const sass::module& m, const sass::function& f,
                std::string_view cubin) {
  return court(c, m, f, cubin).run();
}

}  // namespace ptxlab::timing
