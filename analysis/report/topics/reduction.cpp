// SPDX-License-Identifier: Apache-2.0
// Documents B and C: sums.
#include "analysis/report/reduction.hpp"

#include "analysis/report/provenance.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"reduction.targets", "what was to be reached", reduction_target_tables, nullptr},
     {"reduction.first_five", "the five of 2009 and what came after", first_five_tables, nullptr},
     {"reduction.history", "tables 1 and 2 of 2012 and today", reduction_history_tables, nullptr},
     {"reduction.break_even", "from where on the GPU is ahead of the host", break_even_tables,
      nullptr},
     {"reduction.unroll", "table 3 of 2012 and today", unroll_tables, nullptr},
     {"reduction.one_launch", "ways to one sum in one launch", one_launch_tables, nullptr},
     {"reduction.in_flight", "loads in flight against threads", in_flight_tables,
      in_flight_figures},
     {"reduction.time", "time over size", nullptr, reduction_time_figures},
     {"reduction.bandwidth", "bandwidth over size", nullptr, reduction_bandwidth_figures},
     {"reduction.run", "where the numbers come from", nullptr, nullptr, provenance_of}});

}  // namespace
}  // namespace ptxlab::report
