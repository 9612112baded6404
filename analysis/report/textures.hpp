// SPDX-License-Identifier: Apache-2.0
// Textures in results: what was checked, what a fetch costs and how many there are in a second.
// Kernels are texture/fetch/*, texture/walk/*, memory/texture/* and throughput/texture/*.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// Name of a texture's format by its number in results: "u8".
std::string format_name(double number);

/// Places that were read and compared, by kernel and filter.
std::vector<table> texture_check_tables(const topic_context& c);
/// Cycles of a dependent fetch by footprint, beside a load's.
std::vector<table> texture_latency_tables(const topic_context& c);
std::vector<figure> texture_latency_figures(const topic_context& c);
/// Lanes that one SM serves in a cycle.
std::vector<table> texture_sm_tables(const topic_context& c);
/// Texels that the whole device reads in a second, by path, direction and level.
std::vector<table> texture_rate_tables(const topic_context& c);
std::vector<figure> texture_rate_figures(const topic_context& c);

}  // namespace ptxlab::report
