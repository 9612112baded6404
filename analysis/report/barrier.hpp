// SPDX-License-Identifier: Apache-2.0
// Barriers over the whole grid in results: which there are, their rows, and whether each is sound.
// Kernels are barrier/NAME/{bare,dirty,late,transform,litmus,litmus_*}; launches that end a kernel
// instead are barrier/launches/*.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/topic.hpp"

namespace ptxlab::report {

/// Threads of a block where one point has to stand for all.
inline constexpr double usual_threads = 256;

/// NAME of every barrier of the section, sorted.
std::vector<std::string> barriers_of(const section& s);
std::string barrier_id(const std::string& name, const std::string& variant);

/// The measurement of `id` and `quantity` whose axes hold `axes` (it may have more); one that is ok
/// before one that is not; null if there is none.
const measurement* find(const section& s, const std::string& id, const std::string& quantity,
                        const std::map<std::string, double>& axes = {});

/// How many multiprocessors the device has, by the provenance of the results.
std::optional<double> multiprocessors(const section& s);

/// Rounds of NAME's `variant` on `blocks_per_sm` blocks of `usual_threads` for every SM, or on as
/// many below that as whole clusters make; null if there are none of at least nine tenths.
const measurement* round_of(const section& s, const std::string& name, const std::string& variant,
                            double blocks_per_sm);

/// The median less `less`; or "not measured", "invalid", ..., whose reason goes to `notes`.
std::string value_cell(const measurement* m, int decimals, std::vector<std::string>& notes,
                       double less = 0);
/// The same of cycles, in microseconds of the clock that was seen.
std::string microseconds_cell(const measurement* m, std::vector<std::string>& notes);

/// Sum of all values that were taken: counts over all launches. Nothing if none was kept.
std::optional<double> total(const results::row& r);

/// What a litmus kernel saw over all its points and runs.
struct litmus_count {
  double reads = 0, points = 0;
  double stale = 0;       ///< the round's word was older than the round
  double stale_next = 0;  ///< it was still older a round later
  double early = 0, both = 0;
  std::string trouble;  ///< why a point has no count; empty: all have

  double forbidden() const { return stale + stale_next + early; }
  /// "0 of 132000"
  std::string text() const;
  /// Of nothing seen "below 2.3e-05": the rate that the rule of three (Hanley and Lippman-Hand,
  /// 1983) leaves room for, at 95 % confidence; else `absent`.
  std::string bound() const;
};
/// Nothing if there is no row of it.
std::optional<litmus_count> litmus_of(const section& s, const std::string& id);

enum class soundness { yes, no, unknown };
struct judgement {
  soundness is = soundness::unknown;
  std::string why;  ///< what speaks against it, or what is missing
};
/// Sound: the wait is a loop in SASS, the machine finds no race in the litmus program's PTX, and
/// no forbidden value was seen on the GPU. Whatever of these is missing makes it unknown.
judgement judge(const topic_context& c, const std::string& name);
/// What is known of NAME's kernels without a GPU: of `litmus`, else of `transform`, one that ran on
/// the machine first; or null.
const evidence_row* facts_of(const evidence& known, const std::string& name);

/// The fastest sound barrier over all SMs other than cooperative groups; where none is known to be
/// sound, the fastest that is not known to be unsound.
struct best_barrier {
  std::string name;
  bool sound = false;

  /// Its name, with "(soundness not shown)" where that is so.
  std::string text() const;
};
std::optional<best_barrier> best_of(const topic_context& c);
/// The barrier of cooperative groups: the first whose name begins with "cooperative".
std::optional<std::string> cooperative_of(const section& s);

// One function for each group of tables or figures.
std::vector<table> verdict_tables(const topic_context& c);
std::vector<table> target_tables(const topic_context& c);
std::vector<table> cost_tables(const topic_context& c);
std::vector<figure> cost_figures(const topic_context& c);
std::vector<table> transform_tables(const topic_context& c);
/// Figure 5 of 2012: time of a rival over that of the best barrier, over blocks and threads.
std::vector<figure> surface_figures(const topic_context& c);
/// Figure 6 of 2012: 1024 threads in all, in few to many blocks.
std::vector<figure> diagonal_figures(const topic_context& c);
std::vector<table> race_tables(const topic_context& c);
std::vector<table> litmus_tables(const topic_context& c);
std::vector<table> compiler_tables(const topic_context& c);
std::vector<table> model_tables(const topic_context& c);
std::vector<table> history_tables(const topic_context& c);
/// Whatever the families `prefix` hold, as in every report.
std::vector<table> family_tables(const topic_context& c, const std::string& prefix);
/// Rows of barriers without a value, each with its reason.
std::vector<table> lost_tables(const topic_context& c);

/// Cycles of a barrier by its measured parts.
struct barrier_model {
  struct part {
    std::string what, from;        ///< from: id and point, or what is missing
    std::optional<double> cycles;  ///< all of it, times included
  };
  std::vector<part> parts;
  std::optional<double> poll;  ///< cycles of a poll that comes too early
  std::string poll_from;
  /// Of all parts; nothing if one is missing.
  std::optional<double> sum() const;
};
barrier_model model_of(const section& s);

/// One X -> P -> X at a point.
struct transform_point {
  double blocks = 0, threads = 0;
  auto operator<=>(const transform_point&) const = default;
};
/// Points by id, and these by what a sum runs over: "all terms", "4 terms", with ", n = 128" behind
/// where there is not one element for each thread.
using transform_points =
    std::map<std::string, std::map<std::string, std::map<transform_point, const measurement*>>>;
transform_points transforms_of(const section& s);
/// "stream launches" of barrier/launches/stream, NAME of barrier/NAME/transform.
std::string transform_label(const std::string& id);

}  // namespace ptxlab::report
