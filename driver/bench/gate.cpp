// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/loads_in_flight.hpp"
#include "analysis/sass/cubin.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "analysis/verdict/evaluate.hpp"
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
      else
        j.loads_in_flight = facts::loads_in_flight(sass::lower(m, m.functions[f]));
    }
  } catch (const error&) {
    return {};  // no trustworthy disassembly: nothing is said
  }
  return out;
}

std::string facts_against(const kernels::variant& v, const facts::report& seen) {
  try {
    for (const std::string_view clauses : v.must)
      for (const verdict::result& r : verdict::evaluate(
               verdict::parse_clauses(clauses, std::string(v.symbol), {"", 0, 1}), seen))
        if (r.what == verdict::outcome::fail || r.what == verdict::outcome::not_trustworthy)
          return fmt::format("{}: {}: {}", verdict::name(r.what), r.expression, r.evidence);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

}  // namespace ptxlab::bench
