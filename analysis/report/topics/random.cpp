// SPDX-License-Identifier: Apache-2.0
// Document C, row C9: random numbers.
#include "analysis/report/random.hpp"

#include "analysis/report/provenance.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"random.targets", "what was to be reached", random_target_tables, nullptr},
     {"random.throughput", "numbers by xorwow, in each order", random_throughput_tables, nullptr},
     {"random.order", "which of cuRAND's orders ours is", random_order_tables, nullptr},
     {"random.curve", "throughput over how many are drawn", nullptr, random_figures},
     {"random.set_up", "set-up, and one kernel for both", random_set_up_tables, nullptr},
     {"random.sobol", "Sobol's sequences", random_sobol_tables, nullptr},
     {"random.run", "where the numbers come from", nullptr, nullptr, provenance_of}});

}  // namespace
}  // namespace ptxlab::report
