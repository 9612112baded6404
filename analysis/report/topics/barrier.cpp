// SPDX-License-Identifier: Apache-2.0
// Document A: waiting for all blocks.
#include "analysis/report/barrier.hpp"

#include "analysis/report/provenance.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

std::vector<figure> curves(const topic_context& c) {
  std::vector<figure> out = surface_figures(c);
  for (figure& f : diagonal_figures(c)) out.push_back(std::move(f));
  return out;
}

std::vector<table> peers(const topic_context& c) {
  return family_tables(c, "peer/");
}

const topic_registration registered(
    {{"barrier.verdict", "each barrier: time, soundness, evidence", verdict_tables, nullptr},
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
     {"barrier.run", "where the numbers come from", nullptr, nullptr, provenance_of}});

}  // namespace
}  // namespace ptxlab::report
