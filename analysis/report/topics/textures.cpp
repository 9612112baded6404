// SPDX-License-Identifier: Apache-2.0
// Document B, row B1: textures.
#include "analysis/report/textures.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"textures.checks", "fetches held against a reference", texture_check_tables, nullptr},
     {"textures.latency", "a fetch beside a load, by footprint", texture_latency_tables,
      texture_latency_figures},
     {"textures.sm", "lanes that one SM serves in a cycle", texture_sm_tables, nullptr},
     {"textures.rate", "texels a second, by path and direction", texture_rate_tables,
      texture_rate_figures}});

}  // namespace
}  // namespace ptxlab::report
