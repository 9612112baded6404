// SPDX-License-Identifier: Apache-2.0
// An observer that keeps what it is told.
#pragma once

#include <vector>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

struct recorder : observer {
  struct told {
    access what;
    std::vector<address> at;
    std::vector<std::byte> data;
  };
  std::vector<told> all;
  unsigned meetings = 0;
  void accessed(const access& a) override {
    told t{a, std::vector<address>(a.at, a.at + warp_lanes), {}};
    if (a.data != nullptr) t.data.assign(a.data, a.data + warp_lanes * a.bytes);
    all.push_back(std::move(t));
  }
  void warp_synced(std::uint32_t, const lanes&) override { ++meetings; }
};

}  // namespace ptxlab::machine
