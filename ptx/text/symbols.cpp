// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/symbols.hpp"

namespace ptxlab::ptx {

void register_names::open() {
  scopes_.push_back({ranges_.size(), undo_.size()});
}

void register_names::close() {
  if (scopes_.empty()) return;
  ranges_.resize(scopes_.back().ranges);
  while (undo_.size() > scopes_.back().undo) {
    const auto [name, before] = undo_.back();
    undo_.pop_back();
    if (before == nothing) {
      singles_.erase(name);
    } else {
      singles_[name] = before;
    }
  }
  scopes_.pop_back();
}

std::uint32_t register_names::declare(std::string_view name, std::uint32_t count, bool numbered) {
  const std::uint32_t first = next_;
  next_ += count;
  if (numbered) {
    ranges_.push_back({name, first, count});
    return first;
  }
  const auto [it, inserted] = singles_.try_emplace(name, first);
  undo_.emplace_back(name, inserted ? nothing : it->second);
  it->second = first;
  return first;
}

std::uint32_t register_names::find(std::string_view name) const {
  if (!singles_.empty()) {
    const auto it = singles_.find(name);
    if (it != singles_.end()) return it->second;
  }
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  // Every split of the trailing digits could be prefix and number: %p1 and 0 of `%p1<5>`.
  for (std::size_t cut = digits; cut < name.size() && name.size() - cut <= 9; ++cut) {
    if (name.size() - cut > 1 && name[cut] == '0') continue;  // %r01 is no element of %r<...>
    std::uint32_t number = 0;
    for (std::size_t i = cut; i < name.size(); ++i)
      number = number * 10 + static_cast<std::uint32_t>(name[i] - '0');
    const std::string_view prefix = name.substr(0, cut);
    for (std::size_t r = ranges_.size(); r-- > 0;)
      if (ranges_[r].prefix == prefix && number < ranges_[r].count)
        return ranges_[r].first + number;
  }
  return nothing;
}

}  // namespace ptxlab::ptx
