// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/topic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

std::vector<topic>& registered() {
  static std::vector<topic> all;
  return all;
}

bool fits(const topic& t, const std::string& wanted) {
  return t.name == wanted || t.name.starts_with(wanted + ".");
}

}  // namespace

const std::vector<topic>& topics() {
  return registered();
}

topic_registration::topic_registration(const std::vector<topic>& parts) {
  auto& all = registered();
  const auto before = [](const topic& a, const topic& b) {
    return a.name.substr(0, a.name.find('.')) < b.name.substr(0, b.name.find('.'));
  };
  all.insert(std::upper_bound(all.begin(), all.end(), parts.at(0), before), parts.begin(),
             parts.end());
}

std::vector<const topic*> topics_of(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const topic& t : topics()) names.push_back(t.name);
  for (const std::string& w : wanted)
    if (std::none_of(topics().begin(), topics().end(), [&](const topic& t) { return fits(t, w); }))
      throw error(fmt::format("no topic '{}'{}; there are {}", w, verdict::suggestion(w, names),
                              fmt::join(names, ", ")));
  std::vector<const topic*> out;
  for (const topic& t : topics())
    if (std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) { return fits(t, w); }))
      out.push_back(&t);
  return out;
}

std::string figure_name(const figure& f, std::size_t number, std::size_t sections) {
  return sections > 1 ? fmt::format("{}-{}", f.name, number) : f.name;
}

}  // namespace ptxlab::report
