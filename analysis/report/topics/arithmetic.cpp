// SPDX-License-Identifier: Apache-2.0
// Document B: what arithmetic costs, and how wrong its fast forms are.
#include "analysis/report/accuracy.hpp"
#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"arithmetic.cost", "the cost table of 2009, then and now", cost_of_arithmetic_tables,
      nullptr},
     {"arithmetic.limit", "sinf on both sides of its limits", sine_limit_tables, nullptr},
     {"arithmetic.accuracy", "errors in units of the last place", error_tables, nullptr},
     {"arithmetic.wrong", "from where on fast forms are wrong", wrong_range_tables, nullptr},
     {"arithmetic.curves", "errors over the operand", nullptr, error_figures}});

}  // namespace
}  // namespace ptxlab::report
