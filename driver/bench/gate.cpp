// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/gate.hpp"

#include <algorithm>

#include "analysis/sass/cubin.hpp"
#include "analysis/sass/reader.hpp"
#include "driver/bench/protocol.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {

std::map<std::string, timing::judgement> judge_all(const kernels::entry& declared,
                                                   const toolchain::build& b) {
  std::map<std::string, timing::judgement> out;
  const auto& all = declared.what.variants;
  const bool any = std::any_of(all.begin(), all.end(), [](const kernels::variant& v) {
    return v.measure.how != kernels::protocol::none;
  });
  if (!any || !b.cubin.text || (!b.sass_json.text && !b.sass_text.text)) return out;
  try {
    sass::module m =
        b.sass_json.text ? sass::read_json(*b.sass_json.text) : sass::read_text(*b.sass_text.text);
    if (!m.trustworthy()) return out;
    sass::add_symbols(m, *b.cubin.text);
    for (const kernels::variant& v : all) {
      if (v.measure.how == kernels::protocol::none) continue;
      const std::uint32_t f = m.find(v.symbol);
      if (f == sass::none) continue;
      timing::judgement& j = out[std::string(v.symbol)];
      const protocol& p = protocol_of(v.measure.how);
      j.valid = true;
      if (p.contract != nullptr)
        j = timing::judge(p.contract(v.measure), m, m.functions[f], *b.cubin.text);
    }
  } catch (const error&) {
    return {};  // no trustworthy disassembly: nothing is said
  }
  return out;
}

}  // namespace ptxlab::bench
