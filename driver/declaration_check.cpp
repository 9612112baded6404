// SPDX-License-Identifier: Apache-2.0
#include "driver/declaration_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxlab::driver {
namespace {

using verdict::outcome;

verdict::result compare(const kernels::variant& v, const facts::report& r,
                        const std::string& path) {
  verdict::result out{outcome::fail, path, 0, std::string(v.symbol), "declaration agrees", {}};
  const auto k = std::find_if(r.kernels.begin(), r.kernels.end(),
                              [&](const facts::kernel& x) { return x.name == v.symbol; });
  if (k == r.kernels.end()) {
    out.evidence = "declared, but no such kernel was compiled";
    return out;
  }
  if (!k->parameter_bytes) {
    out.what = outcome::not_trustworthy;
    out.evidence = "no PTX at hand to see the parameters in";
    return out;
  }
  std::vector<int> declared;
  for (const kernels::param p : kernels::parameters(v)) declared.push_back(static_cast<int>(p));
  if (declared == *k->parameter_bytes) {
    out.what = outcome::pass;
    return out;
  }
  out.evidence = fmt::format("parameters of {} bytes declared, of {} bytes compiled",
                             fmt::join(declared, ", "), fmt::join(*k->parameter_bytes, ", "));
  return out;
}

}  // namespace

std::vector<verdict::result> check_declaration(const kernels::entry& declared,
                                               const facts::report& r, const std::string& path) {
  std::vector<verdict::result> out;
  for (const kernels::variant& v : declared.what.variants) out.push_back(compare(v, r, path));
  for (const facts::kernel& k : r.kernels) {
    const auto& all = declared.what.variants;
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const kernels::variant& v) { return v.symbol == k.name; });
    if (!known)
      out.push_back({outcome::fail, path, 0, k.name, "declaration agrees",
                     "compiled, but not declared in the file's second half"});
  }
  return out;
}

std::vector<verdict::result> check_timing(const kernels::entry& declared,
                                          const std::map<std::string, timing::judgement>& timed,
                                          const std::string& path) {
  std::vector<verdict::result> out;
  for (const kernels::variant& v : declared.what.variants) {
    if (v.measure.how == kernels::protocol::none) continue;
    verdict::result r{outcome::not_trustworthy, path, 0, std::string(v.symbol), "", {}};
    r.expression = v.measure.refused.empty() ? "timed regions hold what the name says"
                                             : "timed regions are refused";
    const auto j = timed.find(std::string(v.symbol));
    if (j == timed.end()) {
      r.evidence = "no SASS at hand to see the timed regions in";
    } else if (v.measure.refused.empty()) {
      r.what = j->second.valid ? outcome::pass : outcome::fail;
      r.evidence = j->second.valid ? "" : j->second.reason;
    } else {
      r.what = j->second.reason.find(v.measure.refused) != std::string::npos ? outcome::pass
                                                                             : outcome::fail;
      if (r.what == outcome::fail)
        r.evidence = fmt::format("expected '{}', but {}", v.measure.refused,
                                 j->second.valid ? "they are fine" : j->second.reason);
    }
    out.push_back(std::move(r));
  }
  return out;
}

}  // namespace ptxlab::driver
