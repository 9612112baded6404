// SPDX-License-Identifier: Apache-2.0
// Document C: odd-even transposition sort.
#include "analysis/report/sorting.hpp"

#include "analysis/report/provenance.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"sorting.targets", "what was to be reached", sort_target_tables, nullptr},
     {"sorting.time", "time over the number of keys, beside rivals", sort_time_tables,
      sort_time_figures},
     {"sorting.rivals", "the fastest for each number of keys", sort_rival_tables, nullptr},
     {"sorting.step", "a pass between launches or barriers", sort_step_tables, nullptr},
     {"sorting.pass", "a pass within one block from its parts", sort_pass_tables, nullptr},
     {"sorting.work", "passes, launches, comparisons, exchanges", sort_work_tables, nullptr},
     {"sorting.stop", "stopping when nothing changes", sort_stop_tables, nullptr},
     {"sorting.run", "where the numbers come from", nullptr, nullptr, provenance_of}});

}  // namespace
}  // namespace ptxlab::report
