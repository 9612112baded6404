// SPDX-License-Identifier: Apache-2.0
// A pass of a sort within one block, from parts that were measured by themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/sorting.hpp"

namespace ptxlab::report {
namespace {

constexpr double shown_elements = 1024;
constexpr double lanes = 32, partitions = 4;  ///< of a warp; of an SM that issue by themselves

/// How a kernel of sort/block does its passes.
struct shape {
  const char* id;
  double lane_keys;       ///< neighbours in one lane; 2: the pair that a thread looks after
  double barrier_passes;  ///< passes from one barrier to the next
  bool shuffles;
  /// Cycles that a pass of a warp keeps shared memory busy: one for each access, two for one of 64
  /// bits a lane, or of every second word; the mean of even and odd passes.
  double shared_cycles;
};
constexpr shape shapes[] = {{"sort/block/shared", 2, 1, false, 8},
                            {"sort/block/shared_unrolled", 2, 1, false, 6},
                            {"sort/block/shared_split", 2, 1, false, 4},
                            {"sort/block/edges", 2, 2, true, 0},
                            {"sort/block/registers", 10, 30, true, 0}};

class builder {
 public:
  builder(const section& s, const shape& how, double elements, double threads)
      : s_(s), how_(how), threads_(threads) {
    out_.id = how.id;
    out_.elements = elements;
  }

  pass_model built() {
    add_barrier();
    add("keys from shared memory", "memory/shared/pointer", "latency", {}, 1 / how_.barrier_passes);
    if (!how_.shuffles) {
      add("comparison and choice", "latency/compare/setp_selp_s32", "latency", {}, 1);
      add_shared();
      return std::move(out_);
    }
    add("shuffle, every other pass", "latency/warp/shfl_sync_up_b32", "latency", {}, 0.5);
    add_minima();
    return std::move(out_);
  }

 private:
  std::optional<double> value(const std::string& id, const std::string& quantity,
                              const std::map<std::string, double>& at) const {
    const measurement* m = find(s_, id, quantity, at);
    if (m == nullptr || !m->ok()) return {};
    return m->row().value->median;
  }
  void add(const char* what, const std::string& id, const std::string& quantity,
           const std::map<std::string, double>& at, double times) {
    const auto cycles = value(id, quantity, at);
    const std::string where = at.empty() ? id : id + ", " + axes_text(at);
    if (!cycles) {
      out_.parts.push_back({what, fmt::format("{}: {}", not_measured_text, where), {}});
      return;
    }
    out_.parts.push_back(
        {what, times == 1 ? where : fmt::format("{}, a pass has {:.3g} of it", where, times),
         *cycles * times});
  }
  /// A barrier of as many threads, on the line between those that were measured with fewer and with
  /// more.
  void add_barrier() {
    const char* what = "barrier of the block";
    const std::string id = "barrier/block_cost/bar_sync";
    std::map<double, double> cycles;  // by threads
    for (const measurement& m : s_.measurements)
      if (m.row().id == id && m.row().quantity == "latency" && m.ok() &&
          m.row().axes.contains("threads"))
        cycles[m.row().axes.at("threads")] = m.row().value->median;
    const auto above = cycles.lower_bound(threads_);
    if (above == cycles.end() || (above == cycles.begin() && above->first != threads_)) {
      out_.parts.push_back({what, fmt::format("{}: {}", not_measured_text, id), {}});
      return;
    }
    double one = above->second;
    if (above->first != threads_) {
      const auto below = std::prev(above);
      one = below->second +
            (one - below->second) * (threads_ - below->first) / (above->first - below->first);
    }
    out_.parts.push_back(
        {what,
         fmt::format("{}, {} threads{}", id, exact(threads_),
                     how_.barrier_passes == 1
                         ? ""
                         : fmt::format(", once in {} passes", exact(how_.barrier_passes))),
         one / how_.barrier_passes});
  }
  /// Loads and stores of all warps, which pass through shared memory one behind the other.
  void add_shared() {
    constexpr double word_bytes = 4;
    const std::string id = "throughput/memory/ld_shared_u32";
    const auto rate = value(id, "plateau", {});
    const char* what = "all loads and stores, one behind the other";
    if (!rate) {
      out_.parts.push_back({what, fmt::format("{}: {}", not_measured_text, id), {}});
      return;
    }
    const double warps = std::ceil(threads_ / lanes);
    out_.parts.push_back({what, fmt::format("{}, plateau", id),
                          warps * how_.shared_cycles * lanes * word_bytes / *rate});
  }
  /// A lane's minima and maxima: as fast as the partition that has most warps issues them, and not
  /// before the first of them has its result.
  void add_minima() {
    const char* what = "minima and maxima";
    const std::string id = "int32/min_max_s32";
    const auto latency = value("latency/" + id, "latency", {});
    const auto rate = value("throughput/" + id, "plateau", {});
    if (!latency || !rate) {
      out_.parts.push_back(
          {what, fmt::format("{}: latency/{} or throughput/{}", not_measured_text, id, id), {}});
      return;
    }
    // One operation is a minimum and a maximum; in a chain one waits for the other.
    const double one = *latency / 2, pairs = how_.lane_keys / 2;
    const double warps = std::ceil(threads_ / lanes / partitions);
    const double issued = warps * pairs * lanes / (*rate / partitions);
    out_.parts.push_back(
        {what,
         issued > one ? fmt::format("throughput/{}, plateau", id) : fmt::format("latency/{}", id),
         std::max(one, issued)});
  }

  const section& s_;
  const shape& how_;
  double threads_;
  pass_model out_;
};

std::string cycles_text(const std::optional<double>& cycles) {
  return cycles ? fixed(*cycles, 1) : not_measured_text;
}

}  // namespace

std::optional<double> pass_model::sum() const {
  double out = 0;
  for (const part& p : parts) {
    if (!p.cycles) return {};
    out += *p.cycles;
  }
  return out;
}

std::vector<pass_model> pass_models(const section& s, double elements) {
  std::vector<pass_model> out;
  for (const shape& how : shapes) {
    const measurement* m = find(s, how.id, "cycles of a pass", {{"elements", elements}});
    if (m == nullptr || !m->ok() || !m->row().uses.block_threads) continue;
    out.push_back(
        builder(s, how, elements, static_cast<double>(*m->row().uses.block_threads)).built());
  }
  return out;
}

std::vector<table> sort_pass_tables(const topic_context& c) {
  std::vector<table> out;
  for (const pass_model& model : pass_models(c.of, shown_elements)) {
    table t{fmt::format("A pass of {} over {} keys: cycles", model.id, exact(model.elements)),
            {{"part", false, true}, {"from", false, true}, {"cycles", true}},
            {}};
    std::optional<double> largest = 0.0;
    for (const pass_model::part& p : model.parts) {
      t.lines.push_back({{p.what, p.from, cycles_text(p.cycles)}, {}});
      if (!p.cycles) largest.reset();
      if (largest) largest = std::max(*largest, *p.cycles);
    }
    const auto sum = model.sum();
    t.lines.push_back(
        {{"the largest part alone", "all else at the same time", cycles_text(largest)}, {}});
    t.lines.push_back({{"all parts", "one behind the other", cycles_text(sum)}, {}});
    const measurement* m = find(c.of, model.id, "cycles of a pass", {{"elements", model.elements}});
    line l{{"measured", "the kernel's own clock", absent}, {}};
    l.cells[2] = value_cell(m, 1, l.notes);
    if (m != nullptr && m->ok() && sum)
      l.notes.push_back(fmt::format("{:.2f} of the sum", m->row().value->median / *sum));
    t.lines.push_back(std::move(l));
    out.push_back(std::move(t));
  }
  table all{fmt::format("Cycles of a pass over {} keys", exact(shown_elements)),
            {{"kernel"}, {"threads", true}, {"cycles", true}, {"us of a sort", true}},
            {}};
  for (const measurement& m : c.of.measurements) {
    const results::row& r = m.row();
    if (!r.id.starts_with("sort/block/") || r.quantity != "cycles of a pass" ||
        r.axes.at("elements") != shown_elements)
      continue;
    line l{
        {operation_of(r.id), r.uses.block_threads ? std::to_string(*r.uses.block_threads) : absent},
        {}};
    l.cells.push_back(value_cell(&m, 1, l.notes));
    l.cells.push_back(
        value_cell(find(c.of, r.id, "time", {{"elements", shown_elements}}), 1, l.notes));
    all.lines.push_back(std::move(l));
  }
  if (all.lines.empty()) all.title += fmt::format(": {}", not_measured_text);
  out.push_back(std::move(all));
  return out;
}

}  // namespace ptxlab::report
