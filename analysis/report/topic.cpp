// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/topic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/provenance.hpp"
#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

std::vector<figure> curves(const barrier_context& c) {
  std::vector<figure> out = surface_figures(c);
  for (figure& f : diagonal_figures(c)) out.push_back(std::move(f));
  return out;
}

std::vector<table> peers(const barrier_context& c) {
  return family_tables(c, "peer/");
}

bool fits(const topic& t, const std::string& wanted) {
  return t.name == wanted || t.name.starts_with(wanted + ".");
}

}  // namespace

const std::vector<topic>& topics() {
  static const std::vector<topic> all = {
      {"barrier.verdict", "each barrier: time, soundness, evidence", verdict_tables, nullptr},
      {"barrier.targets", "what was to be reached", target_tables, nullptr},
      {"barrier.history", "what was said in 2012, and what holds here", history_tables, nullptr},
      {"barrier.races", "the transform without a barrier", race_tables, nullptr},
      {"barrier.cost", "a bare round over blocks and threads", cost_tables, cost_figures},
      {"barrier.transform", "X -> P -> X by every way to wait", transform_tables, nullptr},
      {"barrier.surface", "figures 5 and 6", nullptr, curves},
      {"barrier.model", "a barrier from its parts", model_tables, nullptr},
      {"barrier.litmus", "what was read across a barrier", litmus_tables, nullptr},
      {"barrier.compilers", "waits, fences and races without a GPU", compiler_tables, nullptr},
      {"barrier.peers", "two GPUs", peers, nullptr},
      {"barrier.lost", "what has no value, and why", lost_tables, nullptr},
      {"barrier.run", "where the numbers come from", nullptr, nullptr, provenance_of}};
  return all;
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
