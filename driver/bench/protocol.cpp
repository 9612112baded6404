// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/protocol.hpp"

#include <algorithm>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

std::vector<protocol>& registered() {
  static std::vector<protocol> all;
  return all;
}

}  // namespace

const std::vector<protocol>& protocols() {
  return registered();
}

const protocol& protocol_of(kernels::protocol how) {
  for (const protocol& p : registered())
    if (p.how == how) return p;
  throw error("a kernel is declared with a protocol that this program does not have");
}

protocol_registration::protocol_registration(const protocol& p) {
  auto& all = registered();
  all.insert(std::upper_bound(all.begin(), all.end(), p,
                              [](const protocol& a, const protocol& b) { return a.how < b.how; }),
             p);
}

results::row make_row(const protocol& p, const axes& at, const char* quantity, const char* unit) {
  results::row r;
  r.protocol = p.name;
  r.axes = at;
  r.quantity = quantity;
  r.unit = unit;
  r.raw_unit = "cycle";
  return r;
}

}  // namespace ptxlab::bench
