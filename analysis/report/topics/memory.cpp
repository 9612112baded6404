// SPDX-License-Identifier: Apache-2.0
// Documents B and C: the spaces of memory, and how a warp reads them.
#include "analysis/report/memory.hpp"

namespace ptxlab::report {
namespace {

const topic_registration banks(
    {{"banks.widths", "strides of shared memory, by width and passes", bank_tables, nullptr},
     {"banks.tile", "columns of a padded tile", tile_tables, nullptr},
     {"banks.order", "are more passes slower?", bank_orders, nullptr},
     {"banks.figures", "cycles over the stride", nullptr, bank_figures}});

const topic_registration coalescing(
    {{"coalescing.patterns", "transactions then, sectors now, cycles", coalescing_tables, nullptr},
     {"coalescing.order", "are more sectors slower?", coalescing_orders, nullptr},
     {"coalescing.figures", "cycles over the stride", nullptr, coalescing_figures}});

const topic_registration constant(
    {{"constant.levels", "caches of constant memory", constant_levels, nullptr},
     {"constant.words", "lanes at different words", constant_words, nullptr},
     {"constant.figures", "cycles over the different words", nullptr, constant_figures}});

const topic_registration local({{"local.costs", "spills and indexed arrays", local_tables, nullptr},
                                {"local.figures", "the same as bars", nullptr, local_figures}});

const topic_registration spaces({{"spaces.latency", "one table for every space and cache",
                                  space_tables, nullptr},
                                 {"spaces.figures", "the same as bars", nullptr, space_figures}});

const topic_registration vectors(
    {{"vectors.elements", "width and layout of elements", vector_tables, nullptr},
     {"vectors.figures", "bytes that are used", nullptr, vector_figures}});

}  // namespace
}  // namespace ptxlab::report
