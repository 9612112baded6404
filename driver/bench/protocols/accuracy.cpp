// SPDX-License-Identifier: Apache-2.0
// accuracy: a function of every number, or of evenly many, held against its exact value. The kernel
// reads and writes the host's memory; while it has one part of the numbers, all cores of the host
// compare the results of the part before and write down the numbers of the next one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include "analysis/accuracy/inputs.hpp"
#include "driver/bench/error_rows.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/cuda/mapped.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr std::uint64_t part_numbers = 1 << 23;
constexpr double few_numbers = 1 << 16;
constexpr unsigned threads = 256;

/// What stands in a result before the kernel has written it: a NaN that no instruction makes, and
/// as an integer a number that hardly any operands give.
constexpr std::uint32_t unwritten = 0xffc5a5a5;

std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  const auto samples = static_cast<double>(m.function.samples);
  if (!quick) return {{{"samples", samples}}};
  return {{{"samples", samples == 0 ? few_numbers : std::min(samples, few_numbers)}}};
}

/// Calls f(0), ..., f(n - 1), each in a thread of its own.
template <typename F>
void in_parallel(unsigned n, const F& f) {
  std::vector<std::jthread> all;
  for (unsigned k = 1; k < n; ++k) all.emplace_back([&f, k] { f(k); });
  f(0);
}

/// Numbers, and room for what a kernel makes of them.
struct part {
  part(std::size_t n, unsigned operands) : x(n), got(n) {
    if (operands == 2) y.emplace(n);
  }
  cuda::mapped_array<std::uint32_t> x, got;
  std::optional<cuda::mapped_array<std::uint32_t>> y;
};

class comparison {
 public:
  comparison(lab& l, const kernels::function& f, std::uint64_t samples)
      : lab_(l),
        of_(accuracy::function_of(f.name)),
        inputs_(of_, {f.lowest, f.highest, f.lowest_second, f.highest_second}, samples),
        numbers_(std::min(part_numbers, inputs_.count())),
        parts_((inputs_.count() + numbers_ - 1) / numbers_),
        cores_(std::max(1U, std::thread::hardware_concurrency())),
        seen_(cores_, accuracy::tally(of_.by)),
        missing_(cores_) {
    for (std::optional<part>& p : held_) p.emplace(numbers_, of_.operands);
  }

  const accuracy::function& of() const { return of_; }

  /// Throws ptxlab::error where a result was not written.
  accuracy::tally run() {
    cuda::geometry g;
    g.block_threads = threads;
    g.blocks = static_cast<unsigned>((numbers_ + threads - 1) / threads);
    lab_.arm(g);
    in_parallel(cores_, [&](unsigned core) { write_down(0, core); });
    for (std::uint64_t p = 0; p <= parts_; ++p) {
      if (p < parts_) queue(g, p);
      in_parallel(cores_, [&](unsigned core) {
        if (p > 0) compare(p - 1, core);
        if (p + 1 < parts_) write_down(p + 1, core);
      });
      if (p < parts_) lab_.wait();
      for (const auto& missing : missing_)
        if (missing) throw error(fmt::format("result {} was not written", *missing));
    }
    accuracy::tally all(of_.by);
    for (const accuracy::tally& t : seen_) all.add(t);
    return all;
  }

 private:
  /// The numbers of part `p` that a core cares for, by their places in the part.
  accuracy::slice share(std::uint64_t p, unsigned core) const {
    return accuracy::slice_of(length(p), numbers_, core, cores_);
  }
  std::uint64_t length(std::uint64_t p) const {
    return std::min(numbers_, inputs_.count() - p * numbers_);
  }

  void write_down(std::uint64_t p, unsigned core) {
    const auto [first, n] = share(p, core);
    const part& to = *held_[p % 2];
    inputs_.fill(p * numbers_ + first, to.x.elements().subspan(first, n),
                 to.y ? to.y->elements().subspan(first, n) : std::span<std::uint32_t>());
    std::ranges::fill(to.got.elements().subspan(first, n), unwritten);
  }

  void queue(const cuda::geometry& g, std::uint64_t p) {
    const part& of = *held_[p % 2];
    cuda::arguments a;
    a.add(of.got.address()).add(of.x.address());
    if (of.y) a.add(of.y->address());
    a.add(static_cast<unsigned>(length(p)));
    lab_.queue(g, a);
  }

  void compare(std::uint64_t p, unsigned core) {
    const auto [first, n] = share(p, core);
    const part& from = *held_[p % 2];
    const std::span<const std::uint32_t> got = from.got.elements().subspan(first, n);
    // An integer result may be that word; not all of a core's.
    const auto missing = std::ranges::count(got, unwritten);
    if (missing > 0 && (of_.of == accuracy::number::f32 || std::cmp_equal(missing, n)))
      missing_[core] = p * numbers_ + first +
                       static_cast<std::uint64_t>(std::ranges::find(got, unwritten) - got.begin());
    of_.compare({from.x.elements().subspan(first, n),
                 from.y ? from.y->elements().subspan(first, n) : std::span<std::uint32_t>(), got},
                of_.by, seen_[core]);
  }

  lab& lab_;
  const accuracy::function& of_;
  accuracy::inputs inputs_;
  std::uint64_t numbers_, parts_;  ///< numbers of a part but the last; how many parts
  unsigned cores_;
  std::vector<accuracy::tally> seen_;                  ///< by each core
  std::vector<std::optional<std::uint64_t>> missing_;  ///< the first that each found not written
  std::optional<part> held_[2];
};

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  comparison c(l, v.measure.function, static_cast<std::uint64_t>(at.at("samples")));
  return error_rows(c.of(), c.run(), at);
}

const protocol_registration registered({.how = kernels::protocol::accuracy,
                                        .name = "accuracy",
                                        .says = "a function against its exact value",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
