// SPDX-License-Identifier: Apache-2.0
// Documents B and C: occupancy, and the rule for block sizes.
#include "analysis/report/occupancy.hpp"

#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"occupancy.curves", "over block size, registers, shared memory", nullptr, occupancy_figures},
     {"occupancy.blocks", "which block sizes fill a multiprocessor", block_rule_tables, nullptr},
     {"occupancy.threads", "with how many threads operations are fast", thread_rule_tables,
      nullptr}});

}  // namespace
}  // namespace ptxlab::report
