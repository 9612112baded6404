// SPDX-License-Identifier: Apache-2.0
// transform: X -> P -> X, many times: by one launch whose blocks wait for each other, or by a
// launch for each step (stream, graph, programmatic dependents). Two events around it, the stream
// held until all is queued, so that it is the device's time. What comes out is held against the
// host's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/results/statistics.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/transform_reference.hpp"
#include "driver/cuda/graph.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr int repeats = 10, cold = 2;
constexpr unsigned most_transforms = 100;  // as in 2012
constexpr double point_ns = 60e6;
constexpr std::uint64_t state_bytes = 64 << 10;

/// n is one element for each thread. So many transforms that all repeats together stay below
/// `point_ns`.
std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const unsigned named : m.terms.empty() ? std::vector<unsigned>{0} : m.terms)
    for (const unsigned t : grid_threads(m, s, {32, 64, 128, 256, 512, 1024}))
      for (const unsigned b : grid_blocks(m, s, {2, 4, 8, 16, 32, 64, 0})) {
        const unsigned n = b * t, terms = named == 0 ? n : std::min(named, n);
        const double one = transform_ns(n, terms, b, t, s);
        if (one > longest_transform_ns) continue;  // the body would hide what is between the steps
        const double transforms =
            std::clamp(std::floor(point_ns / (repeats + cold) / one), 2.0, 1.0 * most_transforms);
        axes at = {
            {"threads", t}, {"blocks", b}, {"n", n}, {"terms", terms}, {"transforms", transforms}};
        if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(std::move(at));
      }
  return quick ? few_of(out) : out;
}

/// A kernel with its memory: one launch for all transforms, or two for each.
class stage {
 public:
  stage(lab& l, const kernels::variant& v, const axes& at) : lab_(l), by_(v.measure.by) {
    g_.block_threads = static_cast<unsigned>(at.at("threads"));
    g_.blocks = static_cast<unsigned>(at.at("blocks"));
    g_.cluster_blocks = v.measure.cluster_blocks;
    g_.cooperative = v.measure.cooperative;
    g_.spins = by_ == kernels::launcher::once;
    g_.unchecked = l.runs_refused();
    g_.overlaps_previous = by_ == kernels::launcher::dependent;
    n_ = static_cast<unsigned>(at.at("n"));
    terms_ = static_cast<unsigned>(at.at("terms"));
    const std::uint64_t bytes = n_ * sizeof(float);
    memory_ = l.buffers({bytes, bytes, terms_ * sizeof(float), state_bytes});
  }

  void use(const std::vector<float>& weights) { cuda::upload(memory_[2], weights); }
  /// From `x`, with everything else as before the first launch; nothing is queued yet.
  void start(const std::vector<float>& x) {
    cuda::upload(memory_[0], x);
    cuda::fill(memory_[1], 0, n_ * sizeof(float));
    cuda::fill(memory_[3], 0, state_bytes);
    lab_.arm(g_);
  }
  void queue(unsigned transforms) {
    if (by_ != kernels::launcher::once) {
      for (unsigned i = 0; i < transforms; ++i) {
        queue_step(memory_[0], memory_[1]);
        queue_step(memory_[1], memory_[0]);
      }
      return;
    }
    cuda::arguments a;
    a.add(memory_[0]).add(memory_[1]).add(memory_[2]).add(memory_[3]);
    a.add(n_).add(terms_).add(transforms);
    lab_.queue(g_, a);
  }
  std::vector<float> x() const { return cuda::download<float>(memory_[0], n_); }
  std::vector<float> p() const { return cuda::download<float>(memory_[1], n_); }

 private:
  void queue_step(CUdeviceptr from, CUdeviceptr to) {
    cuda::arguments a;
    a.add(from).add(to).add(memory_[2]).add(n_).add(terms_);
    lab_.queue(g_, a);
  }

  lab& lab_;
  kernels::launcher by_;
  cuda::geometry g_;
  unsigned n_ = 0, terms_ = 0;
  std::vector<CUdeviceptr> memory_;
};

/// What is wrong with 1, 2 and 3 transforms of `x`, each held against the one before; empty: none.
std::string wrong_after_few(lab& l, stage& s, const std::vector<float>& weights,
                            std::vector<float> x, const std::vector<std::size_t>& which) {
  const std::vector<float> first = x;
  s.use(weights);
  for (unsigned transforms = 1; transforms <= 3; ++transforms) {
    s.start(first);
    s.queue(transforms);
    l.wait();
    const std::vector<float> p = s.p(), to = s.x();
    std::string wrong = wrong_elements("P", x, p, weights, which);
    if (wrong.empty()) wrong = wrong_elements("X", p, to, weights, which);
    if (!wrong.empty()) return fmt::format("transform {}: {}", transforms, wrong);
    x = to;
  }
  return "";
}

/// What is wrong with the last results of a repeat: X must be one step from P, and the same in
/// every repeat.
std::string wrong_after_all(const std::vector<float>& p, const std::vector<float>& x,
                            const std::vector<float>& expected, const std::vector<float>& weights,
                            const std::vector<std::size_t>& which) {
  const std::string wrong = wrong_elements("X", p, x, weights, which);
  if (!wrong.empty()) return "the last transform: " + wrong;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == expected[i]))
      return fmt::format("X[{}] is {} in one repeat and {} in another", i, x[i], expected[i]);
  return "";
}

results::series timed(lab& l, stage& s, const kernels::variant& v, unsigned transforms,
                      const std::vector<float>& weights, const std::vector<float>& first,
                      const std::vector<std::size_t>& which, std::string& wrong) {
  s.use(weights);
  s.start(first);
  std::optional<cuda::graph> recorded;
  if (v.measure.by == kernels::launcher::graph)
    recorded.emplace(l.queue_of(), [&] { s.queue(transforms); });
  l.warm_up([&] {
    s.start(first);
    s.queue(transforms);
    l.wait();
  });
  std::vector<float> expected;
  return timed(l, {.before = [&] { s.start(first); },
                   .queue =
                       [&] {
                         if (recorded)
                           recorded->launch(l.queue_of());
                         else
                           s.queue(transforms);
                       },
                   .after =
                       [&] {
                         const std::vector<float> x = s.x();
                         if (expected.empty()) expected = x;
                         if (wrong.empty())
                           wrong = wrong_after_all(s.p(), x, expected, weights, which);
                       },
                   .length = static_cast<double>(transforms),
                   .repeats = repeats,
                   .cold = cold});
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  results::row r = make_row(protocol_of(kernels::protocol::transform), at, "transform", "us");
  r.raw_unit = "ns";
  const auto n = static_cast<unsigned>(at.at("n"));
  const auto terms = static_cast<unsigned>(at.at("terms"));
  const auto transforms = static_cast<unsigned>(at.at("transforms"));
  stage s(l, v, at);
  const std::vector<float> first = first_elements(n), real = real_weights(terms);
  const std::vector<std::size_t> which = looked_at(n, terms);
  std::string wrong = wrong_after_few(l, s, std::vector<float>(terms, 1.0F), first, which);
  if (wrong.empty()) wrong = wrong_after_few(l, s, real, first, which);
  if (wrong.empty()) {
    const std::vector<std::size_t> fewer = looked_at(n, terms, std::size_t{1} << 18);
    r.raw.push_back(timed(l, s, v, transforms, real, first, fewer, wrong));
  }
  if (!wrong.empty()) {
    r.state = results::status::invalid;
    r.reason = wrong;
    return {std::move(r)};
  }
  std::vector<double> us;
  for (const double ns : r.raw.front().values) us.push_back(ns / 1e3 / transforms);
  r.value = results::summarise(us);
  return {std::move(r)};
}

const protocol_registration registered({.how = kernels::protocol::transform,
                                        .name = "transform",
                                        .says = "X -> P -> X by launches or behind barriers",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
