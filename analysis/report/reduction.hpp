// SPDX-License-Identifier: Apache-2.0
// Sums in results: kernels reduce/FILE/VARIANT, their rivals in the same rows, and the tables of
// 2009 and 2012 that they stand beside.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// The unroll factor that was best in 2012 stands for all where one has to.
inline constexpr const char* unrolled_id = "reduce/unroll_factor/by_7";

/// `quantity` of `id` at `elements` numbers; null if there is no such row.
const measurement* sum_at(const section& s, const std::string& id, const std::string& quantity,
                          double elements);
/// A rival's `quantity` ("time of cub") in a row of `id`, else of any other kernel that sums f32:
/// what is ok before what is not.
const measurement* rival_at(const section& s, const std::string& id, const std::string& quantity,
                            double elements);
/// Microseconds of each sample.
std::vector<double> samples_us(const measurement& m);
/// Three or more digits of the median in microseconds; else as value_cell has it.
std::string time_cell(const measurement* m, std::vector<std::string>& notes);

/// Ids that begin with `prefix` and have rows of the protocol, sorted.
std::vector<std::string> sums_of(const section& s, const std::string& prefix);
/// Sizes at which `id` has rows of `quantity`, ok or not, sorted.
std::vector<double> sizes_of(const section& s, const std::string& id, const std::string& quantity);
/// "2^20" of a power of two from 1024 on, else the number.
std::string size_name(double elements);
/// The kernel that sums f32 in one launch and takes the least time: the lowest mean of the
/// logarithm, of those that have a value at the most sizes. Empty where none has one.
std::string best_sum(const section& s);
/// That kernel where it has times with copies, else the first one that sums f32 in one launch and
/// has; empty where none has.
std::string copied_sum(const section& s);

/// The kernel that only reads; empty where there is none.
std::string plain_read(const section& s);

// One function for each group of tables or figures.
std::vector<table> reduction_history_tables(const topic_context& c);
std::vector<table> break_even_tables(const topic_context& c);
std::vector<table> unroll_tables(const topic_context& c);
std::vector<table> first_five_tables(const topic_context& c);
std::vector<table> one_launch_tables(const topic_context& c);
std::vector<table> in_flight_tables(const topic_context& c);
std::vector<table> reduction_target_tables(const topic_context& c);
std::vector<figure> reduction_time_figures(const topic_context& c);
std::vector<figure> reduction_bandwidth_figures(const topic_context& c);
std::vector<figure> in_flight_figures(const topic_context& c);

}  // namespace ptxlab::report
