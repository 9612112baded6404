// SPDX-License-Identifier: Apache-2.0
// The proof that a fragment goes round in a loop for ever: its registers repeat while no memory
// changes.
#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>

#include "ptx/machine/grid.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {

std::uint64_t warp::register_hash(const context& c) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t h = c.pc + odd * c.whole + touched_ + c.carry;
  const auto* words = reinterpret_cast<const std::uint64_t*>(windows_.data());
  const frame& f = frames_[fragments_[running_].frame];
  const std::size_t n = (f.window + code_->routines[f.routine].slots) * std::size_t{slot_bytes / 8};
  std::uint64_t g = odd;
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    h = (h ^ words[i]) * odd;
    g = (g ^ words[i + 1]) * odd;
    h ^= h >> 29;
    g ^= g >> 31;
  }
  return h ^ std::rotl(g, 17);
}

bool warp::repeats_itself(fragment& f, const context& c) {
  repetition& r = f.repeats;
  const std::uint64_t version = in_.in().version();
  if (r.looks_left != 0) {
    --r.looks_left;
    if (r.version == version && r.hash == register_hash(c)) return true;
    if (r.version != version) r.looks_left = 0;
  } else {
    r.look_at *= 2;
    r.version = version;
    r.hash = register_hash(c);
    r.looks_left = 16;
  }
  return false;
}

round_trip warp::go_round(std::size_t index) {
  round_trip out;
  fragment f = fragments_[index];
  running_ = static_cast<std::uint32_t>(index);
  context c = context_of(f);
  constexpr unsigned longest = 100'000;
  for (unsigned n = 0; n < longest; ++n) {
    const step& s = code_->steps[c.pc];
    c.mask = c.whole;
    if (s.guard != no_slot) {
      const lane_mask p = c.predicate(s.guard);
      c.mask &= s.guard_negated ? ~p : p;
    }
    ++c.pc;
    if (c.mask == 0) continue;
    if (c.mask != all_lanes && c.mask != expanded_) expand(c.mask);
    site_ = s.site;
    s.run(s, c);
    const std::string_view opcode = code_->sites[s.site].opcode;
    if (opcode.starts_with("setp.") && s.counts) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(c.mask));
      const bool wide = opcode.ends_with("64"), half = opcode.ends_with("16");
      const auto value = [&](slot at) -> std::string {
        if (at == no_slot) return "?";
        if (opcode.ends_with("f32")) return fmt::format("{}", c.at<float>(at)[lane]);
        if (opcode.ends_with("f64")) return fmt::format("{}", c.at<double>(at)[lane]);
        return fmt::format("{}", wide   ? c.at<std::uint64_t>(at)[lane]
                                 : half ? c.at<std::uint16_t>(at)[lane]
                                        : c.at<std::uint32_t>(at)[lane]);
      };
      out.condition = fmt::format("{} {}, {}", opcode, value(s.a), value(s.b));
    }
    if (c.asks == request::yield) c.asks = request::none;  // it sleeps while it polls
    if (c.asks != request::none) break;
  }
  return out;
}

}  // namespace ptxlab::machine
