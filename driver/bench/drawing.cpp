// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "driver/bench/curand_library.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/sobol.hpp"
#include "driver/bench/xorwow.hpp"
#include "driver/session.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::generator;

constexpr unsigned block_threads = 256;
constexpr std::uint64_t state_bytes = 48;  // the largest: cuRAND's own
constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();

unsigned blocks_for(std::uint64_t threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

unsigned grid_of(const kernels::measurement& m, const lab& l) {
  const unsigned per_sm = m.blocks_per_sm.empty() ? 4 : m.blocks_per_sm.front();
  return per_sm * static_cast<unsigned>(l.device_sizes().multiprocessors);
}

class xorwow_drawing : public drawing {
 public:
  xorwow_drawing(lab& l, const kernels::variant& v, const axes& at)
      : drawing(static_cast<std::uint64_t>(at.at("numbers"))),
        lab_(l),
        of_(v.measure.generator),
        words_(output_of(of_.as)),
        units_(numbers() / words_.numbers) {
    const auto adjacent =
        static_cast<unsigned>(v.measure.operands.empty() ? 1 : v.measure.operands.front());
    spread_ = spread_over(grid_of(v.measure, l), block_threads, adjacent,
                          static_cast<std::uint32_t>(at.at("subsequences")));
    // A segment holds the row that is not whole as well.
    if (spread_.segments > 1)
      segment_ = static_cast<std::uint32_t>(units_ / spread_.subsequences / spread_.segments + 1);
    const auto powers = xorwow_powers();
    const auto memory =
        l.buffers({numbers() * words_.bytes + random_guard_bytes,
                   state_bytes * spread_.subsequences * spread_.segments, 4 * powers.size()});
    out_ = memory[0];
    states_ = memory[1];
    powers_ = memory[2];
    cuda::upload(powers_, powers);
    geometry_.blocks = spread_.blocks;
    geometry_.block_threads = block_threads;
    l.arm(geometry_);
  }

  void set_up() override {
    drawn_ = 0;
    if (of_.setup.empty()) return;
    cuda::geometry g = geometry_;
    g.blocks = blocks_for(std::uint64_t{spread_.subsequences} * spread_.segments);
    cuda::arguments a;
    a.add(states_).add(powers_).add(random_seed).add(std::uint64_t{0}).add(words_.words);
    a.add(0U).add(spread_.subsequences).add(segment_).add(spread_.segments);
    lab_.queue(std::string(of_.setup), g, a);
  }
  void draw() override {
    const bool at_once = of_.setup.empty();
    if (!goes_on()) drawn_ = 0;
    last_ = drawn_;
    const auto rows = static_cast<std::uint32_t>(units_ / spread_.subsequences);
    const auto rest = static_cast<std::uint32_t>(units_ % spread_.subsequences);
    const auto start = static_cast<std::uint32_t>(drawn_ % spread_.subsequences);
    const auto row = static_cast<std::uint32_t>(drawn_ / spread_.subsequences);
    const std::uint32_t counter =
        xorwow::of_seed(random_seed).counter + xorwow::weyl * words_.words * row;
    cuda::arguments a;
    a.add(states_);
    if (at_once) a.add(powers_).add(random_seed).add(std::uint64_t{0}).add(spread_.segments);
    a.add(out_).add(rows).add(rest).add(start).add(counter);
    a.add(spread_.subsequences).add(segment_);
    lab_.queue(geometry_, a);
    drawn_ += units_;
  }
  /// Where a state is kept, and where the next portion begins at a multiple of what a thread
  /// stores.
  bool goes_on() const override {
    return spread_.segments == 1 && !of_.setup.empty() && units_ % 4 == 0;
  }
  std::vector<double> wanted(std::uint64_t first, std::uint64_t count) const override {
    const unsigned each = words_.numbers;
    const std::uint64_t from = first / each, to = (first + count + each - 1) / each;
    std::vector<double> out =
        xorwow_numbers(of_.as, random_seed, spread_.subsequences, last_ + from, to - from);
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first - from * each);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  CUdeviceptr out() const override { return out_; }

 private:
  lab& lab_;
  generator of_;
  random_output words_;
  std::uint64_t units_, drawn_ = 0, last_ = 0;
  xorwow_spread spread_;
  std::uint32_t segment_ = endless;
  CUdeviceptr out_ = 0, states_ = 0, powers_ = 0;
  cuda::geometry geometry_;
};

const sobol_table& joe_kuo() {
  static const sobol_table all(driver::project_root() / "docs/data/joe_kuo_6.csv");
  return all;
}

class sobol_drawing : public drawing {
 public:
  sobol_drawing(lab& l, const kernels::variant& v, const axes& at)
      : drawing(static_cast<std::uint64_t>(at.at("numbers"))),
        lab_(l),
        of_(v.measure.generator),
        dimensions_(static_cast<unsigned>(at.at("dimensions"))),
        points_(static_cast<std::uint32_t>(numbers() / dimensions_)) {
    // Blocks of one dimension each, of whole multiples of what they store at once.
    const unsigned each = std::max(1U, grid_of(v.measure, l) / dimensions_);
    constexpr std::uint32_t at_once = 4 * block_threads;
    share_ = (points_ / each / at_once + 1) * at_once;
    geometry_.blocks = std::max(1U, (points_ + share_ - 1) / share_) * dimensions_;
    geometry_.block_threads = block_threads;
    vectors_ = joe_kuo().vectors(dimensions_);
    if (of_.by == generator::law::scrambled_sobol32) scramble();
    const unsigned bytes = output_of(of_.as).bytes;
    const auto memory =
        l.buffers({numbers() * bytes + random_guard_bytes, 4 * vectors_.size(),
                   4 * std::max<std::uint64_t>(1, constants_.size()),
                   std::uint64_t{4} * dimensions_, std::uint64_t{4} * degrees * dimensions_});
    out_ = memory[0];
    on_device_ = memory[1];
    if (!constants_.empty()) constants_on_device_ = memory[2];
    cuda::upload(on_device_, vectors_);
    if (!constants_.empty()) cuda::upload(constants_on_device_, constants_);
    upload_table(memory[3], memory[4]);
    l.arm(geometry_);
  }

  void set_up() override {
    if (of_.setup.empty()) return;
    cuda::geometry g = geometry_;
    g.blocks = blocks_for(dimensions_);
    cuda::arguments a;
    a.add(on_device_).add(polynomials_).add(first_).add(dimensions_);
    lab_.queue(std::string(of_.setup), g, a);
  }
  void draw() override {
    cuda::arguments a;
    a.add(on_device_).add(constants_on_device_).add(out_).add(0U);
    a.add(points_).add(dimensions_).add(share_);
    lab_.queue(geometry_, a);
  }
  bool goes_on() const override { return false; }
  std::vector<double> wanted(std::uint64_t first, std::uint64_t count) const override {
    return sobol_numbers(of_.as, vectors_, constants_, points_, first, count);
  }
  CUdeviceptr out() const override { return out_; }
  unsigned dimensions() const override { return dimensions_; }

 private:
  static constexpr unsigned degrees = 18;  // sobol_degrees of ptx/device/sobol.cuh

  /// By cuRAND's vectors and constants, which no recurrence gives, so that its numbers can be
  /// compared; without cuRAND by our own.
  void scramble() {
    const curand_library& from = curand_library::get();
    if (from.missing().empty()) {
      vectors_ = curand_vectors(from, true);
      constants_ = curand_constants(from);
      if (constants_.size() < dimensions_)
        throw error(
            fmt::format("cuRAND scrambles {} dimensions, not {}", constants_.size(), dimensions_));
      vectors_.resize(std::size_t{32} * dimensions_);
      constants_.resize(dimensions_);
      return;
    }
    xorwow random = xorwow::of_seed(random_seed);
    for (unsigned d = 0; d < dimensions_; ++d) {
      const sobol_vectors v = scrambled(joe_kuo()[d].vectors(), random_seed + d);
      std::copy(v.begin(), v.end(), vectors_.begin() + std::ptrdiff_t{32} * d);
      constants_.push_back(random.next());
    }
  }
  void upload_table(CUdeviceptr polynomials, CUdeviceptr first) {
    std::vector<std::uint32_t> all, numbers(std::size_t{degrees} * dimensions_);
    for (unsigned d = 0; d < dimensions_; ++d) {
      const sobol_dimension& one = joe_kuo()[d];
      all.push_back(one.polynomial);
      std::copy(one.first.begin(), one.first.end(), numbers.begin() + std::ptrdiff_t{degrees} * d);
    }
    polynomials_ = polynomials;
    first_ = first;
    cuda::upload(polynomials, all);
    cuda::upload(first, numbers);
  }

  lab& lab_;
  generator of_;
  unsigned dimensions_;
  std::uint32_t points_, share_ = 0;
  std::vector<std::uint32_t> vectors_, constants_;
  CUdeviceptr out_ = 0, on_device_ = 0, constants_on_device_ = 0, polynomials_ = 0, first_ = 0;
  cuda::geometry geometry_;
};

}  // namespace

xorwow_spread spread_over(unsigned grid, unsigned threads, unsigned adjacent,
                          std::uint32_t subsequences) {
  const std::uint64_t all = std::uint64_t{grid} * threads;
  xorwow_spread out;
  out.subsequences = subsequences != 0 ? subsequences : static_cast<std::uint32_t>(all * adjacent);
  if (out.subsequences % adjacent != 0)
    throw error(fmt::format("{} subsequences are no multiple of the {} of a thread",
                            out.subsequences, adjacent));
  const std::uint64_t groups = out.subsequences / adjacent;
  out.segments = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, all / groups));
  out.blocks = static_cast<unsigned>((groups * out.segments + threads - 1) / threads);
  return out;
}

std::unique_ptr<drawing> drawing_of(lab& l, const kernels::variant& v, const axes& at) {
  if (v.measure.generator.by == generator::law::xorwow)
    return std::make_unique<xorwow_drawing>(l, v, at);
  return std::make_unique<sobol_drawing>(l, v, at);
}

std::string refusal_of(const kernels::variant& v, const axes& at, std::uint64_t memory_bytes) {
  const auto n = static_cast<std::uint64_t>(at.at("numbers"));
  const random_output o = output_of(v.measure.generator.as);
  const auto dimensions =
      at.contains("dimensions") ? static_cast<std::uint64_t>(at.at("dimensions")) : 1;
  if (n * o.bytes > memory_bytes / 2)
    return fmt::format("{} bytes of numbers are more than half of the memory", n * o.bytes);
  if (v.measure.generator.by == generator::law::xorwow && n % o.numbers != 0)
    return fmt::format("{} numbers that come in pairs", n);
  if (dimensions == 0 || n % dimensions != 0)
    return fmt::format("{} numbers in {} dimensions", n, dimensions);
  if (n / dimensions > std::uint64_t{1} << 31 && v.measure.generator.by != generator::law::xorwow)
    return fmt::format("{} points of a sequence that is indexed by 32 bits", n / dimensions);
  return "";
}

}  // namespace ptxlab::bench
