// SPDX-License-Identifier: Apache-2.0
#include "analysis/accuracy/tally.hpp"

#include <algorithm>
#include <cmath>

namespace ptxlab::accuracy {
namespace {

constexpr int lowest_exponent = -126, highest_exponent = 127;  // of normal floats
constexpr double smallest = 0x1p-149;

}  // namespace

ranges::ranges(std::vector<double> extra, bool by_sign)
    : extra_(std::move(extra)), by_sign_(by_sign) {
  ends_ = {smallest};
  for (int e = lowest_exponent; e <= highest_exponent; ++e) ends_.push_back(std::ldexp(1.0, e));
  ends_.insert(ends_.end(), extra_.begin(), extra_.end());
  std::sort(ends_.begin(), ends_.end());
  half_ = ends_.size();
  if (by_sign_)
    for (std::size_t i = 0; i < half_; ++i) ends_.push_back(-ends_[i]);
}

std::size_t ranges::of(double x) const {
  const double magnitude = std::abs(x);
  std::size_t at = half_ - 1;
  if (magnitude < 0x1p-126) {
    at = 0;
  } else if (magnitude < 0x1p128) {
    at = static_cast<std::size_t>(std::ilogb(magnitude) - lowest_exponent) + 1;
    for (const double e : extra_)
      if (e <= magnitude) ++at;
  }
  return by_sign_ && std::signbit(x) ? at + half_ : at;
}

tally::tally(const ranges& of) {
  for (const double from : of.ends()) by_range.push_back({.from = from});
}

void tally::add(const tally& other) {
  for (std::size_t i = 0; i < by_range.size(); ++i) {
    range& to = by_range[i];
    const range& from = other.by_range[i];
    to.inputs += from.inputs;
    to.inexact += from.inexact;
    to.largest = std::max(to.largest, from.largest);
    to.largest_absolute = std::max(to.largest_absolute, from.largest_absolute);
  }
  inputs += other.inputs;
  inexact += other.inexact;
  sum += other.sum;
  if (other.largest > largest) {
    largest = other.largest;
    x = other.x;
    y = other.y;
    got = other.got;
    exact = other.exact;
  }
  most_floats = std::max(most_floats, other.most_floats);
  if (wrong_nan == 0) {
    nan_x = other.nan_x;
    nan_y = other.nan_y;
  }
  wrong_nan += other.wrong_nan;
}

}  // namespace ptxlab::accuracy
