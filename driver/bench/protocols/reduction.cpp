// SPDX-License-Identifier: Apache-2.0
// reduction: the sum of n numbers, by however many launches the kernel takes, in the same point
// beside rivals: CUB, Thrust, the host's cores. Sums of two kinds of numbers are held against the
// host's before anything is timed. "time" is the device's, as is CUB's, of several calls behind
// each other where the numbers are few; Thrust, the host and all that is "to the host" or "with
// copies" are timed as a caller sees them.
#include <fmt/format.h>

#include <memory>

#include "analysis/results/statistics.hpp"
#include "driver/bench/contest.hpp"
#include "driver/bench/cpu_rivals.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/rivals.hpp"
#include "driver/bench/summing.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::summation;
using results::status;

constexpr int repeats = 12, cold = 2;
/// Sums of a kernel that is broken on purpose.
constexpr int sums_of_a_mutant = 20;
/// Below this, calls are timed together, so that the clock's step is small beside them.
constexpr std::uint64_t many_bytes = 64 << 20;
constexpr double calls_together = 10;
/// Sums of one core are timed together up to so many numbers; of all cores, which wait for each
/// other, as many as calls of the device.
constexpr std::uint64_t many_on_the_host = 1 << 17;
/// Beyond these the host is not asked and no copies are timed: that would take longer than all
/// else.
constexpr std::uint64_t most_on_the_host = std::uint64_t{1} << 27;
constexpr std::uint64_t most_copied = std::uint64_t{1} << 25;
/// Rivals add in an order of their own; more roundings than this do not explain an error.
constexpr double rivals_additions = 1 << 14;

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const std::uint64_t n : m.sum.elements)
    for (const unsigned t : grid_threads(m, s))
      for (const unsigned k : m.blocks_per_sm.empty() ? std::vector{0U} : m.blocks_per_sm) {
        out.push_back({{"elements", static_cast<double>(n)}, {"threads", t}});
        if (k > 0) out.back()["blocks_per_sm"] = k;
      }
  return quick ? few_of(out) : out;
}

const protocol& of_reduction() {
  return protocol_of(kernels::protocol::reduction);
}

results::row row_of(const axes& at, const char* quantity, const char* unit, const char* raw_unit) {
  results::row r = make_row(of_reduction(), at, quantity, unit);
  r.raw_unit = raw_unit;
  return r;
}

/// How many sums were looked at, and what was wrong with the first one that was.
struct checked {
  int sums = 0, wrong = 0;
  std::string first;
  void add(const std::string& trouble) {
    ++sums;
    if (!trouble.empty() && wrong++ == 0) first = trouble;
  }
  std::string text() const {
    return fmt::format("{}; {} of {} sums are wrong", first, wrong, sums);
  }
};

template <typename T>
class point {
 public:
  point(lab& l, const kernels::variant& v, const axes& at)
      : lab_(l), what_(v.measure), at_(at), ours_(l, v.measure, at) {
    n_ = static_cast<std::uint64_t>(at.at("elements"));
  }

  std::vector<results::row> measure() {
    if (ours_.launches().empty())
      return {without_value(row_of(at_, "time", "us", "ns"), status::not_run,
                            fmt::format("of {} numbers nothing is launched", n_))};
    const std::string lacks = get_memory();
    if (!lacks.empty())
      return {without_value(row_of(at_, "time", "us", "ns"), status::not_run, lacks)};
    const checked seen = check();
    lab_.warm_up([&] {
      ours_.queue();
      lab_.wait();
    });
    ours_.restore();
    gather(seen);
    std::vector<results::row> rows;
    if (what_.mutant) rows.push_back(wrong_sums(seen));
    for (results::row& r : contest(of_reduction(), at_, who_, repeats, cold))
      rows.push_back(std::move(r));
    add_bandwidth(rows);
    return rows;
  }

 private:
  /// Why there is none; empty: there is.
  std::string get_memory() {
    std::uint64_t bytes = 0;
    for (const std::uint64_t b : ours_.bytes()) bytes += b;
    if (bytes > lab_.gpu().memory_bytes() / 2 - (1 << 20))
      return fmt::format("{} bytes are more than half of the device's memory", bytes);
    try {
      ours_.use(lab_.buffers(ours_.bytes()));
    } catch (const cuda::cuda_error& e) {
      if (e.code() != CUDA_ERROR_OUT_OF_MEMORY) throw;
      return e.what();
    }
    return "";
  }

  T run_once() {
    ours_.restore();
    ours_.queue();
    lab_.wait();
    return our_sum();
  }
  T our_sum() const { return cuda::download<T>(ours_.result(), 1).front(); }

  /// Leaves `real_` in place.
  checked check() {
    checked out;
    const summands<T> exact = exact_summands<T>(n_);
    ours_.put(exact);
    for (int i = 0; i < (what_.mutant ? sums_of_a_mutant : 1); ++i) {
      const T sum = run_once();
      if (what_.sum.by != summation::leaves::nothing) out.add(wrong_sum(sum, exact, 0));
    }
    real_ = real_summands<T>(n_);
    ours_.put(real_);
    const T sum = run_once();
    if (what_.sum.by != summation::leaves::nothing)
      out.add(wrong_sum(sum, real_, ours_.additions()));
    return out;
  }

  void gather(const checked& seen) {
    // Launches in place leave other numbers for the next call.
    const bool again = what_.sum.by != summation::leaves::in_place;
    const bool few = n_ * sizeof(T) < many_bytes;
    const double calls = few && again ? calls_together : 1;
    const auto wrong = [this, seen]() -> std::string {
      if (seen.wrong > 0) return seen.text();
      if (what_.sum.by == summation::leaves::nothing) return "";
      return wrong_sum(our_sum(), real_, ours_.additions());
    };
    who_.push_back({"time",
                    [this, calls] {
                      return timed(lab_, {.before = [this] { ours_.restore(); },
                                          .queue =
                                              [this, calls] {
                                                for (int i = 0; i < calls; ++i) ours_.queue();
                                              },
                                          .repeats = 1,
                                          .cold = 0})
                          .values.front();
                    },
                    wrong, calls});
    if (what_.sum.with_copies)
      add_copies(
          "", [this] { ours_.queue(); }, ours_.result(), wrong);
    for (const std::string_view who : what_.rivals)
      who.ends_with("core") || who.ends_with("cores") ? add_host(std::string(who))
                                                      : add_rival(std::string(who), few);
  }

  /// `queue` as a caller sees it who wants the sum: from the device's memory, and from the host's.
  void add_copies(const std::string& of_whom, const std::function<void()>& queue,
                  CUdeviceptr result, const std::function<std::string()>& wrong) {
    const std::string missing =
        n_ <= most_copied ? "" : fmt::format("not timed beyond {} numbers", most_copied);
    const auto to_the_host = [this, queue, result] {
      queue();
      if (result != 0) {
        word_.take(result, lab_.queue_of());
        cuda::synchronise();
      }
    };
    const auto wrong_there = [this, result, wrong]() -> std::string {
      if (std::string trouble = wrong(); !trouble.empty()) return trouble;
      if (result != 0 && word_.elements() != cuda::download<T>(result, 1))
        return "the sum on the host is not the one on the device";
      return "";
    };
    who_.push_back({"time" + of_whom + " to the host",
                    [this, to_the_host] {
                      ours_.restore();
                      return host_ns(to_the_host);
                    },
                    wrong_there, 1, missing});
    who_.push_back({"time" + of_whom + " with copies",
                    [this, to_the_host] {
                      const std::vector<T>& from = host_numbers();
                      return host_ns([&] {
                        cuda::upload(ours_.numbers(), from, lab_.queue_of());
                        to_the_host();
                      });
                    },
                    wrong_there, 1, missing});
  }

  void add_host(const std::string& who) {
    const bool one = who == "one core";
    participant p{"time of " + who, {}, {}};
    if (n_ > most_on_the_host) {
      p.missing = fmt::format("not timed beyond {} numbers", most_on_the_host);
    } else {
      const std::uint64_t together = std::max<std::uint64_t>(1, many_on_the_host / (n_ + 1));
      p.length = one ? static_cast<double>(together)
                     : std::min(calls_together, static_cast<double>(together));
      p.once = [this, one, calls = p.length] {
        const std::vector<T>& x = host_numbers();
        const auto sum = [&] {
          host_sum_ = one ? sum_on_one_core(x.data(), x.size())
                          : sum_on_all_cores(all_cores(), x.data(), x.size());
        };
        sum();  // wakes the other threads
        return host_ns([&] {
          for (int i = 0; i < calls; ++i) sum();
        });
      };
      p.wrong = [this] { return wrong_rival(host_sum_); };
    }
    who_.push_back(std::move(p));
  }

  void add_rival(const std::string& who, bool few) {
    participant p{"time of " + who, {}, {}};
    const rival_library& from = rival_library::get();
    std::shared_ptr<rival> r;
    p.missing = from.missing();
    if (p.missing.empty()) try {
        r = std::make_shared<rival>(
            from, who, fmt::format("sum {}", name_of(what_.sum.of)),
            rival_data{.keys = ours_.numbers(), .keys_out = ours_.rivals_result(), .n = n_});
      } catch (const error& e) {
        p.missing = e.what();
      }
    if (!p.missing.empty()) {
      who_.push_back(std::move(p));
      return;
    }
    // Its kernels for this n are loaded at their first launch, which waits for the device: that
    // must not happen behind a stream that is held.
    r->queue(lab_.queue_of());
    cuda::synchronise();
    p.length = few && !r->waits() ? calls_together : 1;
    p.once = [this, r, calls = p.length] {
      ours_.restore();
      const auto queue = [this, r, calls] {
        for (int i = 0; i < calls; ++i) r->queue(lab_.queue_of());
      };
      if (r->waits()) return host_ns(queue);
      return timed(lab_, {.queue = queue, .repeats = 1, .cold = 0}).values.front();
    };
    p.wrong = [this, r] { return wrong_rival(r->template sum<T>()); };
    who_.push_back(p);
    if (what_.sum.with_copies)
      add_copies(
          " of " + who, [this, r] { r->queue(lab_.queue_of()); },
          r->waits() ? 0 : ours_.rivals_result(), p.wrong);
  }

  std::string wrong_rival(T sum) const { return wrong_sum(sum, real_, rivals_additions); }

  void add_bandwidth(std::vector<results::row>& rows) const {
    const auto time = std::find_if(rows.begin(), rows.end(),
                                   [](const results::row& r) { return r.quantity == "time"; });
    if (time == rows.end() || !time->value || n_ == 0) return;
    results::row r = row_of(at_, "bandwidth", "GB/s", "ns");
    r.raw = time->raw;
    std::vector<double> rates;
    for (const double ns : r.raw.front().values)
      rates.push_back(static_cast<double>(n_ * sizeof(T)) * r.raw.front().length / ns);
    r.value = results::summarise(rates);
    rows.push_back(std::move(r));
  }

  results::row wrong_sums(const checked& seen) const {
    results::row r = row_of(at_, "wrong sums", "sum", "sum");
    r.value = results::summarise({static_cast<double>(seen.wrong)});
    r.value->samples = seen.sums;
    return r;
  }

  static team& all_cores() {
    static team all;
    return all;
  }
  const std::vector<T>& host_numbers() {
    if (host_.size() != n_) host_ = real_.all();
    return host_;
  }

  lab& lab_;
  const kernels::measurement& what_;
  axes at_;
  std::uint64_t n_ = 0;
  summing<T> ours_;
  summands<T> real_;
  std::vector<T> host_;
  T host_sum_{};
  cuda::host_copy<T> word_{1};
  std::vector<participant> who_;
};

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  switch (v.measure.sum.of) {
    case kernels::number::f32:
      return point<float>(l, v, at).measure();
    case kernels::number::f64:
      return point<double>(l, v, at).measure();
    case kernels::number::u64:
      return point<std::uint64_t>(l, v, at).measure();
    case kernels::number::u32:
    case kernels::number::s32:
      return point<std::uint32_t>(l, v, at).measure();
  }
  throw error("a reduction of no type");
}

const protocol_registration registered({.how = kernels::protocol::reduction,
                                        .name = "reduction",
                                        .says = "a sum, timed from outside, beside rivals",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
