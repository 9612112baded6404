// SPDX-License-Identifier: Apache-2.0
// Document C: transfers between host and device.
#include "analysis/report/transfers.hpp"

#include "analysis/report/topic.hpp"

namespace ptxlab::report {
namespace {

const topic_registration registered(
    {{"transfers.ways", "latency, rate and half size of each way to copy", transfer_tables,
      nullptr},
     {"transfers.sizes", "time and rate by size", transfer_size_tables, nullptr},
     {"transfers.curves", "time and rate by size, drawn", nullptr, transfer_figures},
     {"transfers.bottleneck", "the bus beside the device's own memory", bottleneck_tables,
      nullptr}});

}  // namespace
}  // namespace ptxlab::report
